/* Detection of grid-stride loops: see grid_loop.h. Compilers rotate such a loop: they test once in a guard
 * before it and then at the end of each iteration:
 *
 *     guard:   i = ...; if (i >= n) goto exit;
 *     pre:     step = ...; p = a + i;                      what only the loop needs
 *     loop:    ... *p ...; i += step; p += step; if (i < n) goto loop;
 *     exit:
 */
#include "analysis/effects.h"
#include "analysis/grid_loop.h"
#include "cfg/cfg.h"

enum { MOST_BLOCKS = 6, MOST_INSTRS = 48, MOST_DEPTH = 16, MOST_KEPT = 2 };

struct finder {
    const struct wg_ir_func *f;
    struct wg_grid_loop *l;
    uint32_t *defs; /* [register] instructions that write it, up to the loop's end */
    wg_bits used;   /* registers that anything reads */
    const struct wg_cfg *alive;
};

/* ---- operands ---- */

/* One number, and no shorter than a register that indices are kept in: others wrap round too soon. */
static bool is_index(uint8_t type) {
    bool packed = type == WG_T_U16X2 || type == WG_T_S16X2;
    return wg_type_bits(type) >= 32 && wg_type_kind(type) != WG_K_F && !packed;
}

bool wg_is_index_arithmetic(const struct wg_ir_instr *in) {
    if (in->op == WG_OP_CVT) return is_index(in->type) && is_index(in->type2);
    bool bits = in->op == WG_OP_SHR || in->op == WG_OP_AND || in->op == WG_OP_OR;
    return (bits || wg_op_is(in->op, WG_IS_LINEAR)) && is_index(in->type);
}

static bool of_grid(const struct wg_ir_instr *const *def, const struct wg_ir_opd *o, uint32_t depth) {
    const struct wg_ir_instr *in = o->kind == WG_O_REG ? def[o->index] : NULL;
    if (!in || depth > MOST_DEPTH) return false;
    if (in->op == WG_OP_MOV_SREG) return in->sreg >= WG_SR_nctaid_x && in->sreg <= WG_SR_nctaid_z;
    if (!wg_is_index_arithmetic(in) && in->op != WG_OP_MOV) return false;
    for (uint32_t i = 0; i < in->nsrc; i++)
        if (of_grid(def, &in->src[i], depth + 1)) return true;
    return false;
}

bool wg_is_of_grid(const struct wg_ir_instr *const *def, const struct wg_ir_opd *o) {
    return of_grid(def, o, 0);
}

/* ---- the form ---- */

static bool inside(const struct wg_grid_loop *l, uint32_t b) { return b >= l->first && b < l->first + l->n; }

static uint32_t latch_of(const struct wg_grid_loop *l) { return l->first + l->n - 1; }

/* The blocks are contiguous, and only the last has a back edge or exit edge. */
static bool has_form(struct finder *x) {
    const struct wg_ir_func *f = x->f;
    struct wg_grid_loop *l = x->l;
    uint32_t header = l->first, instrs = 0;
    while (header + l->n < f->nblocks && f->blocks[header + l->n].loop == header) l->n++;
    if (l->n > MOST_BLOCKS || f->blocks[header].outer != WG_NO_REG) return false;
    for (uint32_t b = 0; b < f->nblocks; b++) {
        const struct wg_ir_block *blk = &f->blocks[b];
        for (uint32_t k = 0; k < blk->nsucc; k++) /* a cycle that is no loop might come back */
            if (blk->succ[k] <= b && f->blocks[blk->succ[k]].loop != blk->succ[k]) return false;
        if (!inside(l, b)) continue;
        instrs += blk->ninstrs;
        if (blk->term != WG_TERM_CBR && (blk->term != WG_TERM_BR || b == latch_of(l))) return false;
        for (uint32_t k = 0; k < blk->nsucc && b != latch_of(l); k++)
            if (!inside(l, blk->succ[k]) || blk->succ[k] <= b) return false;
    }
    const struct wg_ir_block *latch = &f->blocks[latch_of(l)];
    uint32_t back = latch->succ[0] == header ? 0 : 1;
    l->exit = latch->succ[!back];
    l->again_if = (back == 0) != latch->cond_neg;
    return instrs <= MOST_INSTRS;
}

/* The guard and the preheader: they directly precede the loop. */
static bool find_guard(struct finder *x) {
    const struct wg_ir_func *f = x->f;
    struct wg_grid_loop *l = x->l;
    const struct wg_ir_block *header = &f->blocks[l->first];
    l->guard = l->first - 1;
    l->pre = WG_NO_REG;
    for (uint32_t p = 0; p < header->npred; p++)
        if (!inside(l, header->pred[p]) && header->pred[p] != l->guard) return false;
    if (f->blocks[l->guard].term == WG_TERM_BR) {
        l->pre = l->guard;
        if (f->blocks[l->pre].pred[0] + 1 != l->pre) return false; /* so it has no other: they are in order */
        l->guard = f->blocks[l->pre].pred[0];
    }
    const struct wg_ir_block *g = &f->blocks[l->guard];
    return g->term == WG_TERM_CBR && (g->succ[0] == l->exit || g->succ[1] == l->exit);
}

/* ---- what an iteration may do ---- */

/* Sums of floats depend on the order. */
static bool is_commutative(const struct finder *x, const struct wg_ir_instr *in) {
    bool relaxed = in->mod[WG_MC_SEM] == WG_M_none || in->mod[WG_MC_SEM] == WG_M_relaxed;
    if (!relaxed) return false;
    for (uint32_t i = 0; i < in->ndst; i++)
        if (in->dst[i].kind == WG_O_REG && wg_bits_has(x->used, in->dst[i].index)) return false;
    x->l->adds |= in->mod[WG_MC_AOP] == WG_M_add;
    return wg_atomic_commutes(in);
}

static bool body_fits(const struct finder *x) {
    bool far = false;
    for (uint32_t b = x->l->first; b < x->l->first + x->l->n; b++)
        for (uint32_t i = 0; i < x->f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &x->f->blocks[b].instrs[i];
            bool access = in->op == WG_OP_LD || in->op == WG_OP_ST;
            if (wg_op_is(in->op, WG_IS_ATOMIC)) {
                if (!is_commutative(x, in)) return false;
            } else if (access) {
                if (!wg_ir_is_weak(in) || in->space == WG_S_LOCAL) return false;
            } else if (wg_op_flags(in->op) || in->op == WG_OP_ACTIVEMASK) {
                return false;
            }
            if (!access || (in->space != WG_S_GLOBAL && in->space != WG_S_GENERIC)) continue;
            uint32_t bytes = wg_type_bits(in->type) / 8 * in->nvec;
            if (bytes > x->l->bytes) x->l->bytes = bytes;
            far = true;
        }
    return far;
}

/* A load without side effects, of what no thread writes: also of a part of a parameter, by an address in a register. */
static bool loads_number(const struct wg_ir_instr *in) {
    return (in->op == WG_OP_LD && in->space == WG_S_PARAM) || wg_loads_for_launch(in);
}

/* The preheader may also run where there is no iteration: it has no side effects. */
static bool pre_fits(const struct finder *x) {
    const struct wg_grid_loop *l = x->l;
    if (l->pre == WG_NO_REG) return true;
    const struct wg_ir_block *pre = &x->f->blocks[l->pre], *g = &x->f->blocks[l->guard];
    for (uint32_t i = 0; i < pre->ninstrs; i++) {
        const struct wg_ir_instr *in = &pre->instrs[i];
        if (in->guard != WG_NO_REG || in->ndst == 0) return false;
        if (wg_op_flags(in->op) && !loads_number(in)) return false;
        for (uint32_t d = 0; d < in->ndst; d++) {
            if (in->dst[d].kind != WG_O_REG) continue;
            uint32_t r = in->dst[d].index, k = g->ninstrs;
            if (!wg_bits_has(x->alive->live_in[l->exit], r)) continue;
            while (k > 0 && !wg_writes(&g->instrs[k - 1], r)) k--;
            if (k == 0) return false;
            const struct wg_ir_instr *was = &g->instrs[k - 1]; /* the same number before and after */
            if (was->op != WG_OP_MOV || in->op != WG_OP_MOV || was->type != in->type) return false;
            if (was->src[0].kind != WG_O_IMM || in->src[0].kind != WG_O_IMM) return false;
            if (was->src[0].imm != in->src[0].imm || was->guard != WG_NO_REG) return false;
        }
    }
    return true;
}

/* ---- registers ---- */

static void add_use(void *used, uint32_t reg) { wg_bits_add(used, reg); }

static void find_uses(struct wg_arena *a, struct finder *x) {
    x->used = wg_bits_new(a, x->f->nregs);
    for (uint32_t b = 0; b < x->f->nblocks; b++) {
        const struct wg_ir_block *blk = &x->f->blocks[b];
        if (blk->term == WG_TERM_CBR || blk->term == WG_TERM_BRX) wg_bits_add(x->used, blk->cond);
        for (uint32_t i = 0; i < blk->ninstrs; i++) wg_each_use(&blk->instrs[i], add_use, x->used);
    }
}

static void count_def(void *user, uint32_t reg) { ((uint32_t *)user)[reg]++; }

static void find_defs(struct wg_arena *a, struct finder *x) {
    const struct wg_ir_func *f = x->f;
    const uint32_t *all = wg_count_defs(a, f);
    x->defs = WG_NEW_N(a, uint32_t, f->nregs + 1);
    x->l->def = WG_NEW_N(a, const struct wg_ir_instr *, f->nregs + 1);
    x->l->in_loop = WG_NEW_N(a, bool, f->nregs + 1);
    x->l->counts = WG_NEW_N(a, const struct wg_counter *, f->nregs + 1);
    x->l->once = wg_bits_new(a, f->nregs);
    for (uint32_t b = 0; b <= latch_of(x->l); b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++)
            wg_each_def(&f->blocks[b].instrs[i], count_def, x->defs);
    for (uint32_t b = 0; b <= latch_of(x->l); b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
            for (uint32_t d = 0; d < in->ndst; d++) {
                if (in->dst[d].kind != WG_O_REG) continue;
                uint32_t r = in->dst[d].index;
                if (all[r] == 1) wg_bits_add(x->l->once, r);
                x->l->in_loop[r] |= inside(x->l, b);
                bool only = x->defs[r] == 1 && in->guard == WG_NO_REG && in->ndst == 1;
                if (only && !wg_bits_has(x->alive->live_in[0], r)) x->l->def[r] = in;
            }
        }
}

/* The loop's `r = r + step`, and what r is before it, in the blocks that lead to it alone. */
static bool is_counter(const struct finder *x, struct wg_counter *c) {
    const struct wg_ir_func *f = x->f;
    const struct wg_grid_loop *l = x->l;
    const struct wg_ir_instr *in = &f->blocks[c->add.block].instrs[c->add.instr];
    if (in->op != WG_OP_ADD_I || !is_index(in->type) || in->guard != WG_NO_REG || in->src[0].kind != WG_O_REG)
        return false;
    if (in->src[0].index != in->dst[0].index || in->mod[WG_MC_SAT] != WG_M_none) return false;
    const struct wg_ir_opd *by = &in->src[1];
    if (by->kind == WG_O_REG && (!l->def[by->index] || l->in_loop[by->index])) return false;
    if (x->defs[c->reg] != 2 || (c->add.block != l->first && c->add.block != latch_of(l))) return false;
    for (uint32_t b = 0; b < l->first; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *d = &f->blocks[b].instrs[i];
            if (d->ndst != 1 || d->dst[0].kind != WG_O_REG || d->dst[0].index != c->reg) continue;
            if (d->nsrc > 3 || f->blocks[b].loop != WG_NO_REG) return false;
            c->init = (struct wg_at){b, i};
            return !wg_bits_has(x->alive->live_in[0], c->reg); /* so it is on every way to the loop */
        }
    return false;
}

/* Finds the induction variables and the registers local to an iteration. The others are loop-carried through
 * the warp's frame: a few may be. */
static bool find_registers(struct wg_arena *a, struct finder *x) {
    const struct wg_ir_func *f = x->f;
    struct wg_grid_loop *l = x->l;
    wg_bits seen = wg_bits_new(a, f->nregs);
    l->own = wg_bits_new(a, f->nregs);
    for (uint32_t b = l->first; b < l->first + l->n; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
            for (uint32_t d = 0; d < in->ndst; d++) {
                if (in->dst[d].kind != WG_O_REG || wg_bits_has(seen, in->dst[d].index)) continue;
                struct wg_counter c = {.reg = in->dst[d].index, .add = {b, i}};
                wg_bits_add(seen, c.reg);
                if (!wg_bits_has(x->alive->live_in[l->first], c.reg) &&
                    !wg_bits_has(x->alive->live_in[l->exit], c.reg)) {
                    wg_bits_add(l->own, c.reg);
                } else if (l->ncounters < WG_MOST_COUNTERS && is_counter(x, &c)) {
                    l->counter[l->ncounters] = c;
                    l->counts[c.reg] = &l->counter[l->ncounters++];
                } else if (++l->kept > MOST_KEPT) {
                    return false;
                }
            }
        }
    return true;
}

/* Less than `strides` asks, and before the whole function is looked at: whether something in the loop grows
 * by a register. */
static bool may_stride(const struct wg_ir_func *f, const struct wg_grid_loop *l) {
    for (uint32_t b = l->first; b < l->first + l->n; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
            bool grows =
                in->op == WG_OP_ADD_I && in->src[0].kind == WG_O_REG && wg_writes(in, in->src[0].index);
            if (grows && in->src[1].kind == WG_O_REG) return true;
        }
    return false;
}

static bool strides(const struct finder *x) {
    for (uint32_t k = 0; k < x->l->ncounters; k++) {
        struct wg_at at = x->l->counter[k].add;
        if (wg_is_of_grid(x->l->def, &x->f->blocks[at.block].instrs[at.instr].src[1])) return true;
    }
    return false;
}

/* ---- the question ---- */

static const struct wg_ir_instr *made_by(const struct finder *x, const struct wg_ir_opd *o) {
    if (o->kind != WG_O_REG) return NULL;
    const struct wg_counter *c = x->l->counts[o->index];
    return c ? &x->f->blocks[c->init.block].instrs[c->init.instr] : x->l->def[o->index];
}

/* Behind moves. */
static const struct wg_ir_opd *source(const struct finder *x, const struct wg_ir_opd *o) {
    for (uint32_t depth = 0; depth < MOST_DEPTH; depth++) {
        const struct wg_ir_instr *in = made_by(x, o);
        if (!in || in->op != WG_OP_MOV) return o;
        o = &in->src[0];
    }
    return o;
}

/* Whether two operands are the same number where counters are what they were before the loop. */
static bool same(const struct finder *x, const struct wg_ir_opd *p, const struct wg_ir_opd *q,
                 uint32_t depth) {
    p = source(x, p);
    q = source(x, q);
    if (p->kind != q->kind || depth > MOST_DEPTH) return false;
    if (p->kind != WG_O_REG) return p->imm == q->imm && (p->kind == WG_O_IMM || p->index == q->index);
    const struct wg_ir_instr *a = made_by(x, p), *b = made_by(x, q);
    if (!a || !b) return false;
    if (a == b) return true;
    bool loads = loads_number(a) && loads_number(b) && a->space == b->space && a->nvec == 1 && b->nvec == 1;
    if (a->op != b->op || a->type != b->type || a->type2 != b->type2) return false;
    if (a->op == WG_OP_MOV_SREG) return a->sreg == b->sreg;
    if (!loads && !wg_is_index_arithmetic(a)) return false;
    for (uint32_t c = 0; c < WG_MC_COUNT; c++)
        if (a->mod[c] != b->mod[c]) return false;
    for (uint32_t k = 0; k < a->nsrc; k++)
        if (!same(x, &a->src[k], &b->src[k], depth + 1)) return false;
    return a->offset == b->offset;
}

static uint8_t turned(uint8_t cmp) {
    switch (cmp) {
    case WG_M_lt: return WG_M_ge;
    case WG_M_le: return WG_M_gt;
    case WG_M_gt: return WG_M_le;
    case WG_M_ge: return WG_M_lt;
    case WG_M_lo: return WG_M_hs;
    case WG_M_ls: return WG_M_hi;
    case WG_M_hi: return WG_M_ls;
    case WG_M_hs: return WG_M_lo;
    default: return WG_M_none;
    }
}

/* With its operands exchanged. */
static uint8_t mirrored(uint8_t cmp) {
    switch (cmp) {
    case WG_M_lt: return WG_M_gt;
    case WG_M_le: return WG_M_ge;
    case WG_M_gt: return WG_M_lt;
    case WG_M_ge: return WG_M_le;
    case WG_M_lo: return WG_M_hi;
    case WG_M_ls: return WG_M_hs;
    case WG_M_hi: return WG_M_lo;
    case WG_M_hs: return WG_M_ls;
    default: return cmp;
    }
}

static struct wg_at place_of(const struct finder *x, const struct wg_ir_instr *in) {
    for (uint32_t b = x->l->first; b < latch_of(x->l); b++) {
        const struct wg_ir_block *blk = &x->f->blocks[b];
        if (in >= blk->instrs && in < blk->instrs + blk->ninstrs)
            return (struct wg_at){b, (uint32_t)(in - blk->instrs)};
    }
    return (struct wg_at){latch_of(x->l), (uint32_t)(in - x->f->blocks[latch_of(x->l)].instrs)};
}

/* Whether it reads the next iteration's values of counters, and nothing else that the iteration computed. */
static bool asks_of_next(const struct finder *x, const struct wg_ir_instr *in, uint32_t depth) {
    struct wg_at at = place_of(x, in);
    for (uint32_t k = 0; k < in->nsrc; k++) {
        const struct wg_ir_opd *o = &in->src[k];
        if (o->kind != WG_O_REG || !x->l->in_loop[o->index]) continue;
        const struct wg_counter *c = x->l->counts[o->index];
        if (c && (c->add.block > at.block || (c->add.block == at.block && c->add.instr > at.instr)))
            return false;
        if (c) continue;
        const struct wg_ir_instr *d = x->l->def[o->index];
        if (!d || depth > MOST_DEPTH || !asks_of_next(x, d, depth + 1)) return false;
    }
    return true;
}

/* Whether the guard's test is that of the latch. */
static bool asks_again(struct finder *x) {
    struct wg_grid_loop *l = x->l;
    const struct wg_ir_block *g = &x->f->blocks[l->guard];
    const struct wg_ir_instr *first = l->def[g->cond];
    l->ask = l->def[x->f->blocks[latch_of(l)].cond];
    if (!first || !l->ask || first->op != WG_OP_SETP || l->ask->op != WG_OP_SETP) return false;
    bool in = (g->succ[0] != l->exit) != g->cond_neg; /* into the loop if it holds */
    uint8_t cmp = in == l->again_if ? first->mod[WG_MC_CMP] : turned(first->mod[WG_MC_CMP]);
    if (!x->l->in_loop[x->f->blocks[latch_of(l)].cond] || !asks_of_next(x, l->ask, 0)) return false;
    if (first->type != l->ask->type) return false;
    for (uint32_t k = 0; k < 2; k++, cmp = mirrored(cmp)) /* n <= i is i >= n */
        if (cmp == l->ask->mod[WG_MC_CMP] && same(x, &first->src[k], &l->ask->src[0], 0) &&
            same(x, &first->src[1 - k], &l->ask->src[1], 0))
            return true;
    return false;
}

bool wg_find_grid_loop(struct wg_arena *a, const struct wg_ir_func *f, uint32_t header, struct wg_cfg *alive,
                       struct wg_grid_loop *l) {
    struct finder x = {.f = f, .l = l, .alive = alive};
    *l = (struct wg_grid_loop){.first = header};
    if (!has_form(&x) || !may_stride(f, l) || !find_guard(&x)) return false;
    find_uses(a, &x);
    if (!body_fits(&x)) return false;
    if (alive->func != f) {
        wg_arena_free(&alive->arena);
        *alive = (struct wg_cfg){.func = f};
        wg_cfg_liveness(alive);
    }
    find_defs(a, &x);
    return pre_fits(&x) && find_registers(a, &x) && strides(&x) && asks_again(&x);
}

uint8_t wg_as_below(uint8_t cmp) {
    switch (cmp) {
    case WG_M_lt:
    case WG_M_ge: return WG_M_lt;
    case WG_M_lo:
    case WG_M_hs: return WG_M_lo;
    case WG_M_le:
    case WG_M_gt: return WG_M_le;
    default: return WG_M_ls;
    }
}

bool wg_asks_below(const struct wg_grid_loop *l) {
    switch (l->ask->mod[WG_MC_CMP]) {
    case WG_M_lt:
    case WG_M_le:
    case WG_M_lo:
    case WG_M_ls: return l->again_if;
    case WG_M_gt:
    case WG_M_ge:
    case WG_M_hi:
    case WG_M_hs: return !l->again_if;
    default: return false;
    }
}

/* ---- sweeps ---- */

static bool is_own(const struct wg_ir_module *m, const struct wg_ir_instr *in) {
    if (in->space == WG_S_SHARED || in->space == WG_S_CLUSTER || in->space == WG_S_LOCAL) return true;
    for (uint32_t k = 0; k < in->nsrc; k++) {
        if (in->src[k].kind != WG_O_SYM) continue;
        uint8_t kind = m->syms[in->src[k].index].kind;
        if (kind == WG_SYM_SHARED || kind == WG_SYM_DYNSHARED || kind == WG_SYM_LOCAL) return true;
    }
    return false;
}

/* Pure: a repetition gives the same result and has no side effects. */
static bool is_arithmetic(const struct wg_ir_instr *in) {
    if (in->op == WG_OP_LD) return in->space == WG_S_PARAM || in->space == WG_S_CONST;
    if (in->op == WG_OP_MOV_SREG) return in->sreg < WG_SR_clock || in->sreg > WG_SR_globaltimer_hi;
    return !wg_op_flags(in->op) && in->op != WG_OP_ACTIVEMASK;
}

/* Blocks from which a way leads to the loop's guard; of other stages none does. */
static wg_bits before_guard(struct wg_arena *a, const struct wg_ir_func *f, const struct wg_grid_loop *l) {
    wg_bits set = wg_bits_new(a, f->nblocks);
    wg_bits_add(set, l->guard);
    for (uint32_t b = l->guard; b-- > 0;)
        for (uint32_t k = 0; k < f->blocks[b].nsucc; k++)
            if (wg_bits_has(set, f->blocks[b].succ[k])) wg_bits_add(set, b);
    return set;
}

/* All ways lead to the loop; or to other stages. */
static bool leads_on(const struct wg_ir_func *f, const struct wg_grid_loop *l, uint32_t b) {
    const struct wg_ir_block *blk = &f->blocks[b];
    if (blk->loop != WG_NO_REG) return false;
    if (b >= l->guard) return true;
    for (uint32_t k = 0; k < blk->nsucc; k++)
        if (blk->succ[k] >= l->first && !(f->stages && b < WG_STAGE_ASKS)) return false;
    return blk->nsucc > 0;
}

/* A kernel that sweeps has no second such loop: the first one precedes it, and other stages than
 * that which counts have no access to global memory (tables.c). */
bool wg_may_sweep(struct wg_arena *a, const struct wg_ir_module *m, const struct wg_ir_func *f,
                  struct wg_grid_loop *l) {
    wg_bits leads = before_guard(a, f, l);
    l->ctaid = WG_NO_REG;
    for (uint32_t b = 0; b < f->nblocks; b++) {
        bool before = b < l->first && (!f->stages || b > l->guard || wg_bits_has(leads, b));
        if (before && !leads_on(f, l, b)) return false;
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
            /* Of stages shared memory is not the block's alone. */
            if ((!f->stages && is_own(m, in)) || (before && !is_arithmetic(in))) return false;
            if (in->op == WG_OP_MOV_SREG && in->sreg == WG_SR_ctaid_x && in->dst[0].kind == WG_O_REG)
                l->ctaid = in->dst[0].index;
        }
    }
    return !l->kept && l->ctaid != WG_NO_REG;
}
