/* Origin tracking of undefined values in memory, for the check of initialisation: where a value that a kernel
 * stored was first read.
 *
 * Each word of the arena to which something undefined was written has an entry after the shadows (memory.h):
 * where the value was first read from, and by which instruction. Only the entries of such words cost memory.
 */
#ifndef WG_MACHINE_MEMORY_ORIGIN_H
#define WG_MACHINE_MEMORY_ORIGIN_H
#include "check/finding.h"
#include "machine/memory/memory.h"

struct wg_origin {
    struct wg_finding_memory memory; /* that nobody wrote; `address` is the value's own */
    const char *read_at;             /* "copy.cu:7:62 in copy(int const*, int*)" */
    const char *says; /* not NULL: the value comes from no memory; a sentence about its source */
};
struct wg_origins;
struct wg_origins *wg_origins_new(void);
void wg_origins_free(struct wg_origins *o);

/* The number of the origin: instruction `id` of the module read memory that begins at memory->base. For
 * values from no memory the base is any unique key. 0: there are too many. Texts are copied. */
uint32_t wg_origin_number(struct wg_origins *o, uint64_t module, uint32_t id, const struct wg_origin *x);
/* The number that it has already; 0: none, and its texts are wanted. */
uint32_t wg_origin_known(struct wg_origins *o, uint64_t module, uint32_t id, uint64_t base);
/* Sets the origin of the words of [at, at + bytes): address `from` of the numbered origin; 0: not known. */
void wg_origin_set(struct wg_memory *m, uint64_t at, uint64_t bytes, uint32_t number, uint64_t from);
/* Copies the origins of [from, from + bytes). */
void wg_origin_copy(struct wg_memory *m, uint64_t at, uint64_t from, uint64_t bytes);
void wg_origin_clear(const struct wg_memory *m, uint64_t at, uint64_t bytes);
/* Finds the origin of the first undefined word of [at, at + bytes) that has one. */
bool wg_origin_find(const struct wg_memory *m, struct wg_origins *o, uint64_t at, uint64_t bytes,
                    struct wg_origin *out);
/* Reads its entry, to be set elsewhere; false: there is none. */
bool wg_origin_entry(const struct wg_memory *m, uint64_t at, uint64_t bytes, uint32_t *number,
                     uint64_t *from);
#endif
