/* Fields of structures, one structure a lane: whole rows of memory, taken apart in registers.
 *
 *     ld.global.f32 %f1, [%rd4];        %rd4 = p + 12*lane: 16 lanes' structures are three vectors in a row,
 *     ld.global.f32 %f2, [%rd4+4];      x y z x y z ..: three loads, and six shuffles of two vectors
 *     ld.global.f32 %f3, [%rd4+8];      (network.h) give x x x .., y y y .., z z z ..
 *
 * Gathers and scatters go lane by lane, for each field. What loads or stores of a block from one register
 * and different constants may be made one is found at the first of them. Loads are made there, stores at the
 * last: nothing between may touch the same memory, meet anybody or leave this version of the code.
 */
#include "jit/lower_rows.h"
#include "jit/structures.h"

enum { MOST_BYTES = 128, MOST_PIECE = 16, MOST_APART = 4, MOST_BARS = 8, FAR_AHEAD = 256 };

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
    int64_t d = (a - b) % s->size;
    if (d < 0) d += s->size;
    return s->run < WG_LANES || d < b_bytes || s->size - d < a_bytes;
}

static bool meets_members(const struct wg_structure *s, const struct wg_ir_instr *in) {
    for (uint32_t i = 0; i < s->n; i++)
        if (meets(s, in->offset, bytes_of(in), s->member[i].at, s->member[i].bytes)) return true;
    return false;
}

/* The same of one lane's own. */
static bool overlaps_members(const struct wg_structure *s, const struct wg_ir_instr *in) {
    for (uint32_t i = 0; i < s->n; i++)
        if (in->offset < s->member[i].at + s->member[i].bytes &&
            s->member[i].at < in->offset + (int64_t)bytes_of(in))
            return true;
    return false;
}

/* Adds the access, if that leaves the structure no longer than the stride. */
static bool add_member(struct wg_structure *s, const struct wg_ir_instr *in, uint32_t instr) {
    int64_t low = s->n && s->low < in->offset ? s->low : in->offset, high = in->offset + bytes_of(in);
    for (uint32_t i = 0; i < s->n; i++)
        if (s->member[i].at + s->member[i].bytes > high) high = s->member[i].at + s->member[i].bytes;
    if (s->n == WG_STRUCTURE_MEMBERS || high - low > s->size || (in->offset - low) % 4) return false;
    if (s->n && (s->low - low) % 4) return false;
    s->low = low;
    s->member[s->n++] =
        (struct wg_member){.instr = instr, .at = in->offset, .bytes = bytes_of(in), .nvec = in->nvec};
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
    if (in->op == WG_OP_ST && s->op == WG_OP_ST) return !overlaps_members(s, in);
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
        if (fits && !behind_bars(s, &bars, in) && (s->op == WG_OP_LD || !overlaps_members(s, in)) &&
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

static int64_t end_of(const struct wg_structure *s) {
    int64_t end = s->low;
    for (uint32_t i = 0; i < s->n; i++)
        if (s->member[i].at + s->member[i].bytes > end) end = s->member[i].at + s->member[i].bytes;
    return end;
}

static void set_network(const struct wg_emit *e, struct wg_structure *s) {
    const struct wg_ir_instr *instrs = e->func->blocks[e->block].instrs;
    s->unit = s->size % 8 ? 4 : 8;
    for (uint32_t i = 0; i < s->n; i++)
        if (wg_type_bits(instrs[s->member[i].instr].type) == 32 || (s->member[i].at - s->low) % 8)
            s->unit = 4;
    s->net = (struct wg_network){.lanes = (e->L.avx512 ? 64 : 32) / s->unit, .stride = s->size / s->unit};
    for (uint32_t i = 0; i < s->n; i++)
        for (uint32_t b = 0; b < s->member[i].bytes; b += s->unit)
            s->net.wanted |= 1u << (s->member[i].at - s->low + b) / s->unit;
}

/* Rows begin where the register points to, if all members lie behind it: a structure's first byte is more
 * likely than another one to be where a line begins. */
static bool find_rows(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *a,
                      struct wg_structure *s) {
    int64_t stride;
    uint32_t run = find_run(a, &stride);
    if (run < 4 || stride < 8 || stride > MOST_BYTES || stride % 4 || bytes_of(in) > stride) return false;
    *s = (struct wg_structure){.op = in->op, .size = (uint32_t)stride, .run = run};
    find_members(e, s);
    if (s->low >= 0 && end_of(s) <= stride && s->low % 4 == 0) s->low = 0;
    set_network(e, s);
    return s->net.stride <= WG_NETWORK_UNITS && s->net.stride > 1 && s->net.lanes <= s->run &&
           is_less_work(e, s);
}

/* Few vectors of each field are better (pattern.c), and a store of one field is best scattered. A load of one
 * is best gathered, unless it is from the caches: to the host's prefetchers a gather is one instruction that
 * goes over memory in steps, and 32 loads are so many that cross a page each time. */
static bool find_apart(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *a,
                       struct wg_structure *s) {
    if (e->opts->opt_level < 2 || a->kind == WG_UNIFORM || bytes_of(in) > MOST_PIECE || a->mapped)
        return false;
    if (e->napart == MOST_APART || wg_pattern_fits(a, wg_type_bits(in->type))) return false;
    *s = (struct wg_structure){.op = in->op, .size = MOST_PIECE, .run = 1, .apart = true};
    find_members(e, s);
    while (s->size / 2 >= end_of(s) - s->low) s->size /= 2;
    set_network(e, s);
    if (s->net.stride == 1 && (s->op == WG_OP_ST || in->space != WG_S_SHARED || !e->L.avx512)) return false;
    if (a->kind == WG_VARYING && s->size < MOST_PIECE)
        return false; /* where it lies costs more than to gather */
    e->napart++;
    return true;
}

/* The structure that the access is the first known member of. */
static struct wg_structure *find(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *a) {
    if (e->v != WG_CONVERGED || !e->L.avx2 || e->ncombine || e->opts->check || wg_in_tile(e, in)) return NULL;
    if (in != &e->func->blocks[e->block].instrs[e->instr] || !is_field(in)) return NULL;
    struct wg_structure *s = WG_NEW(&e->an->arena, struct wg_structure);
    if (!find_rows(e, in, a, s) && !find_apart(e, in, a, s)) return NULL;
    s->next = e->structures;
    return e->structures = s;
}

static struct wg_member *known(struct wg_emit *e, const struct wg_ir_instr *in, struct wg_structure **s) {
    if (in != &e->func->blocks[e->block].instrs[e->instr]) return NULL;
    for (*s = e->structures; *s; *s = (*s)->next)
        for (uint32_t i = 0; i < (*s)->n; i++)
            if ((*s)->member[i].instr == e->instr) return &(*s)->member[i];
    return NULL;
}

/* ---- fields ---- */

LLVMTypeRef wg_structure_row(struct wg_emit *e, const struct wg_structure *s) {
    return LLVMVectorType(LLVMIntTypeInContext(e->L.ctx, s->unit * 8), s->net.lanes);
}

/* Units low, high, low, high .. of two fields. */
static LLVMValueRef interleaved(struct wg_emit *e, LLVMValueRef low, LLVMValueRef high) {
    uint32_t n = LLVMGetVectorSize(LLVMTypeOf(low));
    LLVMValueRef c[2 * WG_LANES];
    for (uint32_t i = 0; i < 2 * n; i++) c[i] = wg_i32(e, i / 2 + i % 2 * n);
    LLVMValueRef x = LLVMBuildShuffleVector(e->L.b, low, high, LLVMConstVector(c, 2 * n), "");
    return LLVMBuildBitCast(e->L.b, x, LLVMVectorType(e->i64, n), "");
}

void wg_structure_take(struct wg_emit *e, struct wg_structure *s,
                       LLVMValueRef field[WG_STRUCTURE_CHUNKS][WG_NETWORK_UNITS]) {
    for (uint32_t k = 0; k < s->n; k++) {
        struct wg_member *m = &s->member[k];
        uint32_t bytes = m->bytes / m->nvec;
        for (uint32_t i = 0; i < m->nvec; i++) {
            LLVMValueRef part[WG_STRUCTURE_CHUNKS];
            uint32_t unit = (uint32_t)(m->at - s->low + i * bytes) / s->unit;
            for (uint32_t c = 0; c < wg_structure_chunks(s); c++) {
                LLVMValueRef *from = &field[c][unit];
                part[c] = bytes == s->unit ? from[0] : interleaved(e, from[0], from[1]);
            }
            m->x[i] = wg_lanes_join(&e->L, part, wg_structure_chunks(s), WG_LANES);
        }
    }
}

void wg_structure_put(struct wg_emit *e, const struct wg_structure *s, uint32_t chunk, LLVMValueRef *field) {
    uint32_t lanes = s->net.lanes;
    for (uint32_t u = 0; u < s->net.stride; u++) field[u] = NULL;
    for (uint32_t k = 0; k < s->n; k++) {
        const struct wg_member *m = &s->member[k];
        uint32_t bytes = m->bytes / m->nvec;
        for (uint32_t i = 0; i < m->nvec; i++) {
            LLVMValueRef x = wg_lanes_of(&e->L, m->x[i], chunk * lanes, lanes), c[2 * WG_LANES];
            LLVMValueRef *to = &field[(uint32_t)(m->at - s->low + i * bytes) / s->unit];
            to[0] = x;
            if (bytes == s->unit) continue;
            x = LLVMBuildBitCast(e->L.b, x, LLVMVectorType(e->i32, 2 * lanes), "");
            for (uint32_t half = 0; half < 2; half++) {
                for (uint32_t l = 0; l < lanes; l++) c[l] = wg_i32(e, 2 * l + half);
                to[half] = LLVMBuildShuffleVector(e->L.b, x, LLVMGetPoison(LLVMTypeOf(x)),
                                                  LLVMConstVector(c, lanes), "");
            }
        }
    }
}

/* ---- accesses ---- */

bool wg_structure_load(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *a,
                       LLVMValueRef mask, LLVMValueRef *x) {
    struct wg_structure *s;
    struct wg_member *m = known(e, in, &s);
    if (!m) {
        if (!(s = find(e, in, a))) return false;
        m = &s->member[0];
        (s->apart ? wg_structure_load_lanes : wg_structure_load_rows)(e, s, a, m->at, mask);
    }
    for (uint32_t i = 0; i < in->nvec; i++) x[i] = m->x[i];
    return true;
}

bool wg_structure_store(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *a,
                        LLVMValueRef mask, const LLVMValueRef *x) {
    struct wg_structure *s;
    struct wg_member *m = known(e, in, &s);
    if (!m) {
        if (!(s = find(e, in, a))) return false;
        m = &s->member[0];
    }
    for (uint32_t i = 0; i < in->nvec; i++) m->x[i] = x[i];
    if (m == &s->member[s->n - 1])
        (s->apart ? wg_structure_store_lanes : wg_structure_store_rows)(e, s, a, m->at, mask);
    return true;
}
