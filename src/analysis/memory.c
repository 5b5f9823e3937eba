/* See memory.h. */
#include "analysis/memory.h"
#include "base/divisor.h"

#include <stdlib.h>

enum { MOST_DEPTH = 12 };

/* ---- what an instruction does ---- */

enum access { NONE, LOAD, STORE, FIXED };

static bool reads_what_stays(const struct wg_ir_instr *in) {
    return in->space == WG_S_PARAM || in->space == WG_S_CONST || in->mod[WG_MC_CACHE] == WG_M_nc ||
           in->mod[WG_MC_CACHE2] == WG_M_nc;
}

bool wg_touches_memory(const struct wg_ir_instr *in) {
    uint32_t all = WG_F_MEM | WG_F_SYNC | WG_F_WAIT | WG_F_FLOW | WG_F_EFFECT | WG_F_BULK | WG_F_MATRIX;
    if (in->op >= WG_OP_COUNT || in->op == WG_OP_CALL || in->op == WG_OP_NONE || wg_is_fence(in)) return true;
    return (wg_op_flags(in->op) & all) != 0;
}

bool wg_is_plain_access(const struct wg_ir_instr *in) {
    return (in->op == WG_OP_LD || in->op == WG_OP_ST) && wg_ir_is_weak(in);
}

static enum access access_of(const struct wg_ir_instr *in) {
    if (!wg_touches_memory(in)) return NONE;
    if (!wg_is_plain_access(in)) return FIXED;
    return in->op == WG_OP_LD ? LOAD : STORE;
}

/* ---- distances between lanes ---- */

static uint64_t power_of_two_in(uint64_t x) { return x & -x; }

/* Whether all lanes that run `block` together hold the value of the register's one definition in the current
 * iteration of every loop around both. */
static bool is_of_this_iteration(const struct wg_analysis *an, uint32_t reg, uint32_t block) {
    const struct wg_ir_block *blocks = an->func->blocks;
    uint32_t at = an->cfg.def_block[reg], loop = blocks[block].loop;
    if (!wg_dominates(&an->cfg, at, block)) return false;
    while (loop != WG_NO_REG && loop != blocks[at].loop) loop = blocks[loop].outer;
    return loop == blocks[at].loop;
}

/* An integer of 32 bits at most, and a constant that 64 bits hold its multiples of, sums of them too. */
static bool is_small_product(const struct wg_analysis *an, const struct wg_ir_instr *in, uint64_t *factor) {
    enum { MOST = 1 << 20 };
    bool is_signed = wg_type_kind(in->type) == WG_K_S, wide = in->mod[WG_MC_MULW] == WG_M_wide;
    int64_t c = (int64_t)in->src[1].imm;
    if (wide && wg_type_bits(in->type) == 32) c = is_signed ? (int32_t)c : (int64_t)(uint32_t)c;
    *factor = (uint64_t)(c < 0 ? -c : c);
    if (c < -MOST || c > MOST) return false;
    if (wide) return true;
    const struct wg_ir_instr *x = in->src[0].kind == WG_O_REG ? an->cfg.def[in->src[0].index] : NULL;
    return x && x->op == WG_OP_CVT && wg_type_bits(x->type2) <= 32 && wg_type_kind(x->type2) != WG_K_F &&
           wg_type_kind(x->type) != WG_K_F;
}

struct lanes {
    const struct wg_analysis *an;
    uint32_t block;
};

static uint64_t multiple_of(const struct lanes *x, const struct wg_ir_opd *o, unsigned depth);

/* Sums of 32 bits may wrap round, and keep powers of two alone. */
static uint64_t multiple_of_result(const struct lanes *x, const struct wg_ir_instr *in, unsigned depth) {
    const struct wg_ir_opd *s = in->src;
    bool by_constant = in->nsrc > 1 && s[1].kind == WG_O_IMM, is_long = wg_type_bits(in->type) == 64;
    uint64_t m, factor;
    switch (in->op) {
    case WG_OP_MOV:
    case WG_OP_CVTA:
    case WG_OP_CVTA_TO: return multiple_of(x, &s[0], depth);
    case WG_OP_CVT:
        if (wg_type_kind(in->type) == WG_K_F || wg_type_kind(in->type2) == WG_K_F) return 1;
        if (in->mod[WG_MC_SAT] != WG_M_none) return 1; /* the saturation limit has no known divisor */
        return power_of_two_in(multiple_of(x, &s[0], depth));
    case WG_OP_ADD_I:
    case WG_OP_SUB_I:
        if (in->mod[WG_MC_SAT] != WG_M_none) return 1;
        m = wg_common_divisor(multiple_of(x, &s[0], depth), multiple_of(x, &s[1], depth));
        return is_long ? m : power_of_two_in(m);
    case WG_OP_SHL:
        if (!by_constant || s[1].imm >= 32) return 1;
        return power_of_two_in(multiple_of(x, &s[0], depth)) << s[1].imm;
    case WG_OP_MUL_I:
    case WG_OP_MAD_I:
        if (!by_constant || in->mod[WG_MC_MULW] == WG_M_hi) return 1; /* what saturates is a high half */
        m = power_of_two_in(multiple_of(x, &s[0], depth));
        m *= is_small_product(x->an, in, &factor) ? factor : power_of_two_in(factor);
        if (in->op == WG_OP_MAD_I) m = wg_common_divisor(m, multiple_of(x, &s[2], depth));
        return is_long || in->mod[WG_MC_MULW] == WG_M_wide ? m : power_of_two_in(m);
    default: return 1;
    }
}

/* A divisor of the difference between any two lanes' values; 0: all lanes have the same. */
static uint64_t multiple_of(const struct lanes *x, const struct wg_ir_opd *o, unsigned depth) {
    if (o->kind != WG_O_REG || x->an->facts[WG_CONVERGED][o->index].kind == WG_UNIFORM) return 0;
    const struct wg_ir_instr *in = x->an->cfg.def[o->index];
    if (!in || in->guard != WG_NO_REG || depth == MOST_DEPTH ||
        !is_of_this_iteration(x->an, o->index, x->block))
        return 1;
    return multiple_of_result(x, in, depth + 1);
}

/* ---- two accesses ---- */

struct bytes {
    int64_t from, to;
};

static struct bytes bytes_of(const struct wg_ir_instr *in) {
    return (struct bytes){in->offset, in->offset + (int64_t)(wg_type_bits(in->type) / 8 * in->nvec)};
}

static bool overlap(struct bytes a, struct bytes b) { return a.from < b.to && b.from < a.to; }

/* Whether bytes at offset `a` from a lane's register may alias bytes at offset `b` of another lane, or its
 * own. */
static bool lanes_meet(const struct wg_analysis *an, enum wg_version v, uint32_t block,
                       const struct wg_ir_opd *o, struct bytes a, struct bytes b) {
    if (overlap(a, b)) return true;
    const struct wg_fact *f = &an->facts[v][o->index];
    if (f->kind == WG_UNIFORM) return false;
    if (f->kind == WG_AFFINE && !f->r) {
        for (int l = 0; l < WG_LANES; l++)
            for (int m = 0; m < WG_LANES && f->k; m++)
                if (overlap((struct bytes){a.from + f->k[l], a.to + f->k[l]},
                            (struct bytes){b.from + f->k[m], b.to + f->k[m]}))
                    return true;
        return false;
    }
    if (v != WG_CONVERGED) return true; /* lanes may be in different iterations of a loop */
    uint64_t apart = multiple_of(&(struct lanes){an, block}, o, 0);
    int64_t from = a.from < b.from ? a.from : b.from, to = a.to > b.to ? a.to : b.to;
    return (uint64_t)(to - from) > apart;
}

bool wg_stays(const struct wg_analysis *an, const struct wg_ir_block *blk, uint32_t reg, uint32_t a,
              uint32_t b) {
    const struct wg_ir_instr *only = an->cfg.def[reg];
    if (only) return only < &blk->instrs[a] || only >= &blk->instrs[b];
    for (uint32_t i = a; i < b; i++)
        if (wg_writes(&blk->instrs[i], reg)) return false;
    return true;
}

static bool may_meet(const struct wg_analysis *an, enum wg_version v, uint32_t block, uint32_t a,
                     uint32_t b) {
    const struct wg_ir_block *blk = &an->func->blocks[block];
    const struct wg_ir_instr *x = &blk->instrs[a], *y = &blk->instrs[b];
    const struct wg_ir_opd *p = &x->src[0], *q = &y->src[0];
    if (reads_what_stays(x) || reads_what_stays(y) || !(wg_memories_of(x->space) & wg_memories_of(y->space)))
        return false;
    if (x->space != y->space || p->kind != WG_O_REG || q->kind != WG_O_REG) return true;
    if (x->space == WG_S_LOCAL) return true; /* each lane has its own, and addresses are the frame's */
    if (p->index != q->index || !wg_stays(an, blk, p->index, a, b)) return true;
    return lanes_meet(an, v, block, p, bytes_of(x), bytes_of(y));
}

bool wg_keeps_order(const struct wg_analysis *an, enum wg_version v, uint32_t block, uint32_t a, uint32_t b) {
    const struct wg_ir_block *blk = &an->func->blocks[block];
    const struct wg_ir_instr *x = &blk->instrs[a], *y = &blk->instrs[b];
    enum access p = access_of(x), q = access_of(y);
    /* At a side exit from this version of the code, stores before it have reached memory and stores after it
     * have not; a load may be repeated. */
    if ((p == STORE && wg_may_leave(an, y)) || (q == STORE && wg_may_leave(an, x))) return true;
    if (p == NONE || q == NONE || (p == LOAD && q == LOAD)) return false;
    if (p == FIXED || q == FIXED) return true;
    return may_meet(an, v, block, a, b);
}

bool wg_may_sink_load(const struct wg_analysis *an, enum wg_version v, uint32_t block, uint32_t a,
                      uint32_t to) {
    for (uint32_t i = a + 1; i < to; i++)
        if (wg_keeps_order(an, v, block, a, i)) return false;
    return true;
}

/* ---- code that was rearranged ---- */

/* The position of an instruction of the text: its block and place from 1 on, or 0. */
struct stand {
    uint32_t block, place;
    bool there;
};

/* An access of the text. Barriers may become the ends of stages, and read-only memory may be read anywhere.
 */
static bool is_of_text(const struct wg_ir_instr *in) {
    bool access = in->op < WG_OP_COUNT && (wg_op_flags(in->op) & WG_F_MEM);
    return in->id && access && !(access_of(in) == LOAD && reads_what_stays(in));
}

static uint32_t highest_id(const struct wg_ir_func *f) {
    uint32_t most = 0;
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++)
            if (f->blocks[b].instrs[i].id > most) most = f->blocks[b].instrs[i].id;
    return most;
}

/* An inlined function may have copies in several blocks: its instructions' order is checked in the first.
 */
static void note_stands(const struct wg_ir_func *f, struct stand *at) {
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
            if (is_of_text(in) && !at[in->id].place) at[in->id] = (struct stand){b, i + 1, false};
        }
}

static bool is_in_order(const struct wg_ir_block *blk, struct stand *at) {
    const struct stand *last = NULL;
    for (uint32_t i = 0; i < blk->ninstrs; i++) {
        if (!is_of_text(&blk->instrs[i])) continue;
        struct stand *x = &at[blk->instrs[i].id];
        if (!x->place || (last && last->block == x->block && last->place >= x->place)) return false;
        x->there = true;
        last = x;
    }
    return true;
}

bool wg_has_same_accesses(const struct wg_ir_func *from, const struct wg_ir_func *to) {
    uint32_t a = highest_id(from), b = highest_id(to), n = (a > b ? a : b) + 1;
    struct stand *at = wg_xcalloc(n, sizeof *at);
    bool same = true;
    note_stands(from, at);
    for (uint32_t k = 0; k < to->nblocks && same; k++) same = is_in_order(&to->blocks[k], at);
    for (uint32_t i = 0; i < n && same; i++) same = !at[i].place || at[i].there;
    free(at);
    return same;
}
