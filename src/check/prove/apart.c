/* See apart.h.
 *
 * The difference of the two addresses is a sum over variables. A variable that both have with the same factor
 * contributes that factor times the difference of its two values. The search is depth-first, largest factor
 * first: given the range of all smaller terms, only few differences of a variable can bring the sum near
 * zero, usually only 0. Each of these is followed to the end, where all that is left is whether the threads
 * are the same.
 */
#include "check/prove/apart.h"
#include "scev/form_state.h"
#include <stdlib.h>

enum { TERMS = 2 * WG_FORM_TERMS, NODES = 2000, WIDTH = 64 };

enum side { BOTH, OF_A, OF_B };
struct part {
    wide times; /* > 0 */
    wide lo, hi;
    wide rest_lo, rest_hi; /* the range of the sum of all later parts */
    uint32_t var;
    uint8_t side;  /* enum side; BOTH: the number is a difference */
    bool who;      /* says which thread it is */
    bool negative; /* the factor was: the number is minus the variable */
    bool fixed;    /* the same number in both: its factor is the difference */
    wide is;
};

struct meeting {
    const struct wg_forms *x;
    const struct wg_form_access *a, *b;
    const struct wg_form_question *q;
    struct part part[TERMS];
    uint32_t n, nodes;
    uint32_t last_who; /* parts from here on say nothing of threads */
    bool loose;        /* some of what says which thread it is has no part at all */
    wide more;         /* of the difference, besides the parts and the constants */
};

static bool says_who(const struct meeting *m, const struct wg_form_var *v) {
    if (v->kind >= WG_VAR_AXES) return false;
    bool of_block = v->kind < WG_VAR_CTAID_X;
    return m->q->who == WG_FORMS_OF_GRID || of_block == (m->q->who == WG_FORMS_OF_BLOCK);
}

/* Whether the variable of b is that of a plus a number. */
static bool is_same(const struct meeting *m, uint32_t var, int32_t *plus) {
    const struct wg_form_var *v = &m->x->vars[var];
    *plus = 0;
    if (v->kind < WG_VAR_AXES) return m->q->who == WG_FORMS_OF_BLOCK && v->kind >= WG_VAR_CTAID_X;
    if (v->kind != WG_VAR_COUNT || !v->each) return false;
    for (uint32_t i = 0; i < m->q->steps.n; i++) {
        *plus = m->q->steps.ahead[i];
        if (m->q->steps.loop[i] == v->loop) return true;
    }
    return false;
}

static int64_t factor(const struct wg_sum *f, uint32_t var) {
    for (uint32_t i = 0; i < f->nterms; i++)
        if (f->term[i].var == var) return f->term[i].times;
    return 0;
}

static void add(struct meeting *m, uint32_t var, int64_t times, wide lo, wide hi, enum side side,
                bool fixed) {
    struct part *p = &m->part[m->n];
    bool minus = times < 0;
    if (!times) return;
    *p = (struct part){.times = minus ? -(wide)times : times,
                       .lo = minus ? -hi : lo,
                       .hi = minus ? -lo : hi,
                       .var = var,
                       .side = (uint8_t)side,
                       .negative = minus,
                       .fixed = fixed};
    p->who = !fixed && says_who(m, &m->x->vars[var]);
    m->n++;
}

static void add_variable(struct meeting *m, uint32_t var) {
    int64_t ta = factor(&m->a->at, var), tb = factor(&m->b->at, var), la, ha, lb, hb;
    form_var_range(m->x, m->a->guards, var, &la, &ha);
    form_var_range(m->x, m->b->guards, var, &lb, &hb);
    int32_t plus;
    if (is_same(m, var, &plus)) {
        m->more -= (wide)tb * plus;
        add(m, var, ta - tb, la > (wide)lb - plus ? la : (wide)lb - plus,
            ha < (wide)hb - plus ? ha : (wide)hb - plus, BOTH, true);
    } else if (ta == tb) {
        add(m, var, ta, (wide)la - hb, (wide)ha - lb, BOTH, false);
        bool differ = la != ha || lb != hb || la != lb;
        m->loose |= !ta && says_who(m, &m->x->vars[var]) && differ;
    } else {
        add(m, var, ta, la, ha, OF_A, false);
        add(m, var, -tb, lb, hb, OF_B, false);
        if (says_who(m, &m->x->vars[var]) && (!ta || !tb)) m->loose = true;
    }
}

static int by_factor(const void *a, const void *b) {
    const struct part *x = a, *y = b;
    return (x->times < y->times) - (x->times > y->times);
}

/* The part of a form that the parts from `from` on are about. */
static struct wg_sum rest_of(const struct meeting *m, const struct wg_sum *f, uint32_t from) {
    struct wg_sum out = form_constant(0);
    for (uint32_t i = 0; i < f->nterms; i++)
        for (uint32_t k = from; k < m->n; k++)
            if (m->part[k].var == f->term[i].var && !m->part[k].fixed &&
                (m->part[k].side == BOTH || (m->part[k].side == OF_A) == (f == &m->a->at)))
                out.term[out.nterms++] = f->term[i];
    return out;
}

static bool find_rests(struct meeting *m) {
    wide lo = 0, hi = 0, same_lo = 0, same_hi = 0;
    for (uint32_t i = m->n; i-- > 0;) {
        struct part *p = &m->part[i];
        struct wg_sum ra = rest_of(m, &m->a->at, i + 1), rb = rest_of(m, &m->b->at, i + 1);
        wide la, ha, lb, hb;
        if (!form_range(m->x, &ra, m->a->guards, &la, &ha) || !form_range(m->x, &rb, m->b->guards, &lb, &hb))
            return false;
        p->rest_lo = lo > la - hb + same_lo ? lo : la - hb + same_lo;
        p->rest_hi = hi < ha - lb + same_hi ? hi : ha - lb + same_hi;
        lo += p->times * p->lo;
        hi += p->times * p->hi;
        if (p->fixed) same_lo += p->times * p->lo, same_hi += p->times * p->hi;
    }
    return true;
}

static wide floor_div(wide a, wide by) { return a >= 0 ? a / by : -((-a + by - 1) / by); }

/* Whether the first n parts are those of one thread. */
static bool one_thread(const struct meeting *m, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        const struct part *p = &m->part[i];
        if (!p->who || (p->side == BOTH && !p->is)) continue;
        if (p->side == BOTH) return false;
        uint32_t k = 0; /* the other side's number of the variable */
        while (k < n && (k == i || m->part[k].var != p->var)) k++;
        if (k == n ||
            (p->negative ? -p->is : p->is) != (m->part[k].negative ? -m->part[k].is : m->part[k].is))
            return false;
    }
    return true;
}

/* Whether, the parts before `i` being fixed to `sum`, all that meet are of one thread. */
static bool apart(struct meeting *m, uint32_t i, wide sum) {
    if (++m->nodes > NODES) return false;
    if (i >= m->last_who && !m->loose && one_thread(m, i)) return true;
    wide least = -(wide)m->a->bytes - sum, most = (wide)m->b->bytes - sum; /* of the rest: between these */
    if (i == m->n) return !(least < 0 && 0 < most);
    struct part *p = &m->part[i];
    wide from = floor_div(least - p->rest_hi, p->times) + 1,
         to = -floor_div(-(most - p->rest_lo), p->times) - 1;
    if (from < p->lo) from = p->lo;
    if (to > p->hi) to = p->hi;
    if (to - from >= WIDTH) return false;
    for (wide d = from; d <= to; d++) {
        p->is = d;
        if (!apart(m, i + 1, sum + d * p->times)) return false;
    }
    return true;
}

bool wg_forms_apart(const struct wg_forms *x, const struct wg_form_access *a, const struct wg_form_access *b,
                    const struct wg_form_question *q) {
    struct meeting m = {.x = x, .a = a, .b = b, .q = q};
    const wide much = (wide)1 << 62;
    wide la, ha, lb, hb;
    if ((a->guards && a->guards->never) || (b->guards && b->guards->never)) return true;
    if (!a->at.known || !b->at.known || a->at.base != b->at.base || a->space != b->space) return false;
    if (!form_range(x, &a->at, a->guards, &la, &ha) || !form_range(x, &b->at, b->guards, &lb, &hb))
        return true;
    if (ha + a->bytes <= lb || hb + b->bytes <= la) return true;
    if (la < -much || ha > much || lb < -much || hb > much) return false;
    for (uint32_t v = 0; v < x->nvars; v++) {
        bool used = factor(&a->at, v) || factor(&b->at, v) || says_who(&m, &x->vars[v]);
        if (used) add_variable(&m, v);
    }
    qsort(m.part, m.n, sizeof *m.part, by_factor);
    if (!find_rests(&m)) return true;
    for (uint32_t i = 0; i < m.n; i++)
        if (m.part[i].who) m.last_who = i + 1;
    return apart(&m, 0, (wide)a->at.constant - b->at.constant + m.more);
}
