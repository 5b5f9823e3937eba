/* Scalarization of divergent loops: see lane_loops.h. */
#include "analysis/lane_loops.h"
#include "analysis/flow.h"
#include "analysis/one_lane.h"
#include "analysis/plan.h"

enum { FEWEST_SCATTERED = 2, MOST_INSTRS_EACH = 24, MOST_INSTRS_EACH_OF_SEVERAL = 16 };

bool wg_scalar_loop_varies(const struct wg_analysis *an, uint32_t reg) {
    uint8_t kind = an->facts[WG_GENERAL][reg].kind;
    return kind != WG_UNIFORM && kind != WG_AFFINE;
}

/* Whether the frame holds it lane by lane. */
static bool lies_by_lanes(const struct wg_analysis *an, uint32_t reg) {
    return wg_scalar_loop_varies(an, reg) && an->func->regs[reg].width != WG_W1;
}

static bool source_fits(const struct wg_analysis *an, const struct wg_ir_opd *o, const uint64_t *made) {
    if (o->kind != WG_O_REG) return true;
    if (o->negated) return false;
    if (wg_bits_has(made, o->index)) return true;
    if (wg_scalar_loop_varies(an, o->index)) return lies_by_lanes(an, o->index);
    const struct wg_fact *f = &an->facts[WG_GENERAL][o->index];
    return wg_is_line(f->k) && wg_is_line(f->r);
}

static bool instr_fits(const struct wg_analysis *an, const struct wg_ir_instr *in, const uint64_t *made) {
    bool selects = in->op == WG_OP_SETP || in->op == WG_OP_SELP;
    if (in->guard != WG_NO_REG || (selects ? in->ndst != 1 : !wg_one_lane_fits(an->func, in))) return false;
    for (uint32_t s = 0; s < in->nsrc; s++)
        if (!source_fits(an, &in->src[s], made)) return false;
    return true;
}

static bool is_scattered(const struct wg_analysis *an, const struct wg_ir_instr *in) {
    return in->src[0].kind == WG_O_REG && wg_scalar_loop_varies(an, in->src[0].index);
}

/* Whether it goes on in the loop or to the one block behind it. */
static bool ends_fit(const struct wg_analysis *an, struct wg_scalar_loop *l, uint32_t b) {
    const struct wg_ir_block *blk = &an->func->blocks[b];
    if (blk->term != WG_TERM_BR && blk->term != WG_TERM_CBR) return false;
    if (blk->term == WG_TERM_CBR && !wg_bits_has(l->made, blk->cond)) return false;
    for (uint32_t i = 0; i < blk->nsucc; i++) {
        if (wg_in_loop(an->func, blk->succ[i], l->head)) continue;
        if (l->out != WG_NO_REG && l->out != blk->succ[i]) return false;
        l->out = blk->succ[i];
    }
    return true;
}

struct using { wg_bits made, read; };

static void note_made(void *user, uint32_t reg) { wg_bits_add(((struct using *)user)->made, reg); }

static void note_read(void *user, uint32_t reg) {
    struct using *x = user;
    if (!wg_bits_has(x->made, reg)) wg_bits_add(x->read, reg);
}

static struct wg_scalar_loop loop_at(struct wg_analysis *an, uint32_t b) {
    const struct wg_ir_func *f = an->func;
    struct wg_scalar_loop l = {.head = b, .out = WG_NO_REG};
    struct using x = {wg_bits_new(&an->arena, f->nregs), wg_bits_new(&an->arena, f->nregs)};
    WG_EACH_IN_SCALAR_LOOP(k, f, &l) {
        l.several |= k != b;
        for (uint32_t i = 0; i < f->blocks[k].ninstrs; i++)
            wg_each_def(&f->blocks[k].instrs[i], note_made, &x);
    }
    WG_EACH_IN_SCALAR_LOOP(k, f, &l)
    for (uint32_t i = 0; i < f->blocks[k].ninstrs; i++) wg_each_use(&f->blocks[k].instrs[i], note_read, &x);
    l.made = x.made;
    l.read = x.read;
    return l;
}

bool wg_scalar_loop_keeps(const struct wg_analysis *an, const struct wg_scalar_loop *l, uint32_t reg) {
    return wg_bits_has(an->cfg.live_in[l->head], reg) || wg_bits_has(an->cfg.live_in[l->out], reg);
}

/* Where lanes only leave one by one, loads alone; where they also part inside, all accesses take turns anyway. */
static bool pays(const struct wg_scalar_loop *l, uint32_t parts, uint32_t loads, uint32_t stores,
                 uint32_t instrs) {
    if (!l->several) return !stores && loads >= FEWEST_SCATTERED && instrs <= loads * MOST_INSTRS_EACH;
    uint32_t scattered = loads + stores;
    return parts > 1 && scattered >= FEWEST_SCATTERED && instrs <= scattered * MOST_INSTRS_EACH_OF_SEVERAL;
}

/* Whether all lanes may run all of it by themselves, and gain by it. */
static bool fits(const struct wg_analysis *an, struct wg_scalar_loop *l) {
    uint32_t loads = 0, stores = 0, instrs = 0, parts = 0;
    WG_EACH_IN_SCALAR_LOOP(k, an->func, l) {
        const struct wg_ir_block *blk = &an->func->blocks[k];
        if (!ends_fit(an, l, k)) return false;
        parts += blk->term == WG_TERM_CBR && wg_scalar_loop_varies(an, blk->cond);
        for (uint32_t i = 0; i < blk->ninstrs; i++) {
            const struct wg_ir_instr *in = &blk->instrs[i];
            if (!instr_fits(an, in, l->made)) return false;
            loads += in->op == WG_OP_LD && is_scattered(an, in);
            stores += in->op == WG_OP_ST;
        }
        instrs += blk->ninstrs;
    }
    if (l->out == WG_NO_REG || !parts) return false;
    WG_BITS_EACH(r, l->made, an->func->nregs)
    if (wg_scalar_loop_keeps(an, l, r) && !lies_by_lanes(an, r)) return false;
    return pays(l, parts, loads, stores, instrs);
}

static bool is_lane_loop(struct wg_analysis *an, uint32_t b, struct wg_scalar_loop *l) {
    if (!wg_may_use(an->opts, WG_FORM_lane_loops) || an->tile_bits || an->func->blocks[b].loop != b)
        return false;
    *l = loop_at(an, b);
    return fits(an, l);
}

bool wg_scalar_loop_at(struct wg_analysis *an, uint32_t b, struct wg_scalar_loop *l) {
    if (!is_lane_loop(an, b, l)) return false;
    wg_plan_yes(an->opts, WG_FORM_lane_loops, an->func->blocks[b].instrs);
    return true;
}

/* ---- loops with nothing behind them ----
 *
 *     for (int e = first[v]; e < first[v + 1]; e++) if (level[leads[e]] < 0) level[leads[e]] = now + 1;      } the end
 *
 * Lanes that leave would retire, and the others go on under masks in CONVERGED, gather by gather. They go over to GENERAL
 * instead, which has the loop's code for one lane, and stay there.
 */

/* Whether CONVERGED, too, has gathers for each of several loads. */
static bool gathers(const struct wg_analysis *an, const struct wg_scalar_loop *l) {
    uint32_t n = 0;
    WG_EACH_IN_SCALAR_LOOP(k, an->func, l)
    for (uint32_t i = 0; i < an->func->blocks[k].ninstrs; i++) {
        const struct wg_ir_instr *in = &an->func->blocks[k].instrs[i];
        n += in->op == WG_OP_LD && wg_operand_fact(an, WG_CONVERGED, &in->src[0]).kind == WG_VARYING;
    }
    return n >= FEWEST_SCATTERED;
}

void wg_flow_one_by_one(struct wg_analysis *an) {
    const struct wg_ir_func *f = an->func;
    struct wg_scalar_loop l;
    an->one_by_one = wg_bits_new(&an->arena, f->nblocks);
    for (uint32_t b = 0; b < f->nblocks; b++) {
        if (!is_lane_loop(an, b, &l) || !wg_leads_to_exit(f, l.out) || !gathers(an, &l)) continue;
        WG_EACH_IN_SCALAR_LOOP(k, f, &l) wg_bits_add(an->one_by_one, k);
    }
}

bool wg_flow_retires(const struct wg_analysis *an, uint32_t block) {
    const struct wg_ir_block *blk = &an->func->blocks[block];
    bool leaves = false;
    for (uint32_t s = 0; s < blk->nsucc; s++) leaves |= wg_leads_to_exit(an->func, blk->succ[s]);
    return leaves && !wg_bits_has(an->one_by_one, block);
}
