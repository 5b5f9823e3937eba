/* Reserved addresses (cuMemAddressReserve), and what is mapped to them (cuMemMap): memory whose place the program
 * chose.
 *
 *     [mapped, accessible|mapped, accessible|mapped, no access|  nothing mapped  ]guard
 *     |<-------------- one span ----------->|                                    |
 *
 * Neighbours with the same access are one span for all that asks where memory is: an allocation grows by
 * mapping more behind it. What is mapped becomes accessible only when the program says to which devices. After
 * accessible memory there is a page that can be read, as after any allocation (memory.h); everything else of a
 * reservation faults, however near.
 */
#ifndef WG_MACHINE_MEMORY_RESERVED_H
#define WG_MACHINE_MEMORY_RESERVED_H
#include "machine/memory/physical.h"

/* Which devices may read, and write: a bit for each ordinal. Who may write may read. */
struct wg_access {
    uint32_t read, write;
};

/* `align`: a power of two. `hint`: 0, or where it should be, if there is room. */
enum wg_status wg_memory_reserve(struct wg_memory *m, uint64_t size, uint64_t align, uint64_t hint,
                                 uint64_t *out);
/* Of what was reserved by one call, with nothing mapped. */
enum wg_status wg_memory_unreserve(struct wg_memory *m, uint64_t at, uint64_t size);
/* What holds an address that is in a reservation: [base, base + size), and the mapping there, [piece, piece +
 * piece_size), if memory is mapped. */
struct wg_reserved_at {
    uint64_t base, size, piece, piece_size;
    bool mapped, read_only; /* read_only: nobody has access to write */
};
bool wg_memory_reserved(struct wg_memory *m, uint64_t a, struct wg_reserved_at *out);
/* Takes a reference. */
enum wg_status wg_memory_map(struct wg_memory *m, uint64_t at, uint64_t size, struct wg_physical *p);
/* The following ones are about whole mappings, one after the other with nothing between them. */
/* Also where nothing at all is mapped in a reservation. `freed_at`: the program's code that does it. `own`: the
 * ordinal of the memory's device. */
enum wg_status wg_memory_unmap(struct wg_memory *m, uint64_t at, uint64_t size, uint64_t freed_at,
                               uint32_t own);
/* Sets the access of the devices with a bit in `whose`. */
enum wg_status wg_memory_set_access(struct wg_memory *m, uint64_t at, uint64_t size, uint32_t whose,
                                    struct wg_access access, uint32_t own);
/* What is mapped around the address, with a reference; NULL: nothing. */
struct wg_physical *wg_memory_mapped(struct wg_memory *m, uint64_t a, struct wg_access *access);
void wg_reserved_close(struct wg_memory *m);
#endif
