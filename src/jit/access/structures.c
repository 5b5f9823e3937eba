/* Interleaved accesses: fields of an array of structures, as whole rows of memory and shuffles.
 *
 *     ld.global.f32 %f1, [%rd4];        %rd4 = p + 12*lane: 16 lanes' structures are three vectors in a row,
 *     ld.global.f32 %f2, [%rd4+4];      x y z x y z ..: three loads, and six shuffles of two vectors
 *     ld.global.f32 %f3, [%rd4+8];      (network.h) give x x x .., y y y .., z z z ..
 *
 * Gathers and scatters go lane by lane, for each field. At the first load or store of a group, the others in
 * the basic block with the same register and different constants are found. Loads are issued at the first,
 * stores at the last: nothing in between may access the same memory, synchronise or leave this version of the
 * code.
 */
#include "jit/access/access_plan.h"
#include "jit/emit/issue.h"
#include "analysis/plan.h"
#include "analysis/memory.h"
#include "jit/lower/lower_rows.h"
#include "jit/access/row_lines.h"
#include "jit/access/structures.h"

enum { MOST_BYTES = 128, MOST_PIECE = 16, MOST_APART = 4, FAR_AHEAD = 256 };

/* ---- when accesses are issued ---- */

/* For one emission of a basic block: which accesses are issued together, and where. All others are issued
 * in place. */
struct wg_groups {
    struct wg_structure **of; /* [instruction] */
    uint32_t *at;             /* [instruction] the instruction at whose position it is issued */
};

static struct wg_groups *groups_of_block(struct wg_emit *e) {
    if (e->access.groups) return e->access.groups;
    uint32_t n = e->func->blocks[e->block].ninstrs;
    struct wg_groups *g = WG_NEW(&e->an->arena, struct wg_groups);
    g->of = WG_NEW_N(&e->an->arena, struct wg_structure *, n);
    g->at = WG_NEW_N(&e->an->arena, uint32_t, n);
    for (uint32_t i = 0; i < n; i++) g->at[i] = i;
    return e->access.groups = g;
}

/* Whether program order is kept for all accesses that need it if `in` is issued at `to`, together with the
 * other members of `s`. Nothing is issued more than FAR_AHEAD instructions from its place. */
static bool may_issue_at(const struct wg_emit *e, const struct wg_structure *s, uint32_t in, uint32_t to) {
    const struct wg_groups *g = e->access.groups;
    uint32_t n = e->func->blocks[e->block].ninstrs, least = in < to ? in : to, most = in < to ? to : in;
    uint32_t from = least > FAR_AHEAD ? least - FAR_AHEAD : 0,
             end = n - most > FAR_AHEAD ? most + FAR_AHEAD : n;
    for (uint32_t i = from; i < end; i++) {
        uint32_t at = g->of[i] == s ? to : g->at[i];
        if (i == in || (i < in ? at < to : at > to)) continue;
        if (wg_keeps_order(e->an, e->v, e->block, i < in ? i : in, i < in ? in : i)) return false;
    }
    return true;
}

/* ---- finding groups ---- */

static bool is_field(const struct wg_ir_instr *in) {
    bool where = in->space == WG_S_GLOBAL || in->space == WG_S_GENERIC || in->space == WG_S_SHARED;
    uint32_t bits = wg_type_bits(in->type);
    return wg_is_plain_access(in) && where && in->guard == WG_NO_REG && in->src[0].kind == WG_O_REG &&
           (bits == 32 || bits == 64) && in->nvec <= 4;
}

static uint32_t bytes_of(const struct wg_ir_instr *in) { return wg_type_bits(in->type) / 8 * in->nvec; }

/* Adds the access, unless the structure would become longer than the stride. */
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
    return a->op == b->op && a->space == b->space && a->src[0].index == b->src[0].index;
}

/* Whether nothing after the instruction can be a member. */
static bool ends_search(const struct wg_emit *e, const struct wg_structure *s, const struct wg_ir_instr *in) {
    if (wg_touches_memory(in) && !wg_is_plain_access(in)) return true;
    return s->op == WG_OP_ST && wg_may_leave(e->an, in);
}

/* Loads are issued at the first member, stores at the last: so all stores move down when one joins them,
 * which itself stays in place. */
static bool may_join(const struct wg_emit *e, const struct wg_structure *s, uint32_t instr) {
    if (s->op == WG_OP_LD) return may_issue_at(e, s, instr, s->member[0].instr);
    for (uint32_t i = 0; i < s->n; i++)
        if (!may_issue_at(e, s, s->member[i].instr, instr)) return false;
    return true;
}

static bool join(struct wg_emit *e, struct wg_structure *s, const struct wg_ir_instr *in, uint32_t instr) {
    struct wg_structure before = *s;
    if (e->access.groups->of[instr]) return false; /* an access is issued once */
    e->access.groups->of[instr] = s;
    if (may_join(e, s, instr) && add_member(s, in, instr)) return true;
    e->access.groups->of[instr] = NULL;
    *s = before;
    return false;
}

static void find_members(struct wg_emit *e, struct wg_structure *s) {
    const struct wg_ir_block *blk = &e->func->blocks[e->block];
    const struct wg_ir_instr *first = &blk->instrs[e->instr];
    groups_of_block(e)->of[e->instr] = s;
    add_member(s, first, e->instr);
    for (uint32_t i = e->instr + 1; i < blk->ninstrs && i < e->instr + FAR_AHEAD; i++) {
        const struct wg_ir_instr *in = &blk->instrs[i];
        if (wg_writes(&blk->instrs[i - 1], first->src[0].index) || ends_search(e, s, in)) return;
        if (is_field(in) && same_place(first, in)) join(e, s, in, i);
    }
}

/* Discards the group: it is no structure after all. */
static void give_up(struct wg_emit *e, struct wg_structure *s) {
    for (uint32_t i = 0; i < s->n; i++) e->access.groups->of[s->member[i].instr] = NULL;
    s->n = 0;
}

static void settle(struct wg_emit *e, const struct wg_structure *s) {
    uint32_t at = s->member[s->op == WG_OP_LD ? 0 : s->n - 1].instr;
    for (uint32_t i = 0; i < s->n; i++) e->access.groups->at[s->member[i].instr] = at;
}

/* The length of the runs of lanes that are `*stride` apart. */
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

/* The cost per field grows with the structure's size for rows, and does not for gathers and scatters. */
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

/* Rows start at the address in the register if no member is below it: a structure's first byte is the most
 * likely to be at the start of a cache line. */
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

/* Runs of few vectors per field are better (pattern.c), and a store of a single field is best scattered. A
 * load of a single field is best gathered, unless it is from the caches: hardware prefetchers see a gather
 * as one instruction with a stride, and 32 loads as many that cross a page each time. */
static bool find_apart(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *a,
                       struct wg_structure *s) {
    if (e->opts->opt_level < 2 || bytes_of(in) > MOST_PIECE || a->mapped) return false;
    struct wg_run run[WG_MOST_RUNS];
    if (e->access.napart == MOST_APART || wg_find_runs(a, wg_type_bits(in->type), run)) return false;
    *s = (struct wg_structure){.op = in->op, .size = MOST_PIECE, .run = 1, .apart = true};
    find_members(e, s);
    while (s->size / 2 >= end_of(s) - s->low) s->size /= 2;
    set_network(e, s);
    if (s->net.stride == 1 && (s->op == WG_OP_ST || in->space != WG_S_SHARED || !e->L.avx512)) return false;
    if (a->kind == WG_VARYING && s->size < MOST_PIECE)
        return false; /* computing the addresses costs more than a gather */
    e->access.napart++;
    return true;
}

static bool is_at_hand(const struct wg_emit *e, const struct wg_ir_instr *in) {
    return in == &e->func->blocks[e->block].instrs[e->instr];
}

/* The group whose first member this access is; no member may be in another group already. */
static struct wg_structure *find(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *a) {
    if (e->v != WG_CONVERGED || !e->L.avx2 || e->access.ncombine || wg_in_tile(e, in)) return NULL;
    if (!wg_may_use(e->opts, WG_FORM_structures)) return NULL;
    if (!is_at_hand(e, in) || !is_field(in)) return NULL;
    struct wg_structure *s = WG_NEW(&e->an->arena, struct wg_structure);
    if (!find_rows(e, in, a, s)) {
        if (s->n) give_up(e, s);
        if (!find_apart(e, in, a, s)) {
            if (s->n) give_up(e, s);
            return NULL;
        }
    }
    settle(e, s);
    wg_plan_yes(e->opts, WG_FORM_structures, in);
    return s;
}

static struct wg_member *known(struct wg_emit *e, const struct wg_ir_instr *in, struct wg_structure **s) {
    if (!e->access.groups || !(*s = e->access.groups->of[e->instr])) return NULL;
    for (uint32_t i = 0; i < (*s)->n; i++)
        if ((*s)->member[i].instr == e->instr) return &(*s)->member[i];
    return NULL;
}

/* ---- fields ---- */

LLVMTypeRef wg_structure_row(struct wg_emit *e, const struct wg_structure *s) {
    return LLVMVectorType(LLVMIntTypeInContext(e->L.ctx, s->unit * 8), s->net.lanes);
}

/* Interleaves units of two fields: low, high, low, high .. */
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

static void issue_all(struct wg_emit *e, const struct wg_structure *s) {
    uint32_t instr[WG_STRUCTURE_MEMBERS];
    for (uint32_t i = 0; i < s->n; i++) instr[i] = s->member[i].instr;
    wg_issue(e, instr, s->n);
}

bool wg_structure_load(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *a,
                       LLVMValueRef mask, LLVMValueRef *x) {
    struct wg_structure *s;
    struct wg_member *m = known(e, in, &s);
    if (!m) {
        if (!(s = find(e, in, a))) return false;
        struct wg_value near;
        m = &s->member[0];
        if (s->apart && wg_row_lines_near(e, in, a, s->low - m->at, s->size, mask, &near)) a = &near;
        if (!s->apart || !wg_row_lines_structure(e, in, a, m->at, mask, s))
            (s->apart ? wg_structure_load_lanes : wg_structure_load_rows)(e, s, a, m->at, mask);
        issue_all(e, s);
    }
    wg_issue_elsewhere(e);
    for (uint32_t i = 0; i < in->nvec; i++) x[i] = m->x[i];
    return true;
}

bool wg_structure_store(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *a,
                        LLVMValueRef mask, const LLVMValueRef *x) {
    struct wg_structure *s;
    if (wg_row_lines_kept(e)) return false;
    struct wg_member *m = known(e, in, &s);
    if (!m) {
        if (!(s = find(e, in, a))) return false;
        m = &s->member[0];
    }
    for (uint32_t i = 0; i < in->nvec; i++) m->x[i] = x[i];
    wg_issue_elsewhere(e);
    if (m != &s->member[s->n - 1]) return true;
    (s->apart ? wg_structure_store_lanes : wg_structure_store_rows)(e, s, a, m->at, mask);
    issue_all(e, s);
    return true;
}
