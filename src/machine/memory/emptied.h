/* Deferred unmapping: pages of freed memory are returned to the kernel in as few calls as possible. A call
 * costs several microseconds, and programs free a hundred thousand allocations one after the other.
 *
 * Memory that only the device reaches waits until some hundreds of ranges are pending, or until work of the
 * device is about to run, which must not find it mapped. Other memory that the program freed is returned at
 * once. All ranges between two live allocations go in one call.
 *
 * A process has 65530 mappings. Where there is no room for one more, freed memory is emptied but stays mapped
 * as it was, and is returned together with the next range that is freed beside it.
 */
#ifndef WG_MACHINE_MEMORY_EMPTIED_H
#define WG_MACHINE_MEMORY_EMPTIED_H
#include "machine/memory/spans.h"
#include <stdatomic.h>

struct wg_memory;
enum { WG_EMPTIED_MOST = 256 };
#define WG_EMPTIED_BYTES (32ull << 20) /* the most that waits */

struct wg_emptied {
    struct wg_span waits[WG_EMPTIED_MOST];
    _Atomic uint32_t n;
    uint64_t bytes;
    struct wg_spans owed;
    int32_t gaps; /* between live allocations, and around them */
};

/* Called with the memory's lock held for writing. The span is not listed any more. */
void wg_emptied_add(struct wg_memory *m, const struct wg_span *s);
void wg_emptied_give(struct wg_memory *m);
/* New memory is about to be mapped there, and is not listed yet. */
void wg_emptied_taken(struct wg_memory *m, uint64_t from, uint64_t to);
/* The opposite: what was mapped there is not listed any more, and was unmapped. */
void wg_emptied_left(struct wg_memory *m, uint64_t from, uint64_t to);
/* Called without the lock: before work of the device runs. */
void wg_emptied_settle(struct wg_memory *m);
#endif
