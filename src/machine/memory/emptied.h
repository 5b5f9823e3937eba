/* Pages of freed memory, given back in as few calls as may be: a call costs several microseconds, and
 * programs free a hundred thousand allocations one after the other.
 *
 * What the device alone reaches waits until some hundreds have come together, or until something of the
 * device's is about to run, which must not find it. What else the program freed goes at once. Between two
 * live allocations all goes in one call.
 *
 * A process has 65530 mappings. Where there is no room for one more, what was freed is emptied but stays as
 * it was, and is given back with the next that is freed beside it.
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

/* The memory's lock is held for writing. The span is not listed any more. */
void wg_emptied_add(struct wg_memory *m, const struct wg_span *s);
void wg_emptied_give(struct wg_memory *m);
/* New memory is about to lie there, and is not listed yet. */
void wg_emptied_taken(struct wg_memory *m, uint64_t from, uint64_t to);
/* The lock is not held: before something of the device's runs. */
void wg_emptied_settle(struct wg_memory *m);
#endif
