/* A writer of fat binaries, for tests: what nvcc's fatbinary tool makes, and broken ones.
 *
 *     struct fat_binary f = {0};
 *     fat_entry(&f, (struct fat_entry){
 *         .kind = FAT_PTX, .arch = 90, .packing = FAT_ZSTD, .data = ptx, .bytes = n});
 *     fat_finish(&f);   f.bytes.s points to the binary
 */
#ifndef WG_TESTS_FAT_BINARY_H
#define WG_TESTS_FAT_BINARY_H
#include <stdint.h>
#include "base/strbuf.h"

enum { FAT_PTX = 1, FAT_ELF = 2 };
enum fat_packing { FAT_RAW, FAT_LZ4, FAT_ZSTD };
struct fat_entry {
    uint16_t kind;
    uint32_t arch;
    bool specific; /* sm_90a */
    enum fat_packing packing;
    uint32_t extra_header; /* bytes of header beyond the 64 that every entry has */
    const char *name;      /* of the source, in the header's extra part */
    const void *data;
    size_t bytes;
};
struct fat_binary {
    struct wg_strbuf bytes;
};
struct fat_wrapper {
    uint32_t magic, version;
    const void *data;
    const void *const *linked;
};
enum { FAT_WRAPPER = 0x466243b1 };

void fat_entry(struct fat_binary *f, struct fat_entry e);
void fat_finish(struct fat_binary *f);
void fat_free(struct fat_binary *f);
#endif
