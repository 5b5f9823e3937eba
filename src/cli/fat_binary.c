/* A fat binary with one text of PTX in it, not compressed: see fat_binary.h. driver/image.c reads it. */
#include "cli/fat_binary.h"
#include "base/strbuf.h"
#include "cli/say.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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
    uint16_t minor, major; /* of the PTX version */
    uint32_t arch, name_offset, name_bytes;
    uint64_t flags, unknown2, text_bytes;
};
_Static_assert(sizeof(struct header) == 16 && sizeof(struct entry) == 64, "the file's layout");

bool wg_fat_binary_write(const char *ptx, const char *arch, const char *path) {
    enum { MAGIC = (int)0xba55ed50u, KIND_PTX = 1, ALIGNMENT = 8, FLAGS_64_BIT = 0x1 };
    struct wg_strbuf text = {0}, file = {0};
    bool good = wg_file_read(ptx, &text) && text.n;
    size_t payload =
        (text.n + ALIGNMENT) & ~(size_t)(ALIGNMENT - 1); /* a zero byte, at least, ends the text */
    struct header h = {(uint32_t)MAGIC, 1, sizeof h, sizeof(struct entry) + payload};
    struct entry e = {.kind = KIND_PTX,
                      .version = 0x101,
                      .header_bytes = sizeof e,
                      .payload_bytes = payload,
                      .minor = 5,
                      .major = 8,
                      .arch = (uint32_t)atoi(arch + 3),
                      .flags = FLAGS_64_BIT};
    static const char zeros[ALIGNMENT];
    wg_strbuf_add(&file, (const char *)&h, sizeof h);
    wg_strbuf_add(&file, (const char *)&e, sizeof e);
    if (good) wg_strbuf_add(&file, text.s, text.n);
    wg_strbuf_add(&file, zeros, payload - text.n);
    good = good && wg_file_write(path, file.s, file.n);
    if (!good) wg_say("cannot write %s: %s", path, strerror(errno));
    wg_strbuf_free(&text);
    wg_strbuf_free(&file);
    return good;
}
