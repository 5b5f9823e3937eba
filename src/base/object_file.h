/* The sections of an object or executable, and the members of a library, in memory.
 *
 *     uint32_t i = 0;
 *     struct wg_section s;
 *     while (wg_object_next_section(bytes, size, &i, &s)) ...;
 */
#ifndef WG_BASE_OBJECT_FILE_H
#define WG_BASE_OBJECT_FILE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wg_section {
    const char *name; /* "": its name is damaged */
    uint32_t type;    /* SHT_PROGBITS, ... */
    const char *bytes;
    uint64_t size;
};
/* The section after number `*i` that has bytes. False behind the last one, and for what is no 64-bit ELF file. `bytes` may lie
 * at any address, and end with a NUL that is not theirs. */
bool wg_object_next_section(const char *bytes, size_t size, uint32_t *i, struct wg_section *s);

struct wg_member {
    const char *bytes;
    size_t size;
};
bool wg_is_archive(const char *bytes, size_t size);
/* The member at `*at`, which is 0 for the first one. False behind the last one. */
bool wg_archive_next(const char *bytes, size_t size, size_t *at, struct wg_member *m);
#endif
