/* Memory protection: which addresses a kernel may access. They are the device's address space, where an
 * address without memory faults, and host memory that the program has given to the device. Every instruction
 * that has an address checks here, generated code (inline, jit/access/memory.c, and in runtime functions) as
 * well as the reference. */
#ifndef WG_WARP_TOUCH_H
#define WG_WARP_TOUCH_H
#include "warp/warp.h"

/* The largest offset that is added to a pointer without a check. */
#define WG_TOUCH_ADDED (UINT64_C(1) << 40)
/* A pointer that is farther outside the device's address space, of 2^bits bytes, cannot get into it by such
 * an offset. One shift tests that, for this slack and the space together are a power of two. */
#define WG_TOUCH_SLACK(bits) (UINT64_C(1) << ((bits) - 1))
/* Guard zone: no host memory is so near to the device's address space (machine/memory/memory.h), where it has
 * room. */
#define WG_TOUCH_ROOM(bits) (WG_TOUCH_SLACK(bits) + 2 * WG_TOUCH_ADDED)

/* What may_touch found before: it comes first among what was found. */
static inline bool wg_was_given(struct wg_block *b, uint64_t at, uint64_t bytes) {
    for (uint32_t i = 0; i < WG_GIVEN; i++) {
        struct wg_given g = b->given[i];
        if (at - g.base >= g.bytes || bytes > g.bytes - (at - g.base)) continue;
        for (; i > 0; i--) b->given[i] = b->given[i - 1];
        b->given[0] = g;
        return true;
    }
    return false;
}

static inline bool wg_may_touch(struct wg_warp *w, uint64_t at, uint64_t bytes) {
    const struct wg_block *b = w->block;
    uint64_t offset = at - b->arena;
    if (offset < b->arena_bytes && bytes <= b->arena_bytes - offset) return true;
    return wg_was_given(w->block, at, bytes) || b->services->may_touch(w, at, bytes);
}

/* [at, at + bytes) is in the shared window of one block of the cluster. Unmapped parts of a window fault. */
static inline bool wg_in_window(const struct wg_block *b, uint64_t at, uint64_t bytes) {
    uint64_t offset = at - (uint64_t)(uintptr_t)b->cluster_shared;
    return offset < (uint64_t)b->cluster_nctarank * WG_SHARED_STRIDE &&
           bytes <= WG_SHARED_STRIDE - offset % WG_SHARED_STRIDE;
}
#endif
