/* In the copy that tests/mutate/run makes: machine code is kept by the LLVM code that it is made of, so that
 * kernels whose code a mutant does not change cost no compiling. WG_MUTANT_OBJECTS: the folder; none: nothing
 * is kept. */
#ifndef WG_MUTANT_OBJECTS_H
#define WG_MUTANT_OBJECTS_H
#include "base/hash.h"

static const char *wg_object_path(struct wg_emit *e, const struct wg_order *w, char path[512]) {
    const char *folder = getenv("WG_MUTANT_OBJECTS");
    if (!folder || e->late_adds.n) return NULL; /* those are placed by block */
    struct wg_hash h = WG_HASH_INIT;
    char key[33], *text = LLVMPrintModuleToString(e->L.module);
    uint32_t more[] = {e->many_sides, e->long_sides, e->is_long, w->o->opt_level, w->v, w->t->width};
    wg_hash_str(&h, text);
    wg_hash_add(&h, more, sizeof more);
    wg_hash_hex(&h, key);
    LLVMDisposeMessage(text);
    snprintf(path, 512, "%s/%s", folder, key);
    return path;
}

static bool wg_object_load(const char *path, bool *again, struct wg_strbuf *out, uint32_t *second) {
    struct wg_strbuf file = {0};
    if (!path || !wg_file_read(path, &file)) return false;
    memcpy(second, file.s, sizeof *second);
    wg_strbuf_add(out, file.s + sizeof *second, file.n - sizeof *second);
    wg_strbuf_free(&file);
    *again = false;
    return true;
}

static bool wg_object_keep(const char *path, bool made, struct wg_strbuf *out, uint32_t second) {
    if (!path || !made) return made;
    struct wg_strbuf file = {0};
    wg_strbuf_add(&file, (const char *)&second, sizeof second);
    wg_strbuf_add(&file, out->s, out->n);
    wg_file_write(path, file.s, file.n);
    wg_strbuf_free(&file);
    return true;
}
#endif
