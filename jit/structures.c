/* Fields of structures, one structure a lane: whole rows of memory, taken apart in registers.
 *
 *     ld.global.f32 %f1, [%rd4];        %rd4 = p + 12*lane: 16 lanes' structures are three vectors in a row,
 *     ld.global.f32 %f2, [%rd4+4];      x y z x y z ..: three loads, and six shuffles of two vectors
 *     ld.global.f32 %f3, [%rd4+8];      (network.h) give x x x .., y y y .., z z z ..
 *
 * Gathers and scatters go lane by lane, for each field. What loads or stores of a block from one register
 * and different constants may be made one is found at the first of them. Loads are made there, stores at the
 * last: nothing between may touch the same memory, meet anybody or leave this version of the code.
 *
 * Each lane's bytes that the text reads are read, and those between them where all lanes are on: of the pages
 * between the first and the last byte there is none where no lane reads. Written is what the text writes and
 * nothing else, under masks, for the bytes in between may be another thread's.
 */
#include "jit/lower_rows.h"
#include "jit/network.h"

#include <string.h>

enum { MOST_BYTES = 128, MOST_MEMBERS = 16, MOST_BARS = 8, FAR_AHEAD = 256, MOST_CHUNKS = 8, LINE = 64 };

struct member {
    uint32_t instr;
    int64_t at; /* its address less the register */
    uint32_t bytes;
    LLVMValueRef x[4]; /* a store's elements, from where it stands on */
};

/* Accesses that are made together. */
struct wg_structure {
    struct wg_structure *next;
    struct member member[MOST_MEMBERS];
    uint32_t n;
    enum wg_op op;
    int64_t low; /* where rows begin: the lowest member, or before it */
    uint32_t stride;
    uint32_t unit; /* bytes: 4, or 8 where nothing is smaller */
    uint32_t
        run; /* lanes that lie `stride` apart: 32, or so many with a run-time term from one to the next */
    struct wg_network net;
    LLVMValueRef field[MOST_CHUNKS][WG_NETWORK_UNITS]; /* of each `net.lanes` lanes; loads */
};

static uint32_t chunks(const struct wg_structure *s) { return WG_LANES / s->net.lanes; }

/* ---- finding ---- */

static bool is_plain(const struct wg_ir_instr *in) {
    uint8_t sem = in->mod[WG_MC_SEM];
    return (sem == WG_M_none || sem == WG_M_weak) && in->mod[WG_MC_CACHE] != WG_M_cv;
}

static bool is_field(const struct wg_ir_instr *in) {
    bool where = in->space == WG_S_GLOBAL || in->space == WG_S_GENERIC || in->space == WG_S_SHARED;
    uint32_t bits = wg_type_bits(in->type);
    return (in->op == WG_OP_LD || in->op == WG_OP_ST) && where && is_plain(in) && in->guard == WG_NO_REG &&
           !in->checked && in->src[0].kind == WG_O_REG && (bits == 32 || bits == 64) && in->nvec <= 4;
}

static uint32_t bytes_of(const struct wg_ir_instr *in) { return wg_type_bits(in->type) / 8 * in->nvec; }

/* Whether an access at `a` of one lane may meet one at `b` of another or the same. */
static bool meets(const struct wg_structure *s, int64_t a, uint32_t a_bytes, int64_t b, uint32_t b_bytes) {
    int64_t d = (a - b) % s->stride;
    if (d < 0) d += s->stride;
    return s->run < WG_LANES || d < b_bytes || s->stride - d < a_bytes;
}

static bool meets_members(const struct wg_structure *s, const struct wg_ir_instr *in) {
    for (uint32_t i = 0; i < s->n; i++)
        if (meets(s, in->offset, bytes_of(in), s->member[i].at, s->member[i].bytes)) return true;
    return false;
}

/* Adds the access, if that leaves the structure no longer than the stride. */
static bool add_member(struct wg_structure *s, const struct wg_ir_instr *in, uint32_t instr) {
    int64_t low = s->n && s->low < in->offset ? s->low : in->offset, high = in->offset + bytes_of(in);
    for (uint32_t i = 0; i < s->n; i++)
        if (s->member[i].at + s->member[i].bytes > high) high = s->member[i].at + s->member[i].bytes;
    if (s->n == MOST_MEMBERS || high - low > s->stride || (in->offset - low) % 4) return false;
    if (s->n && (s->low - low) % 4) return false;
    s->low = low;
    s->member[s->n++] = (struct member){.instr = instr, .at = in->offset, .bytes = bytes_of(in)};
    return true;
}

static bool same_place(const struct wg_ir_instr *a, const struct wg_ir_instr *b) {
    return a->space == b->space && b->src[0].kind == WG_O_REG && a->src[0].index == b->src[0].index;
}

static bool may_touch(const struct wg_ir_instr *a, const struct wg_ir_instr *b) {
    if (b->space == WG_S_PARAM || b->space == WG_S_CONST) return false;
    if (b->op == WG_OP_LD && (b->mod[WG_MC_CACHE] == WG_M_nc || b->mod[WG_MC_CACHE2] == WG_M_nc))
        return false;
    return a->space == b->space || a->space == WG_S_GENERIC || b->space == WG_S_GENERIC ||
           (a->space == WG_S_SHARED && b->space == WG_S_CLUSTER);
}

static bool redefines(const struct wg_ir_instr *in, uint32_t reg) {
    for (uint32_t d = 0; d < in->ndst; d++)
        if (in->dst[d].kind == WG_O_REG && in->dst[d].index == reg) return true;
    return false;
}

/* Whether what is no load or store may stand between two members. */
static bool is_quiet(const struct wg_emit *e, const struct wg_structure *s, const struct wg_ir_instr *in) {
    uint32_t noisy = WG_F_SYNC | WG_F_WAIT | WG_F_FLOW | WG_F_EFFECT | WG_F_BULK | WG_F_MATRIX | WG_F_MEM;
    if (in->op >= WG_OP_COUNT || in->op == WG_OP_CALL || in->op == WG_OP_NONE) return false;
    if (in->op != WG_OP_LD && in->op != WG_OP_ST && wg_op_flags(in->op) & noisy) return false;
    return s->op == WG_OP_LD || !wg_may_leave(e->an, in);
}

/* Stores of the block that loads, which were made early, must not have met. */
struct bars {
    const struct wg_ir_instr *in[MOST_BARS];
    uint32_t n;
};

static bool behind_bars(const struct wg_structure *s, const struct bars *bars, const struct wg_ir_instr *in) {
    for (uint32_t i = 0; i < bars->n; i++)
        if (meets(s, in->offset, bytes_of(in), bars->in[i]->offset, bytes_of(bars->in[i]))) return true;
    return false;
}

/* Whether members may be looked for behind this load or store, which is none. */
static bool may_pass(const struct wg_structure *s, struct bars *bars, const struct wg_ir_instr *first,
                     const struct wg_ir_instr *in) {
    if (!is_plain(in)) return false;
    if (in->op == WG_OP_LD && s->op == WG_OP_LD) return true;
    if (!may_touch(first, in)) return true;
    if (!same_place(first, in)) return false;
    if (s->op == WG_OP_ST) return !meets_members(s, in);
    if (bars->n == MOST_BARS) return false;
    bars->in[bars->n++] = in;
    return true;
}

static void find_members(struct wg_emit *e, struct wg_structure *s) {
    const struct wg_ir_block *blk = &e->func->blocks[e->block];
    const struct wg_ir_instr *first = &blk->instrs[e->instr];
    struct bars bars = {.n = 0};
    add_member(s, first, e->instr);
    for (uint32_t i = e->instr + 1; i < blk->ninstrs && i < e->instr + FAR_AHEAD; i++) {
        const struct wg_ir_instr *in = &blk->instrs[i - 1];
        if (redefines(in, first->src[0].index)) return;
        in = &blk->instrs[i];
        bool access = in->op == WG_OP_LD || in->op == WG_OP_ST;
        if (!is_quiet(e, s, in)) return;
        bool fits = in->op == s->op && is_field(in) && same_place(first, in);
        if (fits && !behind_bars(s, &bars, in) && (s->op == WG_OP_LD || !meets_members(s, in)) &&
            add_member(s, in, i))
            continue;
        if (access && !may_pass(s, &bars, first, in)) return;
    }
}

/* Lanes that lie in a row, `stride` apart. */
static uint32_t find_run(const struct wg_value *a, int64_t *stride) {
    if (a->kind != WG_AFFINE || !a->k) return 0;
    *stride = a->k[1];
    uint32_t run = WG_LANES;
    for (uint32_t l = 0; l < WG_LANES; l++)
        while (run > 1 &&
               (a->k[l] != a->k[l - l % run] + *stride * (l % run) || (a->r && a->r[l] != a->r[l - l % run])))
            run /= 2;
    return run;
}

/* What a field costs by rows grows with the structure, what it costs by gathers and scatters does not. */
static bool is_less_work(const struct wg_emit *e, const struct wg_structure *s) {
    uint32_t fields = (uint32_t)__builtin_popcount(s->net.wanted);
    return s->net.stride <= fields * (s->op == WG_OP_ST ? 8 : e->L.avx512 ? 6 : 4);
}

/* Rows begin where the register points to, if all members lie behind it: a structure's first byte is more
 * likely than another one to be where a line begins. */
static void set_origin(struct wg_structure *s) {
    int64_t high = s->low;
    for (uint32_t i = 0; i < s->n; i++)
        if (s->member[i].at + s->member[i].bytes > high) high = s->member[i].at + s->member[i].bytes;
    if (s->low >= 0 && high <= s->stride && s->low % 4 == 0) s->low = 0;
}

static bool set_network(const struct wg_emit *e, struct wg_structure *s) {
    set_origin(s);
    s->unit = s->stride % 8 ? 4 : 8;
    const struct wg_ir_instr *instrs = e->func->blocks[e->block].instrs;
    for (uint32_t i = 0; i < s->n; i++)
        if (wg_type_bits(instrs[s->member[i].instr].type) == 32 || (s->member[i].at - s->low) % 8)
            s->unit = 4;
    s->net.lanes = (e->L.avx512 ? 64 : 32) / s->unit;
    s->net.stride = s->stride / s->unit;
    for (uint32_t i = 0; i < s->n; i++)
        for (uint32_t b = 0; b < s->member[i].bytes; b += s->unit)
            s->net.wanted |= 1u << (s->member[i].at - s->low + b) / s->unit;
    return s->net.stride > 1 && s->net.stride <= WG_NETWORK_UNITS && s->net.lanes <= s->run &&
           is_less_work(e, s);
}

/* The structure that the access is the first known member of. */
static struct wg_structure *find(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *a) {
    int64_t stride;
    if (e->v != WG_CONVERGED || !e->L.avx2 || e->ncombine || e->opts->check) return NULL;
    if (in != &e->func->blocks[e->block].instrs[e->instr] || !is_field(in)) return NULL;
    uint32_t run = find_run(a, &stride);
    if (run < 4 || stride < 8 || stride > MOST_BYTES || stride % 4) return NULL;
    if (bytes_of(in) > stride) return NULL;
    struct wg_structure *s = WG_NEW(&e->an->arena, struct wg_structure);
    *s = (struct wg_structure){.op = in->op, .stride = (uint32_t)stride, .run = run};
    find_members(e, s);
    if (!set_network(e, s)) return NULL;
    s->next = e->structures;
    return e->structures = s;
}

static struct member *known(struct wg_emit *e, const struct wg_ir_instr *in, struct wg_structure **s) {
    if (in != &e->func->blocks[e->block].instrs[e->instr]) return NULL;
    for (*s = e->structures; *s; *s = (*s)->next)
        for (uint32_t i = 0; i < (*s)->n; i++)
            if ((*s)->member[i].instr == e->instr) return &(*s)->member[i];
    return NULL;
}

/* ---- rows ---- */

static LLVMTypeRef row_type(struct wg_emit *e, const struct wg_structure *s) {
    return LLVMVectorType(LLVMIntTypeInContext(e->L.ctx, s->unit * 8), s->net.lanes);
}

/* Where the structure of a chunk's first lane begins; `a` is the address of an access at `at`. */
static LLVMValueRef chunk_address(struct wg_emit *e, const struct wg_structure *s, const struct wg_value *a,
                                  int64_t at, uint32_t chunk) {
    uint32_t lane = chunk * s->net.lanes;
    LLVMValueRef x = a->base;
    if (a->r && a->r[lane])
        x = LLVMBuildAdd(e->L.b, x, LLVMBuildMul(e->L.b, a->scale, wg_i64(e, (uint64_t)a->r[lane]), ""), "");
    return LLVMBuildAdd(e->L.b, x, wg_i64(e, (uint64_t)(a->k[lane] + s->low - at)), "");
}

static LLVMValueRef row_pointer(struct wg_emit *e, const struct wg_structure *s, LLVMValueRef chunk,
                                uint32_t row) {
    uint64_t bytes = (uint64_t)row * s->net.lanes * s->unit;
    LLVMValueRef at = bytes ? LLVMBuildAdd(e->L.b, chunk, wg_i64(e, bytes), "") : chunk;
    return LLVMBuildIntToPtr(e->L.b, at, e->ptr, "");
}

/* The units of a row that lanes of the mask want: for each of them a word with the bit of its lane. */
static LLVMValueRef row_mask(struct wg_emit *e, const struct wg_structure *s, LLVMValueRef mask,
                             uint32_t chunk, uint32_t row) {
    LLVMValueRef lane[16], wanted[16], zero[16];
    bool full = wg_is_full(mask);
    for (uint32_t i = 0; i < s->net.lanes; i++) {
        uint32_t unit = row * s->net.lanes + i, l = chunk * s->net.lanes + unit / s->net.stride;
        bool on = s->net.wanted >> unit % s->net.stride & 1;
        lane[i] = wg_i32(e, on ? 1u << l : 0);
        wanted[i] = LLVMConstInt(e->i1, on, 0);
        zero[i] = wg_i32(e, 0);
    }
    if (full) return LLVMConstVector(wanted, s->net.lanes);
    LLVMValueRef all = LLVMBuildInsertElement(e->L.b, LLVMGetPoison(LLVMVectorType(e->i32, s->net.lanes)),
                                              mask, wg_i32(e, 0), "");
    all = LLVMBuildShuffleVector(e->L.b, all, LLVMGetPoison(LLVMTypeOf(all)),
                                 LLVMConstVector(zero, s->net.lanes), "");
    all = LLVMBuildAnd(e->L.b, all, LLVMConstVector(lane, s->net.lanes), "");
    return LLVMBuildICmp(e->L.b, LLVMIntNE, all, LLVMConstNull(LLVMTypeOf(all)), "");
}

static bool is_dense(const struct wg_structure *s) { return s->net.wanted + 1 == 1u << s->net.stride; }

/* ---- loads ---- */

/* Whether all of the row lies between the first and the last byte that lanes want. */
static bool is_inside(const struct wg_structure *s, uint32_t chunk, uint32_t row) {
    uint32_t lowest = (uint32_t)__builtin_ctz(s->net.wanted),
             highest = 31 - (uint32_t)__builtin_clz(s->net.wanted);
    bool first = s->run < WG_LANES || chunk == 0, last = s->run < WG_LANES || chunk + 1 == chunks(s);
    return (!first || row * s->net.lanes >= lowest) &&
           (!last || (row + 1) * s->net.lanes <= (s->net.lanes - 1) * s->net.stride + highest + 1);
}

static LLVMValueRef load_row(struct wg_emit *e, const struct wg_structure *s, LLVMValueRef at,
                             LLVMValueRef mask, uint32_t chunk, uint32_t row) {
    if (!wg_network_touches(&s->net, row)) return NULL;
    LLVMTypeRef t = row_type(e, s), types[2] = {t, e->ptr};
    LLVMValueRef p = row_pointer(e, s, at, row);
    if (wg_is_full(mask) && is_inside(s, chunk, row)) {
        LLVMValueRef x = LLVMBuildLoad2(e->L.b, t, p, "");
        LLVMSetAlignment(x, s->unit);
        return x;
    }
    LLVMValueRef args[4] = {p, wg_i32(e, s->unit), row_mask(e, s, mask, chunk, row), LLVMConstNull(t)};
    return wg_lower_intrinsic(&e->L, "llvm.masked.load", types, 2, args, 4);
}

static void load_rows(struct wg_emit *e, struct wg_structure *s, const struct wg_value *a, int64_t at,
                      LLVMValueRef mask) {
    for (uint32_t c = 0; c < chunks(s); c++) {
        LLVMValueRef row[WG_NETWORK_UNITS], from = chunk_address(e, s, a, at, c);
        for (uint32_t r = 0; r < s->net.stride; r++) row[r] = load_row(e, s, from, mask, c, r);
        wg_network_to_fields(e, &s->net, row, s->field[c]);
    }
}

/* Units low, high, low, high .. of two fields. */
static LLVMValueRef interleaved(struct wg_emit *e, LLVMValueRef low, LLVMValueRef high) {
    uint32_t n = LLVMGetVectorSize(LLVMTypeOf(low));
    LLVMValueRef c[2 * WG_LANES];
    for (uint32_t i = 0; i < 2 * n; i++) c[i] = wg_i32(e, i / 2 + i % 2 * n);
    LLVMValueRef x = LLVMBuildShuffleVector(e->L.b, low, high, LLVMConstVector(c, 2 * n), "");
    return LLVMBuildBitCast(e->L.b, x, LLVMVectorType(e->i64, n), "");
}

bool wg_structure_load(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *a,
                       LLVMValueRef mask, LLVMValueRef *x) {
    struct wg_structure *s;
    struct member *m = known(e, in, &s);
    if (!m) {
        if (!(s = find(e, in, a))) return false;
        m = &s->member[0];
        load_rows(e, s, a, m->at, mask);
    }
    uint32_t bytes = m->bytes / in->nvec;
    for (uint32_t i = 0; i < in->nvec; i++) {
        LLVMValueRef part[MOST_CHUNKS];
        uint32_t unit = (uint32_t)(m->at - s->low + i * bytes) / s->unit;
        for (uint32_t c = 0; c < chunks(s); c++) {
            LLVMValueRef *field = s->field[c];
            part[c] = bytes == s->unit ? field[unit] : interleaved(e, field[unit], field[unit + 1]);
        }
        x[i] = wg_lanes_join(&e->L, part, chunks(s), WG_LANES);
    }
    return true;
}

/* ---- stores ---- */

/* A member's words as fields of the chunk. */
static void put_member(struct wg_emit *e, const struct wg_structure *s, const struct member *m, uint32_t nvec,
                       uint32_t chunk, LLVMValueRef *field) {
    uint32_t lanes = s->net.lanes, bytes = m->bytes / nvec;
    for (uint32_t i = 0; i < nvec; i++) {
        LLVMValueRef x = wg_lanes_of(&e->L, m->x[i], chunk * lanes, lanes), c[2 * WG_LANES];
        LLVMValueRef *to = &field[(uint32_t)(m->at - s->low + i * bytes) / s->unit];
        if (bytes == s->unit) {
            *to = x;
            continue;
        }
        x = LLVMBuildBitCast(e->L.b, x, LLVMVectorType(e->i32, 2 * lanes), "");
        for (uint32_t half = 0; half < 2; half++) {
            for (uint32_t l = 0; l < lanes; l++) c[l] = wg_i32(e, 2 * l + half);
            to[half] = LLVMBuildShuffleVector(e->L.b, x, LLVMGetPoison(LLVMTypeOf(x)),
                                              LLVMConstVector(c, lanes), "");
        }
    }
}

static bool may_stream(struct wg_emit *e, const struct wg_structure *s) {
    if (!is_dense(s) || s->run < WG_LANES) return false;
    for (uint32_t i = 0; i < s->n; i++)
        if (!wg_may_stream(e, &e->func->blocks[e->block].instrs[s->member[i].instr])) return false;
    return true;
}

static LLVMBasicBlockRef stream_rows(struct wg_emit *e, const struct wg_structure *s, LLVMValueRef at,
                                     const LLVMValueRef *row, LLVMValueRef mask) {
    uint32_t n = chunks(s) * s->net.stride, bytes = s->net.lanes * s->unit, together = LINE / bytes;
    LLVMValueRef line[MOST_CHUNKS * WG_NETWORK_UNITS];
    for (uint32_t i = 0; i < n; i += together) {
        LLVMValueRef part[2] = {row[i], row[i + together - 1]};
        line[i / together] = wg_lanes_join(&e->L, part, together, together * s->net.lanes);
    }
    return wg_emit_stream(e, &at, 1, line, n / together, LINE, mask);
}

static void store_row(struct wg_emit *e, const struct wg_structure *s, LLVMValueRef at, LLVMValueRef x,
                      LLVMValueRef mask, uint32_t chunk, uint32_t row) {
    LLVMTypeRef types[2] = {LLVMTypeOf(x), e->ptr};
    LLVMValueRef p = row_pointer(e, s, at, row);
    if (wg_is_full(mask) && is_dense(s)) {
        LLVMSetAlignment(LLVMBuildStore(e->L.b, x, p), s->unit);
        return;
    }
    LLVMValueRef args[4] = {x, p, wg_i32(e, s->unit), row_mask(e, s, mask, chunk, row)};
    wg_lower_intrinsic(&e->L, "llvm.masked.store", types, 2, args, 4);
}

static void store_rows(struct wg_emit *e, const struct wg_structure *s, const struct wg_value *a, int64_t at,
                       LLVMValueRef mask) {
    const struct wg_ir_instr *instrs = e->func->blocks[e->block].instrs;
    LLVMValueRef row[MOST_CHUNKS][WG_NETWORK_UNITS], all[MOST_CHUNKS * WG_NETWORK_UNITS];
    for (uint32_t c = 0; c < chunks(s); c++) {
        LLVMValueRef field[WG_NETWORK_UNITS] = {0};
        for (uint32_t i = 0; i < s->n; i++)
            put_member(e, s, &s->member[i], instrs[s->member[i].instr].nvec, c, field);
        wg_network_to_rows(e, &s->net, field, row[c]);
        memcpy(&all[c * s->net.stride], row[c], s->net.stride * sizeof *all);
    }
    LLVMBasicBlockRef join = NULL;
    if (may_stream(e, s)) join = stream_rows(e, s, chunk_address(e, s, a, at, 0), all, mask);
    for (uint32_t c = 0; c < chunks(s); c++) {
        LLVMValueRef to = chunk_address(e, s, a, at, c);
        for (uint32_t r = 0; r < s->net.stride; r++)
            if (row[c][r]) store_row(e, s, to, row[c][r], mask, c, r);
    }
    if (join) {
        LLVMBuildBr(e->L.b, join);
        LLVMPositionBuilderAtEnd(e->L.b, join);
    }
}

bool wg_structure_store(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *a,
                        LLVMValueRef mask, const LLVMValueRef *x) {
    struct wg_structure *s;
    struct member *m = known(e, in, &s);
    if (!m) {
        if (!(s = find(e, in, a))) return false;
        m = &s->member[0];
    }
    for (uint32_t i = 0; i < in->nvec; i++) m->x[i] = x[i];
    if (m == &s->member[s->n - 1]) store_rows(e, s, a, m->at, mask);
    return true;
}
