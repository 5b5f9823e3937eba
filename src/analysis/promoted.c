/* See promoted.h. */
#include "analysis/promoted.h"
#include "cfg/bits.h"
#include "cfg/cfg.h"

enum { MOST_ELEMENTS = 4 };

struct local {
    const struct wg_ir_module *m;
    const struct wg_ir_func *f;
    uint32_t symbol;    /* the one that there is, WG_NO_REG before it is met */
    wg_bits of;         /* registers that are addresses in it */
    wg_bits moved;      /* of those, the ones whose distance from its start is not known */
    uint32_t *ndefs;    /* [register] */
    uint32_t element;   /* bytes of what is indexed, 0: nothing is */
    uint32_t narrowest; /* bytes of the narrowest access at a constant place */
};

static bool is_local(const struct local *x, const struct wg_ir_opd *o) {
    return o->kind == WG_O_SYM && x->m->syms[o->index].kind == WG_SYM_LOCAL;
}

static bool is_address(const struct local *x, const struct wg_ir_opd *o) {
    return is_local(x, o) || (o->kind == WG_O_REG && wg_bits_has(x->of, o->index));
}

static bool is_access(const struct wg_ir_instr *in) {
    return (in->op == WG_OP_LD || in->op == WG_OP_ST) && in->space == WG_S_LOCAL;
}

static bool hands_on(const struct wg_ir_instr *in) {
    bool sum = in->op == WG_OP_ADD_I || in->op == WG_OP_SUB_I || in->op == WG_OP_MAD_I;
    return in->guard == WG_NO_REG && (sum || in->op == WG_OP_SELP || wg_op_is(in->op, WG_IS_COPY));
}

/* An address of a known one and a constant. */
static bool is_constant(const struct local *x, const struct wg_ir_instr *in) {
    if (in->op == WG_OP_MAD_I || in->op == WG_OP_SELP) return false;
    for (uint32_t i = 0; i < in->nsrc; i++) {
        const struct wg_ir_opd *o = &in->src[i];
        bool known = is_local(x, o) || (o->kind == WG_O_REG && wg_bits_has(x->of, o->index) &&
                                        !wg_bits_has(x->moved, o->index));
        if (!known && o->kind != WG_O_IMM) return false;
    }
    return true;
}

/* False: two arrays, or an address where it is not followed. */
static bool follow(struct local *x, const struct wg_ir_instr *in, bool *grew) {
    bool any = false;
    for (uint32_t i = 0; i < in->nsrc; i++) {
        const struct wg_ir_opd *o = &in->src[i];
        if (!is_address(x, o)) continue;
        any = true;
        if (!is_local(x, o)) continue;
        if (x->symbol != WG_NO_REG && x->symbol != o->index) return false;
        x->symbol = o->index;
    }
    if (!any || is_access(in)) return true;
    if (!hands_on(in)) return false;
    uint32_t to = in->dst[0].index;
    bool moved = x->ndefs[to] > 1 || !is_constant(x, in);
    *grew |= !wg_bits_has(x->of, to) || (moved && !wg_bits_has(x->moved, to));
    wg_bits_add(x->of, to);
    if (moved) wg_bits_add(x->moved, to);
    return true;
}

static bool follow_all(struct local *x) {
    for (bool grew = true; grew;) {
        grew = false;
        for (uint32_t b = 0; b < x->f->nblocks; b++)
            for (uint32_t i = 0; i < x->f->blocks[b].ninstrs; i++)
                if (!follow(x, &x->f->blocks[b].instrs[i], &grew)) return false;
    }
    return x->symbol != WG_NO_REG;
}

/* The address of an access is known: it is everywhere, or it is set to a known one before it in its block, as a pointer is
 * before the loop that moves it. */
static bool is_known(const struct local *x, const struct wg_ir_block *block, uint32_t i) {
    uint32_t r = block->instrs[i].src[0].index;
    if (!wg_bits_has(x->moved, r)) return true;
    while (i--) {
        const struct wg_ir_instr *in = &block->instrs[i];
        for (uint32_t d = 0; d < in->ndst; d++)
            if (in->dst[d].kind == WG_O_REG && in->dst[d].index == r)
                return hands_on(in) && is_constant(x, in);
    }
    return false;
}

/* The block's instruction `i`. False: an access that goes across elements, or values that are addresses. */
static bool note_access(struct local *x, const struct wg_ir_block *block, uint32_t i) {
    const struct wg_ir_instr *in = &block->instrs[i];
    uint32_t bytes = wg_type_bits(in->type) / 8;
    if (in->op == WG_OP_ST)
        for (uint32_t v = 1; v < in->nsrc; v++)
            if (is_address(x, &in->src[v])) return false;
    bool constant = is_local(x, &in->src[0]) || (is_address(x, &in->src[0]) && is_known(x, block, i));
    if (constant) {
        if (!x->narrowest || bytes < x->narrowest) x->narrowest = bytes;
        return true;
    }
    if (!is_address(x, &in->src[0]) || in->nvec > 1 || (x->element && x->element != bytes)) return false;
    x->element = bytes;
    return true;
}

static bool note_all(struct local *x) {
    for (uint32_t b = 0; b < x->f->nblocks; b++)
        for (uint32_t i = 0; i < x->f->blocks[b].ninstrs; i++) {
            const struct wg_ir_block *block = &x->f->blocks[b];
            if (is_access(&block->instrs[i]) && !note_access(x, block, i)) return false;
        }
    return !x->element || !x->narrowest || x->narrowest >= x->element;
}

bool wg_local_is_promoted(struct wg_arena *a, const struct wg_ir_module *m, const struct wg_ir_func *f) {
    if (!f->local_bytes || f->has_calls) return false;
    struct local x = {.m = m,
                      .f = f,
                      .symbol = WG_NO_REG,
                      .of = wg_bits_new(a, f->nregs + 1),
                      .moved = wg_bits_new(a, f->nregs + 1),
                      .ndefs = wg_count_defs(a, f)};
    if (!follow_all(&x) || !note_all(&x)) return false;
    return !x.element || m->syms[x.symbol].size / x.element <= MOST_ELEMENTS;
}
