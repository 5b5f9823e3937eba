/* Dry replay: a kernel's warps run again, one lane at a time, to learn which lane and which line made an
 * access that memory refused. Stores and atomics land in an overlay that loads look through, so nothing
 * outside changes.
 *
 *     struct wg_replay *r = wg_replay_new(allow, user);
 *     while (wg_replay_run(r, warp) is no fault) ... barriers as for any warp ...
 *     warp->fault  -> lane, loc, address, size
 *     wg_replay_free(r);
 *
 * `warp->code` is code that wg_ref_compile made, `warp->frame` has its frame_bytes. All warps of a block (or
 * of a cluster) share one replay so that they see each other's stores; one thread at a time. Services are
 * called as always: hand in a block whose services print nothing.
 */
#ifndef WG_REF_REPLAY_H
#define WG_REF_REPLAY_H
#include "warp/warp.h"

enum wg_access_kind { WG_ACCESS_LOAD = 1, WG_ACCESS_STORE = 2, WG_ACCESS_ATOMIC = 3 };
struct wg_access {
    uint8_t kind;  /* enum wg_access_kind */
    uint8_t space; /* enum wg_space that the instruction names */
    uint8_t lane;
    uint32_t size;    /* bytes; vector accesses as a whole */
    uint64_t address; /* the process's own address, for shared memory too */
    uint32_t loc;     /* index into the module's locs */
    uint32_t op;      /* enum wg_op */
};
/* False: this access is a fault (WG_FAULT_ADDRESS) and the run ends. */
typedef bool (*wg_replay_allow)(void *user, const struct wg_warp *w, const struct wg_access *a);

struct wg_replay;
struct wg_replay *wg_replay_new(wg_replay_allow allow, void *user);
void wg_replay_free(struct wg_replay *r);
/* Like warp->code->run(warp). */
enum wg_warp_status wg_replay_run(struct wg_replay *r, struct wg_warp *w);
#endif
