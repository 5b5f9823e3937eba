/* Copy-on-write overlay over memory: the bytes written since the overlay began; other bytes are read
 * through. */
#ifndef WG_REF_OVERLAY_H
#define WG_REF_OVERLAY_H
#include "ref/replay.h"

/* Queries the replay's owner; true when the access is allowed. */
bool wg_replay_ask(struct wg_replay *r, const struct wg_warp *w, const struct wg_access *a);
/* False: the overlay does not cover it; the caller reads or writes memory itself. */
bool wg_replay_read(struct wg_replay *r, uint64_t address, void *to, uint32_t size);
bool wg_replay_write(struct wg_replay *r, uint64_t address, const void *from, uint32_t size);
#endif
