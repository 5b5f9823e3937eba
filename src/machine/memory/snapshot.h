/* Copy-on-write snapshots: memory as it was before a launch, which parts were written, and their previous
 * contents.
 *
 * Allocations that only kernels write to are write-protected; the first write to a part of one copies that
 * part and makes it writable again (trap.c). Small ones are copied at once, and so is memory that the host
 * program may use meanwhile, because a system call that reads a file into it must not fail.
 *
 *     struct wg_snapshot *s = wg_snapshot_begin(m);
 *     ... a kernel runs ...
 *     while (wg_snapshot_next(s, &at, &part)) ... part.before against the memory at part.address ...
 *     wg_snapshot_restore(s, WG_SNAPSHOT_ALL);
 *     wg_snapshot_end(s);
 *
 * At most one at a time in a process.
 */
#ifndef WG_MACHINE_MEMORY_SNAPSHOT_H
#define WG_MACHINE_MEMORY_SNAPSHOT_H
#include "machine/memory/memory.h"

struct wg_snapshot;
/* A part of an allocation that was written to, or that may have been. */
struct wg_snapshot_part {
    uint64_t address, bytes;
    const uint8_t *before;
    uint32_t kind; /* enum wg_mem_kind */
    bool host;     /* the host program, or another process, may write to it meanwhile */
};

/* NULL: the host has no memory for it. */
struct wg_snapshot *wg_snapshot_begin(struct wg_memory *m);
void wg_snapshot_end(struct wg_snapshot *s);
/* By address; *at begins with 0. False: there are no more. */
bool wg_snapshot_next(const struct wg_snapshot *s, uint64_t *at, struct wg_snapshot_part *out);
/* Restores memory of these kinds; a bit for each. */
#define WG_SNAPSHOT_ALL UINT32_MAX
void wg_snapshot_restore(struct wg_snapshot *s, uint32_t kinds);
/* Copies again the memory that was copied at once: the host program may have written to it. */
void wg_snapshot_refresh(struct wg_snapshot *s);
/* Saves the current contents of all memory that was written; and restores them. */
struct wg_snapshot_state;
struct wg_snapshot_state *wg_snapshot_take(const struct wg_snapshot *s);
void wg_snapshot_put(struct wg_snapshot *s, struct wg_snapshot_state *state); /* frees it */
void wg_snapshot_drop(struct wg_snapshot_state *state);                       /* frees it alone */
/* Calls `each` with the address of each 4-byte word that is not now what it was in `state`, but in the kernels' heap,
 * until it says that it is enough. */
typedef bool (*wg_snapshot_each)(void *user, uint64_t word);
void wg_snapshot_compare(const struct wg_snapshot *s, const struct wg_snapshot_state *state,
                         wg_snapshot_each each, void *user);
/* Reads bytes of `state`; NULL: of the snapshot itself. */
void wg_snapshot_read(const struct wg_snapshot *s, const struct wg_snapshot_state *state, uint64_t address,
                      void *to, uint32_t size);
/* A write faulted at this address. True: the snapshot had write-protected it, and the write can be restarted.
 * On any thread, in a signal handler. */
bool wg_snapshot_fault(uint64_t address);
#endif
