/* Races between launches, copies and fills of different streams, of one device or of several: derives vector clocks for
 * check/race/stream_race.h from streams, events and waits, and reports the races with their places.
 * Everything here does nothing where the race check is off.
 *
 * So that what is found does not depend on how work happened to overlap, work begins in the order in which
 * the program enqueued it (work.c: `held`).
 */
#ifndef WG_MACHINE_CHECK_STREAM_H
#define WG_MACHINE_CHECK_STREAM_H
#include "check/race/stream_race.h"
#include "machine/device.h"

struct wg_check_streams;
struct wg_check_shown;

void wg_check_streams_open(struct wg_device *dev);
void wg_check_streams_close(struct wg_device *dev);
/* The device's lock is held: the stream is new; its handle is gone. */
void wg_check_stream_made(struct wg_stream *s);
/* A kernel is about to be launched that may launch others, in streams of their own. */
void wg_check_streams_expect(struct wg_device *dev);
/* Whether other work may access what a launch uses meanwhile: then its reads must be recorded. */
bool wg_check_streams_loose(const struct wg_device *dev);
/* Whether the host is instrumented, so that what it does meanwhile is known: the same. */
static inline bool wg_check_host_tells(const struct wg_device *dev) {
    return dev->options.host && dev->options.host->used;
}
/* Kernels of the device have left something undefined in memory that the host reads: it is watched from now on, even where the
 * race check is off. */
void wg_check_stream_watches(struct wg_device *dev);
/* Memory was allocated in the stream's order: what does not come behind that there must not use it. */
void wg_check_stream_allocated(struct wg_stream *s, const void *p, uint64_t bytes);
/* The function that the stream calls is about to read or write there. */
void wg_check_stream_call_touches(struct wg_work *w, const void *p, uint64_t bytes, bool write);
/* The footprint of a launch in global memory can be queried. */
void wg_check_stream_settled(struct wg_grid *g);
/* Adds this to the launch's footprint; takes the list. */
void wg_check_stream_shown(struct wg_grid *g, struct wg_check_shown *s);
/* Some thread of the launch reads [from, to). */
void wg_check_stream_reads(struct wg_grid *g, uint64_t from, uint64_t to, uint32_t site);
/* An event has been put; is waited for by a stream; something comes after what is in a stream now; the host has waited for it, or for a stream (NULL: for
 * all), or for all that was asked for in it before (a copy that is over when the call returns). */
void wg_check_event_put(struct wg_check_known *event, struct wg_stream *s);
void wg_check_event_before(struct wg_stream *s, const struct wg_check_known *event);
void wg_check_stream_joins(struct wg_check_known *into, const struct wg_stream *s);
void wg_check_event_waited(struct wg_device *dev, const struct wg_check_known *event);
void wg_check_stream_waited(struct wg_device *dev, const struct wg_stream *s);
void wg_check_copy_waited(const struct wg_stream *s);
/* The stream has seen a value that it waited for, which any work may have written. */
void wg_check_value_seen(struct wg_stream *s);
/* check_stream_host.c: the host program reads or writes memory of a device's address space. */
void wg_check_host_touches(struct wg_device *dev, const struct wg_host_access *a);

/* check_pageable.c: copies of the program's own memory beside functions of the host. A function is asked for; the call of
 * a copy reads memory; the function that runs touches it; the host knows more. */
struct wg_check_pageable;
struct wg_check_pageable *wg_check_pageable_new(void);
void wg_check_pageable_free(struct wg_check_pageable *p);
void wg_check_pageable_call(struct wg_check_pageable *p, struct wg_work *w, uint32_t slot, uint32_t number);
void wg_check_pageable_read(struct wg_device *dev, struct wg_check_pageable *p, const struct wg_clock *host,
                            const void *at, uint64_t bytes);
void wg_check_pageable_touched(struct wg_device *dev, struct wg_check_pageable *p, const struct wg_work *w,
                               const struct wg_host_access *h);
void wg_check_pageable_settle(struct wg_check_pageable *p, const struct wg_clock *host);
/* The same of a copy as copy.c has it. */
void wg_check_copy_asked(struct wg_device *dev, const struct wg_copy *c);
/* Memory is new. */
void wg_check_stream_forget(struct wg_device *dev, uint64_t base, uint64_t size);
#endif
