/* The table of names: see name.h. */
#include "ptx/name.h"

#include <stdlib.h>
#include <string.h>

static uint32_t hash(const char *s, uint32_t len) {
    uint32_t h = 2166136261u;
    for (uint32_t i = 0; i < len; i++) h = (h ^ (uint8_t)s[i]) * 16777619u;
    return h ^ h >> 15;
}

static struct wg_name **find(struct wg_names *names, const char *s, uint32_t len, uint32_t h) {
    uint32_t i = h & (names->cap - 1);
    while (names->table[i] && (names->table[i]->hash != h || names->table[i]->len != len ||
                               memcmp(names->table[i]->s, s, len) != 0))
        i = (i + 1) & (names->cap - 1);
    return &names->table[i];
}

static void grow(struct wg_names *names) {
    struct wg_name **old = names->table;
    uint32_t n = names->cap;
    names->cap = n ? n * 2 : 256;
    names->table = wg_xcalloc(names->cap, sizeof *names->table);
    for (uint32_t i = 0; i < n; i++)
        if (old[i]) *find(names, old[i]->s, old[i]->len, old[i]->hash) = old[i];
    free(old);
}

/* %r57 -> %r, 57. Numbers as .reg %r<N> makes them: no leading zeros. */
static void split_number(struct wg_names *names, struct wg_name *n) {
    uint32_t stem = n->len;
    while (stem && n->s[stem - 1] >= '0' && n->s[stem - 1] <= '9') stem--;
    uint32_t digits = n->len - stem;
    if (!stem || !digits || digits > 8 || (digits > 1 && n->s[stem] == '0')) return;
    n->number = (uint32_t)strtoul(n->s + stem, NULL, 10);
    n->stem = wg_name_intern(names, n->s, stem);
}

struct wg_name *wg_name_intern(struct wg_names *names, const char *s, uint32_t len) {
    if (names->n * 2 >= names->cap) grow(names);
    uint32_t h = hash(s, len);
    struct wg_name **at = find(names, s, len, h);
    if (*at) return *at;
    struct wg_name *n = WG_NEW(names->arena, struct wg_name);
    *at = n;
    names->n++;
    n->s = wg_arena_strndup(names->arena, s, len);
    n->len = len;
    n->hash = h;
    split_number(names, n);
    return n;
}

void wg_names_free(struct wg_names *names) {
    free(names->table);
    names->table = NULL;
    names->n = names->cap = 0;
}
