/* Quotients and remainders of affine forms: an axis that is divided is split into digits. See forms.h. */
#include "scev/form_state.h"

/* Whether the axis of the variable has, or gets, a digit that begins at `unit`. Every unit divides the next.
 */
static bool cut(struct form_maker *m, const struct wg_form_var *v, uint64_t unit) {
    uint32_t *c = m->cuts[v->kind], *n = &m->ncuts[v->kind], at = 0;
    if (unit > UINT32_MAX || *n == WG_FORM_CUTS) return false;
    while (at < *n && c[at] < unit) at++;
    if (at < *n && c[at] == unit) return true;
    if (unit % c[at - 1] || (at < *n && c[at] % unit)) return false;
    for (uint32_t i = (*n)++; i > at; i--) c[i] = c[i - 1];
    c[at] = (uint32_t)unit;
    m->again = true;
    return true;
}

static wide floor_div(wide a, wide by) { return a >= 0 ? a / by : -((-a + by - 1) / by); }

/* Splits axes at the units that would divide the rest. */
static void take_apart(struct form_maker *m, const struct wg_sum *rest, int64_t by) {
    for (uint32_t i = 0; i < rest->nterms; i++) {
        const struct wg_form_var *v = &m->x->vars[rest->term[i].var];
        int64_t t = rest->term[i].times;
        if (v->kind < WG_VAR_AXES && t > 0 && t < by && by % t == 0 && v->hi >= by / t)
            cut(m, v, (uint64_t)v->unit * (uint64_t)(by / t));
    }
}

/* The remainder as a variable: one for each sum, for a launch, so that a test of one remainder holds for another. */
static struct wg_sum any_rest(struct form_maker *m, const struct wg_sum *f, int64_t by, uint32_t reg) {
    struct wg_sum none = form_constant(0);
    for (uint32_t i = 0; i < m->nrests; i++) {
        const struct form_rest *r = &m->rests[i];
        struct wg_sum difference = form_sum(f, 1, &r->of, -1);
        if (r->by == by && difference.known && !difference.nterms && difference.constant == 0)
            return form_var(r->var, 1);
    }
    struct wg_sum out = form_any(m, reg, 0, by - 1);
    if (m->symbolic || !out.known || out.nterms != 1 || m->nrests == FORM_RESTS) return out;
    m->rests[m->nrests++] = (struct form_rest){form_sum(f, 1, &none, 0), by, out.term[0].var};
    return out;
}

struct wg_sum form_divided(struct form_maker *m, const struct wg_sum *f, const struct wg_form_guards *g,
                           int64_t by, bool remainder, uint32_t reg) {
    if (!f->known || f->base) return remainder ? form_any(m, reg, 0, by - 1) : form_unknown();
    struct wg_sum whole = form_constant((int64_t)floor_div(f->constant, by)), rest = *f;
    rest.nterms = 0;
    rest.constant = f->constant - whole.constant * by;
    for (uint32_t i = 0; i < f->nterms; i++) {
        if (f->term[i].times % by) {
            rest.term[rest.nterms++] = f->term[i];
        } else {
            whole.term[whole.nterms] = f->term[i];
            whole.term[whole.nterms++].times /= by;
        }
    }
    wide lo, hi;
    if (form_range(m->x, &rest, g, &lo, &hi)) {
        wide n = floor_div(lo, by);
        if (floor_div(hi, by) == n) {
            whole.constant += (int64_t)n;
            rest.constant -= (int64_t)n * by;
            return remainder ? rest : whole;
        }
    }
    if (!m->symbolic) take_apart(m, &rest, by);
    if (remainder) return any_rest(m, f, by, reg);
    if (!form_range(m->x, f, g, &lo, &hi)) return form_unknown();
    lo = floor_div(lo, by), hi = floor_div(hi, by);
    if (lo < -(INT64_C(1) << 40) || hi > INT64_C(1) << 40) return form_unknown();
    return form_any(m, reg, (int64_t)lo, (int64_t)hi);
}
