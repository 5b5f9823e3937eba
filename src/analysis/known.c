/* Constant masks: branches and predicates whose lanes in each warp of a block are known at compile time,
 * because they depend on the thread's index and constants alone.
 *
 *     @!(threadIdx.x < 16)     the lower half of warp 0, nobody else
 *     @(threadIdx.x & 3)       three lanes of four, in each warp alike
 *
 * Each register that such a condition depends on is evaluated for all threads of the block.
 */
#include "analysis/plan.h"
#include "cfg/constant.h"
#include "analysis/flow.h"

struct threads {
    const struct wg_analysis *an;
    uint32_t **values; /* [register][thread], up to 32 bits */
    bool *tried;
    uint32_t n; /* a multiple of WG_LANES */
};

static uint32_t *values_of(struct threads *t, uint32_t reg);

static bool special(const struct threads *t, const struct wg_ir_instr *in, uint32_t *to) {
    const uint32_t *n = t->an->opts->ntid;
    for (uint32_t i = 0; i < t->n; i++) switch (in->sreg) {
        case WG_SR_tid_x: to[i] = i % n[0]; break;
        case WG_SR_tid_y: to[i] = i / n[0] % n[1]; break;
        case WG_SR_tid_z: to[i] = i / n[0] / n[1]; break;
        case WG_SR_ntid_x:
        case WG_SR_ntid_y:
        case WG_SR_ntid_z: to[i] = n[in->sreg - WG_SR_ntid_x]; break;
        case WG_SR_laneid: to[i] = i % WG_LANES; break;
        case WG_SR_warpid: to[i] = i / WG_LANES; break;
        default: return false;
        }
    return true;
}

static bool work_out(struct threads *t, const struct wg_ir_instr *in, uint32_t bits, uint32_t *to) {
    const uint32_t *from[3] = {NULL, NULL, NULL};
    if (in->nsrc > 3) return false;
    if (in->op == WG_OP_MOV_SREG) return special(t, in, to);
    for (uint32_t k = 0; k < in->nsrc; k++) {
        if (in->src[k].kind == WG_O_IMM) continue;
        if (in->src[k].kind != WG_O_REG || !(from[k] = values_of(t, in->src[k].index))) return false;
    }
    for (uint32_t i = 0; i < t->n; i++) {
        uint64_t s[3] = {0}, x;
        for (uint32_t k = 0; k < in->nsrc; k++) {
            s[k] = from[k] ? from[k][i] : in->src[k].imm;
            if (in->src[k].negated) s[k] = !s[k];
        }
        if (!wg_constant_of(in, s, &x)) return false;
        to[i] = (uint32_t)wg_constant_cut(x, bits);
    }
    return true;
}

/* NULL: not known. */
static uint32_t *values_of(struct threads *t, uint32_t reg) {
    if (t->tried[reg]) return t->values[reg];
    t->tried[reg] = true;
    uint8_t width = t->an->func->regs[reg].width;
    const struct wg_ir_instr *def = t->an->cfg.def[reg];
    if (!def || def->ndst != 1 || (width != WG_W32 && width != WG_W1)) return NULL;
    /* No guard: the value that it leaves as it was would be live where the kernel begins. */
    if (wg_bits_has(t->an->cfg.live_in[0], reg)) return NULL;
    uint32_t *to = WG_NEW_N((struct wg_arena *)&t->an->arena, uint32_t, t->n);
    return t->values[reg] = work_out(t, def, width == WG_W1 ? 1 : 32, to) ? to : NULL;
}

/* Of each warp, lanes whose value is not `zero`. */
static uint32_t *lanes_of(struct threads *t, const uint32_t *values, bool zero) {
    uint32_t *lanes = WG_NEW_N((struct wg_arena *)&t->an->arena, uint32_t, t->n / WG_LANES);
    for (uint32_t i = 0; i < t->n; i++) lanes[i / WG_LANES] |= (uint32_t)(values[i] != zero) << i % WG_LANES;
    return lanes;
}

void wg_flow_known(struct wg_analysis *an) {
    const struct wg_ir_func *f = an->func;
    const uint32_t *n = an->opts->ntid;
    struct wg_arena *a = &an->arena;
    struct threads t = {.an = an, .n = (n[0] * n[1] * n[2] + WG_LANES - 1) / WG_LANES * WG_LANES};
    t.values = WG_NEW_N(a, uint32_t *, f->nregs);
    t.tried = WG_NEW_N(a, bool, f->nregs);
    an->taken = WG_NEW_N(a, uint32_t *, f->nblocks);
    an->holds = WG_NEW_N(a, uint32_t *, f->nregs);
    if (!wg_may_use(an->opts, WG_FORM_known)) return;
    for (uint32_t b = 0; b < f->nblocks; b++) {
        const struct wg_ir_block *blk = &f->blocks[b];
        const uint32_t *c = blk->term == WG_TERM_CBR ? values_of(&t, blk->cond) : NULL;
        if (!c) continue;
        an->taken[b] = lanes_of(&t, c, blk->cond_neg);
        wg_plan_yes(an->opts, WG_FORM_known, blk->ninstrs ? &blk->instrs[blk->ninstrs - 1] : NULL);
    }
    for (uint32_t r = 0; r < f->nregs; r++) {
        bool one = f->regs[r].width == WG_W1 && an->facts[WG_CONVERGED][r].kind == WG_VARYING;
        const uint32_t *x = one ? values_of(&t, r) : NULL;
        if (x) an->holds[r] = lanes_of(&t, x, false);
    }
}
