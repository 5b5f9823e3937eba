/* Races between work of streams: launches, copies and fills that nothing orders and that touch one place.
 *
 * What orders work is told as clocks: for each stream ("slot") how many pieces of its work come before.
 * machine/watch/check_stream.c makes them of streams, events and waits, in the order in which the program asked, so
 * that what is found depends on nothing else. A piece of work brings what it touched when it is over, and is
 * held against all that was kept; it is kept itself until nothing can come that has no order with it.
 *
 *     struct wg_stream_work *w = wg_stream_work_new(r);     asked for: slot, number, clock are filled in
 *     wg_stream_work_touched(w, &t);                        any number, in any order
 *     wg_stream_work_ended(w);                              held against the others
 */
#ifndef WG_CHECK_STREAM_RACE_H
#define WG_CHECK_STREAM_RACE_H
#include "base/arena.h"
#include "check/race/race.h"

struct wg_clock {
    uint32_t n;
    uint32_t *at; /* [slot] so many of its pieces of work */
};
/* What a stream knows, or an event. */
struct wg_check_known {
    struct wg_clock clock;
    uint32_t slot, count; /* of a stream: its pieces of work */
};
void wg_clock_join(struct wg_clock *into, const struct wg_clock *other);
void wg_clock_set(struct wg_clock *c, uint32_t slot, uint32_t number);
void wg_clock_free(struct wg_clock *c);
static inline bool wg_clock_has(const struct wg_clock *c, uint32_t slot, uint32_t number) {
    return slot < c->n && c->at[slot] >= number;
}

/* Memory that was touched, in units of 32 or 128 bytes: of each the same bytes or words. */
struct wg_touched {
    uint64_t from, to; /* multiples of `unit`; of unit 1: any, and all of it */
    uint32_t mask;     /* of unit 32: bytes; of unit 128: words */
    uint8_t unit, access;
    bool strong, of_block;        /* atomics and their like; those that only a block's threads see */
    uint32_t site, thread, bytes; /* of kernels: who came to the lowest place */
    uint64_t block;
};

struct wg_stream_races;
struct wg_stream_work {
    struct wg_stream_races *races;
    uint32_t slot, number;
    struct wg_clock clock; /* what is before it, and itself */
    uint64_t order;        /* in which the program asked */
    bool listens;          /* a kernel that may wait for what others do meanwhile: atomics, volatile loads */
    void *user;            /* the machine's: where it is, and how it is called */
    WG_VEC(struct wg_touched) touched;
    bool ended, sorted, crowded; /* crowded: there was too much to remember */
    uint64_t *reach;             /* [touched.n], if sorted: the farthest that ranges up to this one go */
    struct wg_stream_work *next, *prev;
};

struct wg_stream_found {
    const struct wg_stream_work *first, *second; /* as the program asked for them */
    const struct wg_touched *one, *two;
    uint64_t address, words; /* the lowest place, and how many words */
};

struct wg_stream_races_options {
    void (*found)(void *user, const struct wg_stream_found *f);
    void (*drop)(void *user, void *work_user); /* the work is not needed any more */
    void *user;
};
struct wg_stream_races *wg_stream_races_new(const struct wg_stream_races_options *o);
void wg_stream_races_free(struct wg_stream_races *r);
/* All of these: by one thread at a time. */
struct wg_stream_work *wg_stream_work_new(struct wg_stream_races *r);
void wg_stream_work_touched(struct wg_stream_work *w, const struct wg_touched *t);
void wg_stream_work_ended(struct wg_stream_work *w);
/* Whether bytes from `address` on were touched; written, if only that counts. NULL: no. */
const struct wg_touched *wg_stream_work_at(struct wg_stream_work *w, uint64_t address, uint32_t bytes,
                                           bool written);
/* The host knows of the end of what the clock says; whatever comes is behind it. */
void wg_stream_races_settle(struct wg_stream_races *r, const struct wg_clock *host);
/* Memory is new: what was there before is over. */
void wg_stream_races_forget(struct wg_stream_races *r, uint64_t base, uint64_t size);
/* The first of those that are kept, `next` by `next` in the order in which the program asked. */
struct wg_stream_work *wg_stream_races_first(const struct wg_stream_races *r);
/* Pieces of work that were not looked at in full. */
bool wg_stream_races_left_out(const struct wg_stream_races *r);
#endif
