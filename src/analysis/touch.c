/* Data-flow analysis of addresses for bounds checks: see touch.h.
 *
 * The lattice of a register's value, from the strongest:
 *     NUMBER    a signed number whose magnitude is at most `most`
 *     POINTER   a pointer into the device's address space, and such a number
 *     MADE      the register `root`, which has one definition, and such a number
 *     anything  MADE of itself and 0
 *
 * It holds in both versions. A register with several definitions gets their join; one that grows in a loop is
 * anything. So is one that may be read before it is written.
 */
#include "analysis/flow.h"
#include "analysis/memory.h"
#include "analysis/touch.h"
#include "warp/touch.h"

#include <string.h>

enum known { NOTHING, NUMBER, POINTER, MADE };
enum { MOST_GROWTH = 3, MOST_ROUNDS = 16 };
#define MOST WG_TOUCH_ADDED
/* The step of a walk per iteration. */
#define MOST_STEP (UINT64_C(1) << 33)

struct reach {
    uint8_t known;
    uint8_t grown;  /* how often */
    uint32_t param; /* POINTER: to this byte of the parameters, and 1; 0: not known to be */
    uint32_t root;
    uint64_t most;
};

/* A pointer induction variable (walk): a small number or a pointer into the device's address space before a
 * loop, or a value derived from one root, with a small step in each iteration. */
struct walk {
    uint8_t steps, starts; /* definitions of either kind, up to 255; starts: 255, not all are such ones */
    uint8_t known;         /* NUMBER, POINTER, or MADE of root */
    uint32_t root, block;  /* block: of the step */
    uint64_t most;         /* of the starts */
};

struct finder {
    struct wg_analysis *an;
    struct reach *reach; /* [register] */
    struct walk *walk;   /* [register] */
    bool changed;
};

static struct reach number(uint64_t most) { return (struct reach){.known = NUMBER, .most = most}; }
static struct reach anything(uint32_t reg) { return (struct reach){.known = MADE, .root = reg}; }

static bool is_small(const struct reach *r) { return r->known == NUMBER && r->most <= MOST; }

static uint64_t magnitude(uint64_t x) { return (int64_t)x < 0 ? 0 - x : x; }

/* No value of the register exceeds it, as an unsigned number. */
static uint64_t most_of(const struct wg_analysis *an, uint32_t reg) {
    uint64_t a = an->facts[WG_CONVERGED][reg].max, b = an->facts[WG_GENERAL][reg].max;
    return a > b ? a : b;
}

static struct reach of_symbol(const struct wg_ir_sym *s, uint64_t addend) {
    struct reach r = {.known = POINTER, .most = magnitude(addend)};
    if (s->kind == WG_SYM_PARAM && s->offset + addend < UINT32_MAX)
        r.param = (uint32_t)(s->offset + addend) + 1;
    switch (s->kind) {
    case WG_SYM_GLOBAL: /* those of others, and managed ones, may be the host program's */
        if (!s->managed && !s->external) return r;
        return number(UINT64_MAX);
    case WG_SYM_LOCAL:
    case WG_SYM_PARAM: return r;
    default: return number(UINT32_MAX); /* an offset */
    }
}

/* An operand, as 64 bits; of narrower ones `is_signed` says how they are widened. */
static struct reach of(const struct finder *f, const struct wg_ir_opd *o, bool is_signed) {
    const struct wg_analysis *an = f->an;
    switch (o->kind) {
    case WG_O_IMM: return number(magnitude(o->imm));
    case WG_O_SYM: return of_symbol(&an->module->syms[o->index], o->imm);
    case WG_O_REG: break;
    default: return number(UINT64_MAX);
    }
    if (an->func->regs[o->index].width < WG_W64) {
        uint64_t most = most_of(an, o->index);
        if (most > UINT32_MAX) most = UINT32_MAX;
        return number(is_signed && most > INT32_MAX ? UINT64_C(1) << 31 : most);
    }
    return f->reach[o->index];
}

/* Of what is written in several places, or may not have been written, no other register is made. */
static bool is_usable(const struct finder *f, const struct reach *r) {
    bool once =
        r->known != MADE || (f->an->cfg.ndefs[r->root] == 1 && !wg_bits_has(f->an->cfg.live_in[0], r->root));
    return r->most <= MOST && once;
}

/* a + b; anything if no more is known of the sum. */
static struct reach sum(const struct finder *f, const struct reach *a, const struct reach *b, uint32_t dst) {
    const struct reach *p = a->known == NUMBER ? b : a, *n = a->known == NUMBER ? a : b;
    if (!p->known || !n->known) return (struct reach){0};
    if (!is_small(n) || !is_usable(f, p) || n->most + p->most > MOST) return anything(dst);
    struct reach r = *p;
    r.most += n->most;
    r.param = 0;
    return r;
}

static struct reach product(const struct reach *a, const struct reach *b) {
    uint64_t most;
    if (!a->known || !b->known) return (struct reach){0};
    if (a->known != NUMBER || b->known != NUMBER || __builtin_mul_overflow(a->most, b->most, &most))
        return number(UINT64_MAX);
    return number(most);
}

static struct reach join(const struct reach *a, const struct reach *b, uint32_t reg) {
    if (!a->known) return *b;
    if (!b->known) return *a;
    if (a->known != b->known || (a->known == MADE && a->root != b->root)) return anything(reg);
    struct reach r = a->most > b->most ? *a : *b;
    if (a->param != b->param) r.param = 0;
    return r;
}

/* Bits set, cleared or turned over by a number: no more than that away. */
static struct reach bits_changed(const struct finder *f, const struct wg_ir_instr *in, uint32_t dst) {
    struct reach a = of(f, &in->src[0], false);
    if (in->src[1].kind != WG_O_IMM) return anything(dst);
    struct reach by = number(in->op == WG_OP_AND ? ~in->src[1].imm : in->src[1].imm);
    return sum(f, &a, &by, dst);
}

enum { LAST_WORD = 63 };

uint64_t wg_touch_word(uint64_t at) { return UINT64_C(1) << (at / 8 < LAST_WORD ? at / 8 : LAST_WORD); }

static bool is_trusted(const struct wg_analysis *an, uint64_t at) {
    return at % 8 == 0 && !(an->opts->strangers & wg_touch_word(at));
}

static bool is_integer(uint8_t type) {
    return wg_type_kind(type) == WG_K_S || wg_type_kind(type) == WG_K_U || wg_type_kind(type) == WG_K_B;
}

static struct reach loaded(const struct finder *f, const struct wg_ir_instr *in, uint32_t k) {
    uint32_t dst = in->dst[k].index;
    struct reach from = of(f, &in->src[0], false);
    uint32_t bits = wg_type_bits(in->type);
    if (from.known && bits < 64 && is_integer(in->type)) return number((UINT64_C(1) << bits) - 1);
    if (in->space != WG_S_PARAM || !from.param || bits != 64) return from.known ? anything(dst) : from;
    uint64_t at = from.param - 1 + (uint64_t)in->offset + 8 * (uint64_t)k;
    return is_trusted(f->an, at) ? (struct reach){.known = POINTER} : anything(dst);
}

static struct reach converted(const struct finder *f, const struct wg_ir_instr *in, uint32_t dst) {
    if (!is_integer(in->type) || !is_integer(in->type2)) return anything(dst);
    if (wg_type_bits(in->type) < 64) return number((UINT64_C(1) << wg_type_bits(in->type)) - 1);
    if (wg_type_bits(in->type2) < 64) {
        const struct wg_ir_opd *o = &in->src[0];
        struct reach r = of(f, o, wg_type_kind(in->type2) == WG_K_S);
        bool part = o->kind == WG_O_REG && f->an->func->regs[o->index].width >= WG_W64;
        uint64_t most = (UINT64_C(1) << wg_type_bits(in->type2)) - 1;
        return r.known == NUMBER && r.most < most && !part ? r : number(most);
    }
    return in->mod[WG_MC_SAT] == WG_M_none ? of(f, &in->src[0], false) : anything(dst);
}

static struct reach multiplied(const struct finder *f, const struct wg_ir_instr *in, uint32_t dst) {
    bool wide = in->mod[WG_MC_MULW] == WG_M_wide, is_signed = wg_type_kind(in->type) == WG_K_S;
    if (in->mod[WG_MC_MULW] == WG_M_hi || in->mod[WG_MC_SAT] != WG_M_none) return anything(dst);
    struct reach a = of(f, &in->src[0], is_signed), b = of(f, &in->src[1], is_signed), c;
    if (wide && !is_signed) { /* a constant of 32 bits has no sign */
        if (in->src[0].kind == WG_O_IMM) a = number((uint32_t)in->src[0].imm);
        if (in->src[1].kind == WG_O_IMM) b = number((uint32_t)in->src[1].imm);
    }
    a = product(&a, &b);
    if (a.known == NUMBER && a.most > MOST) a = anything(dst);
    if (in->op == WG_OP_MUL_I) return a;
    c = of(f, &in->src[2], false);
    return sum(f, &a, &c, dst);
}

static struct reach transfer(const struct finder *f, const struct wg_ir_instr *in, uint32_t k) {
    uint32_t dst = in->dst[k].index;
    uint64_t most = most_of(f->an, dst);
    bool plain = in->mod[WG_MC_SAT] == WG_M_none;
    struct reach a, b, c;
    if (most <= MOST) return number(most);
    switch (in->op) {
    case WG_OP_LD: return loaded(f, in, k);
    case WG_OP_MOV_SREG: /* where recursion keeps registers */
        return in->sreg == WG_SR_saves ? (struct reach){.known = POINTER} : anything(dst);
    case WG_OP_MOV:
    case WG_OP_CVTA_TO:
    case WG_OP_CVTA:
        a = of(f, &in->src[0], false);
        if (in->op == WG_OP_MOV || (in->space != WG_S_SHARED && in->space != WG_S_CLUSTER)) return a;
        if (in->op == WG_OP_CVTA && is_small(&a)) return (struct reach){.known = POINTER, .most = a.most};
        return a.known ? anything(dst) : a;
    case WG_OP_MAPA: /* into a window, whatever it is made of */
        if (in->space != WG_S_GENERIC) return anything(dst);
        return (struct reach){.known = POINTER, .most = (WG_SHARED_RANKS + 1) * (uint64_t)WG_SHARED_STRIDE};
    case WG_OP_CVT: return converted(f, in, dst);
    case WG_OP_ADD_I:
    case WG_OP_SUB_I:
        a = of(f, &in->src[0], false), b = of(f, &in->src[1], false);
        if (!plain || (in->op == WG_OP_SUB_I && b.known > NUMBER)) return anything(dst);
        c = sum(f, &a, &b, dst);
        if (in->op == WG_OP_ADD_I && a.param && in->src[1].kind == WG_O_IMM && in->src[1].imm < INT32_MAX)
            c.param = a.param + (uint32_t)in->src[1].imm;
        return c;
    case WG_OP_MUL_I:
    case WG_OP_MAD_I: return multiplied(f, in, dst);
    case WG_OP_SHL:
        a = of(f, &in->src[0], false);
        if (in->src[1].kind != WG_O_IMM || in->src[1].imm >= 63) return anything(dst);
        b = number(UINT64_C(1) << in->src[1].imm);
        a = product(&a, &b);
        return a.known == NUMBER && a.most > MOST ? anything(dst) : a;
    case WG_OP_AND:
    case WG_OP_OR:
    case WG_OP_XOR: return bits_changed(f, in, dst);
    case WG_OP_MIN_I:
    case WG_OP_MAX_I:
    case WG_OP_SELP: a = of(f, &in->src[0], false), b = of(f, &in->src[1], false); return join(&a, &b, dst);
    default: return anything(dst);
    }
}

static bool same(const struct reach *a, const struct reach *b) {
    return a->known == b->known && a->most == b->most && a->param == b->param &&
           (a->known != MADE || a->root == b->root);
}

static void learn(struct finder *f, uint32_t reg, struct reach now) {
    struct reach *r = &f->reach[reg], *old = r;
    if (now.known == NUMBER && now.most > MOST) now = anything(reg);
    if (now.known && !is_usable(f, &now) && now.root != reg) now = anything(reg);
    if (f->an->cfg.ndefs[reg] > 1) now = join(old, &now, reg);
    if (same(old, &now)) return;
    now.grown = old->known ? old->grown + 1 : 0;
    if (now.grown > MOST_GROWTH) now = anything(reg), now.grown = MOST_GROWTH;
    if (same(old, &now)) return;
    *r = now;
    f->changed = true;
}

static void forget(void *finder, uint32_t reg) {
    struct finder *f = finder;
    if (f->an->func->regs[reg].width >= WG_W64) learn(f, reg, anything(reg));
}

static void look_at(struct finder *f, const struct wg_ir_instr *in) {
    if (in->op == WG_OP_CALL || in->op >= WG_OP_COUNT) wg_each_def(in, forget, f);
    for (uint32_t k = 0; k < in->ndst && in->op != WG_OP_CALL && in->op < WG_OP_COUNT; k++) {
        if (in->dst[k].kind != WG_O_REG || f->an->func->regs[in->dst[k].index].width < WG_W64) continue;
        learn(f, in->dst[k].index, transfer(f, in, k));
    }
}

static void find_reach(struct finder *f) {
    const struct wg_ir_func *fn = f->an->func;
    uint32_t rounds = 0;
    for (uint32_t r = 0; r < fn->nregs; r++)
        if (!f->an->cfg.ndefs[r] || wg_bits_has(f->an->cfg.live_in[0], r))
            f->reach[r] = anything(r), f->reach[r].grown = MOST_GROWTH;
    do {
        f->changed = false;
        for (uint32_t b = 0; b < fn->nblocks; b++)
            for (uint32_t i = 0; i < fn->blocks[b].ninstrs; i++) look_at(f, &fn->blocks[b].instrs[i]);
    } while (f->changed && ++rounds < MOST_ROUNDS);
    for (uint32_t r = 0; r < fn->nregs && f->changed; r++) f->reach[r] = anything(r);
}

/* ---- walks ---- */

static bool is_step(const struct finder *f, const struct wg_ir_instr *in, uint32_t reg) {
    bool adds = in->op == WG_OP_ADD_I, from = in->src[0].kind == WG_O_REG && in->src[0].index == reg;
    if ((!adds && in->op != WG_OP_SUB_I) || in->guard != WG_NO_REG || in->mod[WG_MC_SAT] != WG_M_none)
        return false;
    bool onto = adds && in->src[1].kind == WG_O_REG && in->src[1].index == reg;
    struct reach step = of(f, &in->src[from ? 1 : 0], false);
    return from != onto && step.known == NUMBER && step.most <= MOST_STEP;
}

static void note_step(struct walk *w, uint32_t b) {
    w->steps += w->steps < UINT8_MAX;
    w->block = b;
}

/* A start in the loop that steps is none. */
static void note_start(const struct finder *f, const struct wg_ir_instr *in, uint32_t b, struct walk *w) {
    const struct wg_ir_func *fn = f->an->func;
    uint32_t header = w->steps ? fn->blocks[w->block].loop : WG_NO_REG;
    if (header == WG_NO_REG) return;
    struct reach start = transfer(f, in, 0);
    bool good = start.known && is_usable(f, &start) && !wg_in_loop(fn, b, header);
    good &= !w->starts || (start.known == w->known && (start.known < MADE || start.root == w->root));
    w->known = start.known;
    w->root = start.root;
    if (start.most > w->most) w->most = start.most;
    w->starts = good && w->starts < UINT8_MAX - 1 ? w->starts + 1 : UINT8_MAX;
}

static void find_walks(struct finder *f) {
    const struct wg_ir_func *fn = f->an->func;
    f->walk = WG_NEW_N(&f->an->arena, struct walk, fn->nregs);
    for (int starts = 0; starts < 2; starts++)
        for (uint32_t b = 0; b < fn->nblocks; b++)
            for (uint32_t i = 0; i < fn->blocks[b].ninstrs; i++) {
                const struct wg_ir_instr *in = &fn->blocks[b].instrs[i];
                if (in->op == WG_OP_CALL || in->ndst != 1 || in->dst[0].kind != WG_O_REG) continue;
                uint32_t r = in->dst[0].index;
                if (f->an->cfg.ndefs[r] < 2 || fn->regs[r].width < WG_W64 || is_step(f, in, r) == starts)
                    continue;
                if (starts)
                    note_start(f, in, b, &f->walk[r]);
                else
                    note_step(&f->walk[r], b);
            }
}

/* Where an instruction's result flows. */
struct flowing {
    wg_bits of;
    bool there; /* the current instruction uses some of it */
    bool grew;
};

static void see_use(void *flowing, uint32_t reg) {
    struct flowing *x = flowing;
    x->there |= wg_bits_has(x->of, reg);
}

static void see_def(void *flowing, uint32_t reg) {
    struct flowing *x = flowing;
    x->grew |= !wg_bits_has(x->of, reg);
    wg_bits_add(x->of, reg);
}

/* Whether each iteration of the loop uses the load's result: it is loop-carried, decides a branch, or is used
 * by something with effects or by an address. Else LLVM may sink the load out of the loop, for the last
 * iteration alone. */
static bool is_wanted_in_iteration(const struct finder *f, const struct wg_ir_instr *load, uint32_t header) {
    const struct wg_ir_func *fn = f->an->func;
    struct flowing x = {.of = wg_bits_new(&f->an->arena, fn->nregs)};
    wg_each_def(load, see_def, &x);
    while (x.grew) {
        x.grew = false;
        if (wg_bits_meet(x.of, f->an->cfg.live_in[header], fn->nregs)) return true;
        for (uint32_t b = 0; b < fn->nblocks; b++) {
            const struct wg_ir_block *blk = &fn->blocks[b];
            if (!wg_in_loop(fn, b, header)) continue;
            if ((blk->term == WG_TERM_CBR || blk->term == WG_TERM_BRX) && wg_bits_has(x.of, blk->cond))
                return true;
            for (uint32_t i = 0; i < blk->ninstrs; i++) {
                x.there = false;
                wg_each_use(&blk->instrs[i], see_use, &x);
                if (!x.there) continue;
                if (wg_touches_memory(&blk->instrs[i])) return true;
                wg_each_def(&blk->instrs[i], see_def, &x);
            }
        }
    }
    return false;
}

/* Each iteration of the loop that steps makes the access, at the walk's current address: so it cannot leave
 * the device's address space, most of which is unmapped, without a fault. What holds for its start is
 * enough. */
static bool is_on_walk(const struct finder *f, uint32_t block, const struct wg_ir_instr *in, uint32_t reg) {
    const struct wg_ir_func *fn = f->an->func;
    const struct walk *w = &f->walk[reg];
    uint32_t header = fn->blocks[w->block].loop;
    if (w->steps != 1 || w->starts == UINT8_MAX || w->steps + w->starts != f->an->cfg.ndefs[reg] ||
        in->guard != WG_NO_REG || header == WG_NO_REG || fn->blocks[block].loop != header ||
        wg_bits_has(f->an->cfg.live_in[0], reg))
        return false;
    const struct wg_ir_block *h = &fn->blocks[header];
    for (uint32_t p = 0; p < h->npred; p++)
        if (wg_in_loop(fn, h->pred[p], header) && !wg_dominates(&f->an->cfg, block, h->pred[p])) return false;
    return !wg_op_is(in->op, WG_IS_LOAD) || !wg_ir_is_weak(in) || is_wanted_in_iteration(f, in, header);
}

/* Whether the walk is reinitialized on each entry to the loop. */
static bool begins_anew(const struct finder *f, uint32_t reg) {
    const struct wg_ir_func *fn = f->an->func;
    uint32_t h = fn->blocks[fn->blocks[f->walk[reg].block].loop].outer;
    while (h != WG_NO_REG && !wg_bits_has(f->an->cfg.live_in[h], reg)) h = fn->blocks[h].outer;
    return h == WG_NO_REG;
}

/* The value, before the loop, of an access's address that walks in it: the address itself, or its sum with a
 * number that walks, recomputed in each iteration. NOTHING: it does not walk. */
static struct reach before_walk(const struct finder *f, uint32_t block, const struct wg_ir_instr *in,
                                const struct wg_ir_opd *o) {
    const struct wg_analysis *an = f->an;
    struct reach no = {0};
    if (o->kind != WG_O_REG || an->func->regs[o->index].width < WG_W64) return no;
    const struct walk *w = &f->walk[o->index];
    if (is_on_walk(f, block, in, o->index))
        return (struct reach){.known = w->known, .root = w->root, .most = w->most};
    const struct wg_ir_instr *d = an->cfg.def[o->index];
    uint32_t header = an->func->blocks[block].loop;
    if (!d || d->op != WG_OP_ADD_I || d->guard != WG_NO_REG || d->mod[WG_MC_SAT] != WG_M_none ||
        header == WG_NO_REG || wg_bits_has(an->cfg.live_in[0], o->index) ||
        an->func->blocks[an->cfg.def_block[o->index]].loop != header)
        return no;
    for (int k = 0; k < 2; k++) {
        const struct wg_ir_opd *n = &d->src[k], *p = &d->src[1 - k];
        if (n->kind != WG_O_REG || an->func->regs[n->index].width < WG_W64 ||
            f->walk[n->index].known != NUMBER || !is_on_walk(f, block, in, n->index) ||
            !begins_anew(f, n->index))
            continue;
        struct reach base = of(f, p, false);
        bool stays = p->kind == WG_O_SYM || (p->kind == WG_O_REG && an->cfg.def[p->index] &&
                                             !wg_in_loop(an->func, an->cfg.def_block[p->index], header));
        if (!stays || base.known < POINTER || !is_usable(f, &base)) continue;
        base.most += f->walk[n->index].most;
        return base;
    }
    return no;
}

/* ---- accesses ---- */

const struct wg_ir_opd *wg_touch_address(const struct wg_ir_instr *in, uint64_t *offset) {
    *offset = (uint64_t)in->offset;
    bool rows = in->op == WG_OP_LDMATRIX || in->op == WG_OP_STMATRIX;
    if (in->op == WG_OP_CP_ASYNC) {
        *offset = in->src[1].kind == WG_O_REG ? in->src[1].imm : 0;
        return &in->src[1];
    }
    if (!rows && !wg_op_is(in->op, WG_IS_ACCESS)) return NULL;
    return in->space == WG_S_SHARED || in->space == WG_S_CLUSTER || in->checked ? NULL : &in->src[0];
}

static struct wg_touch judge(const struct finder *f, uint32_t block, const struct wg_ir_instr *in) {
    struct wg_touch t = {.kind = WG_TOUCH_SAFE}, own = {.kind = WG_TOUCH_ADDRESS};
    uint64_t offset;
    const struct wg_ir_opd *o = wg_touch_address(in, &offset);
    if (!o || (f->an->opts->safe && wg_bits_has(f->an->opts->safe, in->id))) return t;
    struct reach r = of(f, o, false);
    if (o->kind == WG_O_SYM && f->an->module->syms[o->index].kind > WG_SYM_PARAM) return t; /* a call's */
    if (!r.known || r.known == NUMBER || magnitude(offset) > MOST || r.most > MOST - magnitude(offset))
        return own;
    if (r.known == POINTER) return t;
    struct reach first = before_walk(f, block, in, o);
    bool walks = first.known >= POINTER && first.most <= MOST - magnitude(offset);
    if (walks && first.known == POINTER) return t;
    if (f->an->opts->given) return own;
    if (walks && wg_bits_has(f->an->cfg.live_in[block], first.root)) r.root = first.root;
    bool itself = o->kind == WG_O_REG && o->index == r.root;
    if (!itself && f->an->cfg.ndefs[r.root] != 1) return own;
    return (struct wg_touch){.kind = WG_TOUCH_ROOT, .root = r.root};
}

/* Roots that have been tested on every path, lane by lane (available expressions). */
struct tested {
    struct wg_analysis *an;
    uint32_t *number; /* [register] of a root, and 1; 0: it is none */
    uint32_t n;
    wg_bits *out, now;
};

static void untest(void *tested, uint32_t reg) {
    struct tested *t = tested;
    if (t->number[reg]) wg_bits_del(t->now, t->number[reg] - 1);
}

static void before_block(struct tested *t, uint32_t b) {
    const struct wg_ir_block *blk = &t->an->func->blocks[b];
    for (uint32_t w = 0; w < (t->n + 63) / 64; w++) {
        t->now[w] = b ? UINT64_MAX : 0;
        for (uint32_t p = 0; p < blk->npred; p++) t->now[w] &= t->out[blk->pred[p]][w];
    }
}

/* drop: redundant tests are removed. */
static void through_block(struct tested *t, uint32_t b, bool drop) {
    const struct wg_ir_block *blk = &t->an->func->blocks[b];
    for (uint32_t i = 0; i < blk->ninstrs; i++) {
        struct wg_touch *x = &t->an->touch[b][i];
        if (x->kind == WG_TOUCH_ROOT) {
            uint32_t k = t->number[x->root] - 1;
            bool known = wg_bits_has(t->now, k);
            if (blk->instrs[i].guard == WG_NO_REG) wg_bits_add(t->now, k);
            if (known && drop) *x = (struct wg_touch){.kind = WG_TOUCH_SAFE};
        }
        wg_each_def(&blk->instrs[i], untest, t);
    }
}

static void drop_tested(struct wg_analysis *an) {
    const struct wg_ir_func *fn = an->func;
    struct tested t = {.an = an, .number = WG_NEW_N(&an->arena, uint32_t, fn->nregs)};
    for (uint32_t b = 0; b < fn->nblocks; b++)
        for (uint32_t i = 0; i < fn->blocks[b].ninstrs; i++) {
            const struct wg_touch *x = &an->touch[b][i];
            if (x->kind == WG_TOUCH_ROOT && !t.number[x->root]) t.number[x->root] = ++t.n;
        }
    if (!t.n) return;
    t.out = WG_NEW_N(&an->arena, wg_bits, fn->nblocks);
    t.now = wg_bits_new(&an->arena, t.n);
    for (uint32_t b = 0; b < fn->nblocks; b++) {
        t.out[b] = wg_bits_new(&an->arena, t.n);
        memset(t.out[b], 0xff, (t.n + 63) / 64 * 8);
    }
    for (bool more = true; more;) {
        more = false;
        for (uint32_t b = 0; b < fn->nblocks; b++) {
            before_block(&t, b);
            through_block(&t, b, false);
            more |= memcmp(t.out[b], t.now, (t.n + 63) / 64 * 8) != 0;
            wg_bits_copy(t.out[b], t.now, t.n);
        }
    }
    for (uint32_t b = 0; b < fn->nblocks; b++) {
        before_block(&t, b);
        through_block(&t, b, true);
    }
}

static struct wg_touch **judge_all(struct wg_analysis *an) {
    const struct wg_ir_func *fn = an->func;
    struct finder f = {.an = an, .reach = WG_NEW_N(&an->arena, struct reach, fn->nregs)};
    find_reach(&f);
    find_walks(&f);
    struct wg_touch **touch = WG_NEW_N(&an->arena, struct wg_touch *, fn->nblocks);
    for (uint32_t b = 0; b < fn->nblocks; b++) {
        touch[b] = WG_NEW_N(&an->arena, struct wg_touch, fn->blocks[b].ninstrs);
        for (uint32_t i = 0; i < fn->blocks[b].ninstrs; i++)
            touch[b][i] = judge(&f, b, &fn->blocks[b].instrs[i]);
    }
    return touch;
}

void wg_flow_touch(struct wg_analysis *an) {
    if (an->opts->check) return; /* CHECK_ACCESS asks */
    an->touch = judge_all(an);
    drop_tested(an);
}

const uint64_t *wg_touch_safe(struct wg_arena *a, struct wg_analysis *an) {
    const struct wg_ir_func *fn = an->func;
    uint32_t most = 0;
    if (!an->touch) return NULL;
    for (uint32_t b = 0; b < fn->nblocks; b++)
        for (uint32_t i = 0; i < fn->blocks[b].ninstrs; i++)
            if (fn->blocks[b].instrs[i].id > most) most = fn->blocks[b].instrs[i].id;
    struct wg_touch **touch = judge_all(an);
    wg_bits safe = wg_bits_new(a, most + 1), tested = wg_bits_new(&an->arena, most + 1);
    for (uint32_t b = 0; b < fn->nblocks; b++)
        for (uint32_t i = 0; i < fn->blocks[b].ninstrs; i++) /* a function's, once for each call of it */
            wg_bits_add(touch[b][i].kind == WG_TOUCH_SAFE ? safe : tested, fn->blocks[b].instrs[i].id);
    for (uint32_t w = 0; w <= most / 64; w++) safe[w] &= ~tested[w];
    wg_bits_del(safe, 0);
    return safe;
}

struct wg_touch wg_touch_of(const struct wg_analysis *an, uint32_t block, uint32_t instr) {
    return an->touch ? an->touch[block][instr] : (struct wg_touch){.kind = WG_TOUCH_SAFE};
}

bool wg_touch_any(const struct wg_analysis *an) {
    for (uint32_t b = 0; b < an->func->nblocks; b++)
        for (uint32_t i = 0; i < an->func->blocks[b].ninstrs; i++)
            if (wg_touch_of(an, b, i).kind != WG_TOUCH_SAFE) return true;
    return false;
}
