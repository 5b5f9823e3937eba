/* See fat_binary.h. */
#include "base/fat_binary.h"

#include <errno.h>
#include <lz4.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum {
    FLAG_64_BIT = 0x1,
    FLAG_LZ4 = 0x2000,
    FLAG_ZSTD = 0x8000,
    FLAG_ARCH_SPECIFIC = 0x100000,
    FLAG_FAMILY_SPECIFIC = 0x200000
};
enum { MAX_TEXT = 1 << 30, ALIGNMENT = 8 };

struct header {
    uint32_t magic;
    uint16_t version, header_bytes;
    uint64_t bytes; /* that follow */
};
struct entry {
    uint16_t kind, version;
    uint32_t header_bytes;
    uint64_t payload_bytes;
    uint32_t compressed_bytes, unknown1;
    uint16_t minor, major;
    uint32_t arch, name_offset, name_bytes;
    uint64_t flags, unknown2, text_bytes;
};
_Static_assert(sizeof(struct header) == WG_FAT_BINARY_HEADER && sizeof(struct entry) == 64,
               "the file's layout");

/* ---- Reading --------------------------------------------------------------------------------------------
 */

uint64_t wg_fat_binary_bytes(const void *header) {
    struct header h;
    memcpy(&h, header, sizeof h);
    bool is = h.magic == WG_FAT_BINARY_MAGIC && h.header_bytes >= sizeof h;
    return is && h.bytes <= UINT64_MAX - h.header_bytes ? h.header_bytes + h.bytes : 0;
}

static void read_name(struct wg_fat_entry *e, const struct entry *from, const uint8_t *at) {
    if (!from->name_offset || !from->name_bytes || from->name_offset > from->header_bytes ||
        from->name_bytes > from->header_bytes - from->name_offset)
        return;
    e->name = (const char *)at + from->name_offset;
    e->name_length = strnlen(e->name, from->name_bytes);
    while (e->name_length && e->name[e->name_length - 1] == ' ') e->name_length--;
}

bool wg_fat_binary_next(const void *binary, uint64_t *at, struct wg_fat_entry *e, const char **why) {
    uint64_t whole = wg_fat_binary_bytes(binary), left;
    struct header h;
    struct entry from;
    *why = NULL;
    memcpy(&h, binary, sizeof h);
    if (!*at) *at = h.header_bytes;
    const uint8_t *entry = (const uint8_t *)binary + *at;
    if (*at >= whole) return false;
    left = whole - *at;
    if (left < sizeof from) {
        *why = "its last entry is cut off";
        return false;
    }
    memcpy(&from, entry, sizeof from);
    if (from.header_bytes < sizeof from || from.header_bytes > left ||
        from.payload_bytes > left - from.header_bytes) {
        *why = "an entry extends past its end";
        return false;
    }
    *e = (struct wg_fat_entry){.kind = from.kind,
                               .arch = from.arch,
                               .major = from.major,
                               .minor = from.minor,
                               .specific = from.flags & (FLAG_ARCH_SPECIFIC | FLAG_FAMILY_SPECIFIC),
                               .payload = entry + from.header_bytes,
                               .payload_bytes = from.payload_bytes,
                               .compressed_bytes = from.compressed_bytes,
                               .text_bytes = from.text_bytes,
                               .flags = from.flags};
    read_name(e, &from, entry);
    *at += from.header_bytes + from.payload_bytes;
    return true;
}

bool wg_fat_entry_is_compressed(const struct wg_fat_entry *e) { return e->flags & (FLAG_LZ4 | FLAG_ZSTD); }

char *wg_fat_entry_text(const struct wg_fat_entry *e, size_t *n, const char **why) {
    bool packed = wg_fat_entry_is_compressed(e);
    uint64_t in = packed && e->compressed_bytes ? e->compressed_bytes : e->payload_bytes;
    uint64_t size = packed ? e->text_bytes : in;
    *why = "a PTX entry has impossible sizes";
    if (in > e->payload_bytes || !size || size > MAX_TEXT) return NULL;
    errno = EINVAL;
    char *out = malloc(size + 1); /* sets errno */
    bool good = out != NULL;
    *why = "there is no memory for its text";
    if (good && !packed) {
        memcpy(out, e->payload, size);
    } else if (good && (e->flags & FLAG_ZSTD)) {
        size_t got = ZSTD_decompress(out, size, e->payload, in);
        good = !ZSTD_isError(got) && got == size;
        *why = "its zstd-compressed PTX cannot be decompressed";
    } else if (good) {
        good = LZ4_decompress_safe((const char *)e->payload, out, (int)in, (int)size) == (int)size;
        *why = "its LZ4-compressed PTX cannot be decompressed";
    }
    if (!good) {
        free(out);
        return NULL;
    }
    out[size] = 0;
    *n = e->kind == WG_FAT_PTX ? strlen(out) : size;
    *why = NULL;
    return out;
}

/* ---- Writing --------------------------------------------------------------------------------------------
 */

void wg_fat_binary_add(struct wg_strbuf *file, enum wg_fat_kind kind, const char *arch, const char *bytes,
                       size_t n) {
    static const char zeros[ALIGNMENT];
    const char *number = strchr(arch, '_'),
               *version = kind == WG_FAT_PTX ? memmem(bytes, n, ".version", 8) : NULL;
    unsigned major = 8, minor = 5;
    char *end = NULL;
    struct header h = {WG_FAT_BINARY_MAGIC, 1, sizeof h, 0};
    struct entry e = {
        .kind = (uint16_t)kind, .version = 0x101, .header_bytes = sizeof e, .flags = FLAG_64_BIT};
    if (version) sscanf(version, ".version %u.%u", &major, &minor);
    e.major = (uint16_t)major;
    e.minor = (uint16_t)minor;
    e.arch = number ? (uint32_t)strtoul(number + 1, &end, 10) : 0;
    if (end && *end == 'a') e.flags |= FLAG_ARCH_SPECIFIC;
    if (end && *end == 'f') e.flags |= FLAG_FAMILY_SPECIFIC;
    e.payload_bytes = (n + ALIGNMENT) & ~(size_t)(ALIGNMENT - 1); /* a zero byte, at least, ends the text */
    if (!file->n) wg_strbuf_add(file, (const char *)&h, sizeof h);
    wg_strbuf_add(file, (const char *)&e, sizeof e);
    wg_strbuf_add(file, bytes, n);
    wg_strbuf_add(file, zeros, e.payload_bytes - n);
    h.bytes = file->n - sizeof h;
    memcpy(file->s, &h, sizeof h);
}

bool wg_fat_binary_wrap(const char *ptx, const char *arch, const char *path) {
    struct wg_strbuf text = {0}, file = {0};
    bool good = wg_file_read(ptx, &text);
    if (good) wg_fat_binary_add(&file, WG_FAT_PTX, arch, text.s ? text.s : "", text.n);
    good = good && wg_file_write(path, file.s, file.n);
    wg_strbuf_free(&text);
    wg_strbuf_free(&file);
    return good;
}
