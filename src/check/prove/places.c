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
        if (!of_axes(x, &g->bounds[i].sum)) return NULL;
    while (axes < x->nvars && x->vars[axes].kind < WG_VAR_AXES) axes++;
    uint32_t nbounds = g->never ? 0 : g->nbounds;
    size_t bounds = nbounds * sizeof *g->bounds, vars = axes * sizeof *x->vars;
    struct wg_form_extent *e = wg_xmalloc(sizeof *e + bounds + vars);
    *e = (struct wg_form_extent){.at = a->at, .bytes = a->bytes, .nbounds = nbounds, .nvars = axes};
    e->bounds = (struct wg_form_bound *)(e + 1);
    e->vars = (struct wg_form_var *)(e->bounds + nbounds);
    memcpy(e->vars, x->vars, vars);
    if (bounds) memcpy(e->bounds, g->bounds, bounds);
    if (g->never) e->bytes = 0;
    return e;
}

struct walk {
    const struct wg_form_extent *e;
    uint32_t order[WG_FORM_VARS], n; /* variables that matter, those with the largest factors first */
    int64_t value[WG_FORM_VARS];
    struct wg_form_place last;
    bool any;
    void (*fn)(void *user, const struct wg_form_place *p);
    void *user;
};

static int64_t times(const struct wg_sum *f, uint32_t var) {
    for (uint32_t i = 0; i < f->nterms; i++)
        if (f->term[i].var == var) return f->term[i].times < 0 ? -f->term[i].times : f->term[i].times;
    return 0;
}

static bool matters(const struct wg_form_extent *e, uint32_t var) {
    bool any = times(&e->at, var);
    for (uint32_t i = 0; i < e->nbounds; i++) any |= times(&e->bounds[i].sum, var) != 0;
    return any;
}

static int64_t sum(const struct walk *w, const struct wg_sum *f) {
    int64_t s = f->constant;
    for (uint32_t i = 0; i < f->nterms; i++) s += f->term[i].times * w->value[f->term[i].var];
    return s;
}

static void visit(struct walk *w) {
    const struct wg_form_extent *e = w->e;
    for (uint32_t i = 0; i < e->nbounds; i++)
        if (sum(w, &e->bounds[i].sum) > e->bounds[i].most) return;
    uint64_t at = (uint64_t)sum(w, &e->at);
    if (w->any && at == w->last.to) {
        w->last.to += e->bytes;
        return;
    }
    if (w->any) w->fn(w->user, &w->last);
    w->any = true;
    w->last = (struct wg_form_place){.from = at, .to = at + e->bytes};
    for (uint32_t v = 0; v < e->nvars; v++) {
        const struct wg_form_var *x = &e->vars[v];
        uint32_t part = (uint32_t)w->value[v] * x->unit;
        if (x->kind < WG_VAR_CTAID_X)
            w->last.tid[x->kind] += part;
        else
            w->last.ctaid[x->kind - WG_VAR_CTAID_X] += part;
    }
}

static void step(struct walk *w, uint32_t i) {
    if (i == w->n) {
        visit(w);
        return;
    }
    const struct wg_form_var *v = &w->e->vars[w->order[i]];
    for (int64_t k = v->lo; k <= v->hi; k++) {
        w->value[w->order[i]] = k;
        step(w, i + 1);
    }
}

void wg_form_each_place(const struct wg_form_extent *e, void (*fn)(void *user, const struct wg_form_place *p),
                        void *user) {
    struct walk w = {.e = e, .fn = fn, .user = user};
    for (uint32_t v = 0; v < e->nvars; v++) {
        uint32_t at = w.n;
        if (!matters(e, v)) continue;
        for (; at > 0 && times(&e->at, w.order[at - 1]) < times(&e->at, v); at--)
            w.order[at] = w.order[at - 1];
        w.order[at] = v;
        w.n++;
    }
    if (e->bytes) step(&w, 0);
    if (w.any) fn(user, &w.last);
}
