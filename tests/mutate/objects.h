/* In the copy that tests/mutate/run makes: machine code is kept by the LLVM code that it is made of, so that
 * kernels whose code a mutant does not change cost no compiling. WG_MUTANT_OBJECTS: the folder; none: nothing
 * is kept. */
#ifndef WG_MUTANT_OBJECTS_H
#define WG_MUTANT_OBJECTS_H
#include "base/hash.h"

static const char *wg_object_path(struct wg_emit *e, const struct wg_order *w, char path[512]) {
    const char *folder = getenv("WG_MUTANT_OBJECTS");
    if (!folder || e->access.late_adds.n) return NULL; /* those are placed by block */
    struct wg_hash h = WG_HASH_INIT;
    char key[33], *text = LLVMPrintModuleToString(e->L.module);
    uint32_t more[] = {e->many_sides, e->long_sides, e->is_long,   w->o->opt_level, w->v,
                       w->t->width,   w->tiers,      w->optimised, w->brief};
    wg_hash_str(&h, text);
    wg_hash_add(&h, more, sizeof more);
    wg_hash_hex(&h, key);
    LLVMDisposeMessage(text);
    snprintf(path, 512, "%s/%s", folder, key);
    return path;
}

/* What the cache's description has of code, of which the rest is known before. */
static bool wg_object_load(const char *path, bool *again, struct wg_strbuf *out, struct wg_cache_meta *meta) {
    struct wg_strbuf file = {0};
    uint32_t head[2];
    if (!path || !wg_file_read(path, &file)) return false;
    memcpy(head, file.s, sizeof head);
    meta->second_bytes = head[0];
    meta->quick = head[1];
    wg_strbuf_add(out, file.s + sizeof head, file.n - sizeof head);
    wg_strbuf_free(&file);
    *again = false;
    return true;
}

static void wg_object_keep(const char *path, bool made, struct wg_strbuf *out,
                           const struct wg_cache_meta *meta) {
    if (!path || !made) return;
    struct wg_strbuf file = {0};
    uint32_t head[2] = {meta->second_bytes, meta->quick};
    wg_strbuf_add(&file, (const char *)head, sizeof head);
    wg_strbuf_add(&file, out->s, out->n);
    wg_file_write(path, file.s, file.n);
    wg_strbuf_free(&file);
}
#endif
