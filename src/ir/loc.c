/* .loc to module->locs: one entry a distinct place, chained where code was inlined.
 *
 *     .loc 1 30 2                                                      the call, in its function
 *     .loc 1 20 5, function_name $L__info_string0, inlined_at 1 30 2   inlined code: its chain goes to 1 30 2
 *
 * clang writes the first half only; what was inlined where is in its debugging information: inlined.c.
 *
 * The place after inlined_at names a .loc that stood before it in the same function, with a chain of its own.
 */
#include "base/mangled.h"
#include "ir/build.h"

#include <stdlib.h>
#include <string.h>

struct entry {
    struct wg_ir_loc key;
    uint32_t index; /* 0: free */
};
/* The last .loc of a file, line and column in the function at hand: what inlined_at refers to. */
struct site {
    uint32_t file, line, col, func, index;
};
struct wg_locs {
    struct entry *table;
    uint32_t n, cap;
    struct site *sites;
    uint32_t nsites, site_cap;
    uint32_t func;
    struct {
        struct wg_name *label;
        uint32_t plus;
        const char *text;
    } last_name;
};

static uint32_t mix(uint32_t h, uint64_t x) { return (uint32_t)((h ^ x ^ x >> 32) * 0x9e3779b1u) ^ h >> 15; }

static uint32_t hash_loc(const struct wg_ir_loc *l) {
    uint32_t h = mix(1, (uintptr_t)l->file);
    h = mix(mix(mix(h, l->line), l->col), l->inlined_at);
    return mix(h, (uintptr_t)l->function);
}

static bool same(const struct wg_ir_loc *a, const struct wg_ir_loc *b) {
    return a->file == b->file && a->line == b->line && a->col == b->col && a->inlined_at == b->inlined_at &&
           a->function == b->function;
}

static struct entry *find(struct wg_locs *t, const struct wg_ir_loc *key) {
    uint32_t i = hash_loc(key) & (t->cap - 1);
    while (t->table[i].index && !same(&t->table[i].key, key)) i = (i + 1) & (t->cap - 1);
    return &t->table[i];
}

static uint32_t intern(struct wg_build *b, const struct wg_ir_loc *key) {
    struct wg_locs *t = b->loc_table;
    if (t->n * 2 >= t->cap) {
        struct entry *old = t->table;
        uint32_t cap = t->cap;
        t->cap = cap ? cap * 2 : 256;
        t->table = wg_xcalloc(t->cap, sizeof *t->table);
        for (uint32_t i = 0; i < cap; i++)
            if (old[i].index) *find(t, &old[i].key) = old[i];
        free(old);
    }
    struct entry *e = find(t, key);
    if (e->index) return e->index;
    e->key = *key;
    e->index = b->locs.n;
    *WG_PUSH(&b->locs) = *key;
    t->n++;
    return e->index;
}

static struct site *find_site(struct wg_locs *t, uint32_t file, uint32_t line, uint32_t col) {
    uint32_t i = mix(mix(mix(7, file), line), col) & (t->site_cap - 1);
    struct site *s;
    /* Entries of earlier functions count as free, but are stepped over so that chains stay whole. */
    for (; (s = &t->sites[i])->func; i = (i + 1) & (t->site_cap - 1))
        if (s->file == file && s->line == line && s->col == col) break;
    return s;
}

static void note_site(struct wg_locs *t, uint32_t file, uint32_t line, uint32_t col, uint32_t index) {
    if (t->nsites * 2 >= t->site_cap) {
        struct site *old = t->sites;
        uint32_t cap = t->site_cap;
        t->site_cap = cap ? cap * 2 : 256;
        t->sites = wg_xcalloc(t->site_cap, sizeof *t->sites);
        for (uint32_t i = 0; i < cap; i++)
            if (old[i].func) *find_site(t, old[i].file, old[i].line, old[i].col) = old[i];
        free(old);
    }
    struct site *s = find_site(t, file, line, col);
    if (!s->func) t->nsites++;
    *s = (struct site){file, line, col, t->func, index};
}

void wg_locs_begin(struct wg_build *b, struct wg_fn *f) {
    if (!b->loc_table) b->loc_table = wg_xcalloc(1, sizeof *b->loc_table);
    b->loc_table->func = f->index + 1;
}

/* The length of the "./" that clang puts before a file named without a folder: people name it without. */
static size_t here(const char *path) { return strncmp(path, "./", 2) == 0 ? 2 : 0; }

static const char *file_path(struct wg_build *b, uint32_t index) {
    for (uint32_t i = 0; i < b->tree->files.n; i++)
        if (b->tree->files.v[i].index == index)
            return b->tree->files.v[i].path + here(b->tree->files.v[i].path);
    return NULL;
}

/* nvcc writes mangled names. */
static const char *readable(struct wg_build *b, const char *name) {
    char *text = wg_function_name(name);
    const char *kept = wg_name_intern(b->names, text, (uint32_t)strlen(text))->s;
    free(text);
    return kept;
}

/* The string at label + plus, kept once so that equal names are equal pointers. */
static const char *function_name(struct wg_build *b, struct wg_name *label, uint32_t plus) {
    struct wg_locs *t = b->loc_table;
    if (t->last_name.label == label && t->last_name.plus == plus) return t->last_name.text;
    const char *text = NULL;
    for (uint32_t i = 0; i < b->tree->strings.n && !text; i++) {
        const struct wg_ptx_string *s = &b->tree->strings.v[i];
        if (s->label != label || plus >= s->len) continue;
        const char *at = s->bytes + plus;
        text = readable(b, wg_name_intern(b->names, at, (uint32_t)strnlen(at, s->len - plus))->s);
    }
    t->last_name.label = label;
    t->last_name.plus = plus;
    t->last_name.text = text;
    return text;
}

static uint32_t inlined_at(struct wg_build *b, const struct wg_ptx_loc *l) {
    struct wg_locs *t = b->loc_table;
    if (t->site_cap) {
        struct site *s = find_site(t, l->at_file, l->at_line, l->at_col);
        if (s->func == t->func) return s->index;
    }
    struct wg_ir_loc at = {.file = file_path(b, l->at_file), .line = l->at_line, .col = l->at_col};
    return at.line ? intern(b, &at) : 0;
}

/* The place of a call that was inlined, in the calls around it. */
static uint32_t call_place(struct wg_build *b, const struct wg_inline *call) {
    struct wg_ir_loc at = {.file = file_path(b, call->file), .line = call->line, .col = call->col};
    if (call->parent) {
        at.inlined_at = call_place(b, call->parent);
        at.function = call->parent->function;
    }
    return intern(b, &at);
}

uint32_t wg_loc_index(struct wg_build *b, struct wg_fn *f, const struct wg_ptx_loc *l) {
    /* Line 0: the compiler's own code, of no line. */
    if (!l->line) return 0;
    struct wg_ir_loc key = {.file = file_path(b, l->file), .line = l->line, .col = l->col};
    if (l->inlined) key.inlined_at = inlined_at(b, l);
    const struct wg_inline *call = l->inlined ? NULL : wg_inlines_now(b);
    if (call) {
        key.inlined_at = call_place(b, call);
        key.function = call->function;
    }
    if (l->function) key.function = function_name(b, l->function, l->function_plus);
    uint32_t index = intern(b, &key);
    note_site(b->loc_table, l->file, l->line, l->col, index);
    return index;
}

void wg_locs_free(struct wg_build *b) {
    if (!b->loc_table) return;
    free(b->loc_table->table);
    free(b->loc_table->sites);
    free(b->loc_table);
    b->loc_table = NULL;
}
