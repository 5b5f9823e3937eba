/* Which memory a kernel may access: the device's address space, where anything that is not memory faults, and host
 * memory that the program gave to the device. Every instruction that has an address asks here, generated code
 * (inline, jit/access/memory.c, and in its helpers) as well as the reference. */
#ifndef WG_WARP_TOUCH_H
#define WG_WARP_TOUCH_H
#include "warp/warp.h"

/* What is added to a pointer without a question, at most. */
#define WG_TOUCH_ADDED (UINT64_C(1) << 40)
/* A pointer that lies farther outside of the device's address space, of 2^bits bytes, cannot come back into
 * it so. One shift tells, for that and the space together are a power of two. */
#define WG_TOUCH_SLACK(bits) (UINT64_C(1) << ((bits) - 1))
/* Nothing of the host's lies so near to the device's address space (machine/memory/memory.h), where it has room. */
#define WG_TOUCH_ROOM(bits) (WG_TOUCH_SLACK(bits) + 2 * WG_TOUCH_ADDED)

static inline bool wg_may_touch(struct wg_warp *w, uint64_t at, uint64_t bytes) {
    const struct wg_block *b = w->block;
    uint64_t offset = at - b->arena;
    if (offset < b->arena_bytes && bytes <= b->arena_bytes - offset) return true;
    return b->services->may_touch(w, at, bytes);
}

/* [at, at + bytes) lies in the window of one block of the cluster. What of a window is not mapped faults. */
static inline bool wg_in_window(const struct wg_block *b, uint64_t at, uint64_t bytes) {
    uint64_t offset = at - (uint64_t)(uintptr_t)b->cluster_shared;
    return offset < (uint64_t)b->cluster_nctarank * WG_SHARED_STRIDE &&
           bytes <= WG_SHARED_STRIDE - offset % WG_SHARED_STRIDE;
}
#endif
