/* Conditions of dominating branches: bounds that hold at an access. See forms.h.
 *
 * A block inherits its dominator's conditions, and adds that of the branch there if that edge is the only way
 * to it.
 */
#include "scev/form_state.h"
#include "base/divisor.h"
#include <string.h>

enum { BOUNDS = 32, DEEP = 16 };

/* ---- predicates ---- */

bool form_edge(const struct wg_form_facts *k, uint32_t from, uint32_t to, uint32_t *pred, bool *is) {
    const struct wg_ir_block *b = &k->cfg->func->blocks[from];
    if (b->term != WG_TERM_CBR || b->succ[0] == b->succ[1]) return false;
    *pred = b->cond;
    *is = (to == b->succ[0]) != b->cond_neg;
    return true;
}

struct finder {
    const struct wg_form_facts *k;
    form_comparison_fn *fn;
    void *user;
    uint32_t depth;
    bool lost; /* a condition holds that is not represented */
};

static void find(struct finder *x, uint32_t pred, bool is, struct form_place at);

static void find_source(struct finder *x, const struct wg_ir_opd *o, bool is, struct form_place at) {
    if (o->kind == WG_O_REG && x->depth < DEEP) {
        x->depth++;
        find(x, o->index, is != o->negated, at);
        x->depth--;
    } else {
        x->lost = true;
    }
}

static void find(struct finder *x, uint32_t pred, bool is, struct form_place at) {
    struct form_place p;
    const struct wg_ir_instr *in = form_definition(x->k, pred, &p);
    if (!in || !form_before(x->k, p, at)) {
        x->lost = true;
        return;
    }
    bool first = in->dst[0].kind == WG_O_REG && in->dst[0].index == pred;
    switch (in->op) {
    case WG_OP_SETP: x->fn(x->user, in, p, is == first); break;
    case WG_OP_SETP_B:
        if (first && in->mod[WG_MC_BOOL] == (is ? WG_M_and : WG_M_or)) {
            x->fn(x->user, in, p, is);
            find_source(x, &in->src[2], is, p);
            break;
        }
        x->lost = true;
        break;
    case WG_OP_AND:
    case WG_OP_OR:
        x->lost |= is != (in->op == WG_OP_AND);
        if (is == (in->op == WG_OP_AND))
            for (uint32_t i = 0; i < 2; i++) find_source(x, &in->src[i], is, p);
        break;
    case WG_OP_NOT: find_source(x, &in->src[0], !is, p); break;
    case WG_OP_MOV: find_source(x, &in->src[0], is, p); break;
    default: x->lost = true; break;
    }
}

bool form_each_comparison(const struct wg_form_facts *k, uint32_t pred, bool is, struct form_place at,
                          form_comparison_fn *fn, void *user) {
    struct finder x = {.k = k, .fn = fn, .user = user};
    find(&x, pred, is, at);
    return !x.lost;
}

/* ---- comparisons ---- */

struct gathering {
    struct form_maker *m;
    struct wg_form_guards *g;
    struct wg_form_bound bounds[BOUNDS];
};

/* s <= most. */
static void bound(struct gathering *x, const struct wg_sum *s, int64_t most) {
    int64_t d = 0;
    x->g->exact &= s->known && !s->base && x->g->nbounds < BOUNDS;
    if (!s->known || s->base) return;
    if (!s->nterms) {
        x->g->never |= s->constant > most;
        return;
    }
    if (x->g->nbounds == BOUNDS || __builtin_sub_overflow(most, s->constant, &most)) return;
    struct wg_form_bound *b = &x->bounds[x->g->nbounds++];
    *b = (struct wg_form_bound){.sum = *s, .most = most};
    b->sum.constant = 0;
    for (uint32_t i = 0; i < s->nterms; i++) d = wg_common_divisor_of_steps(d, s->term[i].times);
    for (uint32_t i = 0; i < s->nterms; i++) b->sum.term[i].times /= d;
    b->most = most >= 0 ? most / d : -((-most + d - 1) / d);
}

/* The same for a sum without its unknown subtrahend: tid + i - any <= -1, so tid + i <= 255. */
static void bound_of_rest(struct gathering *x, const struct wg_sum *s, wide most) {
    const struct wg_forms *f = x->m->x;
    struct wg_sum rest = *s;
    rest.nterms = 0;
    for (uint32_t i = 0; i < s->nterms; i++) {
        const struct wg_form_term *t = &s->term[i];
        if (t->times < 0 && f->vars[t->var].kind == WG_VAR_ANY)
            most -= (wide)t->times * f->vars[t->var].hi;
        else
            rest.term[rest.nterms++] = *t;
    }
    bool less = rest.nterms && rest.nterms < s->nterms && x->g->nbounds < BOUNDS;
    if (less && most < INT64_C(1) << 40 && most > -(INT64_C(1) << 40)) bound(x, &rest, (int64_t)most);
}

static void below(struct gathering *x, const struct wg_sum *a, const struct wg_sum *b, bool or_equal) {
    struct wg_sum d = form_sum(a, 1, b, -1);
    bound(x, &d, or_equal ? 0 : -1);
    if (d.known && !d.base) bound_of_rest(x, &d, or_equal ? 0 : -1);
}

/* Unequal, of which one is the least or greatest that it can be. */
static void unequal(struct gathering *x, const struct wg_sum *a, const struct wg_sum *b) {
    struct wg_sum d = form_sum(a, 1, b, -1), minus = form_sum(b, 1, a, -1);
    wide lo, hi;
    if (!d.known || d.base || !form_range(x->m->x, &d, x->g, &lo, &hi)) {
        x->g->exact = false;
        return;
    }
    x->g->exact &= lo >= 0 || hi <= 0;
    if (lo == 0) bound(x, &minus, -1);
    if (hi == 0) bound(x, &d, -1);
}

enum form_relation form_relation(const struct wg_ir_instr *in, bool holds, bool *swapped, bool *is_signed) {
    bool of_signed = wg_type_kind(in->type) == WG_K_S;
    *is_signed = of_signed;
    *swapped = false;
    switch (in->mod[WG_MC_CMP]) {
    case WG_M_eq: return holds ? FORM_EQUAL : FORM_UNEQUAL;
    case WG_M_ne: return holds ? FORM_UNEQUAL : FORM_EQUAL;
    case WG_M_lo:
    case WG_M_lt: *swapped = !holds; return holds ? FORM_LESS : FORM_NOT_GREATER;
    case WG_M_ls:
    case WG_M_le: *swapped = !holds; return holds ? FORM_NOT_GREATER : FORM_LESS;
    case WG_M_hi:
    case WG_M_gt: *swapped = holds; return holds ? FORM_LESS : FORM_NOT_GREATER;
    case WG_M_hs:
    case WG_M_ge: *swapped = holds; return holds ? FORM_NOT_GREATER : FORM_LESS;
    default: return FORM_OTHER;
    }
}

/* Less, as unsigned, than a number without the sign bit: then it is not negative. */
static bool below_unsigned(struct gathering *x, const struct wg_ir_opd *a, const struct wg_ir_opd *b,
                           struct form_place p, uint32_t bits, enum form_relation r) {
    struct wg_sum n = form_number(x->m, a, p, bits, true), most = form_number(x->m, b, p, bits, true);
    struct wg_sum none = form_constant(0);
    wide lo, hi;
    if (!n.known || !most.known || !form_range(x->m->x, &most, form_guards(x->m, p.block), &lo, &hi) ||
        lo < 0)
        return false;
    below(x, &none, &n, true);
    below(x, &n, &most, r == FORM_NOT_GREATER);
    return true;
}

/* Not above (below) a number that the greatest (least) of two is not above (below): neither of the two is. Whether this
 * says all of it. */
static bool below_each(struct gathering *x, const struct wg_ir_opd *a, const struct wg_ir_opd *b,
                       struct form_place p, uint32_t bits, bool or_equal) {
    bool exact = x->g->exact, all = false; /* as exact as the comparison of the greatest or least was */
    for (uint32_t side = 0; side < 2; side++) {
        const struct wg_ir_opd *o = side ? b : a;
        struct form_place at;
        const struct wg_ir_instr *in = o->kind == WG_O_REG ? form_definition(x->m->k, o->index, &at) : NULL;
        if (!in || in->op != (side ? WG_OP_MIN_I : WG_OP_MAX_I) || !form_before(x->m->k, at, p)) continue;
        if (wg_type_kind(in->type) != WG_K_S || wg_type_bits(in->type) != bits ||
            in->mod[WG_MC_RELU] != WG_M_none)
            continue;
        struct wg_sum other = form_number(x->m, side ? a : b, p, bits, true);
        x->g->exact = true;
        for (uint32_t i = 0; i < 2; i++) {
            struct wg_sum one = form_number(x->m, &in->src[i], at, bits, true);
            below(x, side ? &other : &one, side ? &one : &other, or_equal);
        }
        all |= x->g->exact;
        x->g->exact = exact;
    }
    return all;
}

static void compare(void *user, const struct wg_ir_instr *in, struct form_place p, bool holds) {
    struct gathering *x = user;
    uint32_t bits = wg_type_bits(in->type);
    bool swapped, is_signed;
    bool ints = wg_type_kind(in->type) != WG_K_F && wg_type_kind(in->type) != WG_K_P && bits >= 16;
    enum form_relation r = ints ? form_relation(in, holds, &swapped, &is_signed) : FORM_OTHER;
    x->g->exact &= r != FORM_OTHER;
    if (r == FORM_OTHER) return;
    const struct wg_ir_opd *oa = &in->src[swapped], *ob = &in->src[!swapped];
    if (r <= FORM_NOT_GREATER && !is_signed && below_unsigned(x, oa, ob, p, bits, r)) return;
    struct wg_sum a = form_number(x->m, oa, p, bits, is_signed),
                  b = form_number(x->m, ob, p, bits, is_signed);
    if (r >= FORM_EQUAL && (!a.known || !b.known)) {
        a = form_number(x->m, oa, p, bits, !is_signed);
        b = form_number(x->m, ob, p, bits, !is_signed);
    }
    bool exact = x->g->exact;
    uint32_t first = x->g->nbounds;
    if (r == FORM_UNEQUAL) unequal(x, &a, &b);
    if (r == FORM_LESS || r == FORM_NOT_GREATER || r == FORM_EQUAL) below(x, &a, &b, r != FORM_LESS);
    uint32_t end = x->g->nbounds;
    if (r <= FORM_NOT_GREATER && is_signed && below_each(x, oa, ob, p, bits, r == FORM_NOT_GREATER)) {
        for (uint32_t i = first; i < end; i++) x->bounds[i].implied = true;
        x->g->exact = exact;
    }
    if (r == FORM_EQUAL) below(x, &b, &a, true);
}

/* ---- blocks ---- */

/* Range propagation: a variable of a bound is at most the rest when the others are at their minimum. */
static void narrow(const struct wg_form_bound *b, int64_t *lo, int64_t *hi) {
    wide least = 0;
    for (uint32_t i = 0; i < b->sum.nterms; i++) {
        wide t = b->sum.term[i].times;
        least += t * (t > 0 ? lo : hi)[b->sum.term[i].var];
    }
    for (uint32_t i = 0; i < b->sum.nterms; i++) {
        uint32_t v = b->sum.term[i].var;
        wide t = b->sum.term[i].times, left = b->most - (least - t * (t > 0 ? lo : hi)[v]);
        if (t > 0) {
            wide most = left >= 0 ? left / t : -((-left + t - 1) / t);
            if (most < hi[v]) hi[v] = most < lo[v] ? lo[v] - 1 : (int64_t)most;
        } else { /* v >= left / t, rounded up */
            wide d = -t, from = -left, most = from >= 0 ? (from + d - 1) / d : -(-from / d);
            if (most > lo[v]) lo[v] = most > hi[v] ? hi[v] + 1 : (int64_t)most;
        }
        if (lo[v] > hi[v]) return;
    }
}

static const struct wg_form_guards *finish(struct gathering *x, const struct wg_form_guards *from) {
    struct form_maker *m = x->m;
    struct wg_form_guards *g = x->g;
    uint32_t n = m->x->nvars;
    int64_t *lo = WG_NEW_N(m->arena, int64_t, n + 1), *hi = WG_NEW_N(m->arena, int64_t, n + 1);
    struct wg_form_bound *bounds = WG_NEW_N(m->arena, struct wg_form_bound, g->nbounds + 1);
    memcpy(bounds, x->bounds, g->nbounds * sizeof *bounds);
    g->bounds = bounds;
    for (uint32_t v = 0; v < n; v++) form_var_range(m->x, from, v, &lo[v], &hi[v]);
    for (uint32_t turn = 0; turn < 2; turn++)
        for (uint32_t i = 0; i < g->nbounds; i++) narrow(&bounds[i], lo, hi);
    for (uint32_t v = 0; v < n; v++) g->never |= lo[v] > hi[v];
    g->lo = lo;
    g->hi = hi;
    g->nvars = n;
    return g;
}

const struct wg_form_guards *form_guards_with(struct form_maker *m, uint32_t block, uint32_t pred, bool is) {
    const struct wg_form_guards *from = form_guards(m, block);
    struct gathering x = {.m = m, .g = WG_NEW(m->arena, struct wg_form_guards)};
    x.g->never = from->never;
    x.g->exact = from->exact;
    x.g->nbounds = from->nbounds;
    if (from->nbounds) memcpy(x.bounds, from->bounds, from->nbounds * sizeof *x.bounds);
    x.g->bounds = x.bounds;
    x.g->lo = from->lo;
    x.g->hi = from->hi;
    x.g->nvars = from->nvars;
    struct form_place end = {block, m->k->cfg->func->blocks[block].ninstrs};
    bool all = form_each_comparison(m->k, pred, is, end, compare, &x);
    x.g->exact &= all;
    return finish(&x, from);
}

/* The digits of an axis, taken together, are below its size. */
static const struct wg_form_guards *of_shape(struct form_maker *m) {
    struct gathering x = {.m = m, .g = WG_NEW(m->arena, struct wg_form_guards)};
    x.g->exact = true;
    for (uint32_t a = 0; a < WG_VAR_AXES; a++) {
        int64_t n = a < WG_VAR_CTAID_X ? m->l->ntid[a] : m->l->nctaid[a - WG_VAR_CTAID_X];
        struct wg_sum f = form_constant(0);
        for (uint32_t i = 0; i < m->ncuts[a]; i++) {
            struct wg_sum digit = form_var(m->digit[a] + i, m->cuts[a][i]);
            f = form_sum(&f, 1, &digit, 1);
        }
        if (m->ncuts[a] > 1) bound(&x, &f, n - 1);
    }
    return finish(&x, NULL);
}

static const struct wg_form_guards *unsure(struct form_maker *m, const struct wg_form_guards *of) {
    struct wg_form_guards *g = WG_NEW(m->arena, struct wg_form_guards);
    *g = *of;
    g->exact = false;
    return g;
}

const struct wg_form_guards *form_guards(struct form_maker *m, uint32_t block) {
    const struct wg_form_facts *k = m->k;
    const struct wg_ir_block *b = &k->cfg->func->blocks[block];
    uint32_t pred;
    bool is;
    if (m->symbolic) block = 0; /* branch conditions are for launches only */
    if (m->guards_state[block] == FORM_DONE) return m->guards[block];
    if (!block) {
        m->guards_state[0] = FORM_DONE;
        return m->guards[0] = of_shape(m);
    }
    const struct wg_form_guards *above = form_guards(m, k->cfg->idom[block]);
    if (m->guards_state[block] == FORM_OPEN) return m->guards[block];
    m->guards_state[block] = FORM_OPEN;
    m->guards[block] = unsure(m, above); /* for recursive queries meanwhile: its own condition is not in it */
    if (b->npred == 1 && form_edge(k, b->pred[0], block, &pred, &is))
        m->guards[block] = form_guards_with(m, b->pred[0], pred, is);
    else if (k->sure[block])
        m->guards[block] = above;
    m->guards_state[block] = FORM_DONE;
    return m->guards[block];
}
