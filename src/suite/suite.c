/* Reading a suite file: see suite.h. */
#include "suite/suite.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NAME = 100, MOST_STATUS = 255 };
static const char name_bytes[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-";

struct reading {
    struct wg_arena *arena;
    struct wg_strbuf *why;
    const char *path;
    uint32_t line;
    WG_VEC(struct wg_suite_program) all;
};

static bool fail(struct reading *r, const char *what) {
    wg_strbuf_printf(r->why, "%s:%u: %s", r->path, r->line, what);
    return false;
}

/* " (status 3)", or nothing, in front of the colon. */
static bool read_status(struct reading *r, const char *s, const char *end, int *status) {
    static const char word[] = "(status";
    s += strspn(s, " \t");
    if (s == end) return true;
    char *after = NULL;
    bool good = !strncmp(s, word, sizeof word - 1);
    if (good) s += sizeof word - 1, s += strspn(s, " \t");
    good = good && *s >= '0' && *s <= '9';
    unsigned long n = good ? strtoul(s, &after, 10) : 0;
    good = good && *after == ')' && n <= MOST_STATUS;
    if (good) after++, after += strspn(after, " \t");
    if (!good || after != end)
        return fail(
            r, "expected nothing but \"(status N)\", with N from 0 to 255, between a name and its colon");
    *status = (int)n;
    return true;
}

static bool is_taken(struct reading *r, const char *name) {
    for (uint32_t i = 0; i < r->all.n; i++) {
        if (strcmp(r->all.v[i].name, name) != 0) continue;
        fail(r, wg_arena_printf(r->arena, "program '%s' is already on line %u", name, r->all.v[i].line));
        return true;
    }
    return false;
}

static bool read_line(struct reading *r, char *s) {
    s += strspn(s, " \t\r");
    char *end = s + strlen(s);
    while (end > s && strchr(" \t\r", end[-1])) *--end = 0;
    if (!*s || *s == '#') return true;
    size_t n = strspn(s, name_bytes);
    const char *colon = strchr(s, ':');
    if (!colon) return fail(r, "expected NAME: COMMAND, such as \"saxpy: run saxpy.cu\"");
    if (!n || *s == '.' || *s == '-' || n > MOST_NAME || !strchr(" \t(:", s[n]))
        return fail(r, "a name has letters, digits, '.', '_', '+' and '-', starts with a letter or digit, "
                       "and has at most 100 characters");
    struct wg_suite_program p = {.name = wg_arena_strndup(r->arena, s, n), .line = r->line, .last = -1};
    if (is_taken(r, p.name) || !read_status(r, s + n, colon, &p.status)) return false;
    colon++, colon += strspn(colon, " \t");
    if (!*colon) return fail(r, "the command is missing, such as \"run saxpy.cu\"");
    p.command = wg_arena_strdup(r->arena, colon);
    *WG_PUSH(&r->all) = p;
    return true;
}

/* Each line up to its end, lines that a backslash continues as one. */
static bool read_lines(struct reading *r, char *text) {
    uint32_t lines = 0;
    for (char *s = text; *s;) {
        char *end = s;
        r->line = lines + 1;
        for (;; *end++ = ' ') {
            end += strcspn(end, "\n");
            lines++;
            bool continued = *end && end > s && end[-1] == '\\' && *(s + strspn(s, " \t")) != '#';
            if (!continued) break;
            end[-1] = ' ';
        }
        char *next = *end ? end + 1 : end;
        *end = 0;
        if (!read_line(r, s)) return false;
        s = next;
    }
    return true;
}

bool wg_suite_read(struct wg_arena *a, const char *path, struct wg_suite *out, struct wg_strbuf *why) {
    struct reading r = {.arena = a, .why = why, .path = path};
    struct wg_strbuf text = {0};
    bool good = wg_file_read(path, &text);
    if (!good)
        wg_strbuf_printf(why, "%s: %s", path, strerror(errno));
    else if (text.s && strlen(text.s) != text.n)
        wg_strbuf_printf(why, "%s: not a text file: it contains a zero byte", path), good = false;
    else
        good = !text.s || read_lines(&r, text.s);
    if (good && !r.all.n) {
        wg_strbuf_printf(why, "%s: no programs; each line is NAME: COMMAND, such as \"saxpy: run saxpy.cu\"",
                         path);
        good = false;
    }
    *out = (struct wg_suite){
        .path = wg_arena_strdup(a, path), .v = WG_NEW_N(a, struct wg_suite_program, r.all.n), .n = r.all.n};
    if (r.all.n) memcpy(out->v, r.all.v, r.all.n * sizeof *out->v);
    free(r.all.v);
    wg_strbuf_free(&text);
    return good;
}

static int by_time(const void *a, const void *b) {
    const struct wg_suite_program *x = *(struct wg_suite_program *const *)a,
                                  *y = *(struct wg_suite_program *const *)b;
    bool known_x = x->last >= 0, known_y = y->last >= 0;
    if (known_x != known_y) return known_x - known_y;
    if (known_x && x->last != y->last) return x->last < y->last ? 1 : -1;
    return x->line < y->line ? -1 : 1;
}

struct wg_suite_program **wg_suite_order(struct wg_arena *a, const struct wg_suite *s) {
    struct wg_suite_program **order = WG_NEW_N(a, struct wg_suite_program *, s->n);
    for (uint32_t i = 0; i < s->n; i++) order[i] = &s->v[i];
    qsort(order, s->n, sizeof *order, by_time);
    return order;
}
