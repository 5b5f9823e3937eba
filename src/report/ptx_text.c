/* See ptx_text.h. */
#include "report/ptx_text.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

bool wg_ptx_starts(const char *op, const char *with) { return !strncmp(op, with, strlen(with)); }

/* Where the first operand ends, which may be "{%r1, %r2}". */
static const char *behind_first(const char *at) {
    int depth = 0;
    for (; *at && (*at != ',' || depth); at++) depth += (*at == '{') - (*at == '}');
    return at;
}

struct wg_ptx_text wg_ptx_text(const char *text) {
    struct wg_ptx_text t = {0};
    if (*text == '@') {
        t.guard = strchr(text, '%');
        text += strcspn(text, " ");
        text += strspn(text, " ");
    }
    size_t n = strcspn(text, " ");
    snprintf(t.op, sizeof t.op, "%.*s", (int)n, text);
    t.operands = t.sources = text + n;
    t.writes = !wg_ptx_starts(t.op, "st.") && !wg_ptx_starts(t.op, "bra") && !wg_ptx_starts(t.op, "red.") &&
               !wg_ptx_starts(t.op, "bar") && !wg_ptx_starts(t.op, "call") && !wg_ptx_starts(t.op, "cp.");
    if (t.writes) t.sources = behind_first(t.operands);
    return t;
}

size_t wg_ptx_length(const char *name) {
    size_t n = 1;
    while (isalnum((unsigned char)name[n]) || name[n] == '_' || name[n] == '$' || name[n] == '.') n++;
    return n;
}

bool wg_ptx_next(const char **at, const char *end, const char **name, size_t *n) {
    const char *s = strchr(*at, '%');
    if (!s || (end && s >= end)) return false;
    *name = s, *n = wg_ptx_length(s);
    *at = s + *n;
    return true;
}

struct wg_ptx_names wg_ptx_names(const struct wg_profile_kernel *k, struct wg_arena *a) {
    struct wg_ptx_names names = {.mask = 255};
    uint32_t most = 0; /* registers that the texts name */
    for (uint32_t i = 0; i < k->code_count; i++)
        for (const char *s = k->code[i].text; s && (s = strchr(s, '%')); s++) most++;
    while (names.mask < 2 * most) names.mask = names.mask * 2 + 1;
    names.v = WG_NEW_N(a, struct wg_ptx_register, names.mask + 1);
    return names;
}

uint32_t wg_ptx_name(struct wg_ptx_names *names, const char *name, size_t n) {
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < n; i++) h = (h ^ (unsigned char)name[i]) * 16777619u;
    for (;; h++) {
        struct wg_ptx_register *r = &names->v[h & names->mask];
        if (!r->name) *r = (struct wg_ptx_register){name, n};
        if (r->n == n && !memcmp(r->name, name, n)) return h & names->mask;
    }
}
