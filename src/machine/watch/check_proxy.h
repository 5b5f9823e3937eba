/* Proxy fences: whether what threads wrote to shared memory was handed over to the asynchronous proxy before
 * one of its operations reads it.
 *
 * A fence.proxy.async hands over what its thread has written, and the writes of others that it is ordered
 * after, to the threads ordered after the fence. So the fence is correct in the threads that write, before
 * the barrier, and also in the thread that issues the operation, after the barrier; not in a thread that has
 * not synchronised with the writers, and not in one that the issuing thread has not synchronised with
 * since. */
#ifndef WG_MACHINE_CHECK_PROXY_H
#define WG_MACHINE_CHECK_PROXY_H
#include "machine/grid.h"
#include "machine/watch/check_async.h"

/* A store to shared memory. */
struct wg_proxy_write {
    uint32_t site;
    uint32_t thread; /* rank << 16 | the thread's number */
};
struct wg_proxies;

struct wg_proxies *wg_check_proxies_new(const struct wg_unit *u);
void wg_check_proxies_free(struct wg_proxies *p);
/* Threads write to shared memory; the asynchronous proxy does. */
void wg_check_proxy_written(struct wg_proxies *p, const struct wg_warp *w, const struct wg_race_access *x);
void wg_check_proxy_wrote(struct wg_proxies *p, const struct wg_unit *u, const struct wg_async_part *part);
void wg_check_proxy_fenced(struct wg_proxies *p, const struct wg_warp *w, uint32_t lanes);
/* What of the part has not been handed over to an operation of the lane, or of the warp (WG_LANES): the first
 * byte of each store's, as far as it reaches in 16 bytes, by rising addresses. */
typedef void wg_proxy_missing(void *user, uint64_t at, const struct wg_proxy_write *by);
void wg_check_proxy_missing(const struct wg_proxies *p, const struct wg_warp *w, uint32_t lane,
                            const struct wg_async_part *part, wg_proxy_missing *missing, void *user);
#endif
