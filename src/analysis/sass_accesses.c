/* See sass_accesses.h. */
#include "analysis/sass_accesses.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

/* A load or store of the machine code. */
struct found {
    uint32_t line;
    uint8_t bytes;
    bool store;
    int64_t offset; /* of its address: 16 of [R2.64+0x10] */
};
typedef WG_VEC(struct found) found_list;

/* ---- One instruction ---- */

/* "LDG.E.U8.CONSTANT R4": the width among the modifiers, 4 where it has none. */
static uint8_t bytes_of(const char *op) {
    static const struct {
        const char *name;
        uint8_t bytes;
    } widths[] = {{"U8", 1}, {"S8", 1}, {"U16", 2}, {"S16", 2}, {"64", 8}, {"128", 16}};
    size_t end = strcspn(op, " ");
    for (size_t at = 0; at < end;) {
        size_t n = strcspn(op + at, ". ");
        for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
            if (strlen(widths[i].name) == n && !strncmp(op + at, widths[i].name, n)) return widths[i].bytes;
        at += n + 1;
    }
    return 4;
}

/* The constant in the brackets of the address. */
static int64_t offset_of(const char *op) {
    const char *at = strchr(op, '['), *after = at ? strstr(at, "][") : NULL; /* desc[UR4][R2.64+0x10] */
    if (after) at = after + 1;
    size_t end = at ? strcspn(at, "]") : 0;
    for (size_t i = 0; i + 2 < end; i++)
        if (!strncmp(at + i, "0x", 2)) {
            int64_t n = (int64_t)strtoll(at + i, NULL, 16);
            return i > 0 && at[i - 1] == '-' ? -n : n;
        }
    return 0;
}

static bool read_access(const struct wg_sass_instr *in, struct found *out) {
    out->store = wg_sass_stores(in);
    if (!out->store && !wg_sass_loads(in)) return false;
    out->line = in->ptx_line;
    out->bytes = bytes_of(in->op);
    out->offset = offset_of(in->op);
    return true;
}

/* ---- All of them ---- */

static void add_func(const struct wg_sass *s, const char *name, bool *seen, found_list *all,
                     struct wg_sass_accesses *out) {
    const struct wg_sass_func *f = wg_sass_find(s, name);
    if (!f || seen[f - s->v]) return;
    seen[f - s->v] = true;
    for (uint32_t b = 0; b < f->nblocks; b++) {
        for (uint32_t i = f->blocks[b].from; i < f->blocks[b].to; i++) {
            struct found one;
            uint32_t line = f->instrs[i].ptx_line;
            if (line < out->nlines) out->any[line] = true;
            if (line && read_access(&f->instrs[i], &one)) *WG_PUSH(all) = one;
        }
        if (f->blocks[b].calls) add_func(s, f->blocks[b].calls, seen, all, out);
    }
}

static int by_line(const void *a, const void *b) {
    const struct found *x = a, *y = b;
    if (x->line != y->line) return x->line < y->line ? -1 : 1;
    if (x->store != y->store) return x->store ? 1 : -1;
    if (x->offset != y->offset) return x->offset < y->offset ? -1 : 1;
    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

/* Those of a line, sorted by their offsets. */
static struct wg_sass_access sum_up(const struct found *v, uint32_t n) {
    struct wg_sass_access one = {.n = 1, .bytes = {v[0].bytes}}, parts = one;
    bool near = v[n - 1].offset - v[0].offset <= INT8_MAX;
    for (uint32_t i = 1; i < n; i++) {
        one.differ |= v[i].bytes != v[0].bytes;
        if (v[i].offset == v[i - 1].offset) {
            near &= v[i].bytes == v[i - 1].bytes;
        } else if (near && parts.n < WG_SASS_PARTS) {
            parts.bytes[parts.n] = v[i].bytes;
            parts.shift[parts.n++] = (int8_t)(v[i].offset - v[0].offset);
        } else {
            near = false;
        }
    }
    return near ? parts : one;
}

/* The lines of the PTX that the code names, and line 0. */
static uint32_t count_lines(const struct wg_sass *s) {
    uint32_t n = 1;
    for (uint32_t f = 0; f < s->n; f++)
        for (uint32_t i = 0; i < s->v[f].ninstrs; i++)
            if (s->v[f].instrs[i].ptx_line >= n) n = s->v[f].instrs[i].ptx_line + 1;
    return n;
}

struct wg_sass_accesses *wg_sass_accesses_find(struct wg_arena *a, const struct wg_sass *s,
                                               const char *kernel) {
    if (!wg_sass_find(s, kernel)) return NULL;
    struct wg_sass_accesses *out = WG_NEW_N(a, struct wg_sass_accesses, 1);
    struct wg_hash h = WG_HASH_INIT;
    found_list all = {0};
    out->nlines = count_lines(s);
    out->loads = WG_NEW_N(a, struct wg_sass_access, out->nlines);
    out->stores = WG_NEW_N(a, struct wg_sass_access, out->nlines);
    out->any = WG_NEW_N(a, bool, out->nlines);
    add_func(s, kernel, WG_NEW_N(a, bool, s->n + 1), &all, out);
    if (all.n) qsort(all.v, all.n, sizeof *all.v, by_line);
    for (uint32_t i = 0, end; i < all.n; i = end) {
        for (end = i; end < all.n && all.v[end].line == all.v[i].line && all.v[end].store == all.v[i].store;)
            end++;
        (all.v[i].store ? out->stores : out->loads)[all.v[i].line] = sum_up(&all.v[i], end - i);
    }
    wg_hash_add(&h, out->loads, out->nlines * sizeof *out->loads);
    wg_hash_add(&h, out->stores, out->nlines * sizeof *out->stores);
    wg_hash_add(&h, out->any, out->nlines * sizeof *out->any);
    out->hash = h.a;
    free(all.v);
    return out;
}
