/* Internal declarations of the check of races between streams: what is kept for the devices of a fleet, and of each piece
 * of work. */
#ifndef WG_MACHINE_CHECK_STREAM_STATE_H
#define WG_MACHINE_CHECK_STREAM_STATE_H
#include "machine/watch/check.h"
#include "machine/watch/check_stream.h"

enum { TOLD_MOST = 32 };

/* Of all devices of a fleet: their streams are slots of the same clocks. */
struct wg_check_streams {
    uint32_t users; /* devices; under the fleet's lock */
    pthread_mutex_t lock;
    struct wg_stream_races *races;
    struct wg_clock host; /* what the host program knows to have ended */
    struct wg_clock told; /* what functions of streams are behind, who may tell any thread of it */
    uint32_t slots;
    uint64_t low, high; /* where the devices' memory lies */
    bool several;       /* there is more than the default stream: what launches touch is asked for */
    bool asked;         /* ...and of those before there was, it has been */
    uint32_t early;     /* the last launch before there was: its number in the first stream of all */
    uint32_t vague;     /* the same, of those that did what nothing tells of */
    uint32_t nshown;    /* launches that are remembered by what was shown of them */
    struct wg_stream_work *latest; /* while it is */
    struct wg_check_pageable *pageable;
};

/* A piece of work, as a report has it. */
struct wg_check_asked {
    struct wg_device *dev;
    const char *by; /* the host program's call, and where it is */
    uint64_t at;
    char *launcher;             /* the kernel that launched it, and where; NULL: none */
    const struct wg_func *func; /* NULL: no launch */
    uint64_t launch;
    uint32_t blocks[3], threads[3];
    uint64_t freed;    /* bytes */
    bool told;         /* a launch: what it touched is known */
    bool late, before; /* a launch: what it did beside its children; before its block launched any */
    struct wg_check_shown *shown; /* the rest of its footprint; evaluated on demand */
    struct {
        uint64_t at;
        uint32_t site;
    } told_host[TOLD_MOST]; /* where the host touched what this does: has been told */
    uint32_t ntold_host;
    bool waited; /* the host was about to touch memory, and this, which may wait for the host, did not end */
};

static inline bool wg_check_unknown_to_host(const struct wg_check_streams *c,
                                            const struct wg_stream_work *w) {
    return !wg_clock_has(&c->host, w->slot, w->number);
}
/* What a report says of the work; the next piece of what is in the stream, under the device's lock and that of its
 * wg_check_streams. */
struct wg_check_asked *wg_check_stream_asked(const struct wg_work *w);
struct wg_stream_work *wg_check_stream_piece(struct wg_stream *s, struct wg_check_asked *asked);
/* What a report says of it: of a launch, its instruction; of a copy or a fill, its call. */
void wg_check_stream_place(struct wg_arena *a, const struct wg_stream_work *w, const struct wg_touched *t,
                           uint64_t address, struct wg_finding_place *out);
/* check_stream_shown.c: whether what the instruction does is atomic for the threads of its device alone. */
bool wg_check_stream_of_device(const struct wg_grid *g, uint32_t site);
/* What was shown of a launch is added to its footprint, place by place. Under the lock. */
void wg_check_stream_spread(struct wg_stream_work *w);
/* The host knows what is behind the clock. Under the lock. */
void wg_check_host_knows(struct wg_device *dev, const struct wg_clock *clock);
#endif
