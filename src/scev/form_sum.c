/* Linear combinations of variables, and their ranges. See forms.h.
 *
 * Coefficients stay below 2^48 and variables below 2^41, so that ranges fit into 128 bits.
 */
#include "base/strbuf.h"
#include "scev/form_state.h"

#define MOST_TIMES (INT64_C(1) << 48)

struct wg_sum form_constant(int64_t c) { return (struct wg_sum){.known = true, .constant = c}; }
struct wg_sum form_unknown(void) { return (struct wg_sum){0}; }

struct wg_sum form_var(uint32_t var, int64_t times) {
    struct wg_sum f = {.known = true, .nterms = 1};
    f.term[0] = (struct wg_form_term){times, var};
    return f;
}

bool form_new_var(struct form_maker *m, const struct wg_form_var *v, uint32_t *var) {
    if (m->x->nvars == m->x->most_vars) return false;
    *var = m->x->nvars++;
    m->x->vars[*var] = *v;
    return true;
}

struct wg_sum form_any(struct form_maker *m, uint32_t reg, int64_t lo, int64_t hi) {
    uint32_t var;
    if (lo == hi) return form_constant(lo);
    struct wg_form_var v = {.kind = WG_VAR_ANY, .reg = reg, .lo = lo, .hi = hi};
    return form_new_var(m, &v, &var) ? form_var(var, 1) : form_unknown();
}

static bool put(struct wg_sum *f, uint32_t var, wide times) {
    if (!times) return true;
    if (times <= -MOST_TIMES || times >= MOST_TIMES || f->nterms == WG_FORM_TERMS) return false;
    f->term[f->nterms++] = (struct wg_form_term){(int64_t)times, var};
    return true;
}

static bool join_bases(struct wg_sum *out, const struct wg_sum *x, int64_t a, const struct wg_sum *y,
                       int64_t b) {
    if (x->base && y->base) return false;
    if ((x->base && a != 1) || (y->base && b != 1)) return false;
    out->base = x->base | y->base;
    return true;
}

struct wg_sum form_sum(const struct wg_sum *x, int64_t a, const struct wg_sum *y, int64_t b) {
    struct wg_sum out = {.known = x->known && y->known};
    if (!out.known || !join_bases(&out, x, a, y, b)) return form_unknown();
    out.constant = (int64_t)((uint64_t)x->constant * (uint64_t)a + (uint64_t)y->constant * (uint64_t)b);
    uint32_t i = 0, k = 0;
    while (i < x->nterms || k < y->nterms) {
        uint32_t vx = i < x->nterms ? x->term[i].var : UINT32_MAX,
                 vy = k < y->nterms ? y->term[k].var : UINT32_MAX;
        uint32_t var = vx < vy ? vx : vy;
        wide times = 0;
        if (vx == var) times += (wide)x->term[i++].times * a;
        if (vy == var) times += (wide)y->term[k++].times * b;
        if (!put(&out, var, times)) return form_unknown();
    }
    return out;
}

static int64_t wrap(int64_t x, uint32_t bits) { return (int64_t)((uint64_t)x << (64 - bits)) >> (64 - bits); }

void form_reduce(struct wg_sum *f, uint32_t bits) {
    uint32_t n = 0;
    if (bits >= 64) return;
    f->constant = wrap(f->constant, bits);
    for (uint32_t i = 0; i < f->nterms; i++) {
        f->term[n] = f->term[i];
        f->term[n].times = wrap(f->term[i].times, bits);
        n += f->term[n].times != 0;
    }
    f->nterms = (uint8_t)n;
}

void form_var_range(const struct wg_forms *x, const struct wg_form_guards *g, uint32_t var, int64_t *lo,
                    int64_t *hi) {
    bool narrowed = g && var < g->nvars;
    *lo = narrowed && g->lo[var] > x->vars[var].lo ? g->lo[var] : x->vars[var].lo;
    *hi = narrowed && g->hi[var] < x->vars[var].hi ? g->hi[var]
                                                   : x->vars[var].hi; /* which may have become less */
}

static bool terms_range(const struct wg_forms *x, const struct wg_sum *f, const struct wg_form_guards *g,
                        wide *low, wide *high) {
    *low = *high = 0;
    for (uint32_t i = 0; i < f->nterms; i++) {
        int64_t lo, hi;
        form_var_range(x, g, f->term[i].var, &lo, &hi);
        if (lo > hi) return false;
        wide t = f->term[i].times;
        *low += t * (t > 0 ? lo : hi);
        *high += t * (t > 0 ? hi : lo);
    }
    return true;
}

int64_t form_holds(const struct wg_sum *f, const struct wg_sum *g) {
    int64_t n = 0;
    for (uint32_t i = 0, k = 0; k < g->nterms; k++) {
        while (i < f->nterms && f->term[i].var < g->term[k].var) i++;
        if (i == f->nterms || f->term[i].var != g->term[k].var || f->term[i].times % g->term[k].times)
            return 0;
        int64_t times = f->term[i].times / g->term[k].times;
        if (n && times != n) return 0;
        n = times;
    }
    return n;
}

/* A bound of the sum is tighter than those of its variables. */
bool form_range(const struct wg_forms *x, const struct wg_sum *f, const struct wg_form_guards *g, wide *low,
                wide *high) {
    if ((g && g->never) || !terms_range(x, f, g, low, high)) return false;
    for (uint32_t i = 0; g && i < g->nbounds; i++) {
        const struct wg_form_bound *b = &g->bounds[i];
        int64_t n = form_holds(f, &b->sum);
        wide lo, hi;
        if (!n) continue;
        struct wg_sum rest = form_sum(f, 1, &b->sum, -n);
        if (!rest.known || !terms_range(x, &rest, g, &lo, &hi)) continue;
        if (n > 0 && hi + (wide)n * b->most < *high) *high = hi + (wide)n * b->most;
        if (n < 0 && lo + (wide)n * b->most > *low) *low = lo + (wide)n * b->most;
    }
    *low += f->constant;
    *high += f->constant;
    return *low <= *high;
}

bool wg_form_range(const struct wg_forms *x, const struct wg_sum *f, const struct wg_form_guards *g,
                   int64_t *lo, int64_t *hi) {
    const wide most = INT64_C(1) << 62;
    wide low, high;
    if (!f->known || !form_range(x, f, g, &low, &high) || low < -most || high > most) return false;
    *lo = (int64_t)low;
    *hi = (int64_t)high;
    return true;
}

static void print_var(const struct wg_forms *x, const struct wg_form_var *v, struct wg_strbuf *out) {
    static const char *const axes[] = {"tid.x", "tid.y", "tid.z", "ctaid.x", "ctaid.y", "ctaid.z"};
    static const char *const others[] = {
        [WG_VAR_COUNT] = "count",   [WG_VAR_ANY] = "any",     [WG_VAR_ENTRY] = "entry",
        [WG_VAR_NCTAID] = "nctaid", [WG_VAR_PARAM] = "param", [WG_VAR_SYMBOL] = "symbol",
        [WG_VAR_REG] = "reg"};
    if (v->kind == WG_VAR_PRODUCT) {
        print_var(x, &x->vars[v->reg], out);
        wg_strbuf_printf(out, "*");
        print_var(x, &x->vars[v->loop], out);
    } else if (v->kind >= WG_VAR_AXES)
        wg_strbuf_printf(out, "%s(%u)", others[v->kind], v->reg);
    else if (v->unit > 1)
        wg_strbuf_printf(out, "%s/%u", axes[v->kind], v->unit);
    else
        wg_strbuf_printf(out, "%s", axes[v->kind]);
}

void wg_form_print(const struct wg_forms *x, const struct wg_sum *f, struct wg_strbuf *out) {
    static const char *const bases[] = {"", "shared + ", "params + "};
    if (!f->known) {
        wg_strbuf_printf(out, "anywhere");
        return;
    }
    wg_strbuf_printf(out, "%s%lld", bases[f->base], (long long)f->constant);
    for (uint32_t i = 0; i < f->nterms; i++) {
        long long t = f->term[i].times;
        wg_strbuf_printf(out, t < 0 ? " - " : " + ");
        if (t != 1 && t != -1) wg_strbuf_printf(out, "%lld ", t < 0 ? -t : t);
        print_var(x, &x->vars[f->term[i].var], out);
    }
}
