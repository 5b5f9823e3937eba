/* See code_entries.h. */
#include "cli/code_entries.h"
#include "base/arena.h"
#include "base/device_code.h"
#include "cli/say.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct walk {
    bool (*fn)(void *user, const struct wg_code_entry *entry);
    void *user;
    const char *why;
};

static bool take_entry(struct walk *w, const struct wg_fat_entry *e) {
    struct wg_code_entry entry = {.kind = (enum wg_fat_kind)e->kind,
                                  .arch = e->arch,
                                  .specific = e->specific,
                                  .compressed = wg_fat_entry_is_compressed(e)};
    if (e->kind != WG_FAT_PTX && e->kind != WG_FAT_MACHINE_CODE)
        return true; /* NVVM's, which nobody asks for */
    char *bytes = wg_fat_entry_text(e, &entry.n, &w->why);
    if (!bytes) return false;
    entry.bytes = bytes;
    bool good = w->fn(w->user, &entry);
    free(bytes);
    return good;
}

static bool take_container(struct walk *w, const char *bytes) {
    uint64_t at = 0;
    struct wg_fat_entry e;
    while (wg_fat_binary_next(bytes, &at, &e, &w->why))
        if (!take_entry(w, &e)) return false;
    return !w->why;
}

static bool take_text(struct walk *w, const struct wg_code_piece *piece) {
    struct wg_code_entry entry = {.kind = WG_FAT_PTX, .n = piece->n};
    char *text = wg_xcalloc(1, piece->n + 1);
    memcpy(text, piece->bytes, piece->n);
    entry.arch = wg_code_target(text, piece->n, &entry.specific);
    entry.bytes = text;
    bool good = w->fn(w->user, &entry);
    free(text);
    return good;
}

static bool take_piece(void *user, const struct wg_code_piece *piece) {
    struct walk *w = user;
    if (piece->kind == WG_CODE_CONTAINER) return take_container(w, piece->bytes);
    if (piece->kind == WG_CODE_TEXT) return take_text(w, piece);
    struct wg_code_entry entry = {
        .kind = WG_FAT_MACHINE_CODE, .bytes = piece->bytes, .n = piece->n, .arch = piece->arch};
    return w->fn(w->user, &entry);
}

bool wg_code_entries(const char *path, bool (*fn)(void *user, const struct wg_code_entry *entry),
                     void *user) {
    struct wg_strbuf file = {0};
    struct walk w = {fn, user, NULL};
    const char *why = NULL;
    bool good = wg_file_read(path, &file);
    if (!good) wg_say("%s: %s", path, strerror(errno));
    good = good && wg_device_code_pieces(file.s ? file.s : "", file.n, take_piece, &w, &why);
    if (w.why) why = w.why;
    if (why) wg_say("%s: %s", path, why);
    wg_strbuf_free(&file);
    return good;
}
