/* An overlay over memory: what was written since the overlay began, byte by byte; everything else is read from below.
 * */
#ifndef WG_REF_OVERLAY_H
#define WG_REF_OVERLAY_H
#include "ref/replay.h"

/* Asks the replay's owner; true when the access may be. */
bool wg_replay_ask(struct wg_replay *r, const struct wg_warp *w, const struct wg_access *a);
/* False: memory itself is to be read or written, for the overlay does not lie over it. */
bool wg_replay_read(struct wg_replay *r, uint64_t address, void *to, uint32_t size);
bool wg_replay_write(struct wg_replay *r, uint64_t address, const void *from, uint32_t size);
#endif
