/* See device_code.h. */
#include "base/device_code.h"
#include "base/fat_binary.h"
#include "base/object_file.h"

#include <ctype.h>
#include <elf.h>
#include <string.h>

struct walk {
    bool (*fn)(void *user, const struct wg_code_piece *piece);
    void *user;
    const char *why;
};

static bool damaged(struct walk *w, const char *why) {
    w->why = why;
    return false;
}

static bool is_container(const char *bytes, size_t n) {
    static const uint32_t magic = WG_FAT_BINARY_MAGIC;
    return n >= sizeof magic && !memcmp(bytes, &magic, sizeof magic);
}

static bool is_elf(const char *bytes, size_t n) { return n > SELFMAG && !memcmp(bytes, ELFMAG, SELFMAG); }

/* `*length`: of the piece. */
static bool take_piece(struct walk *w, const char *bytes, size_t n, uint64_t *length) {
    struct wg_code_piece piece = {.kind = WG_CODE_TEXT, .bytes = bytes};
    if (is_container(bytes, n)) {
        piece.kind = WG_CODE_CONTAINER;
        *length = n < WG_FAT_BINARY_HEADER ? 0 : wg_fat_binary_bytes(bytes);
        if (!*length || *length > n) return damaged(w, "a container is cut off");
    } else if (*bytes == '.' || *bytes == '/' || isspace((unsigned char)*bytes)) {
        *length = strnlen(bytes, n);
    } else {
        return damaged(w, "what lies in a section of device code is neither PTX nor a container");
    }
    piece.n = *length;
    return w->fn(w->user, &piece);
}

static bool take_section(struct walk *w, const char *bytes, size_t n) {
    for (size_t at = 0; at < n;) {
        uint64_t length = 1;
        if (bytes[at] && !take_piece(w, bytes + at, n - at, &length)) return false;
        at += length;
    }
    return true;
}

static bool take_file(struct walk *w, const char *bytes, size_t n);

static bool take_archive(struct walk *w, const char *bytes, size_t n) {
    struct wg_member m;
    for (size_t at = 0; wg_archive_next(bytes, n, &at, &m);)
        if (is_elf(m.bytes, m.size) && !take_file(w, m.bytes, m.size)) return false;
    return true;
}

static bool take_elf(struct walk *w, const char *bytes, size_t n) {
    enum { MACHINE_CUDA = 190, NEW_FLAGS = 8 };
    Elf64_Ehdr head = {0};
    struct wg_section s;
    memcpy(&head, bytes, n < sizeof head ? n : sizeof head);
    if (head.e_machine == MACHINE_CUDA) {
        struct wg_code_piece piece = {WG_CODE_MACHINE, bytes, n, head.e_flags >> 8 & 0xff};
        if (head.e_ident[EI_ABIVERSION] < NEW_FLAGS) piece.arch = head.e_flags & 0xff; /* before CUDA 13 */
        return w->fn(w->user, &piece);
    }
    for (uint32_t i = 0; wg_object_next_section(bytes, n, &i, &s);)
        if ((!strcmp(s.name, ".nv_fatbin") || !strcmp(s.name, "__nv_relfatbin")) &&
            !take_section(w, s.bytes, s.size))
            return false;
    return true;
}

static bool take_file(struct walk *w, const char *bytes, size_t n) {
    if (wg_is_archive(bytes, n)) return take_archive(w, bytes, n);
    if (is_elf(bytes, n)) return take_elf(w, bytes, n);
    if (is_container(bytes, n) || memmem(bytes, n, ".version", 8)) return take_section(w, bytes, n);
    return damaged(w, "this is no PTX, container of device code, object, library or executable");
}

bool wg_device_code_pieces(const char *bytes, size_t n,
                           bool (*fn)(void *user, const struct wg_code_piece *piece), void *user,
                           const char **why) {
    struct walk w = {fn, user, NULL};
    bool good = take_file(&w, bytes, n);
    *why = w.why;
    return good;
}

uint32_t wg_code_target(const char *text, size_t n, bool *specific) {
    const char *p = text, *end = text + n;
    *specific = false;
    while ((p = memmem(p, (size_t)(end - p), ".target", 7))) {
        p += 7;
        const char *line = memchr(p, '\n', (size_t)(end - p));
        const char *sm = memmem(p, (size_t)((line ? line : end) - p), "sm_", 3);
        if (!sm) continue;
        uint32_t arch = 0;
        for (p = sm + 3; p < end && isdigit((unsigned char)*p) && arch < 10000; p++)
            arch = arch * 10 + (uint32_t)(*p - '0');
        *specific = p < end && (*p == 'a' || *p == 'f');
        return arch;
    }
    return 0;
}
