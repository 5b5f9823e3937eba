/* Fat binaries: a container of device code for several architectures, as nvcc 12 and 13 write it.
 *
 *   binary    u32 magic, u16 version, u16 header bytes, u64 bytes that follow the header
 *   entry     u16 kind (1 PTX, 2 machine code), u16 version, u32 header bytes, u64 payload bytes,
 *             u32 compressed bytes, u32 -, u16 minor, u16 major, u32 arch, u32 name offset, u32 name bytes,
 *             u64 flags, u64 -, u64 bytes when decompressed                     header bytes: 64 and up
 *
 * Compressed bytes are 0 for raw payloads; a payload is padded with zero bytes at its end.
 *
 *     uint64_t at = 0;
 *     struct wg_fat_entry e;
 *     const char *why;
 *     while (wg_fat_binary_next(binary, &at, &e, &why)) ...;
 *     if (why) the binary is damaged
 */
#ifndef WG_BASE_FAT_BINARY_H
#define WG_BASE_FAT_BINARY_H
#include "base/strbuf.h"

#include <stdbool.h>
#include <stdint.h>

enum { WG_FAT_BINARY_MAGIC = 0xba55ed50u, WG_FAT_BINARY_HEADER = 16 };
enum wg_fat_kind { WG_FAT_PTX = 1, WG_FAT_MACHINE_CODE = 2 };

struct wg_fat_entry {
    uint32_t kind;         /* wg_fat_kind, or one that is not known */
    uint32_t arch;         /* 90 */
    uint32_t major, minor; /* of the PTX version */
    bool specific;         /* for this architecture or family alone: sm_90a, sm_100f */
    const char *name;      /* of the source, `name_length` characters; NULL: none */
    size_t name_length;
    /* For wg_fat_entry_text. */
    const uint8_t *payload;
    uint64_t payload_bytes, compressed_bytes, text_bytes, flags;
};

/* The bytes of the fat binary whose header of WG_FAT_BINARY_HEADER bytes this is, with the header. 0: it is none. */
uint64_t wg_fat_binary_bytes(const void *header);
/* The entry at `*at`, which is 0 for the first, of a binary all of whose bytes can be read. False at the end, with `*why`
 * NULL, and where the binary is damaged. */
bool wg_fat_binary_next(const void *binary, uint64_t *at, struct wg_fat_entry *e, const char **why);
bool wg_fat_entry_is_compressed(const struct wg_fat_entry *e);
/* The bytes, decompressed, with a zero byte at text[*n]; malloc'ed. PTX ends before the padding. NULL, with a
 * reason; errno is ENOMEM where there is no memory. */
char *wg_fat_entry_text(const struct wg_fat_entry *e, size_t *n, const char **why);

/* Adds an entry for a machine such as "sm_90" or "compute_90a" to the binary in `file`, which is empty at first. */
void wg_fat_binary_add(struct wg_strbuf *file, enum wg_fat_kind kind, const char *arch, const char *bytes,
                       size_t n);
/* The text in the file `ptx` as a binary of its own, the file `path`. False with errno set. */
bool wg_fat_binary_wrap(const char *ptx, const char *arch, const char *path);
#endif
