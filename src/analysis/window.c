/* Finds sliding-window sums: see window.h.
 *
 * Loads whose addresses differ by a constant are found by decomposing addresses into registers times
 * constants, and a constant: as 64-bit numbers, or for shared memory, where only the low 32 bits matter, as
 * 32-bit ones, so that `x[t - 1]` and `x[t]` are neighbours however the index is widened.
 *
 * Scalar evolution is not asked: with EXACT trust a sum of a register with several definitions is unknown, and a loop's
 * counter is an initial value and a count of iterations. Here both are terms as they are, because they only have to
 * stay the same from the loads to the root (stays).
 */
#include "analysis/plan.h"
#include "analysis/window.h"
#include "analysis/memory.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_TERMS = 4, MOST_LEAVES = 128, MOST_DEPTH = 12, FEWEST_LOADS = 6 };

/* The sum of coef[i] * reg[i], and a constant. */
struct linear {
    bool fails; /* it has more terms */
    uint64_t constant, coef[MOST_TERMS];
    uint32_t n, reg[MOST_TERMS];
};

struct leaf {
    const struct wg_ir_opd *opd;
    uint32_t load; /* its index in the block; WG_NO_REG: something else */
    uint8_t bits, space;
    uint8_t step; /* from an element's address to the next one's */
    bool is_signed;
    struct linear at;
};

struct finder {
    const struct wg_analysis *an;
    struct wg_arena *arena;
    uint32_t *place; /* [register] where in the block, or WG_NO_REG */
    const struct wg_ir_block *block;
    uint32_t block_index;
    struct leaf leaf[MOST_LEAVES];
    uint32_t nleaves, root; /* root: the sum's last addition */
};

/* Whether the register still holds after the root the value that instruction `by` reads from it; `by` is in
 * this block or dominates it. */
static bool stays(const struct finder *f, uint32_t reg, const struct wg_ir_instr *by) {
    const struct wg_ir_instr *first = f->block->instrs;
    if (by >= first && by <= first + f->root)
        return wg_stays(f->an, f->block, reg, (uint32_t)(by - first), f->root + 1);
    return f->an->cfg.def[reg] && !wg_bits_has(f->an->cfg.live_in[0], reg);
}

static bool all_stay(const struct finder *f, const struct wg_ir_instr *by) {
    for (uint32_t i = 0; i < by->nsrc; i++)
        if (by->src[i].kind == WG_O_REG && !stays(f, by->src[i].index, by)) return false;
    return true;
}

/* ---- addresses ---- */

static void add_term(struct linear *l, uint32_t reg, uint64_t coef) {
    uint32_t i = 0;
    while (i < l->n && l->reg[i] != reg) i++;
    if (i == MOST_TERMS) {
        l->fails = true;
        return;
    }
    if (i == l->n) {
        l->n++;
        l->reg[i] = reg;
        l->coef[i] = 0;
    }
    l->coef[i] += coef;
}

static void expand(const struct finder *f, uint32_t reg, uint64_t coef, uint32_t bits, unsigned depth,
                   struct linear *l);

static void expand_opd(const struct finder *f, const struct wg_ir_opd *o, uint64_t coef, uint32_t bits,
                       unsigned depth, struct linear *l) {
    if (o->kind == WG_O_REG)
        expand(f, o->index, coef, bits, depth + 1, l);
    else
        l->constant += coef * o->imm;
}

/* Whether the instruction's result is, in its low `bits`, what the same on those bits of its sources
 * gives. */
static bool keeps_low(const struct wg_ir_instr *in, uint32_t bits) {
    if (in->mod[WG_MC_SAT] != WG_M_none) return false;
    if (in->op == WG_OP_CVT)
        return bits == 32 && wg_type_bits(in->type2) >= 32 && wg_type_kind(in->type) != WG_K_F &&
               wg_type_kind(in->type2) != WG_K_F;
    if (in->op == WG_OP_CVTA || in->op == WG_OP_CVTA_TO) return in->space == WG_S_GLOBAL;
    return in->mod[WG_MC_MULW] != WG_M_hi && wg_type_bits(in->type) >= bits;
}

/* Whether the register's definition can be re-evaluated: it reads registers that have not changed, and no
 * symbols. */
static bool is_made_of(const struct finder *f, uint32_t reg, uint32_t bits) {
    const struct wg_ir_instr *in = f->an->cfg.def[reg];
    if (!in || wg_bits_has(f->an->cfg.live_in[0], reg) || !keeps_low(in, bits) || !all_stay(f, in))
        return false;
    for (uint32_t i = 0; i < in->nsrc; i++)
        if (in->src[i].kind == WG_O_SYM) return false;
    return true;
}

static void expand(const struct finder *f, uint32_t reg, uint64_t coef, uint32_t bits, unsigned depth,
                   struct linear *l) {
    if (depth > MOST_DEPTH || !is_made_of(f, reg, bits)) {
        add_term(l, reg, coef);
        return;
    }
    const struct wg_ir_instr *in = f->an->cfg.def[reg];
    const struct wg_ir_opd *s = in->src;
    bool by_constant = in->nsrc > 1 && s[1].kind == WG_O_IMM;
    switch (in->op) {
    case WG_OP_MOV:
    case WG_OP_CVT:
    case WG_OP_CVTA:
    case WG_OP_CVTA_TO: expand_opd(f, &s[0], coef, bits, depth, l); return;
    case WG_OP_ADD_I:
    case WG_OP_SUB_I:
        expand_opd(f, &s[0], coef, bits, depth, l);
        expand_opd(f, &s[1], in->op == WG_OP_SUB_I ? -coef : coef, bits, depth, l);
        return;
    case WG_OP_SHL:
        if (!by_constant || s[1].imm >= bits) break;
        expand_opd(f, &s[0], coef << s[1].imm, bits, depth, l);
        return;
    case WG_OP_MUL_I:
    case WG_OP_MAD_I:
        if (!by_constant) break;
        expand_opd(f, &s[0], coef * s[1].imm, bits, depth, l);
        if (in->op == WG_OP_MAD_I) expand_opd(f, &s[2], coef, bits, depth, l);
        return;
    default: break;
    }
    add_term(l, reg, coef);
}

static int by_register(const void *a, const void *b) {
    const uint32_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* One form for equal sums: terms by register, none of them zero. */
static void settle(struct linear *l, uint32_t bits) {
    struct {
        uint32_t reg;
        uint64_t coef;
    } t[MOST_TERMS];
    uint32_t n = 0;
    for (uint32_t i = 0; i < l->n; i++) {
        uint64_t c = bits == 32 ? (uint32_t)l->coef[i] : l->coef[i];
        if (c) t[n].reg = l->reg[i], t[n++].coef = c;
    }
    qsort(t, n, sizeof *t, by_register);
    l->n = n;
    for (uint32_t i = 0; i < n; i++) l->reg[i] = t[i].reg, l->coef[i] = t[i].coef;
    if (bits == 32) l->constant = (uint64_t)(int64_t)(int32_t)l->constant;
}

/* ---- leaves ---- */

static bool used_once(const struct finder *f, uint32_t reg) {
    return f->an->cfg.ndefs[reg] == 1 && f->an->nuses[reg] == 1;
}

/* The instruction of the block whose result only `by` reads; NULL: another one, or that of the previous
 * iteration. */
static const struct wg_ir_instr *made_for(const struct finder *f, const struct wg_ir_opd *o,
                                          const struct wg_ir_instr *by) {
    if (o->kind != WG_O_REG || !used_once(f, o->index)) return NULL;
    uint32_t at = f->place[o->index]; /* elsewhere: none is as far */
    return at < by - f->block->instrs ? &f->block->instrs[at] : NULL;
}

static bool is_plain_load(const struct wg_ir_instr *in) {
    bool where = in->space == WG_S_GLOBAL || in->space == WG_S_GENERIC || in->space == WG_S_SHARED;
    return in->op == WG_OP_LD && where && in->nvec == 1 && in->guard == WG_NO_REG && !in->checked &&
           wg_ir_is_weak(in) && wg_type_kind(in->type) != WG_K_F && wg_type_bits(in->type) <= 32 &&
           in->src[0].kind == WG_O_REG;
}

/* How `cvt`, NULL for none, extends the result of `load`: as one extension of the element to `bits`. */
static bool one_extension(const struct wg_ir_instr *load, const struct wg_ir_instr *cvt, uint32_t bits,
                          bool *is_signed) {
    uint32_t element = wg_type_bits(load->type);
    *is_signed = wg_type_kind(load->type) == WG_K_S;
    if (!cvt) return true;
    bool from_signed = wg_type_kind(cvt->type2) == WG_K_S;
    uint32_t from = wg_type_bits(cvt->type2);
    if (cvt->guard != WG_NO_REG || cvt->mod[WG_MC_SAT] != WG_M_none || wg_type_bits(cvt->type) != bits ||
        wg_type_kind(cvt->type) == WG_K_F || wg_type_kind(cvt->type2) == WG_K_F || from < element)
        return false;
    if (from > element) return from_signed || !*is_signed;
    *is_signed = from_signed;
    return true;
}

/* The load that `by` reads, possibly extended, if the sum is its only use. */
static void find_load(struct finder *f, struct leaf *leaf, const struct wg_ir_instr *by, uint32_t bits) {
    const struct wg_ir_instr *in = made_for(f, leaf->opd, by), *cvt = NULL;
    if (in && in->op == WG_OP_CVT) {
        cvt = in;
        in = made_for(f, &cvt->src[0], cvt);
    }
    if (!in || !is_plain_load(in) || !one_extension(in, cvt, bits, &leaf->is_signed)) return;
    uint32_t address = in->space == WG_S_SHARED ? 32 : 64;
    leaf->at = (struct linear){.constant = (uint64_t)in->offset};
    if (!all_stay(f, in)) return;
    expand(f, in->src[0].index, 1, address, 0, &leaf->at);
    if (leaf->at.fails) return;
    settle(&leaf->at, address);
    leaf->bits = (uint8_t)wg_element_bits(f->an, in);
    leaf->step = (uint8_t)(wg_type_bits(in->type) / 8);
    leaf->is_signed &= leaf->bits == wg_type_bits(in->type);
    leaf->space = in->space;
    leaf->load = (uint32_t)(in - f->block->instrs);
}

static bool is_addition(const struct wg_ir_instr *in) {
    return in->op == WG_OP_ADD_I && in->guard == WG_NO_REG && in->mod[WG_MC_SAT] == WG_M_none &&
           in->type != WG_T_U16X2 && in->type != WG_T_S16X2;
}

/* The leaves under addition `root`; `inner` gets the additions in between. */
static bool find_leaves(struct finder *f, uint32_t root, uint64_t *inner) {
    uint32_t stack[MOST_LEAVES], n = 0, bits = wg_type_bits(f->block->instrs[root].type);
    f->nleaves = 0;
    for (stack[n++] = root; n;) {
        if (n + f->nleaves == MOST_LEAVES) return false;
        const struct wg_ir_instr *in = &f->block->instrs[stack[--n]];
        for (uint32_t i = 0; i < 2; i++) {
            const struct wg_ir_opd *o = &in->src[i];
            const struct wg_ir_instr *x = made_for(f, o, in);
            if (x && is_addition(x) && all_stay(f, x)) {
                stack[n] = (uint32_t)(x - f->block->instrs);
                wg_bits_add(inner, stack[n++]);
                continue;
            }
            struct leaf *leaf = &f->leaf[f->nleaves++];
            *leaf = (struct leaf){.opd = o, .load = WG_NO_REG};
            find_load(f, leaf, in, bits);
        }
    }
    return true;
}

/* ---- windows ---- */

static int by_place(const void *x, const void *y) {
    const struct leaf *a = x, *b = y;
    if (a->bits != b->bits) return a->bits < b->bits ? -1 : 1;
    if (a->is_signed != b->is_signed) return a->is_signed ? 1 : -1;
    if (a->space != b->space) return a->space < b->space ? -1 : 1;
    if (a->at.n != b->at.n) return a->at.n < b->at.n ? -1 : 1;
    int c = memcmp(a->at.reg, b->at.reg, a->at.n * sizeof *a->at.reg);
    if (!c) c = memcmp(a->at.coef, b->at.coef, a->at.n * sizeof *a->at.coef);
    if (c) return c;
    int64_t p = (int64_t)a->at.constant, q = (int64_t)b->at.constant;
    return p < q ? -1 : p > q;
}

static bool is_next(const struct leaf *a, const struct leaf *b) {
    struct leaf moved = *a;
    moved.at.constant += a->step;
    return by_place(&moved, b) == 0;
}

/* Vector instructions of the host's width: a load, an extension and an addition for each vector of the sum,
 * against the same for whole rows, additions of neighbours and the row's end under its mask, which warps side
 * by side have one of together. */
static bool is_less_work(const struct finder *f, const struct wg_window *w, uint32_t bits, bool together) {
    uint32_t width = f->an->opts->width, each = bits * WG_LANES / width, load = w->bits < bits ? 3 : 2;
    uint32_t end = together ? 0 : w->nrows * load + 6;
    return w->nrows * each * load + (w->width - 1) * each * 2 + end < w->nrows * w->width * each * load;
}

static struct wg_window *window_of(struct finder *f, struct wg_window_sum *s, const struct leaf *leaf,
                                   uint32_t width) {
    for (uint32_t i = 0; i < s->nwindows; i++) {
        struct wg_window *w = &s->window[i];
        if (w->width == width && w->bits == leaf->bits && w->is_signed == leaf->is_signed) return w;
    }
    struct wg_window *w = &s->window[s->nwindows++];
    *w = (struct wg_window){.width = width, .bits = leaf->bits, .is_signed = leaf->is_signed};
    w->row = WG_NEW_N(f->arena, uint32_t, f->nleaves);
    return w;
}

/* Runs of neighbours among the leaves, which are sorted: calls `see` with each. */
static void each_run(const struct finder *f, void (*see)(void *, const struct leaf *, uint32_t), void *user) {
    for (uint32_t i = 0, n; i < f->nleaves; i += n) {
        n = 1;
        if (f->leaf[i].load != WG_NO_REG)
            while (i + n < f->nleaves && f->leaf[i + n].load != WG_NO_REG &&
                   is_next(&f->leaf[i + n - 1], &f->leaf[i + n]))
                n++;
        see(user, &f->leaf[i], n);
    }
}

struct making {
    struct finder *f;
    struct wg_window_sum *sum;
};

static bool is_row(uint32_t n) { return n >= 2 && n <= WG_WINDOW_MOST; }

static void add_row(void *user, const struct leaf *leaf, uint32_t n) {
    struct making *m = user;
    if (!is_row(n)) return;
    struct wg_window *w = window_of(m->f, m->sum, leaf, n);
    w->row[w->nrows++] = leaf->load;
}

static void add_rest(void *user, const struct leaf *leaf, uint32_t n) {
    struct making *m = user;
    if (is_row(n) && is_less_work(m->f, window_of(m->f, m->sum, leaf, n), m->sum->bits, m->sum->together))
        return;
    for (uint32_t i = 0; i < n; i++) m->sum->rest[m->sum->nrest++] = leaf[i].opd;
}

static bool pays(const struct finder *f, const struct wg_window_sum *s, bool together) {
    for (uint32_t i = 0; i < s->nwindows; i++)
        if (is_less_work(f, &s->window[i], s->bits, together)) return true;
    return false;
}

static struct wg_window_sum *make_sum(struct finder *f, uint32_t root) {
    struct wg_window_sum *s = WG_NEW_N(f->arena, struct wg_window_sum, 1);
    struct making m = {f, s};
    s->root = root;
    s->bits = wg_type_bits(f->block->instrs[root].type);
    s->window = WG_NEW_N(f->arena, struct wg_window, f->nleaves);
    s->rest = WG_NEW_N(f->arena, const struct wg_ir_opd *, f->nleaves);
    qsort(f->leaf, f->nleaves, sizeof *f->leaf, by_place);
    each_run(f, add_row, &m);
    s->together = !pays(f, s, false);
    if (!pays(f, s, s->together)) return NULL;
    each_run(f, add_rest, &m);
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->nwindows; i++)
        if (is_less_work(f, &s->window[i], s->bits, s->together)) s->window[n++] = s->window[i];
    s->nwindows = n;
    return s;
}

/* ---- blocks ---- */

/* Rows are loaded again at the position of the sum. */
static bool may_load_at(const struct finder *f, uint32_t root) {
    for (uint32_t i = 0; i < f->nleaves; i++)
        if (f->leaf[i].load != WG_NO_REG &&
            !wg_may_sink_load(f->an, WG_CONVERGED, f->block_index, f->leaf[i].load, root))
            return false;
    return true;
}

static struct wg_window_sum *sums_of_block(struct finder *f) {
    const struct wg_ir_block *b = f->block;
    for (uint32_t i = 0; i < b->ninstrs; i++)
        for (uint32_t d = 0; d < b->instrs[i].ndst; d++)
            if (b->instrs[i].dst[d].kind == WG_O_REG) f->place[b->instrs[i].dst[d].index] = i;
    wg_bits inner = wg_bits_new(f->arena, b->ninstrs);
    struct wg_window_sum *list = NULL;
    for (uint32_t i = b->ninstrs; i-- > 0;) {
        uint32_t bits = wg_type_bits(b->instrs[i].type);
        f->root = i;
        if ((bits != 16 && bits != 32) || !is_addition(&b->instrs[i]) || wg_bits_has(inner, i) ||
            !all_stay(f, &b->instrs[i]))
            continue;
        if (!find_leaves(f, i, inner) || f->nleaves < FEWEST_LOADS) continue;
        struct wg_window_sum *s = may_load_at(f, i) ? make_sum(f, i) : NULL;
        if (!s) continue;
        s->next = list;
        list = s;
    }
    for (uint32_t i = 0; i < b->ninstrs; i++)
        for (uint32_t d = 0; d < b->instrs[i].ndst; d++)
            if (b->instrs[i].dst[d].kind == WG_O_REG) f->place[b->instrs[i].dst[d].index] = WG_NO_REG;
    return list;
}

static bool has_loads(const struct wg_ir_block *b) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < b->ninstrs; i++) n += is_plain_load(&b->instrs[i]);
    return n >= FEWEST_LOADS;
}

struct wg_window_sum **wg_window_sums(const struct wg_analysis *an, struct wg_arena *a) {
    struct finder f = {.an = an, .arena = a};
    struct wg_window_sum **sums = WG_NEW_N(a, struct wg_window_sum *, an->func->nblocks);
    if (!wg_may_use(an->opts, WG_FORM_windows)) return sums;
    for (uint32_t b = 0; b < an->func->nblocks; b++) {
        f.block = &an->func->blocks[b];
        f.block_index = b;
        if (!has_loads(f.block)) continue;
        if (!f.place) {
            f.place = WG_NEW_N(a, uint32_t, an->func->nregs);
            memset(f.place, 0xff, an->func->nregs * sizeof *f.place);
        }
        sums[b] = sums_of_block(&f);
    }
    return sums;
}
