/* See fat_binary.h; the layout is told in base/fat_binary.h, and written here once more for what reads it. */
#include "tests/runtime/fat_binary.h"
#include <lz4.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

struct header {
    uint32_t magic;
    uint16_t version, header_bytes;
    uint64_t bytes;
};
struct entry_header {
    uint16_t kind, version;
    uint32_t header_bytes;
    uint64_t payload_bytes;
    uint32_t compressed_bytes, options;
    uint16_t minor, major;
    uint32_t arch, name_offset, name_bytes;
    uint64_t flags, zero, text_bytes;
};

static size_t padded(size_t n) { return (n + 7) & ~(size_t)7; }

void fat_entry(struct fat_binary *f, struct fat_entry e) {
    static const char zeros[8];
    if (!f->bytes.n) wg_strbuf_add(&f->bytes, (const char *)&(struct header){0}, sizeof(struct header));
    size_t room = ZSTD_compressBound(e.bytes) + (size_t)LZ4_compressBound((int)e.bytes), packed = e.bytes;
    char *payload = calloc(1, room + 8);
    if (e.packing == FAT_ZSTD)
        packed = ZSTD_compress(payload, room, e.data, e.bytes, 3);
    else if (e.packing == FAT_LZ4)
        packed = (size_t)LZ4_compress_default(e.data, payload, (int)e.bytes, (int)room);
    else
        memcpy(payload, e.data, e.bytes);
    size_t name_bytes = e.name ? strlen(e.name) : 0, extra = padded(e.extra_header + name_bytes);
    struct entry_header h = {.kind = e.kind,
                             .version = 0x101,
                             .header_bytes = (uint32_t)(sizeof h + extra),
                             .payload_bytes = padded(packed),
                             .compressed_bytes = e.packing == FAT_RAW ? 0 : (uint32_t)packed,
                             .major = 8,
                             .arch = e.arch,
                             .name_offset = e.name ? sizeof h : 0,
                             .name_bytes = (uint32_t)name_bytes,
                             .flags = 0x11u |
                                      (e.packing == FAT_ZSTD  ? 0x8000u
                                       : e.packing == FAT_LZ4 ? 0x2000u
                                                              : 0) |
                                      (e.specific ? 0x100000u : 0),
                             .text_bytes = e.packing == FAT_RAW ? 0 : e.bytes};
    wg_strbuf_add(&f->bytes, (const char *)&h, sizeof h);
    if (e.name) wg_strbuf_add(&f->bytes, e.name, name_bytes);
    for (size_t i = name_bytes; i < extra; i++) wg_strbuf_add(&f->bytes, zeros, 1);
    wg_strbuf_add(&f->bytes, payload, packed);
    wg_strbuf_add(&f->bytes, zeros, padded(packed) - packed);
    free(payload);
}

void fat_finish(struct fat_binary *f) {
    if (!f->bytes.n) wg_strbuf_add(&f->bytes, (const char *)&(struct header){0}, sizeof(struct header));
    struct header h = {0xba55ed50u, 1, sizeof h, f->bytes.n - sizeof h};
    memcpy(f->bytes.s, &h, sizeof h);
}
void fat_free(struct fat_binary *f) { wg_strbuf_free(&f->bytes); }
