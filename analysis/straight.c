/* See straight.h. The way is the one to the lower block, which is what a comparison guards: the other one
 * skips it.
 */
#include "analysis/straight.h"
#include "analysis/flow.h"

#include <string.h>

struct seen {
    uint32_t loads, stores; /* of global memory */
    bool shared_loads, shared_stores;
};

static bool defined_once(const struct wg_analysis *an, const struct wg_ir_opd *o) {
    return o->kind != WG_O_REG || an->ndefs[o->index] == 1;
}

/* What is stored is looked at again where the phase ends. */
static bool may_be_held(const struct wg_analysis *an, const struct wg_ir_instr *in) {
    for (uint32_t i = 0; i < in->nsrc; i++)
        if (!defined_once(an, &in->src[i])) return false;
    return true;
}

static bool is_plain(const struct wg_analysis *an, const struct wg_ir_instr *in) {
    uint8_t kind = wg_operand_fact(an, WG_CONVERGED, &in->src[0]).kind;
    bool known = kind == WG_UNIFORM || kind == WG_AFFINE;
    return wg_ir_is_weak(in) && in->nvec == 1 && in->guard == WG_NO_REG &&
           (in->space != WG_S_GLOBAL || known);
}

static bool access_fits(const struct wg_analysis *an, const struct wg_ir_instr *in, struct seen *s) {
    bool load = in->op == WG_OP_LD, is_access = load || in->op == WG_OP_ST;
    if (!is_access) return !(wg_op_flags(in->op) & WG_F_MEM);
    if (!is_plain(an, in)) return false;
    switch (in->space) {
    case WG_S_PARAM:
    case WG_S_CONST: return load;
    case WG_S_SHARED:
        *(load ? &s->shared_loads : &s->shared_stores) = true;
        return !s->shared_loads || !s->shared_stores;
    case WG_S_GLOBAL: ++*(load ? &s->loads : &s->stores); return load || may_be_held(an, in);
    default: return false;
    }
}

/* ---- what follows from memory ---- */

static enum wg_part part_of(const void *user, const struct wg_ir_instr *in) {
    bool reads = (wg_op_flags(in->op) & WG_F_MEM) && in->space != WG_S_PARAM && in->space != WG_S_CONST;
    return reads ? WG_PART_BEGINS : WG_PART_FOLLOWS;
}

/* ---- the way ---- */

/* The block behind this one, or UINT32_MAX: the phase ends. false: there is more than one way. */
static bool step(const struct wg_analysis *an, wg_bits loaded, uint32_t b, uint8_t *way, uint32_t *next) {
    const struct wg_ir_block *blk = &an->func->blocks[b];
    *way = 0;
    *next = UINT32_MAX;
    if (blk->term == WG_TERM_RET || blk->term == WG_TERM_EXIT) return true;
    if (blk->term != WG_TERM_BR && blk->term != WG_TERM_CBR) return false;
    if (blk->term == WG_TERM_CBR) {
        if (wg_bits_has(loaded, blk->cond) || blk->succ[0] == blk->succ[1]) return false;
        *way = blk->succ[1] < blk->succ[0];
    }
    uint32_t to = blk->succ[*way];
    if (to <= b) return false;
    if (!wg_phase_ends(an->phases, an->func, b, to)) *next = to;
    return true;
}

/* The ways that are not gone skip something, or lead to the end. */
static bool all_skip(const struct wg_analysis *an, uint32_t begins, const uint8_t *way) {
    const struct wg_ir_func *f = an->func;
    for (uint32_t b = begins; b < f->nblocks; b++) {
        if (way[b] == WG_NO_WAY || f->blocks[b].term != WG_TERM_CBR) continue;
        uint32_t other = f->blocks[b].succ[!way[b]];
        bool ends = wg_leads_to_exit(f, other) || wg_phase_ends(an->phases, f, b, other);
        if (!ends && way[other] == WG_NO_WAY) return false;
    }
    return true;
}

bool wg_runs_straight(const struct wg_analysis *an, uint32_t begins, uint8_t *way) {
    const struct wg_ir_func *f = an->func;
    struct wg_arena a = {0};
    struct seen seen = {0};
    wg_bits loaded = wg_following(&a, f, part_of, NULL);
    memset(way, WG_NO_WAY, f->nblocks);
    bool straight = true;
    for (uint32_t b = begins, next; straight && b != UINT32_MAX; b = next) {
        straight = f->blocks[b].loop == WG_NO_REG && step(an, loaded, b, &way[b], &next);
        for (uint32_t i = 0; straight && i < f->blocks[b].ninstrs; i++)
            straight = access_fits(an, &f->blocks[b].instrs[i], &seen);
        if (!straight) break;
    }
    wg_arena_free(&a);
    return straight && seen.loads + seen.stores <= WG_MOST_HELD && all_skip(an, begins, way);
}
