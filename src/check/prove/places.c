/* See places.h. */
#include "check/prove/places.h"
#include "scev/form_state.h"
#include <stdlib.h>
#include <string.h>

static bool of_axes(const struct wg_forms *x, const struct wg_sum *f) {
    for (uint32_t i = 0; i < f->nterms; i++)
        if (x->vars[f->term[i].var].kind >= WG_VAR_AXES) return false;
    return true;
}

struct wg_form_extent *wg_form_extent_new(const struct wg_forms *x, const struct wg_form_access *a) {
    const struct wg_form_guards *g = a->guards;
    uint32_t axes = 0;
    if (!a->at.known || !g->exact || !of_axes(x, &a->at)) return NULL;
    for (uint32_t i = 0; i < g->nbounds; i++)
        if (!g->bounds[i].implied && !of_axes(x, &g->bounds[i].sum)) return NULL;
    while (axes < x->nvars && x->vars[axes].kind < WG_VAR_AXES) axes++;
    size_t bounds = g->nbounds * sizeof *g->bounds, vars = axes * sizeof *x->vars;
    struct wg_form_extent *e = wg_xmalloc(sizeof *e + bounds + vars);
    *e = (struct wg_form_extent){.at = a->at, .bytes = a->bytes, .nvars = axes};
    e->bounds = (struct wg_form_bound *)(e + 1);
    e->vars = (struct wg_form_var *)(e->bounds + g->nbounds);
    memcpy(e->vars, x->vars, vars);
    for (uint32_t i = 0; i < g->nbounds && !g->never; i++)
        if (!g->bounds[i].implied) e->bounds[e->nbounds++] = g->bounds[i];
    if (g->never) e->bytes = 0;
    return e;
}

static int64_t factor(const struct wg_sum *f, uint32_t var) {
    for (uint32_t i = 0; i < f->nterms; i++)
        if (f->term[i].var == var) return f->term[i].times;
    return 0;
}

static int64_t size(const struct wg_sum *f, uint32_t var) {
    int64_t t = factor(f, var);
    return t < 0 ? -t : t;
}

static bool matters(const struct wg_form_extent *e, uint32_t var) {
    bool any = factor(&e->at, var);
    for (uint32_t i = 0; i < e->nbounds; i++) any |= factor(&e->bounds[i].sum, var) != 0;
    return any;
}

static uint32_t in_order(const struct wg_form_extent *e, uint32_t order[WG_FORM_VARS]) {
    uint32_t n = 0;
    for (uint32_t v = 0; v < e->nvars; v++) {
        uint32_t at = n;
        if (!matters(e, v)) continue;
        for (; at > 0 && size(&e->at, order[at - 1]) < size(&e->at, v); at--) order[at] = order[at - 1];
        order[at] = v;
        n++;
    }
    return n;
}

uint64_t wg_form_extent_places(const struct wg_form_extent *e) {
    uint32_t order[WG_FORM_VARS];
    uint64_t places = 1;
    int64_t run = e->bytes;
    for (uint32_t n = in_order(e, order); n > 0; n--) {
        const struct wg_form_var *v = &e->vars[order[n - 1]];
        int64_t f = size(&e->at, order[n - 1]), more = v->hi - v->lo;
        if (f <= run)
            run += f * more;
        else if (__builtin_mul_overflow(places, (uint64_t)more + 1, &places))
            return UINT64_MAX;
    }
    return places;
}

/* Variables that count as one, as the digits of a number do: order[first..first + n), from the highest. */
struct level {
    uint32_t first, n;
    int64_t lo, hi;
};
/* Sum 0 is the address, the others are the bounds'. */
struct walk {
    const struct wg_form_extent *e;
    uint32_t order[WG_FORM_VARS];
    struct level level[WG_FORM_VARS];
    uint32_t nlevels, nsums;
    int64_t value[WG_FORM_VARS]; /* by level */
    int64_t *times, *part;       /* [level * nsums + sum]: factors; sums of the levels before */
    struct wg_form_place last;
    bool any;
    void (*fn)(void *user, const struct wg_form_place *p);
    void *user;
};

static const struct wg_sum *sum_of(const struct walk *w, uint32_t i) {
    return i ? &w->e->bounds[i - 1].sum : &w->e->at;
}

static bool are_digits(const struct walk *w, uint32_t high, uint32_t low) {
    const struct wg_form_var *vars = w->e->vars;
    bool are = !vars[high].lo && !vars[low].lo;
    for (uint32_t i = 0; i < w->nsums && are; i++)
        are = factor(sum_of(w, i), high) == factor(sum_of(w, i), low) * (vars[low].hi + 1);
    return are;
}

static void find_levels(struct walk *w) {
    uint32_t n = in_order(w->e, w->order);
    for (uint32_t i = 0; i < n; i++) {
        const struct wg_form_var *v = &w->e->vars[w->order[i]];
        struct level *l = w->nlevels ? &w->level[w->nlevels - 1] : NULL;
        if (l && are_digits(w, w->order[i - 1], w->order[i])) {
            l->hi = (l->hi + 1) * (v->hi + 1) - 1;
            l->n++;
        } else {
            w->level[w->nlevels++] = (struct level){i, 1, v->lo, v->hi};
        }
    }
    w->times = wg_xcalloc((size_t)(w->nlevels + 1) * w->nsums, sizeof *w->times);
    w->part = wg_xcalloc((size_t)(w->nlevels + 1) * w->nsums, sizeof *w->part);
    for (uint32_t i = 0; i < w->nsums; i++) {
        w->part[i] = sum_of(w, i)->constant;
        for (uint32_t k = 0; k < w->nlevels; k++)
            w->times[k * w->nsums + i] =
                factor(sum_of(w, i), w->order[w->level[k].first + w->level[k].n - 1]);
    }
}

static void set_thread(const struct walk *w, struct wg_form_place *p) {
    for (uint32_t k = 0; k < w->nlevels; k++) {
        int64_t left = w->value[k];
        for (uint32_t n = w->level[k].n; n > 0; n--) {
            const struct wg_form_var *v = &w->e->vars[w->order[w->level[k].first + n - 1]];
            int64_t digit = n > 1 ? left % (v->hi + 1) : left;
            uint32_t part = (uint32_t)digit * v->unit;
            left /= v->hi + 1;
            if (v->kind < WG_VAR_CTAID_X)
                p->tid[v->kind] += part;
            else
                p->ctaid[v->kind - WG_VAR_CTAID_X] += part;
        }
    }
}

static void visit(struct walk *w, int64_t at, int64_t bytes) {
    if (w->any && (uint64_t)at == w->last.to) {
        w->last.to += (uint64_t)bytes;
        return;
    }
    if (w->any) w->fn(w->user, &w->last);
    w->any = true;
    w->last = (struct wg_form_place){.from = (uint64_t)at, .to = (uint64_t)(at + bytes)};
    set_thread(w, &w->last);
}

static int64_t floor_of(int64_t a, int64_t b) { return a / b - (a % b < 0); } /* b > 0 */

/* The bounds' rest for the last level; false: nothing is left. */
static bool range_of_last(const struct walk *w, uint32_t k, int64_t *lo, int64_t *hi) {
    const int64_t *part = &w->part[k * w->nsums], *times = &w->times[k * w->nsums];
    *lo = w->level[k].lo;
    *hi = w->level[k].hi;
    for (uint32_t i = 1; i < w->nsums; i++) {
        int64_t t = times[i], left = w->e->bounds[i - 1].most - part[i];
        if (!t && left < 0) return false;
        if (t > 0 && floor_of(left, t) < *hi) *hi = floor_of(left, t);
        if (t < 0 && -floor_of(left, -t) > *lo) *lo = -floor_of(left, -t);
    }
    return *lo <= *hi;
}

static bool last_level(struct walk *w, uint32_t k) {
    int64_t lo, hi, at = w->part[k * w->nsums], f = w->times[k * w->nsums], bytes = w->e->bytes;
    if (!range_of_last(w, k, &lo, &hi)) return false;
    if (f == bytes || f == -bytes || !f) {
        w->value[k] = f < 0 ? hi : lo;
        visit(w, at + f * w->value[k], f ? (hi - lo + 1) * bytes : bytes);
        return true;
    }
    for (int64_t v = lo; v <= hi; v++) {
        w->value[k] = v;
        visit(w, at + f * v, bytes);
    }
    return true;
}

/* false: no thread comes there. */
static bool walk_level(struct walk *w, uint32_t k) {
    const struct level *l = &w->level[k];
    const int64_t *part = &w->part[k * w->nsums], *times = &w->times[k * w->nsums];
    bool any = false;
    if (k + 1 == w->nlevels) return last_level(w, k);
    for (int64_t v = l->lo; v <= l->hi && (times[0] || !any); v++) {
        w->value[k] = v;
        for (uint32_t i = 0; i < w->nsums; i++) w->part[(k + 1) * w->nsums + i] = part[i] + times[i] * v;
        any |= walk_level(w, k + 1);
    }
    return any;
}

void wg_form_each_place(const struct wg_form_extent *e, void (*fn)(void *user, const struct wg_form_place *p),
                        void *user) {
    struct walk w = {.e = e, .fn = fn, .user = user, .nsums = e->nbounds + 1};
    if (!e->bytes) return;
    find_levels(&w);
    if (w.nlevels)
        walk_level(&w, 0);
    else
        visit(&w, e->at.constant, e->bytes);
    if (w.any) fn(user, &w.last);
    free(w.times);
    free(w.part);
}
