/* The fleet: all devices of one process, which wait for each other's work and reach each other's memory as
 * far as the program lets them (peer access).
 *
 * Each device has an address space of its own (memory.h), so an address identifies the device that owns the
 * memory. Kernel code knows only its own device's address space; any address outside it is checked by a call
 * (warp/touch.h), like memory that the program registered. A kernel may touch
 *
 *     host memory that any device of the fleet pinned or registered, and managed memory
 *     what another device allocated, after wg_fleet_let, or where the allocation itself was shown to its ordinal
 *
 * Several devices may share one ordinal: contexts of the driver API.
 */
#ifndef WG_MACHINE_FLEET_H
#define WG_MACHINE_FLEET_H
#include "machine/machine.h"
#include "machine/memory/spans.h"
#include <pthread.h>

struct wg_work;
struct wg_check_streams;

struct wg_fleet {
    pthread_mutex_t lock;        /* of the graph of work, and what hangs on it, of all devices */
    struct wg_work *latest_work; /* the last of any stream, held, where work begins in order; work.c */
    _Atomic uint32_t nbegun;     /* work that has begun, and not ended */
    struct wg_waiter *waiters;   /* threads of the program that wait: work_wait.c */
    uint64_t launches;           /* of all devices */
    uint32_t happened;           /* counts the ends of work that may have changed memory: check_round.c */

    pthread_rwlock_t members; /* of the list, and of peer access */
    _Atomic uint32_t n;       /* how many there are */
    struct wg_device *first;  /* by `sibling`; changes under both locks */
    struct wg_check_streams
        *check_streams; /* watch/check_stream.c; NULL: the race check is off, or no device is left */
};

/* NULL: the options name none, and the device gets one of its own. */
void wg_fleet_join(struct wg_device *dev, struct wg_fleet *fleet);
/* The device is not queried any more. */
void wg_fleet_leave(struct wg_device *dev);
/* After wg_fleet_leave, when the device's work has been dropped. */
void wg_fleet_drop(struct wg_device *dev);

/* Whether kernels of the device may touch memory that is not in its own address space, nor registered with it. */
bool wg_fleet_gives(struct wg_device *dev);
/* Whether a kernel of the device may touch [a, a + bytes); `given`: what holds it outside of the device's own address
 * space, else kind NONE. */
bool wg_fleet_may_touch(struct wg_device *dev, uint64_t a, uint64_t bytes, struct wg_span *given);
/* What holds the address, of any device. */
struct wg_found {
    struct wg_span span;
    struct wg_device *dev; /* the device's own before others */
    bool reached;          /* by kernels of the device that asks */
};
bool wg_fleet_find(struct wg_device *dev, uint64_t a, struct wg_found *out);
/* The same where kernels of the device reach it. */
bool wg_fleet_find_reached(struct wg_device *dev, uint64_t a, struct wg_span *out);
/* Before a copy or fill is put into a stream: one of its sides. The device whose memory it is frees none, and is not closed,
 * before that has ended. */
void wg_fleet_lend(struct wg_work *w, int side, const void *p);
void wg_fleet_give_back(struct wg_work *w); /* under the lock */
/* The memory whose address space holds the address: the device's own if none does. */
struct wg_memory *wg_fleet_memory(struct wg_device *dev, uint64_t a);
#endif
