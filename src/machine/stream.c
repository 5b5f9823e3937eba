/* Streams and events: handles on the graph of work.c. */
#include "machine/watch/watch.h"
#include "count/result.h"
#include "machine/shared_event.h"
#include "machine/work.h"
#include "machine/worker.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { STREAM_MAGIC = 0x57535452, EVENT_MAGIC = 0x57455654 };

struct wg_event {
    uint32_t magic, flags;
    struct wg_device *dev;
    struct wg_work *record;         /* the latest of this process, held; NULL: never recorded */
    struct wg_shared_event *shared; /* NULL: other processes do not know it */
    uint32_t number;                /* shared: of `record` */
    struct wg_check_known known;
    struct wg_event *next, *prev;
};

/* ---- streams ---- */

enum wg_status wg_stream_usable(struct wg_stream *s) {
    if (!s || s->magic != STREAM_MAGIC) return wg_fail(WG_INVALID_HANDLE, "not a stream");
    return wg_device_usable(s->dev);
}

/* Takes streams out of the device's list that were destroyed and whose work has ended. */
static void reap(struct wg_device *dev) {
    struct wg_stream *dead = NULL;
    pthread_mutex_lock(dev->lock);
    for (struct wg_stream *s = dev->streams, *next; s; s = next) {
        next = s->next;
        if (s->magic || (s->last && !wg_work_ended(s->last))) continue;
        *(s->prev ? &s->prev->next : &dev->streams) = s->next;
        if (s->next) s->next->prev = s->prev;
        s->next = dead;
        dead = s;
    }
    pthread_mutex_unlock(dev->lock);
    while (dead) {
        struct wg_stream *s = dead;
        dead = s->next;
        if (s->last) wg_work_drop(s->last);
        wg_clock_free(&s->known.clock);
        free(s);
    }
}

static struct wg_stream *make(struct wg_device *dev, uint32_t flags, int priority, bool builtin) {
    struct wg_stream *s = wg_xcalloc(1, sizeof *s);
    *s = (struct wg_stream){
        .magic = STREAM_MAGIC, .flags = flags, .builtin = builtin, .priority = priority, .dev = dev};
    reap(dev);
    pthread_mutex_lock(dev->lock);
    s->id = (uint64_t)dev->ordinal << WG_STREAM_DEVICE_AT | ++dev->next_stream_id;
    s->next = dev->streams;
    if (s->next) s->next->prev = s;
    dev->streams = s;
    wg_check_stream_made(s);
    pthread_mutex_unlock(dev->lock);
    return s;
}

/* Its work continues; the stream is freed when that has ended. */
static void unmake(struct wg_stream *s) {
    struct wg_device *dev = s->dev;
    pthread_mutex_lock(dev->lock);
    s->magic = 0;
    pthread_mutex_unlock(dev->lock);
    reap(dev);
}

static void thread_ends(void *stream) { unmake(stream); }

enum wg_status wg_stream_create(struct wg_device *dev, uint32_t flags, int priority, struct wg_stream **out) {
    enum wg_status status = wg_device_usable(dev);
    if (status != WG_OK) return status;
    if (flags & ~(uint32_t)WG_STREAM_NONBLOCKING) return wg_fail(WG_INVALID_VALUE, "stream flags %#x", flags);
    *out = make(dev, flags, priority, false);
    return WG_OK;
}

void wg_streams_open(struct wg_device *dev) {
    dev->legacy = make(dev, WG_STREAM_BLOCKING, 0, true);
    pthread_key_create(&dev->thread_stream, thread_ends);
}

struct wg_stream *wg_device_stream(struct wg_device *dev, enum wg_stream_builtin which) {
    if (which == WG_STREAM_LEGACY) return dev->legacy;
    struct wg_stream *s = pthread_getspecific(dev->thread_stream);
    if (!s) {
        s = make(dev, WG_STREAM_BLOCKING, 0, true);
        pthread_setspecific(dev->thread_stream, s);
    }
    return s;
}

enum wg_status wg_stream_destroy(struct wg_stream *s) {
    if (!s || s->magic != STREAM_MAGIC || s->builtin)
        return wg_fail(WG_INVALID_HANDLE, "not a stream to destroy");
    unmake(s);
    return WG_OK;
}

void wg_streams_close(struct wg_device *dev) {
    pthread_key_delete(dev->thread_stream);
    for (struct wg_stream *s = dev->streams; s; s = s->next) s->magic = 0;
    reap(dev);
}

enum wg_status wg_stream_sync(struct wg_stream *s) {
    enum wg_status status = wg_stream_usable(s);
    if (status == WG_INVALID_HANDLE || status == WG_NOT_INITIALIZED) return status;
    wg_work_wait_all(s->dev, s);
    wg_print_flush(s->dev);
    return wg_device_status(s->dev);
}

enum wg_status wg_stream_query(struct wg_stream *s) {
    enum wg_status status = wg_stream_usable(s);
    struct wg_work *tail[1];
    if (status != WG_OK) return status;
    uint32_t n = wg_work_tail(s->dev, s, tail, 1);
    if (!n) {
        wg_check_stream_waited(s->dev, s);
        return WG_OK;
    }
    wg_work_drop(tail[0]);
    wg_grids_watch(s->dev); /* a program may ask again and again instead of waiting */
    return WG_NOT_READY;
}

uint32_t wg_stream_flags(const struct wg_stream *s) { return s->flags; }
int wg_stream_priority(const struct wg_stream *s) { return s->priority; }
uint64_t wg_stream_id(const struct wg_stream *s) { return s->id; }
struct wg_device *wg_stream_device(const struct wg_stream *s) { return s->dev; }

/* ---- events ---- */

static enum wg_status event_usable(const struct wg_event *e) {
    return e && e->magic == EVENT_MAGIC ? WG_OK : wg_fail(WG_INVALID_HANDLE, "not an event");
}

static struct wg_event *make_event(struct wg_device *dev, uint32_t flags, struct wg_shared_event *shared) {
    struct wg_event *e = wg_xcalloc(1, sizeof *e);
    *e = (struct wg_event){.magic = EVENT_MAGIC, .flags = flags, .dev = dev, .shared = shared};
    pthread_mutex_lock(dev->lock);
    e->next = dev->events;
    if (e->next) e->next->prev = e;
    dev->events = e;
    pthread_mutex_unlock(dev->lock);
    return e;
}

enum wg_status wg_event_create(struct wg_device *dev, uint32_t flags, struct wg_event **out) {
    enum wg_status status = wg_device_usable(dev);
    if (status != WG_OK) return status;
    struct wg_shared_event *shared = flags & WG_EVENT_SHARED ? wg_shared_event_new() : NULL;
    if (flags & WG_EVENT_SHARED && !shared)
        return wg_fail(WG_OUT_OF_MEMORY, "the host refused shared memory for an event: %s", strerror(errno));
    *out = make_event(dev, flags, shared);
    return WG_OK;
}

enum wg_status wg_event_open(struct wg_device *dev, int file, struct wg_event **out) {
    enum wg_status status = wg_device_usable(dev);
    if (status != WG_OK) return status;
    struct wg_shared_event *shared = wg_shared_event_open(file);
    if (!shared) return wg_fail(WG_INVALID_VALUE, "not a file of an event: %s", strerror(errno));
    *out = make_event(dev, WG_EVENT_NO_TIMING | WG_EVENT_SHARED, shared);
    return WG_OK;
}

int wg_event_file(const struct wg_event *e) {
    return event_usable(e) == WG_OK && e->shared ? wg_shared_event_file(e->shared) : -1;
}

enum wg_status wg_event_destroy(struct wg_event *e) {
    if (event_usable(e) != WG_OK) return WG_INVALID_HANDLE;
    pthread_mutex_lock(e->dev->lock);
    *(e->prev ? &e->prev->next : &e->dev->events) = e->next;
    if (e->next) e->next->prev = e->prev;
    pthread_mutex_unlock(e->dev->lock);
    e->magic = 0;
    if (e->record) wg_work_drop(e->record);
    wg_shared_event_drop(e->shared);
    wg_clock_free(&e->known.clock);
    free(e);
    return WG_OK;
}

void wg_events_close(struct wg_device *dev) {
    while (dev->events) wg_event_destroy(dev->events);
}

/* Whether the latest record is another process's: its number. */
static bool is_of_others(struct wg_event *e, uint32_t *number) {
    if (!e->shared) return false;
    pthread_mutex_lock(e->dev->lock);
    *number = wg_shared_event_latest(e->shared);
    bool is = *number != e->number;
    pthread_mutex_unlock(e->dev->lock);
    return is;
}

/* The latest record of this process, held; NULL: none. */
static struct wg_work *record_of(struct wg_event *e) {
    pthread_mutex_lock(e->dev->lock);
    struct wg_work *w = e->record;
    if (w) atomic_fetch_add(&w->refs, 1);
    pthread_mutex_unlock(e->dev->lock);
    return w;
}

static struct wg_work *new_shared_record(struct wg_event *e) {
    struct wg_work *w = wg_work_new(e->dev, WG_WORK_MARK, wg_shared_event_begin_record);
    w->shared.event = wg_shared_event_hold(e->shared);
    pthread_mutex_lock(e->dev->lock);
    w->shared.number = e->number = wg_shared_event_record(e->shared);
    pthread_mutex_unlock(e->dev->lock);
    return w;
}

enum wg_status wg_event_record(struct wg_event *e, struct wg_stream *s) {
    enum wg_status status = event_usable(e);
    if (status == WG_OK) status = wg_stream_usable(s);
    if (status != WG_OK) return status;
    if (e->dev != s->dev)
        return wg_fail(WG_INVALID_HANDLE,
                       "the event was created on device %u, the stream on device %u: an event must be "
                       "recorded in a stream of its own device; streams of any device can wait for it",
                       e->dev->ordinal, s->dev->ordinal);
    struct wg_work *w = e->shared ? new_shared_record(e) : wg_work_new(s->dev, WG_WORK_MARK, NULL), *old;
    wg_work_put(s, w, NULL);
    wg_check_event_put(&e->known, s);
    pthread_mutex_lock(e->dev->lock);
    old = e->record;
    e->record = w;
    pthread_mutex_unlock(e->dev->lock);
    if (old) wg_work_drop(old);
    return WG_OK;
}

enum wg_status wg_event_query(struct wg_event *e) {
    enum wg_status status = event_usable(e);
    if (status == WG_OK) status = wg_device_usable(e->dev);
    uint32_t number;
    if (status != WG_OK) return status;
    if (is_of_others(e, &number)) return wg_shared_event_ended(e->shared, number) ? WG_OK : WG_NOT_READY;
    struct wg_work *w = record_of(e);
    status = !w || wg_work_ended(w) ? WG_OK : WG_NOT_READY;
    if (status == WG_OK) wg_check_event_waited(e->dev, &e->known);
    if (w) wg_work_drop(w);
    if (status == WG_NOT_READY) wg_grids_watch(e->dev);
    return status;
}

enum wg_status wg_event_sync(struct wg_event *e) {
    enum wg_status status = event_usable(e);
    uint32_t number;
    if (status != WG_OK) return status;
    if (is_of_others(e, &number)) {
        while (!wg_shared_event_wait(e->shared, number) && wg_device_usable(e->dev) == WG_OK)
            wg_grids_watch(e->dev);
        return wg_device_usable(e->dev);
    }
    struct wg_work *w = record_of(e);
    if (w) {
        wg_work_wait(w);
        wg_work_drop(w);
    }
    wg_check_event_waited(e->dev, &e->known);
    wg_print_flush(e->dev);
    return wg_device_usable(e->dev);
}

enum wg_status wg_event_elapsed(struct wg_event *start, struct wg_event *end, double *milliseconds) {
    if (event_usable(start) != WG_OK || event_usable(end) != WG_OK) return WG_INVALID_HANDLE;
    if (start->dev != end->dev)
        return wg_fail(WG_INVALID_HANDLE, "the events are of devices %u and %u, whose clocks are unrelated",
                       start->dev->ordinal, end->dev->ordinal);
    if ((start->flags | end->flags) & WG_EVENT_NO_TIMING)
        return wg_fail(WG_INVALID_HANDLE, "an event created without timing");
    struct wg_work *a = record_of(start), *b = record_of(end);
    enum wg_status status = wg_device_usable(start->dev);
    if (status == WG_OK && (!a || !b))
        status = wg_fail(WG_INVALID_HANDLE, "an event that was never recorded");
    if (status == WG_OK && !(wg_work_ended(a) && wg_work_ended(b))) status = WG_NOT_READY;
    if (status == WG_OK) *milliseconds = ((double)b->when - (double)a->when) * 1e-6;
    if (a) wg_work_drop(a);
    if (b) wg_work_drop(b);
    return status;
}

static void wait_for_others(struct wg_stream *s, struct wg_event *e, uint32_t number) {
    if (wg_shared_event_ended(e->shared, number)) return;
    struct wg_work *w = wg_work_new(s->dev, WG_WORK_MARK, wg_shared_event_begin_wait);
    w->shared.event = wg_shared_event_hold(e->shared);
    w->shared.number = number;
    wg_work_put(s, w, NULL);
    wg_work_drop(w);
}

enum wg_status wg_stream_wait_event(struct wg_stream *s, struct wg_event *e) {
    enum wg_status status = event_usable(e);
    if (status == WG_OK) status = wg_stream_usable(s);
    uint32_t number;
    if (status != WG_OK) return status;
    if (is_of_others(e, &number)) {
        wait_for_others(s, e, number);
        return WG_OK;
    }
    struct wg_work *record = record_of(e);
    if (!record) return WG_OK;
    wg_check_event_before(s, &e->known);
    if (!wg_work_ended(record)) {
        struct wg_work *w = wg_work_new(s->dev, WG_WORK_MARK, NULL);
        wg_work_put(s, w, record);
        wg_work_drop(w);
    }
    wg_work_drop(record);
    return WG_OK;
}
