/* Detection of privatized tables: see tables.h. */
#include "analysis/tables.h"
#include "cfg/constant.h"
#include "analysis/flow.h"

#include <string.h>

/* What a register depends on. */
enum {
    OF_BLOCK = 1,  /* what need not be the same in all blocks of a worker */
    LOADED = 2,    /* a load from global memory */
    OF_RANK = 4,   /* what is not the same in all blocks of a cluster */
    OWN_PLACE = 8, /* an address in the block's own memory, at the same place in all blocks of a cluster */
    OF_TABLE = 16, /* in the last stage: a table's elements, sums of them, and whether these are zero */
};
enum { NOT_SEEN = 0xff, MOST_DEPTH = 16 };

struct finder {
    struct wg_arena *a;
    const struct wg_ir_module *m;
    const struct wg_ir_func *f;
    const struct wg_code_opts *o;
    struct wg_tables *t;
    uint8_t *how;                    /* [register] */
    uint32_t *uses;                  /* [register] */
    uint32_t *ndefs[WG_STAGES];      /* [register] instructions of the stage that write it */
    const struct wg_ir_instr **def;  /* [register] the first that writes it... */
    const struct wg_ir_instr **once; /* ...if it is the only one */
    wg_bits is_made;                 /* registers of the current stage */
    uint8_t op, type;                /* of what is counted; NOT_SEEN */
    bool far;                        /* some of it at places that were loaded */
};

/* ---- stages ---- */

/* Whether the basic block ends in a barrier of the thread block or cluster. Nothing follows it, and the wait
 * has no guard: see ir/verify.c. (Between barriers of the block alone none of a cluster may count in
 * another's table, and where each counts in its own one it does not matter which kind they are.) */
static bool ends_in_barrier(const struct finder *x, const struct wg_ir_block *b) {
    const struct wg_ir_instr *last = b->ninstrs ? &b->instrs[b->ninstrs - 1] : NULL;
    const struct wg_ir_instr *arrive = b->ninstrs > 1 ? last - 1 : NULL;
    if (!last) return false;
    if (last->op != WG_OP_BAR_CL_WAIT) return wg_is_plain_barrier(last);
    return arrive && arrive->op == WG_OP_BAR_CL_ARRIVE && arrive->guard == WG_NO_REG;
}

/* Marks the stage of the blocks reachable from b: every path to a block passes the same number of barriers.
 * Other barriers than the two do not fit in any stage. (A kernel that has no second one, or reaches none,
 * never ends.) */
static bool mark(struct finder *x, uint32_t b, uint8_t stage) {
    const struct wg_ir_block *blk = &x->f->blocks[b];
    uint8_t *at = &x->t->stage[b];
    if (*at != NOT_SEEN) return *at == stage;
    *at = stage;
    if (!blk->nsucc) return stage == WG_STAGE_HAND_OVER && blk->term < WG_TERM_TRAP;
    if (stage < WG_STAGE_HAND_OVER && ends_in_barrier(x, blk)) {
        x->t->barrier[stage] = b;
        x->t->before[stage] = blk->ninstrs - (wg_is_plain_barrier(&blk->instrs[blk->ninstrs - 1]) ? 1 : 2);
        stage++;
    }
    for (uint32_t k = 0; k < blk->nsucc; k++)
        if (!mark(x, blk->succ[k], stage)) return false;
    return true;
}

static bool find_stages(struct finder *x) {
    x->t->stage = WG_NEW_N(x->a, uint8_t, x->f->nblocks);
    memset(x->t->stage, NOT_SEEN, x->f->nblocks);
    if (!mark(x, 0, WG_STAGE_CLEAR)) return false;
    for (uint32_t b = 1; b < x->f->nblocks; b++)
        if (x->t->stage[b] == NOT_SEEN) return false; /* after a function that does not return */
    return true;
}

static uint32_t begin_of(const struct finder *x, uint32_t stage) {
    return stage ? x->f->blocks[x->t->barrier[stage - 1]].succ[0] : 0;
}

/* ---- registers ---- */

static void count_use(void *user, uint32_t reg) { ((struct finder *)user)->uses[reg]++; }

static void look_at_registers(struct finder *x) {
    uint32_t n = x->f->nregs + 1;
    x->how = WG_NEW_N(x->a, uint8_t, n);
    x->uses = WG_NEW_N(x->a, uint32_t, n);
    x->def = WG_NEW_N(x->a, const struct wg_ir_instr *, n);
    x->once = WG_NEW_N(x->a, const struct wg_ir_instr *, n);
    for (uint32_t s = 0; s < WG_STAGES; s++) x->ndefs[s] = WG_NEW_N(x->a, uint32_t, n);
    for (uint32_t b = 0; b < x->f->nblocks; b++) {
        const struct wg_ir_block *blk = &x->f->blocks[b];
        if (blk->term == WG_TERM_CBR) x->uses[blk->cond]++;
        for (uint32_t i = 0; i < blk->ninstrs; i++) {
            const struct wg_ir_instr *in = &blk->instrs[i];
            wg_each_use(in, count_use, x);
            for (uint32_t d = 0; d < in->ndst; d++) {
                if (in->dst[d].kind != WG_O_REG) continue;
                uint32_t r = in->dst[d].index;
                x->ndefs[x->t->stage[b]][r]++;
                x->once[r] = x->def[r] ? NULL : in;
                if (!x->def[r]) x->def[r] = in;
            }
        }
    }
}

static uint8_t how_of_sreg(uint32_t sreg) {
    switch (sreg) {
    case WG_SR_tid_x:
    case WG_SR_tid_y:
    case WG_SR_tid_z:
    case WG_SR_ntid_x:
    case WG_SR_ntid_y:
    case WG_SR_ntid_z:
    case WG_SR_nctaid_x:
    case WG_SR_nctaid_y:
    case WG_SR_nctaid_z:
    case WG_SR_laneid:
    case WG_SR_warpid:
    case WG_SR_dynamic_smem_size:
    case WG_SR_cluster_nctarank:
    case WG_SR_cluster_nctaid_x: return 0;
    case WG_SR_cluster_ctarank:
    case WG_SR_cluster_ctaid_x: return OF_RANK;
    case WG_SR_ctaid_x:
    case WG_SR_ctaid_y:
    case WG_SR_ctaid_z: return OF_BLOCK;
    default: return OF_BLOCK | OF_RANK;
    }
}

static uint8_t how_of_opd(const struct finder *x, const struct wg_ir_opd *o) {
    if (o->kind == WG_O_REG) return x->how[o->index];
    if (o->kind != WG_O_SYM) return 0;
    uint8_t kind = x->m->syms[o->index].kind;
    return kind == WG_SYM_SHARED || kind == WG_SYM_DYNSHARED ? OWN_PLACE : 0;
}

/* No memory, no meeting, and no other effect. (Of the checks' own instructions there are none: under the
 * checks a kernel has no stages, see forms.def.) */
static bool is_pure(const struct wg_ir_instr *in) {
    if (in->op == WG_OP_MOV_SREG) return in->sreg < WG_SR_clock || in->sreg > WG_SR_globaltimer_hi;
    if (in->op == WG_OP_NONE || in->op == WG_OP_ACTIVEMASK) return false;
    if (in->ndst == 0) return false;
    return in->space == WG_S_PARAM || in->space == WG_S_CONST || !wg_op_flags(in->op);
}

/* Source k is an address in the block's own memory: the lower bits of the result, of which mapa makes
 * another, are as well the same in all blocks of a cluster. */
static bool keeps_place(const struct wg_ir_instr *in, uint32_t k) {
    if (in->mod[WG_MC_SAT] != WG_M_none) return false;
    switch (in->op) {
    case WG_OP_MOV:
    case WG_OP_CVTA:
    case WG_OP_CVTA_TO:
    case WG_OP_ADD_I:
    case WG_OP_SUB_I: return true;
    case WG_OP_MAD_I: return k == 2;
    case WG_OP_CVT: return wg_type_kind(in->type) != WG_K_F && wg_type_kind(in->type2) != WG_K_F;
    default: return false;
    }
}

static uint8_t how_of_sources(const struct finder *x, const struct wg_ir_instr *in) {
    uint8_t how = 0;
    for (uint32_t k = 0; k < in->nsrc; k++) {
        uint8_t of = how_of_opd(x, &in->src[k]);
        if (in->op == WG_OP_MAPA && k == 0)
            of &= (uint8_t)~OWN_PLACE; /* the same place in another block's memory */
        else if (of & OWN_PLACE && (how & OWN_PLACE || !keeps_place(in, k)))
            of |= OF_RANK;
        how |= of;
    }
    return how;
}

static uint8_t how_of_result(const struct finder *x, uint32_t stage, const struct wg_ir_instr *in) {
    uint8_t how = in->guard != WG_NO_REG ? x->how[in->guard] : 0;
    if (in->op == WG_OP_MOV_SREG) return how | how_of_sreg(in->sreg);
    how |= how_of_sources(x, in);
    if (in->op == WG_OP_LD && in->space == WG_S_SHARED && stage == WG_STAGE_HAND_OVER) return OF_TABLE;
    if (in->op == WG_OP_LD && in->space == WG_S_GLOBAL) how |= OF_BLOCK | LOADED;
    if (!is_pure(in)) how |= OF_BLOCK;
    return how;
}

static void find_how(struct finder *x) {
    for (bool grew = true; grew;) {
        grew = false;
        for (uint32_t b = 0; b < x->f->nblocks; b++)
            for (uint32_t i = 0; i < x->f->blocks[b].ninstrs; i++) {
                const struct wg_ir_instr *in = &x->f->blocks[b].instrs[i];
                uint8_t how = how_of_result(x, x->t->stage[b], in);
                for (uint32_t d = 0; d < in->ndst; d++) {
                    if (in->dst[d].kind != WG_O_REG || !(how & ~x->how[in->dst[d].index])) continue;
                    x->how[in->dst[d].index] |= how;
                    grew = true;
                }
            }
    }
}

/* ---- what is counted ---- */

static bool is_unread(const struct finder *x, const struct wg_ir_instr *in) {
    bool relaxed = in->mod[WG_MC_SEM] == WG_M_none || in->mod[WG_MC_SEM] == WG_M_relaxed;
    for (uint32_t d = 0; d < in->ndst; d++)
        relaxed &= in->dst[d].kind != WG_O_REG || !x->uses[in->dst[d].index];
    return relaxed && in->mod[WG_MC_SCOPE] != WG_M_sys;
}

/* The counting of the kernel, or one like what has been seen of it. */
static bool is_alike(struct finder *x, const struct wg_ir_instr *in) {
    uint32_t kind = wg_type_kind(in->type);
    uint8_t op = in->mod[WG_MC_AOP];
    if (!is_unread(x, in) || kind == WG_K_F) return false;
    bool ordered = op == WG_M_min || op == WG_M_max;
    if (!ordered && op != WG_M_add && op != WG_M_and && op != WG_M_or && op != WG_M_xor) return false;
    if (x->op == NOT_SEEN) x->op = op, x->type = in->type;
    return op == x->op && wg_type_bits(in->type) == wg_type_bits(x->type) &&
           (!ordered || kind == wg_type_kind(x->type));
}

/* Counting nothing twice is not counting it once. */
static bool adds(const struct finder *x) { return x->op == WG_M_add || x->op == WG_M_xor; }

static bool is_zero(const struct finder *x, const struct wg_ir_opd *o, uint32_t depth) {
    if (o->kind == WG_O_IMM) return o->imm == 0;
    const struct wg_ir_instr *in = o->kind == WG_O_REG ? x->once[o->index] : NULL;
    if (!in || in->op != WG_OP_MOV || depth > MOST_DEPTH) return false;
    return is_zero(x, &in->src[0], depth + 1);
}

/* ---- what a stage may do ---- */

static bool is_same(const struct finder *x, const struct wg_ir_opd *o) {
    return !(how_of_opd(x, o) & (OF_BLOCK | OF_TABLE));
}

static bool is_guarded_same(const struct finder *x, const struct wg_ir_instr *in) {
    return in->guard == WG_NO_REG || !(x->how[in->guard] & (OF_BLOCK | OF_TABLE));
}

/* Of what is a sum later it makes zero at most. */
static bool leaves_sums(const struct finder *x, const struct wg_ir_instr *in) {
    bool sum = false;
    for (uint32_t d = 0; d < in->ndst; d++)
        sum |= in->dst[d].kind == WG_O_REG && x->how[in->dst[d].index] & OF_TABLE;
    return !sum || (in->op == WG_OP_MOV && is_zero(x, &in->src[0], 0));
}

static bool fits_clear(const struct finder *x, const struct wg_ir_instr *in) {
    if (!leaves_sums(x, in)) return false;
    if (is_pure(in)) return true;
    if (in->op != WG_OP_ST || in->space != WG_S_SHARED || !wg_ir_is_weak(in)) return false;
    if (!is_guarded_same(x, in) || !is_same(x, &in->src[0])) return false;
    for (uint32_t k = 1; k < in->nsrc; k++)
        if (adds(x) ? !is_zero(x, &in->src[k], 0) : !is_same(x, &in->src[k])) return false;
    return true;
}

/* Nothing may observe the progress of other blocks, and no table is read. */
static bool fits_count(struct finder *x, const struct wg_ir_instr *in) {
    bool clusters = x->o->stages == WG_STAGES_CLUSTERS, meets = wg_op_flags(in->op) & WG_F_SYNC;
    if (!leaves_sums(x, in)) return false;
    if (is_pure(in)) return true;
    for (uint32_t k = 0; k < in->nsrc && clusters; k++)
        if (how_of_opd(x, &in->src[k]) & (OF_RANK | OWN_PLACE)) return false;
    if (clusters && in->guard != WG_NO_REG && x->how[in->guard] & (OF_RANK | OWN_PLACE)) return false;
    if (wg_op_is(in->op, WG_IS_ATOMIC)) {
        bool mapped = wg_is_mapped(x->once, &in->src[0]);
        if (in->space == WG_S_GLOBAL && !mapped) return is_unread(x, in);
        if (!mapped && in->space != WG_S_SHARED && in->space != WG_S_CLUSTER) return false;
        x->far |= (how_of_opd(x, &in->src[0]) & LOADED) != 0;
        return is_alike(x, in);
    }
    if (in->op == WG_OP_LD || in->op == WG_OP_ST) return wg_ir_is_weak(in) && in->space == WG_S_GLOBAL;
    return in->op == WG_OP_MOV_SREG || (meets && !(wg_op_flags(in->op) & ~(WG_F_SYNC | WG_F_CC)));
}

/* Elements of a table are combined by sums alone, and these sums contain nothing else. */
static bool sums_up(const struct finder *x, const struct wg_ir_instr *in) {
    if (!is_guarded_same(x, in) || !wg_constant_type(in->type)) return false;
    for (uint32_t k = 0; k < in->nsrc; k++)
        if (!(how_of_opd(x, &in->src[k]) & OF_TABLE) && !is_zero(x, &in->src[k], 0)) return false;
    if (in->op == WG_OP_MOV) return true;
    return in->op == WG_OP_ADD_I && x->op == WG_M_add && in->mod[WG_MC_SAT] == WG_M_none;
}

/* Whether a sum is not zero, or is; or what is always so, or never: no unsigned one is less. */
static bool tests_sum(const struct finder *x, const struct wg_ir_instr *in) {
    uint8_t cmp = in->mod[WG_MC_CMP], kind = wg_type_kind(in->type);
    if (in->op != WG_OP_SETP || in->guard != WG_NO_REG || !adds(x)) return false;
    if (kind == WG_K_F || !is_zero(x, &in->src[1], 0)) return false;
    return cmp == WG_M_eq || cmp == WG_M_ne || kind == WG_K_U;
}

/* The definition of the predicate among the block's first n instructions, if it tests a sum that does not
 * change up to their end. */
static const struct wg_ir_instr *test_of(const struct finder *x, const struct wg_ir_block *b, uint32_t n,
                                         uint32_t pred) {
    const struct wg_ir_instr *test = NULL;
    for (const struct wg_ir_instr *in = b->instrs; in < b->instrs + n; in++)
        for (uint32_t d = 0; d < in->ndst; d++) {
            if (in->dst[d].kind != WG_O_REG) continue;
            if (in->dst[d].index == pred)
                test = in;
            else if (test && in->dst[d].index == test->src[0].index)
                test = NULL;
        }
    if (!test || !tests_sum(x, test)) return NULL;
    return test;
}

/* An addition of that sum or, where it is zero, none. (Where it is not zero, none: that adds nothing
 * ever.) */
static bool is_handed(struct finder *x, const struct wg_ir_block *b, const struct wg_ir_instr *in,
                      const struct wg_ir_instr *test) {
    const struct wg_ir_opd *sum = &in->src[1];
    if (in->space != WG_S_GLOBAL || !is_alike(x, in)) return false;
    if (!is_same(x, &in->src[0]) || !(how_of_opd(x, sum) & OF_TABLE)) return false;
    if (!is_guarded_same(x, in)) {
        test = test_of(x, b, (uint32_t)(in - b->instrs), in->guard);
        if (!test) return false;
    }
    return !test || test->src[0].index == sum->index;
}

static bool fits_hand_over(struct finder *x, const struct wg_ir_block *b, const struct wg_ir_instr *in,
                           const struct wg_ir_instr *test) {
    bool of_table = in->guard != WG_NO_REG && x->how[in->guard] & OF_TABLE;
    for (uint32_t k = 0; k < in->nsrc; k++) of_table |= (how_of_opd(x, &in->src[k]) & OF_TABLE) != 0;
    for (uint32_t d = 0; d < in->ndst; d++)
        of_table |= in->dst[d].kind == WG_O_REG && x->how[in->dst[d].index] & OF_TABLE;
    if (wg_op_is(in->op, WG_IS_ATOMIC)) return is_handed(x, b, in, test);
    if (in->op == WG_OP_LD && in->space == WG_S_SHARED)
        return wg_ir_is_weak(in) && wg_type_bits(in->type) == wg_type_bits(x->type) &&
               is_same(x, &in->src[0]) && is_guarded_same(x, in);
    if (!is_pure(in)) return false;
    return !of_table || sums_up(x, in) || tests_sum(x, in);
}

/* The block's branch leads round an addition of nothing, or round none: *only, where it stands. */
static bool goes_round(const struct finder *x, const struct wg_ir_block *b, uint32_t *only) {
    bool first =
        x->f->blocks[b->succ[0]].term == WG_TERM_BR && x->f->blocks[b->succ[0]].succ[0] == b->succ[1];
    *only = b->succ[first ? 0 : 1];
    const struct wg_ir_block *add = &x->f->blocks[*only];
    return add->npred == 1 && add->term == WG_TERM_BR && add->succ[0] == b->succ[first ? 1 : 0];
}

/* The block's results are used there alone. */
static bool keeps_to_itself(const struct finder *x, const struct wg_ir_block *b) {
    for (uint32_t i = 0; i < b->ninstrs; i++)
        for (uint32_t d = 0; d < b->instrs[i].ndst; d++) {
            if (b->instrs[i].dst[d].kind != WG_O_REG) continue;
            uint32_t r = b->instrs[i].dst[d].index, here = 0;
            for (uint32_t k = i + 1; k < b->ninstrs; k++)
                for (uint32_t s = 0; s < b->instrs[k].nsrc; s++)
                    here += b->instrs[k].src[s].kind == WG_O_REG && b->instrs[k].src[s].index == r;
            if (here != x->uses[r]) return false;
        }
    return true;
}

static bool branch_fits(const struct finder *x, uint32_t b, const struct wg_ir_instr **tests) {
    const struct wg_ir_block *blk = &x->f->blocks[b];
    uint32_t only;
    if (blk->term != WG_TERM_CBR) return blk->term != WG_TERM_BRX;
    if (x->t->stage[b] == WG_STAGE_COUNT)
        return x->o->stages != WG_STAGES_CLUSTERS || !(x->how[blk->cond] & (OF_RANK | OWN_PLACE));
    if (!(x->how[blk->cond] & (OF_BLOCK | OF_TABLE))) return true;
    if (!goes_round(x, blk, &only)) return false;
    tests[only] = test_of(x, blk, blk->ninstrs, blk->cond);
    return tests[only] && keeps_to_itself(x, &x->f->blocks[only]);
}

static bool all_fit(struct finder *x) {
    const struct wg_ir_func *f = x->f;
    const struct wg_ir_instr **tests = WG_NEW_N(x->a, const struct wg_ir_instr *, f->nblocks);
    /* First what is counted, by which the others are judged. */
    static const uint8_t order[WG_STAGES] = {WG_STAGE_COUNT, WG_STAGE_CLEAR, WG_STAGE_HAND_OVER};
    for (uint32_t k = 0; k < WG_STAGES; k++) {
        for (uint32_t b = 0; b < f->nblocks; b++)
            if (x->t->stage[b] == order[k] && !branch_fits(x, b, tests)) return false;
        for (uint32_t b = 0; b < f->nblocks; b++) {
            uint32_t n = f->blocks[b].ninstrs;
            if (x->t->stage[b] != order[k]) continue;
            if (order[k] < WG_STAGE_HAND_OVER && b == x->t->barrier[order[k]]) n = x->t->before[order[k]];
            for (uint32_t i = 0; i < n; i++) {
                const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
                if (order[k] == WG_STAGE_CLEAR   ? !fits_clear(x, in)
                    : order[k] == WG_STAGE_COUNT ? !fits_count(x, in)
                                                 : !fits_hand_over(x, &f->blocks[b], in, tests[b]))
                    return false;
            }
        }
        if (!x->far) return false; /* nothing is counted, or at places that are known */
    }
    return true;
}

/* ---- what stages need of those before them ---- */

/* Rematerializes the register at the stage's start, from what is available there. */
static bool make(struct finder *x, uint32_t r, uint32_t stage, uint32_t depth) {
    const struct wg_ir_instr *in = x->def[r];
    uint32_t n = 0;
    for (uint32_t s = 0; s < stage; s++) n += x->ndefs[s][r];
    if (n != 1 || depth > MOST_DEPTH) return false;
    if (wg_bits_has(x->is_made, r)) return true;
    if (!is_pure(in) || in->ndst != 1) return false;
    for (uint32_t k = 0; k < in->nsrc; k++)
        if (in->src[k].kind == WG_O_REG && !make(x, in->src[k].index, stage, depth + 1)) return false;
    wg_bits_add(x->is_made, r);
    x->t->made[stage][x->t->nmade[stage]++] = in;
    return true;
}

static void note_use(void *user, uint32_t reg) { wg_bits_add(*(wg_bits *)user, reg); }

static wg_bits used_in(const struct finder *x, uint32_t stage) {
    wg_bits used = wg_bits_new(x->a, x->f->nregs);
    for (uint32_t b = 0; b < x->f->nblocks; b++) {
        const struct wg_ir_block *blk = &x->f->blocks[b];
        if (x->t->stage[b] != stage) continue;
        if (blk->term == WG_TERM_CBR) wg_bits_add(used, blk->cond);
        for (uint32_t i = 0; i < blk->ninstrs; i++) wg_each_use(&blk->instrs[i], note_use, &used);
    }
    return used;
}

static bool make_all(struct finder *x) {
    struct wg_cfg liveness = {.func = x->f};
    wg_cfg_liveness(&liveness);
    bool good = wg_bits_empty(liveness.live_in[0], x->f->nregs); /* else read before it is written */
    for (uint32_t s = 1; s < WG_STAGES; s++) {
        wg_bits used = used_in(x, s);
        x->is_made = wg_bits_new(x->a, x->f->nregs);
        x->t->made[s] = WG_NEW_N(x->a, const struct wg_ir_instr *, x->f->nregs + 1);
        for (uint32_t r = 0; r < x->f->nregs && good; r++)
            if (wg_bits_has(liveness.live_in[begin_of(x, s)], r) && wg_bits_has(used, r))
                good = make(x, r, s, 0);
    }
    wg_arena_free(&liveness.arena);
    return good;
}

bool wg_find_tables(struct wg_arena *a, const struct wg_ir_module *m, const struct wg_ir_func *f,
                    const struct wg_code_opts *o, struct wg_tables *t) {
    struct finder x = {.a = a, .m = m, .f = f, .o = o, .t = t, .op = NOT_SEEN};
    *t = (struct wg_tables){0};
    if (!find_stages(&x)) return false;
    look_at_registers(&x);
    find_how(&x);
    return all_fit(&x) && make_all(&x);
}
