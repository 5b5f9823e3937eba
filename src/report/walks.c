/* See walks.h. */
#include "report/walks.h"
#include "report/ptx_text.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEFINITIONS = 2, DEEP = 8 };

struct defined {
    uint32_t by[DEFINITIONS], n; /* places in k->code; the first ones */
};
struct walk {
    const struct wg_profile_kernel *k;
    const uint64_t *executed; /* by site */
    struct wg_ptx_names names;
    struct defined *of; /* by name */
    uint64_t times;     /* that the access is executed: only what changes as often is a step of its loop */
};

static void define(struct walk *w, uint32_t at) {
    struct wg_ptx_text t = wg_ptx_text(w->k->code[at].text);
    const char *from = t.operands, *name;
    size_t n;
    while (t.writes && wg_ptx_next(&from, t.sources, &name, &n)) {
        struct defined *d = &w->of[wg_ptx_name(&w->names, name, n)];
        if (d->n < DEFINITIONS) d->by[d->n] = at;
        d->n++;
    }
}

/* The n-th operand, from 0, without blanks before it. */
static const char *operand(const struct wg_ptx_text *t, int n) {
    const char *at = t->operands;
    while (*at == ' ') at++;
    for (; n > 0; n--) {
        at = strchr(at, ',');
        if (!at) return "";
        for (at++; *at == ' '; at++) {
        }
    }
    return at;
}

static uint32_t name_of(struct walk *w, const char *operand) {
    return *operand == '%' ? wg_ptx_name(&w->names, operand, wg_ptx_length(operand)) : UINT32_MAX;
}

static bool is_number(const char *operand) { return *operand == '-' || (*operand >= '0' && *operand <= '9'); }

static double grows(struct walk *w, uint32_t name, int deep);

static double operand_grows(struct walk *w, const char *operand, int deep) {
    return *operand == '%' ? grows(w, name_of(w, operand), deep + 1) : 0;
}

/* Of the value that an instruction computes from others, each turn; NAN: not known. */
static double computed(struct walk *w, uint32_t at, int deep) {
    struct wg_ptx_text t = wg_ptx_text(w->k->code[at].text);
    const char *a = operand(&t, 1), *b = operand(&t, 2), *c = operand(&t, 3);
    if (wg_ptx_starts(t.op, "add.s") || wg_ptx_starts(t.op, "add.u"))
        return operand_grows(w, a, deep) + operand_grows(w, b, deep);
    if (wg_ptx_starts(t.op, "sub.s")) return operand_grows(w, a, deep) - operand_grows(w, b, deep);
    if (wg_ptx_starts(t.op, "cvta.") || wg_ptx_starts(t.op, "mov.") || wg_ptx_starts(t.op, "cvt.s64.s32") ||
        wg_ptx_starts(t.op, "cvt.u64.u32"))
        return operand_grows(w, a, deep);
    bool shift = wg_ptx_starts(t.op, "shl.b"),
         product = wg_ptx_starts(t.op, "mul.wide") || wg_ptx_starts(t.op, "mul.lo.s");
    bool sum = wg_ptx_starts(t.op, "mad.wide") || wg_ptx_starts(t.op, "mad.lo.s");
    double own = operand_grows(w, a, deep);
    if (shift || product || sum) {
        double other = operand_grows(w, b, deep);
        if (own == 0 && other == 0) return sum ? operand_grows(w, c, deep) : 0;
        if (!is_number(b)) return NAN;
        own *= shift ? ldexp(1, atoi(b)) : strtod(b, NULL);
        return own + (sum ? operand_grows(w, c, deep) : 0);
    }
    if (wg_ptx_starts(t.op, "ld.param")) return 0;
    if (wg_ptx_starts(t.op, "ld") || wg_ptx_starts(t.op, "atom") || wg_ptx_starts(t.op, "shfl")) return NAN;
    for (int i = 1; i < 4; i++) /* of what does not change, neither does this */
        if (operand_grows(w, operand(&t, i), deep) != 0) return NAN;
    return 0;
}

/* x = x + 8, or y = x + 8 and later x = y. */
static double own_step(struct walk *w, uint32_t name, uint32_t at, int hops) {
    struct wg_ptx_text t = wg_ptx_text(w->k->code[at].text);
    uint32_t from = name_of(w, operand(&t, 1));
    if (wg_ptx_starts(t.op, "add.s") && from == name) {
        if (w->executed[w->k->code[at].block] * 2 < w->times) return 0; /* of a loop further out */
        return is_number(operand(&t, 2)) ? strtod(operand(&t, 2), NULL) : NAN;
    }
    if (wg_ptx_starts(t.op, "mov.") && from != UINT32_MAX && hops && w->of[from].n == 1)
        return own_step(w, name, w->of[from].by[0], hops - 1);
    return INFINITY;
}

static double grows(struct walk *w, uint32_t name, int deep) {
    const struct defined *d = &w->of[name];
    if (d->n == 0) return 0;
    if (d->n > DEFINITIONS || deep > DEEP) return NAN;
    for (uint32_t i = 0; d->n == DEFINITIONS && i < DEFINITIONS; i++) {
        double step = own_step(w, name, d->by[i], 2);
        if (!isinf(step)) return step;
    }
    return d->n == 1 ? computed(w, d->by[0], deep) : NAN;
}

static double step_of(struct walk *w, uint32_t at) {
    const struct wg_code *c = &w->k->code[at];
    const char *address = strchr(c->text, '[');
    w->times = w->executed[c->block];
    if (!address || address[1] != '%' || !w->times) return 0;
    double step = grows(w, name_of(w, address + 1), 0);
    return isfinite(step) ? fabs(step) : 0;
}

struct wg_walks wg_walks_find(const struct wg_profile_kernel *k, const struct wg_launch *l,
                              struct wg_arena *a) {
    struct wg_walks walks = {.first = UINT32_MAX};
    struct walk w = {.k = k, .executed = wg_profile_executions(k, l, a)};
    uint32_t last = 0;
    for (uint32_t i = 0; i < k->code_count; i++) {
        if (!k->code[i].text) return walks;
        walks.first = k->code[i].ptx_line < walks.first ? k->code[i].ptx_line : walks.first;
        last = k->code[i].ptx_line > last ? k->code[i].ptx_line : last;
    }
    if (!k->code_count) return walks;
    w.names = wg_ptx_names(k, a);
    w.of = WG_NEW_N(a, struct defined, w.names.mask + 1);
    for (uint32_t i = 0; i < k->code_count; i++) define(&w, i);
    walks.lines = last - walks.first + 1;
    walks.step = WG_NEW_N(a, double, walks.lines);
    for (uint32_t i = 0; i < k->code_count; i++) {
        struct wg_ptx_text t = wg_ptx_text(k->code[i].text);
        if (wg_ptx_starts(t.op, "ld.")) walks.step[k->code[i].ptx_line - walks.first] = step_of(&w, i);
    }
    return walks;
}

double wg_walks_step(const struct wg_walks *w, uint32_t ptx_line) {
    uint32_t line = ptx_line - w->first;
    return line < w->lines ? w->step[line] : 0;
}
