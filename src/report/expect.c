/* See expect.h. */
#include "report/expect.h"
#include "base/suggestion.h"
#include "report/figure.h"
#include "report/source.h"
#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const signs[] = {"==", "!=", "<", "<=", ">", ">="};

static char *trimmed(struct wg_arena *a, const char *s, size_t n) {
    while (n && isspace((unsigned char)*s)) s++, n--;
    while (n && isspace((unsigned char)s[n - 1])) n--;
    return wg_arena_strndup(a, s, n);
}

/* ---- Reading ----------------------------------------------------------------------------------------------
 */

static void wrong(struct wg_strbuf *why, const struct wg_expectation *x, const char *what) {
    wg_strbuf_printf(why, "%s%s'%s': %s", x->where ? x->where : "", x->where ? ": " : "", x->text, what);
}

/* "12000", "12k", "1.5M", "87 %", "5us" */
static bool read_value(const char *s, double *out) {
    char *end;
    *out = strtod(s, &end);
    if (end == s || !isfinite(*out)) return false;
    while (*end == ' ') end++;
    switch (*end) {
    case 'k': *out *= 1e3, end++; break;
    case 'M': *out *= 1e6, end++; break;
    case 'G': *out *= 1e9, end++; break;
    case '%': end++; break;
    case 's': end++; break;
    case 'm': *out *= 1e-3, end += end[1] == 's' ? 2 : 0; break;
    case 'u': *out *= 1e-6, end += end[1] == 's' ? 2 : 0; break;
    case 'n': *out *= 1e-9, end += end[1] == 's' ? 2 : 0; break;
    }
    return !*end && fabs(*out) < 0x1p64; /* no counter counts further */
}

static bool read_kernel(struct wg_arena *a, struct wg_expectation *x, char *kernel, struct wg_strbuf *why) {
    char *at = strrchr(kernel, '@');
    x->kernel = kernel;
    if (!at) return true;
    char *colon = strrchr(at, ':'), *end;
    long line = colon ? strtol(colon + 1, &end, 10) : 0;
    if (!colon || colon == at + 1 || line < 1 || line > INT32_MAX || *end) {
        wrong(why, x, "expected a place such as transpose.cu:12 after '@'");
        return false;
    }
    x->file = trimmed(a, at + 1, (size_t)(colon - at - 1));
    x->line = (uint32_t)line;
    x->kernel = trimmed(a, kernel, (size_t)(at - kernel));
    return true;
}

static bool read_condition(struct wg_arena *a, struct wg_expectation *x, const char *s,
                           struct wg_strbuf *why) {
    size_t n = strcspn(s, "<>=!"), sign = strspn(s + n, "<>=!");
    const char *name = trimmed(a, s, n);
    int found = -1;
    for (int i = 0; i < 6; i++)
        if (strlen(signs[i]) == sign && !strncmp(s + n, signs[i], sign)) found = i;
    if (found < 0) {
        wrong(why, x,
              sign ? "the comparison must be one of == != < <= > >="
                   : "expected 'COUNTER == VALUE' after the kernel's name");
        return false;
    }
    x->compare = found;
    if (!wg_metric_find(name, &x->metric)) {
        const char *near = wg_metric_near(name);
        wrong(why, x,
              near ? wg_arena_printf(a, "there is no counter '%s': did you mean '%s'?", name, near)
                   : wg_arena_printf(
                         a, "there is no counter '%s': \"warpglass profile --counters\" lists them", name));
        return false;
    }
    if (x->file && x->metric.of != WG_OF_COUNTERS) {
        wrong(why, x, wg_arena_printf(a, "'%s' is counted for a whole kernel, not for a line", name));
        return false;
    }
    const char *value = trimmed(a, s + n + sign, strlen(s + n + sign));
    if (read_value(value, &x->value)) return true;
    wrong(why, x, wg_arena_printf(a, "'%s' is not a number", value));
    return false;
}

bool wg_expect_add(struct wg_arena *a, struct wg_expectations *e, const char *text, const char *where,
                   struct wg_strbuf *why) {
    struct wg_expectation x = {.text = trimmed(a, text, strlen(text)), .where = where};
    const char *colon = strrchr(x.text, ':');
    if (!colon || colon == x.text || colon[1] == ':' || colon[-1] == ':') {
        wrong(why, &x, "expected 'KERNEL: COUNTER == VALUE'");
        return false;
    }
    if (!read_kernel(a, &x, trimmed(a, x.text, (size_t)(colon - x.text)), why) ||
        !read_condition(a, &x, colon + 1, why))
        return false;
    *WG_PUSH(&e->all) = x;
    return true;
}

bool wg_expect_read(struct wg_arena *a, struct wg_expectations *e, const char *path, struct wg_strbuf *why) {
    struct wg_strbuf file = {0};
    if (!wg_file_read(path, &file)) {
        wg_strbuf_printf(why, "%s: %s", path, strerror(errno));
        return false;
    }
    bool good = true;
    uint32_t number = 0, before = e->all.n;
    for (char *at = file.s, *next; good && at && *at; at = next) {
        size_t n = strcspn(at, "\n");
        next = at + n + (at[n] == '\n');
        number++;
        size_t text = 0;
        while (text < n && at[text] != '#') text++;
        const char *line = trimmed(a, at, text);
        if (*line) good = wg_expect_add(a, e, line, wg_arena_printf(a, "%s:%u", path, number), why);
    }
    if (good && e->all.n == before) {
        wg_strbuf_printf(why, "%s: the file has no expectations", path);
        good = false;
    }
    wg_strbuf_free(&file);
    return good;
}

/* ---- Checking ---------------------------------------------------------------------------------------------
 */

bool wg_kernel_is(struct wg_arena *a, const char *word, const struct wg_profile_kernel *k) {
    const char *shorter = wg_short_name(a, k->display);
    const char *bare = wg_arena_strndup(a, shorter, strcspn(shorter, "<"));
    const char *names[] = {k->display, k->name, shorter, bare};
    for (int i = 0; i < 4; i++)
        if (!strcmp(word, names[i]) || !fnmatch(word, names[i], 0)) return true;
    return false;
}

static bool holds(const struct wg_expectation *x, double v) {
    switch (x->compare) {
    case WG_EQUAL: return v == x->value;
    case WG_NOT_EQUAL: return v != x->value;
    case WG_LESS: return v < x->value;
    case WG_AT_MOST: return v <= x->value;
    case WG_MORE: return v > x->value;
    default: return v >= x->value;
    }
}

static const char *by_how_much(struct wg_arena *a, const struct wg_expectation *x, double v) {
    double more = v - x->value;
    if (isnan(v) || more == 0) return "";
    const char *amount = wg_metric_text(a, &x->metric, fabs(more));
    if (x->value > 0 && v > 2 * x->value)
        return wg_arena_printf(a, ", %s more, %.3g times as much", amount, v / x->value);
    if (x->value > 0)
        return wg_arena_printf(a, ", %s %s (%.3g %%)", amount, more > 0 ? "more" : "less",
                               100 * fabs(more) / x->value);
    return wg_arena_printf(a, ", %s %s", amount, more > 0 ? "more" : "less");
}

/* "budget.txt:3: ", or nothing of those of the command line. */
static const char *before(struct wg_arena *a, const struct wg_expectation *x) {
    return x->where ? wg_arena_printf(a, "%s: ", x->where) : "";
}

static const char *broken_sentence(struct wg_arena *a, const struct wg_expectation *x,
                                   const struct wg_summary *s, double v) {
    const char *at = x->file ? wg_arena_printf(a, "@%s:%u", x->file, x->line) : "";
    const char *who = wg_arena_printf(a, "%s%s%s", before(a, x), wg_short_name(a, s->kernel->display), at);
    const char *wanted =
        wg_arena_printf(a, "%s %s", signs[x->compare], wg_metric_text(a, &x->metric, x->value));
    if (isnan(v))
        return wg_arena_printf(a, "%s: expected %s %s, but there %s", who, x->metric.name, wanted,
                               x->metric.of ? "is no model for this chip" : "was no such access");
    return wg_arena_printf(a, "%s: %s is %s, expected %s%s", who, x->metric.name,
                           wg_metric_text(a, &x->metric, v), wanted, by_how_much(a, x, v));
}

static bool same_file(const char *file, const char *word) {
    size_t n = strlen(file), w = strlen(word);
    return n >= w && !strcmp(file + n - w, word) && (n == w || *word == '/' || file[n - w - 1] == '/');
}

static bool figures_at(const struct wg_expectation *x, const struct wg_summary *s, struct wg_by_class *sum) {
    *sum = s->classes;
    if (!x->file) return true;
    *sum = (struct wg_by_class){0};
    bool found = false;
    for (uint32_t i = 0; i < s->line_count; i++) {
        const struct wg_line_summary *l = &s->lines[i];
        if (l->line != x->line || !l->file || !same_file(l->file, x->file)) continue;
        for (int c = 0; c < WG_CLASSES; c++) {
            wg_counts_add(&sum->of[c], &l->own.of[c]);
            wg_counts_add(&sum->of[c], &l->called.of[c]);
        }
        found = true;
    }
    return found;
}

static const char *no_line(struct wg_arena *a, const struct wg_expectation *x, const struct wg_summary *s) {
    const char *said = wg_arena_printf(a, "%s'%s': %s has nothing at %s:%u; it has lines", before(a, x),
                                       x->text, s->kernel->display, x->file, x->line);
    for (uint32_t i = 0; i < s->line_count && i < 12; i++) {
        const struct wg_line_summary *l = &s->lines[i];
        said = wg_arena_printf(a, "%s%s %s:%u", said, i ? "," : "", l->file ? wg_source_base(l->file) : "PTX",
                               l->line);
    }
    return said;
}

static const char *no_kernel(struct wg_arena *a, const struct wg_expectation *x,
                             const struct wg_summaries *s) {
    const char **names = WG_NEW_N(a, const char *, s->n + 1);
    struct wg_strbuf said = {0};
    for (uint32_t i = 0; i < s->n; i++) names[i] = wg_short_name(a, s->v[i].kernel->display);
    const char *near = wg_suggestion(x->kernel, names);
    wg_strbuf_printf(&said, "%s'%s': no kernel is called '%s'", before(a, x), x->text, x->kernel);
    if (near) wg_strbuf_printf(&said, ": did you mean '%s'?", near);
    wg_strbuf_puts(&said, s->n ? " The program launched" : " The program launched none");
    for (uint32_t i = 0; i < s->n; i++) wg_strbuf_printf(&said, "%s %s", i ? "," : "", names[i]);
    const char *text = wg_arena_strdup(a, said.s);
    wg_strbuf_free(&said);
    return text;
}

const struct wg_line_summary *wg_kernel_first_line(const struct wg_summary *s) {
    for (uint32_t i = 0; i < s->line_count; i++)
        if (s->lines[i].file && !wg_source_is_system(s->lines[i].file)) return &s->lines[i];
    return NULL;
}

/* The line that the expectation names, under its whole name. */
static const struct wg_line_summary *line_named(const struct wg_expectation *x, const struct wg_summary *s) {
    for (uint32_t i = 0; i < s->line_count; i++)
        if (s->lines[i].line == x->line && s->lines[i].file && same_file(s->lines[i].file, x->file))
            return &s->lines[i];
    return NULL;
}

static void check_kernel(struct wg_arena *a, const struct wg_expectation *x, const struct wg_summary *s,
                         struct wg_broken_list *broken) {
    struct wg_by_class figures;
    struct wg_broken b = {NULL, NULL, 0};
    if (!figures_at(x, s, &figures)) {
        b.text = no_line(a, x, s);
    } else {
        double v = x->file ? wg_metric_value(&x->metric, &figures) : wg_metric_of_kernel(&x->metric, s);
        if (holds(x, v)) return;
        b.text = broken_sentence(a, x, s, v);
    }
    const struct wg_line_summary *l = x->file ? line_named(x, s) : NULL;
    if (!l) l = wg_kernel_first_line(s);
    if (l) b.file = l->file, b.line = l->line;
    *WG_PUSH(&broken->all) = b;
}

/* "budget.txt:3" taken apart; of one of the command line there is no file. */
static void place_of_budget(struct wg_arena *a, const struct wg_expectation *x, struct wg_broken *b) {
    const char *colon = x->where ? strrchr(x->where, ':') : NULL;
    if (!colon) return;
    b->file = wg_arena_strndup(a, x->where, (size_t)(colon - x->where));
    b->line = (uint32_t)strtoul(colon + 1, NULL, 10);
}

void wg_expect_check(struct wg_arena *a, const struct wg_expectations *e, const struct wg_summaries *s,
                     struct wg_broken_list *broken) {
    for (uint32_t i = 0; i < e->all.n; i++) {
        const struct wg_expectation *x = &e->all.v[i];
        bool found = false;
        for (uint32_t j = 0; j < s->n; j++) {
            if (!wg_kernel_is(a, x->kernel, s->v[j].kernel)) continue;
            found = true;
            check_kernel(a, x, &s->v[j], broken);
        }
        if (found) continue;
        struct wg_broken b = {no_kernel(a, x, s), NULL, 0};
        place_of_budget(a, x, &b);
        *WG_PUSH(&broken->all) = b;
    }
}

void wg_expect_free(struct wg_expectations *e) { free(e->all.v); }
void wg_broken_free(struct wg_broken_list *b) { free(b->all.v); }
