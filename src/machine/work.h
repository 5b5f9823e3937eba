/* Work of streams as a dependence graph: what has to end before what may begin.
 *
 *     a stream's work waits for the stream's last
 *     work of the legacy stream waits for the last of every blocking stream, and theirs for its last
 *     wg_stream_wait_event waits for the event's record
 *
 * Work whose predecessors have all ended begins at once, on the thread that ended the last of them: markers
 * and small copies are done immediately, launches and large copies become jobs of the pool, host functions
 * are called on a thread of their own.
 */
#ifndef WG_MACHINE_WORK_H
#define WG_MACHINE_WORK_H
#include "check/race/stream_race.h"
#include "machine/device.h"

enum wg_work_kind { WG_WORK_MARK, WG_WORK_LAUNCH, WG_WORK_COPY, WG_WORK_FILL, WG_WORK_CALL, WG_WORK_FREE };

struct wg_fill {
    void *dst;
    size_t pitch, width, height;
    uint64_t value;
    uint32_t element;
    bool signals; /* one element that other streams may wait for */
};

struct wg_work {
    struct wg_job job; /* COPY, FILL */
    struct wg_device *dev;
    uint8_t kind;
    bool (*begin)(struct wg_work *w, bool failed); /* as given to wg_work_new */
    bool always;                                   /* CALL: also when the device has failed */
    bool own;     /* begun by the thread that enqueued it, which found nothing to wait for */
    bool touches; /* CALL: it declares its memory accesses (wg_call_touches) */
    _Atomic uint32_t refs;
    uint32_t pending;              /* predecessors that have not ended, plus one while it is being enqueued */
    wg_word ended;                 /* 0 no, 1 yes, 2 no and somebody waits */
    uint64_t when;                 /* it ended; nanoseconds */
    WG_VEC(struct wg_work *) next; /* work that waits for this */
    struct wg_work *link;          /* in a list of its own: spare, to begin, calls */
    union {
        struct wg_grid *grid;
        struct wg_copy copy;
        struct wg_fill fill;
        void *memory;
        struct {
            struct wg_shared_event *event;
            uint32_t number; /* of the record */
        } shared;            /* MARK of an event that other processes know */
        struct {
            const void *at;
            uint64_t value;
            uint8_t bytes, test; /* enum wg_value_test */
        } wanted;                /* MARK of a wait for a value */
        struct {
            void (*fn)(void *user, enum wg_status status);
            void *user;
            uint32_t slot, number; /* check_pageable.c's own */
            uint64_t order;
        } call;
    };
    const char *asked_by; /* COPY, FILL: the host program's call, and its address; NULL: not known */
    uint64_t asked_at;
    struct wg_work *held_by;  /* work of another stream that was enqueued before */
    struct wg_stream *stream; /* where it is; that lives as long as the work has not ended */
    bool lets_go;             /* work.c's own */
    /* check_stream.c; NULL: it touches nothing, or the race check is off */
    struct wg_stream_work *stream_work;
    struct wg_device *lent[2]; /* COPY, FILL: other devices whose memory it is about (fleet.h); NULL */
    void *staged; /* COPY: a copy of the source, when the program may modify the original at once */
};

struct wg_stream {
    uint32_t magic;
    uint32_t flags;
    bool builtin;
    int priority;
    uint64_t id;
    struct wg_device *dev;
    struct wg_work *last; /* held; NULL: none yet */
    bool heeds_values;    /* it has waited for a value, or does */
    struct wg_check_known known;
    struct wg_stream *next, *prev;
};

/* The observer of all work of a device: the check of races between streams (watch/check_stream.h). */
struct wg_work_observer {
    void (*put)(struct wg_stream *s, struct wg_work *w); /* at the stream's end; the device's lock is held */
    void (*begins)(struct wg_work *w);
    void (*over)(struct wg_work *w); /* of work that has a stream_work */
};

/* A thread of the program that waits. */
struct wg_waiter {
    struct wg_work *work;
    struct wg_waiter *next, **here;
};

/* New work, with one reference for the caller. `begin` is called when all its predecessors have ended;
 * `failed`: the device has failed, and it must do nothing. It returns true when it has ended already, else
 * wg_work_end is called later. NULL: there is nothing to do. */
struct wg_work *wg_work_new(struct wg_device *dev, enum wg_work_kind kind,
                            bool (*begin)(struct wg_work *w, bool failed));
/* Enqueues it at the stream's end, also after `also` when that is not NULL, and begins it when it has no
 * predecessors. */
void wg_work_put(struct wg_stream *s, struct wg_work *w, struct wg_work *also);
/* Whether work enqueued into the stream now would have to wait. */
bool wg_work_would_wait(struct wg_stream *s);
/* Where work begins in the order in which it was enqueued, what this thread enqueues from now on follows only what was so
 * in the same line: `latest`, the line's last work, held, NULL at first. NULL: in the fleet's, as for all other
 * threads. */
void wg_work_in_line(struct wg_work **latest);
void wg_work_drop(struct wg_work *w);
void wg_work_end(struct wg_work *w); /* it has ended: begin what waited for it */
/* When a kernel runs very long, begins work that waits for it only because it was enqueued later. */
void wg_work_let_go(struct wg_device *dev);
/* The same for work that waits for this one, however long it has run. False: there was none. */
bool wg_work_let_go_of(struct wg_device *dev, struct wg_work *w);
bool wg_work_ended(const struct wg_work *w);
/* Under the device's lock: threads of the program that wait for work which has not ended. */
uint32_t wg_work_waiters(const struct wg_device *dev);
/* work_wait.c */
void wg_work_wait(struct wg_work *w);
void wg_work_wait_most(struct wg_work *w, uint64_t ns); /* with a time-out */
/* Waits for what is in the stream now (in the legacy stream: in the blocking ones too; NULL: in every
 * stream). */
void wg_work_wait_all(struct wg_device *dev, const struct wg_stream *s);
/* The last work of the stream (NULL: of each) that has not ended, held; how many of at most `most`. Under no lock. */
uint32_t wg_work_tail(struct wg_device *dev, const struct wg_stream *s, struct wg_work **out, uint32_t most);
/* Waits until no work of another device refers to memory of this one. */
void wg_work_wait_for_lent(struct wg_device *dev);
/* The host program's call that this thread's work comes from. */
void wg_caller(const char **name, uint64_t *at);

/* stepped.c: the thread ends. */
void wg_steps_close(struct wg_device *dev);
/* library_call.c: the access was not made: it is a finding, or the device fails. */
void wg_touch_refused(struct wg_device *dev, const struct wg_toucher *by, const struct wg_operand_touch *t);

/* host_calls.c: the thread ends; whether the calling thread is that one. */
void wg_host_calls_close(struct wg_device *dev);
bool wg_host_calls_are_here(struct wg_device *dev);
/* stream.c: WG_OK when the handle is a live stream of a usable device. */
/* value_wait.c: a stream waits for a value, on a thread of its own. */
bool wg_value_begin_wait(struct wg_work *w, bool failed);
enum wg_status wg_stream_usable(struct wg_stream *s);
void wg_streams_open(struct wg_device *dev);
void wg_streams_close(struct wg_device *dev);
void wg_events_close(struct wg_device *dev);
void wg_work_close(struct wg_device *dev);
/* grid.c */
void wg_grids_close(struct wg_device *dev);
#endif
