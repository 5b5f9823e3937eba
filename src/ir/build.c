/* PTX text to IR: runs the parser, then the builder's steps in order (see build.h). */
#include "ir/texture.h"
#include "ptx/parse.h"

#include <stdlib.h>
#include <string.h>

static void hash_text(struct wg_ir_module *m, const char *text, size_t len) {
    struct wg_hash h = WG_HASH_INIT;
    wg_hash_add(&h, text, len);
    m->text_hash[0] = h.a;
    m->text_hash[1] = h.b;
}

/* Code that was made with other functions of textures is other code. */
static void hash_textures(struct wg_build *b) {
    struct wg_hash h = {b->m->text_hash[0], b->m->text_hash[1]};
    if (!b->textures.n) return;
    wg_texture_library_hash(&h);
    b->m->text_hash[0] = h.a;
    b->m->text_hash[1] = h.b;
}

/* Moves a growing array into the arena. */
static void *keep(struct wg_arena *a, void *v, size_t bytes) {
    void *p = wg_arena_alloc(a, bytes);
    if (bytes) memcpy(p, v, bytes);
    free(v);
    return p;
}

/* Numbers that copies keep (analysis/inline.c), so that what is counted at a copy is the original's. */
static void number(struct wg_ir_module *m) {
    m->nids = 1;
    for (uint32_t i = 0; i < m->nfuncs; i++)
        for (uint32_t b = 0; b < m->funcs[i].nblocks; b++) {
            struct wg_ir_block *blk = &m->funcs[i].blocks[b];
            for (uint32_t k = 0; k < blk->ninstrs; k++) blk->instrs[k].id = m->nids++;
            blk->id = m->nids++;
        }
}

static void free_uses(struct wg_build *b) {
    for (uint32_t i = 0; i < b->m->nfuncs; i++) {
        free(b->uses[i].shared.v);
        free(b->uses[i].calls.v);
    }
    free(b->textures.v);
}

static void build(struct wg_build *b) {
    struct wg_ir_module *m = b->m;
    *WG_PUSH(&b->locs) = (struct wg_ir_loc){0};
    wg_scope_open(b, &b->module_scope);
    wg_build_funcs_declared(b);
    wg_build_module_vars(b);
    wg_inlines_read(b);
    for (uint32_t i = 0; i < m->nfuncs && !wg_ptx_gave_up(b->src); i++) wg_build_func(b, i);
    m->nsyms = b->syms.n;
    m->syms = keep(b->arena, b->syms.v, b->syms.n * sizeof *b->syms.v);
    m->nlocs = b->locs.n;
    m->locs = keep(b->arena, b->locs.v, b->locs.n * sizeof *b->locs.v);
    wg_locs_free(b);
    wg_inlines_free(b);
    hash_textures(b);
    if (!b->src->errors) wg_build_graph(b);
    if (!b->src->errors) number(m);
    free_uses(b);
    wg_scope_close(b);
}

/* Where functions are refused each for itself: without a kernel that can be run, the text is refused. */
static void refuse_whole(struct wg_build *b) {
    struct wg_ir_module *m = b->m;
    if (!m->nrefused) return;
    for (uint32_t i = 0; i < m->nfuncs; i++)
        if (m->funcs[i].entry && m->funcs[i].nblocks && !wg_ir_refused(m, i, NULL)) return;
    for (uint32_t i = 0; i < m->nfuncs; i++)
        if (m->funcs[i].refused) wg_ptx_repeat(b->src, m->funcs[i].refused);
}

static struct wg_ir_module *from_ptx(const char *name, const char *text, size_t len, bool apart,
                                     struct wg_diag *d) {
    if (len >= INT32_MAX) {
        wg_diag_error(d, (struct wg_pos){name, 0, 0}, NULL, "PTX of 2 GiB and more is not supported");
        return NULL;
    }
    struct wg_ir_module *m = wg_xcalloc(1, sizeof *m);
    struct wg_ptx_text src = {.text = text, .len = (uint32_t)len, .diag = d, .apart = apart};
    src.name = m->name = wg_arena_strdup(&m->arena, name ? name : "<ptx>");
    hash_text(m, text, len);
    struct wg_names names = {.arena = &m->arena};
    struct wg_ptx_module tree = {0};
    struct wg_build b = {.src = &src, .tree = &tree, .names = &names, .arena = &m->arena, .m = m};
    wg_ptx_parse(&src, &names, &b.scratch, &tree);
    if (!src.errors) {
        m->ptx_version = tree.version;
        m->sm = tree.sm;
        m->sm_specific = tree.sm_specific;
        m->records = keep(&m->arena, tree.records.v, tree.records.n * sizeof *tree.records.v);
        m->nrecords = tree.records.n;
        tree.records.v = NULL;
        build(&b);
    }
    if (!src.errors) refuse_whole(&b);
    wg_ptx_free(&tree);
    wg_arena_free(&b.scratch);
    wg_names_free(&names);
    if (!src.errors) return m;
    wg_ir_free(m);
    return NULL;
}

struct wg_ir_module *wg_ir_from_ptx(const char *name, const char *text, size_t len, struct wg_diag *d) {
    return from_ptx(name, text, len, false, d);
}

struct wg_ir_module *wg_ir_from_ptx_apart(const char *name, const char *text, size_t len, struct wg_diag *d) {
    return from_ptx(name, text, len, true, d);
}

void wg_ir_free(struct wg_ir_module *m) {
    if (!m) return;
    struct wg_arena a = m->arena;
    wg_arena_free(&a);
    free(m);
}

uint32_t wg_ir_find_func(const struct wg_ir_module *m, const char *name) {
    for (uint32_t i = 0; i < m->nfuncs; i++)
        if (strcmp(m->funcs[i].name, name) == 0) return i;
    return WG_NO_REG;
}
