/* Fences of the proxies: whether what threads wrote to shared memory was handed over to the asynchronous
 * proxy before one of its operations reads it.
 *
 * A fence.proxy.async hands over what its thread has written, and what it knows of others' writes, to those
 * that come behind the fence. So it stands right in the threads that write, before the barrier, and as well
 * in the thread that begins the operation, behind the barrier; not in a thread that has not met those that
 * write, and not in one that the operation's thread has not met since. */
#ifndef WG_MACHINE_CHECK_PROXY_H
#define WG_MACHINE_CHECK_PROXY_H
#include "machine/check_async.h"
#include "machine/grid.h"

/* Stores to 16 bytes of shared memory. */
struct wg_proxy_write {
    uint32_t site;   /* of the last; 0: none that has not been handed over */
    uint32_t thread; /* rank << 16 | the thread's number */
};
struct wg_proxies;

struct wg_proxies *wg_check_proxies_new(const struct wg_unit *u);
void wg_check_proxies_free(struct wg_proxies *p);
/* Threads write to shared memory; the asynchronous proxy does. */
void wg_check_proxy_written(struct wg_proxies *p, const struct wg_warp *w, const struct wg_race_access *x);
void wg_check_proxy_wrote(struct wg_proxies *p, const struct wg_unit *u, const struct wg_async_part *part);
void wg_check_proxy_fenced(struct wg_proxies *p, const struct wg_warp *w, uint32_t lanes);
/* What has not been handed over to an operation of the lane, or of the warp (WG_LANES), at `at`; NULL:
 * nothing. */
const struct wg_proxy_write *wg_check_proxy_missing(struct wg_proxies *p, const struct wg_warp *w,
                                                    uint32_t lane, uint64_t at);
#endif
