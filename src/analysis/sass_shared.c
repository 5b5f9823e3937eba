/* See sass_shared.h. */
#define _GNU_SOURCE
#include "analysis/sass_shared.h"

#include <stdlib.h>
#include <string.h>

/* ---- Which kernels ---- */

/* Of further kernels together: ptxas takes 0.06 to 0.2 ms for each, and so about as long as nvdisasm to start. */
enum { INSTRUCTIONS_AT_MOST = 4000 };

struct entry {
    const char *name;
    uint32_t instructions;
};
typedef WG_VEC(struct entry) entries;

static const char *line_end(const char *at) { return at + strcspn(at, "\n"); }

/* The word in this line, or NULL. */
static const char *in_line(const char *line, const char *end, const char *word) {
    return memmem(line, (size_t)(end - line), word, strlen(word));
}

/* False: the text defines functions. */
static bool find_entries(struct wg_arena *a, const char *ptx, entries *e) {
    for (const char *at = ptx, *end; *at; at = *end ? end + 1 : end) {
        end = line_end(at);
        const char *name = *at == '.' ? in_line(at, end, ".entry ") : NULL;
        if (*at == '.' && in_line(at, end, ".func") && !in_line(at, end, ".extern")) return false;
        if (name) {
            name += strlen(".entry ");
            *WG_PUSH(e) = (struct entry){wg_arena_strndup(a, name, strcspn(name, " (\r\n")), 0};
        } else if (e->n && memchr(at, ';', (size_t)(end - at))) {
            e->v[e->n - 1].instructions++;
        }
    }
    return true;
}

const char **wg_sass_shared(struct wg_arena *a, const char *ptx, const char *kernel, uint32_t *n) {
    entries e = {0};
    uint32_t first = 0, sum = 0;
    const char **names = NULL;
    bool good = find_entries(a, ptx, &e);
    while (first < e.n && strcmp(e.v[first].name, kernel) != 0) first++;
    if (good && first < e.n) {
        names = WG_NEW_N(a, const char *, e.n);
        *n = 1;
        names[0] = e.v[first].name;
    }
    for (uint32_t i = 1; names && i < e.n; i++) {
        const struct entry *x = &e.v[(first + i) % e.n];
        if (sum + x->instructions > INSTRUCTIONS_AT_MOST) continue;
        sum += x->instructions;
        names[(*n)++] = x->name;
    }
    free(e.v);
    return names;
}

/* ---- A kernel's part ---- */

static const char SECTION[] = "\t.section\t.text.";

/* Where the kernel's section begins; `end`: where the next one does. NULL: it has none. */
static const char *find_section(const char *listing, const char *kernel, const char **end) {
    size_t n = strlen(kernel);
    const char *from = NULL;
    for (const char *at = listing; *at && !from; at = *line_end(at) ? line_end(at) + 1 : line_end(at))
        if (!strncmp(at, SECTION, sizeof SECTION - 1) && !strncmp(at + sizeof SECTION - 1, kernel, n) &&
            strchr(",\"", at[sizeof SECTION - 1 + n]))
            from = at;
    if (!from) return NULL;
    const char *next = strstr(line_end(from), "\n\t.section\t");
    *end = next ? next + 1 : from + strlen(from);
    return from;
}

/* Names with a number that goes on from kernel to kernel: labels, and functions of the assembler's own. */
static const char *const numbered[] = {"`(.L_x_", "\n.L_x_", "`($__internal_", "\n$__internal_"};
enum { NUMBERED = sizeof numbered / sizeof *numbered, OF_A_KIND = 2 };

/* Of the first of these names in a text: where its number begins, and which it is. NULL: there is none. */
static const char *find_number(const char *at, const char *end, int *which) {
    for (; at < end && (at = strpbrk(at, "`\n")) && at < end; at++)
        for (*which = 0; *which < NUMBERED; ++*which)
            if (!strncmp(at, numbered[*which], strlen(numbered[*which])))
                return at + strlen(numbered[*which]);
    return NULL;
}

bool wg_sass_cut(const char *listing, const char *kernel, struct wg_strbuf *out) {
    const char *end, *from = find_section(listing, kernel, &end), *at;
    unsigned long least[NUMBERED / OF_A_KIND] = {~0UL, ~0UL};
    int which;
    if (!from) return false;
    for (at = from; (at = find_number(at, end, &which));) {
        unsigned long number = strtoul(at, NULL, 10), *of = &least[which / OF_A_KIND];
        if (number < *of) *of = number;
    }
    for (at = from; (at = find_number(at, end, &which));) {
        char *rest;
        unsigned long number = strtoul(at, &rest, 10);
        wg_strbuf_add(out, from, (size_t)(at - from));
        wg_strbuf_printf(out, "%lu", number - least[which / OF_A_KIND]);
        from = at = rest;
    }
    wg_strbuf_add(out, from, (size_t)(end - from));
    return true;
}
