/* Races between streams, of one device or of several: launches, copies and fills that nothing orders and that touch one place.
 *
 * The order of work is given by vector clocks: for each stream ("slot") how many pieces of its work come
 * before. machine/watch/check_stream.c derives them from streams, events and waits, in the order of the
 * program's calls, so that what is found depends on nothing else. A piece of work brings its footprint when
 * it has ended, and is compared with all that was kept; it is kept itself until no unordered work can follow.
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
    uint32_t *at; /* [slot] the number of its pieces of work */
};
/* The vector clock of a stream, or of an event. */
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

#define WG_SOME_THREAD UINT32_MAX /* it is not known which */

/* Memory that was accessed, in units of 32 or 128 bytes: the same bytes or words of each. */
struct wg_touched {
    uint64_t from, to; /* multiples of `unit`; of unit 1: any, and all of it */
    uint32_t mask;     /* of unit 32: bytes; of unit 128: words */
    uint8_t unit, access;
    bool strong, of_block,
        of_device; /* atomics and the like; those that only its block, its device, sees as such */
    uint32_t site, thread, bytes; /* of kernels: who came to the lowest place */
    uint64_t block;
};

struct wg_stream_races;
struct wg_stream_work {
    struct wg_stream_races *races;
    uint32_t slot, number, device;
    struct wg_clock clock; /* the work before it, and itself */
    uint64_t order;        /* in which the program asked */
    bool bounds; /* it begins or ends the life of memory: two such race through what is between them */
    bool
        listens; /* it may wait for concurrent work: a kernel with atomics or volatile loads; what comes behind a wait for a value */
    void *user;  /* the machine's: where it is, and how it is called */
    WG_VEC(struct wg_touched) touched;
    bool ended, sorted, crowded; /* crowded: the footprint was too large to keep */
    uint64_t *reach;             /* [touched.n], if sorted: the greatest end of the ranges up to this one */
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
/* All of these must be called by one thread at a time. */
struct wg_stream_work *wg_stream_work_new(struct wg_stream_races *r);
void wg_stream_work_touched(struct wg_stream_work *w, const struct wg_touched *t);
void wg_stream_work_ended(struct wg_stream_work *w);
/* Whether bytes from `address` on were touched; written, if only that counts. NULL: no. */
const struct wg_touched *wg_stream_work_at(struct wg_stream_work *w, uint64_t address, uint32_t bytes,
                                           bool written);
/* The host has synchronised with the work that the clock covers; all later work is ordered after it. */
void wg_stream_races_settle(struct wg_stream_races *r, const struct wg_clock *host);
/* Work is gone, whatever may still follow it: those of which `which` says so, by their `user`. */
void wg_stream_races_drop(struct wg_stream_races *r, bool (*which)(const void *work_user, const void *of),
                          const void *of);
/* Memory is new: earlier accesses to it no longer count. */
void wg_stream_races_forget(struct wg_stream_races *r, uint64_t base, uint64_t size);
/* The first of those that are kept, `next` by `next` in the order in which the program asked. */
struct wg_stream_work *wg_stream_races_first(const struct wg_stream_races *r);
/* Whether pieces of work were not checked in full. */
bool wg_stream_races_left_out(const struct wg_stream_races *r);
#endif
