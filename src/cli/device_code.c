/* See device_code.h.
 *
 *     .nv_fatbin        containers, each at a multiple of 8, or texts of PTX that end with a zero byte
 *     __nv_relfatbin    the same of -rdc=true
 */
#include "cli/device_code.h"
#include "cli/object_file.h"
#include "cli/say.h"

#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct walk {
    const char *path;
    bool (*fn)(void *user, const struct wg_device_code *code);
    void *user;
};

static bool damaged(const struct walk *w, const char *why) {
    wg_say("%s: its device code is damaged: %s", w->path, why);
    return false;
}

static bool take_entry(const struct walk *w, const struct wg_fat_entry *e) {
    const char *why;
    struct wg_device_code code = {.kind = (enum wg_fat_kind)e->kind,
                                  .arch = e->arch,
                                  .specific = e->specific,
                                  .compressed = wg_fat_entry_is_compressed(e)};
    if (e->kind != WG_FAT_PTX && e->kind != WG_FAT_MACHINE_CODE)
        return true; /* NVVM's, which nobody asks for */
    char *bytes = wg_fat_entry_text(e, &code.n, &why);
    if (!bytes) return damaged(w, why);
    code.bytes = bytes;
    bool good = w->fn(w->user, &code);
    free(bytes);
    return good;
}

static bool take_binary(const struct walk *w, const char *bytes, size_t n, uint64_t *whole) {
    uint64_t at = 0;
    struct wg_fat_entry e;
    const char *why;
    *whole = n < WG_FAT_BINARY_HEADER ? 0 : wg_fat_binary_bytes(bytes);
    if (!*whole || *whole > n) return damaged(w, "a container is cut off");
    while (wg_fat_binary_next(bytes, &at, &e, &why))
        if (!take_entry(w, &e)) return false;
    return why ? damaged(w, why) : true;
}

/* `bytes` need not end with a zero byte. */
static bool take_text(const struct walk *w, const char *bytes, size_t n) {
    struct wg_device_code code = {.kind = WG_FAT_PTX, .n = n};
    char *text = strndup(bytes, n), end = 0;
    const char *target = text ? strstr(text, ".target") : NULL;
    if (!text) return damaged(w, "there is no memory for its text");
    if (target && sscanf(target, ".target sm_%u%c", &code.arch, &end) < 1) code.arch = 0;
    code.specific = end == 'a' || end == 'f';
    code.bytes = text;
    bool good = w->fn(w->user, &code);
    free(text);
    return good;
}

static bool is_binary(const char *bytes, size_t n) {
    static const uint32_t magic = WG_FAT_BINARY_MAGIC;
    return n >= sizeof magic && !memcmp(bytes, &magic, sizeof magic);
}

static bool take_section(const struct walk *w, const char *bytes, size_t n) {
    for (size_t at = 0; at < n;) {
        uint64_t length = 0;
        if (!bytes[at]) {
            at++;
        } else if (is_binary(bytes + at, n - at)) {
            if (!take_binary(w, bytes + at, n - at, &length)) return false;
        } else if (bytes[at] == '.' || bytes[at] == '/' || isspace((unsigned char)bytes[at])) {
            length = strnlen(bytes + at, n - at);
            if (!take_text(w, bytes + at, length)) return false;
        } else {
            return damaged(w, "what lies in its section is neither PTX nor a container");
        }
        at += length;
    }
    return true;
}

static bool take_file(const struct walk *w, const char *bytes, size_t n);

static bool take_archive(const struct walk *w, const char *bytes, size_t n) {
    struct wg_member m;
    for (size_t at = 0; wg_archive_next(bytes, n, &at, &m);)
        if (m.size > SELFMAG && !memcmp(m.bytes, ELFMAG, SELFMAG) && !take_file(w, m.bytes, m.size))
            return false;
    return true;
}

static bool take_elf(const struct walk *w, const char *bytes, size_t n) {
    enum { MACHINE_CUDA = 190 };
    Elf64_Ehdr head = {0};
    struct wg_section s;
    memcpy(&head, bytes, n < sizeof head ? n : sizeof head);
    if (head.e_machine == MACHINE_CUDA) {
        struct wg_device_code code = {.kind = WG_FAT_MACHINE_CODE, .bytes = bytes, .n = n};
        code.arch = head.e_flags >> 8 & 0xff; /* of CUDA 13's; before, in the lowest byte */
        if (head.e_ident[EI_ABIVERSION] < 8) code.arch = head.e_flags & 0xff;
        return w->fn(w->user, &code);
    }
    for (uint32_t i = 0; wg_object_next_section(bytes, n, &i, &s);)
        if ((!strcmp(s.name, ".nv_fatbin") || !strcmp(s.name, "__nv_relfatbin")) &&
            !take_section(w, s.bytes, s.size))
            return false;
    return true;
}

static bool take_file(const struct walk *w, const char *bytes, size_t n) {
    if (wg_is_archive(bytes, n)) return take_archive(w, bytes, n);
    if (n > SELFMAG && !memcmp(bytes, ELFMAG, SELFMAG)) return take_elf(w, bytes, n);
    if (is_binary(bytes, n) || memmem(bytes, n, ".version", 8)) return take_section(w, bytes, n);
    wg_say("%s: this is no PTX, container of device code, object, library or executable", w->path);
    return false;
}

bool wg_device_code_each(const char *path, bool (*fn)(void *user, const struct wg_device_code *code),
                         void *user) {
    struct wg_strbuf file = {0};
    struct walk w = {path, fn, user};
    bool good = wg_file_read(path, &file);
    if (!good) wg_say("%s: %s", path, strerror(errno));
    good = good && take_file(&w, file.s ? file.s : "", file.n);
    wg_strbuf_free(&file);
    return good;
}
