/* See plan.h. */
#include "analysis/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    RUN = 0,
    COUNT = 1,
    CHECK = 2,
    BOUNDS = 4
}; /* kinds of code; RUN is any that has none of the others */
enum {
    HOIST = WG_FORM_HOIST,
    SINK = WG_FORM_SINK,
    JOIN = WG_FORM_JOIN,
    WIDEN = WG_FORM_WIDEN,
    INTERLEAVE = WG_FORM_INTERLEAVE,
    PRIVATIZE = WG_FORM_PRIVATIZE,
    REPLAY = WG_FORM_REPLAY
};

static const struct wg_form_info infos[] = {
#define X(name, term, scope, moves, level, modes, gain, legal)                                               \
    {#name, term, #scope, gain, legal, moves, level, modes},
#include "analysis/forms.def"
#undef X
};

const struct wg_form_info *wg_form_info(enum wg_form form) { return &infos[form]; }

bool wg_may_use(const struct wg_code_opts *o, enum wg_form form) {
    uint8_t mode = (o->sites ? COUNT : 0) | (o->check ? CHECK : 0) | (o->bounds ? BOUNDS : 0);
    return !(o->forms_off >> form & 1) && o->opt_level >= infos[form].level && !(mode & ~infos[form].modes);
}

/* ---- switches ---- */

static bool is_word(const char *s, size_t n, const char *word) {
    return strlen(word) == n && memcmp(s, word, n) == 0;
}

static bool switch_form(const char *s, size_t n, bool off_now, uint64_t *off) {
    uint64_t bits = is_word(s, n, "all") ? (UINT64_C(1) << WG_FORMS) - 1 : 0;
    for (uint32_t f = 0; f < WG_FORMS; f++)
        if (is_word(s, n, infos[f].name)) bits = UINT64_C(1) << f;
    *off = off_now ? *off | bits : *off & ~bits;
    return bits != 0;
}

const char *wg_forms_parse(const char *text, uint32_t *level, uint64_t *off) {
    for (const char *s = text; *s;) {
        size_t n = strcspn(s, ",");
        if (*s == '-' || *s == '+') {
            if (!switch_form(s + 1, n - 1, *s == '-', off))
                return "a level and names of forms, as in 2,-jam,-trace ('warpglass info --forms' lists "
                       "them)";
        } else if (n == 1 && *s >= '0' && *s <= '2') {
            *level = (uint32_t)(*s - '0');
        } else {
            return "an optimisation level (0, 1 or 2), or forms to turn off, as in 2,-jam,-trace";
        }
        s += n + (s[n] == ',');
    }
    return *text ? NULL : "an optimisation level (0, 1 or 2)";
}

/* ---- plans ---- */

enum { MOST_PLACES = 8 };

struct row {
    uint32_t times, nplaces, place[MOST_PLACES]; /* locations */
    const char *why_not;
};

struct wg_plan {
    struct row row[WG_FORMS];
};

struct wg_plan *wg_plan_new(void) { return wg_xcalloc(1, sizeof(struct wg_plan)); }
void wg_plan_free(struct wg_plan *p) { free(p); }

void wg_plan_yes(const struct wg_code_opts *o, enum wg_form form, const struct wg_ir_instr *at) {
    if (!o->plan) return;
    struct row *r = &o->plan->row[form];
    r->times++;
    if (!at || r->nplaces == MOST_PLACES) return;
    for (uint32_t i = 0; i < r->nplaces; i++)
        if (r->place[i] == at->loc) return;
    r->place[r->nplaces++] = at->loc;
}

void wg_plan_no(const struct wg_code_opts *o, enum wg_form form, const char *why) {
    if (o->plan && !o->plan->row[form].why_not) o->plan->row[form].why_not = why;
}

static int by_line(const void *a, const void *b) {
    const uint32_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* In order, each once. */
static uint32_t lines_of(const struct row *r, const struct wg_ir_module *m, uint32_t line[MOST_PLACES]) {
    uint32_t all = 0, n = 0;
    for (uint32_t i = 0; i < r->nplaces; i++)
        if (r->place[i] && r->place[i] < m->nlocs) line[all++] = m->locs[r->place[i]].line;
    qsort(line, all, sizeof *line, by_line);
    for (uint32_t i = 0; i < all; i++)
        if (!n || line[i] != line[n - 1]) line[n++] = line[i];
    return n;
}

static void print_lines(const struct row *r, const struct wg_ir_module *m, struct wg_strbuf *out) {
    uint32_t line[MOST_PLACES], n = lines_of(r, m, line);
    const char *between = n > 1 ? "   lines " : "   line ";
    for (uint32_t i = 0; i < n; i++, between = ", ") wg_strbuf_printf(out, "%s%u", between, line[i]);
    if (r->nplaces == MOST_PLACES) wg_strbuf_printf(out, " and more");
}

/* Why a form is not asked for at all. */
static const char *barred(const struct wg_code_opts *o, enum wg_form form) {
    if (o->forms_off >> form & 1) return "switched off";
    return o->opt_level < infos[form].level ? "not at this level" : "not in code of this kind";
}

void wg_plan_print(const struct wg_plan *p, const struct wg_ir_module *m, const char *kernel,
                   const char *version, const struct wg_code_opts *o, struct wg_strbuf *out) {
    wg_strbuf_printf(out, "plan of %s: %s, %u bits, level %u\n", kernel, version, o->width, o->opt_level);
    for (uint32_t f = 0; f < WG_FORMS; f++) {
        const struct row *r = &p->row[f];
        wg_strbuf_printf(out, "  %-12s  %-28s  ", infos[f].name, infos[f].term);
        if (!wg_may_use(o, f)) {
            wg_strbuf_printf(out, "no    %s\n", barred(o, f));
        } else if (r->times) {
            wg_strbuf_printf(out, "yes");
            print_lines(r, m, out);
            wg_strbuf_printf(out, "\n");
        } else {
            wg_strbuf_printf(out, "no    %s\n", r->why_not ? r->why_not : "nothing here fits it");
        }
    }
}
