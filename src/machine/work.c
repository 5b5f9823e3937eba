/* See work.h. */
#include "machine/work.h"
#include "base/clock.h"
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#define HELD_NS (10 * UINT64_C(1000000000)) /* how long work of other streams waits for a kernel */

/* ---- who asks ---- */

static _Thread_local struct {
    const char *name;
    uint64_t at;
} caller;

void wg_work_is_of(const char *name, uint64_t at) {
    caller.name = name;
    caller.at = at;
}

void wg_caller(const char **name, uint64_t *at) {
    *name = caller.name;
    *at = caller.at;
}

/* ---- life ---- */

struct wg_work *wg_work_new(struct wg_device *dev, enum wg_work_kind kind,
                            bool (*begin)(struct wg_work *w, bool failed)) {
    pthread_mutex_lock(dev->lock);
    struct wg_work *w = dev->spare_work;
    if (w) dev->spare_work = w->link;
    dev->nwork++;
    pthread_mutex_unlock(dev->lock);
    if (!w) w = wg_xcalloc(1, sizeof *w);
    w->dev = dev;
    w->kind = (uint8_t)kind;
    w->begin = begin;
    w->always = w->touches = w->own = false;
    w->staged = NULL;
    w->lent[0] = w->lent[1] = NULL;
    w->held_by = NULL;
    w->stream_work = NULL;
    w->next.n = 0;
    w->pending = 1;
    atomic_store_explicit(&w->ended, 0, memory_order_relaxed);
    atomic_store_explicit(&w->refs, 2,
                          memory_order_relaxed); /* the caller's, and its own until it has ended */
    return w;
}

void wg_work_drop(struct wg_work *w) {
    if (atomic_fetch_sub_explicit(&w->refs, 1, memory_order_acq_rel) != 1) return;
    struct wg_device *dev = w->dev;
    free(w->staged);
    pthread_mutex_lock(dev->lock);
    w->link = dev->spare_work;
    dev->spare_work = w;
    dev->nwork--; /* last: the device may be closed then */
    pthread_mutex_unlock(dev->lock);
}

/* Another device's thread may have ended the last piece of work, and be about to drop it. */
static void wait_for_drops(struct wg_device *dev) {
    for (bool any = true; any; sched_yield()) {
        pthread_mutex_lock(dev->lock);
        any = dev->nwork != 0;
        pthread_mutex_unlock(dev->lock);
    }
}

/* Later work need not wait for work that has ended. */
static void forget_latest(struct wg_device *dev) {
    pthread_mutex_lock(dev->lock);
    struct wg_work *latest = dev->fleet->latest_work;
    if (latest && latest->dev == dev)
        dev->fleet->latest_work = NULL;
    else
        latest = NULL;
    pthread_mutex_unlock(dev->lock);
    if (latest) wg_work_drop(latest);
}

void wg_work_close(struct wg_device *dev) {
    forget_latest(dev);
    wait_for_drops(dev);
    while (dev->spare_work) {
        struct wg_work *w = dev->spare_work;
        dev->spare_work = w->link;
        free(w->next.v);
        free(w);
    }
}

/* ---- beginning ---- */

/* Returns true when it has ended already. */
static bool begin(struct wg_work *w) {
    struct wg_device *dev = w->dev;
    atomic_fetch_add(&dev->fleet->nbegun, 1);
    bool failed = atomic_load(&dev->status) != WG_OK;
    if (dev->observer) dev->observer->begins(w);
    return !w->begin || w->begin(w, failed);
}

/* Marks it ended and moves what may begin now to *ready. */
static void settle(struct wg_work *w, struct wg_work **ready) {
    w->when = wg_device_now(w->dev);
    if (w->stream_work) w->dev->observer->over(w);
    pthread_mutex_lock(w->dev->lock);
    for (uint32_t i = 0; i < w->next.n; i++) {
        struct wg_work *n = w->next.v[i];
        if (--n->pending) continue;
        n->link = *ready;
        *ready = n;
    }
    w->next.n = 0;
    uint32_t was = atomic_exchange(&w->ended, 1);
    atomic_fetch_sub(&w->dev->fleet->nbegun, 1);
    w->dev->fleet->happened++;
    wg_fleet_give_back(w);
    pthread_mutex_unlock(w->dev->lock);
    if (was == 2) wg_unpark(&w->ended, INT_MAX);
    wg_work_drop(w);
}

static void begin_all(struct wg_work *ready) {
    while (ready) {
        struct wg_work *w = ready;
        ready = w->link;
        if (begin(w)) settle(w, &ready);
    }
}

void wg_work_end(struct wg_work *w) {
    struct wg_work *ready = NULL;
    settle(w, &ready);
    begin_all(ready);
}

/* Under the lock. */
static void behind(struct wg_work *w, struct wg_work *before) {
    if (!before || atomic_load(&before->ended) == 1) return;
    *WG_PUSH(&before->next) = w;
    w->pending++;
}

static _Thread_local struct wg_work **line;

void wg_work_in_line(struct wg_work **latest) { line = latest; }

/* For reproducible runs (dev->in_order), work begins in the order in which it was enqueued. Under the lock;
 * returns what the caller must drop. */
static struct wg_work *hold(struct wg_work *w) {
    struct wg_work **last = line ? line : &w->dev->fleet->latest_work, *latest = *last;
    bool already = false;
    for (uint32_t i = 0; latest && i < latest->next.n; i++) already |= latest->next.v[i] == w;
    if (!already) {
        uint32_t pending = w->pending;
        behind(w, latest);
        if (w->pending > pending) w->held_by = latest;
    }
    *last = w;
    atomic_fetch_add(&w->refs, 1);
    return latest;
}

static void let_go_of_one(struct wg_work *w, struct wg_work **ready) {
    for (uint32_t i = w->next.n; i-- > 0;) {
        struct wg_work *n = w->next.v[i];
        if (n->held_by != w) continue;
        n->held_by = NULL;
        w->next.v[i] = w->next.v[--w->next.n];
        if (--n->pending) continue;
        n->link = *ready;
        *ready = n;
    }
}

/* A kernel, or a host function, that has run for long may wait for work that the program enqueued after it;
 * also for work that is held by work which itself follows the kernel in its stream. */
static void let_go(struct wg_work *w, struct wg_work **ready) {
    WG_VEC(struct wg_work *) behind = {0};
    *WG_PUSH(&behind) = w;
    w->lets_go = true;
    for (uint32_t at = 0; at < behind.n; at++) {
        struct wg_work *one = behind.v[at];
        let_go_of_one(one, ready);
        for (uint32_t i = 0; i < one->next.n; i++) {
            struct wg_work *n = one->next.v[i];
            if (!n->lets_go) *WG_PUSH(&behind) = n;
            n->lets_go = true;
        }
    }
    for (uint32_t i = 0; i < behind.n; i++) behind.v[i]->lets_go = false;
    free(behind.v);
}

void wg_work_let_go(struct wg_device *dev) {
    struct wg_work *ready = NULL;
    uint64_t now = wg_now_ns();
    if (!dev->in_order || dev->options.verify || wg_device_has_orders(dev))
        return; /* what is compared has the memory to itself */
    pthread_mutex_lock(dev->lock);
    for (struct wg_device *d = dev->fleet->first; d; d = d->sibling) {
        for (struct wg_grid *g = d->running; g; g = g->next)
            if (now - g->began > HELD_NS) let_go(g->work, &ready);
        if (d->calling && now - d->calling_since > HELD_NS) let_go(d->calling, &ready);
    }
    pthread_mutex_unlock(dev->lock);
    begin_all(ready);
}

bool wg_work_let_go_of(struct wg_device *dev, struct wg_work *w) {
    struct wg_work *ready = NULL;
    pthread_mutex_lock(dev->lock);
    let_go(w, &ready);
    pthread_mutex_unlock(dev->lock);
    bool any = ready != NULL;
    begin_all(ready);
    return any;
}

bool wg_work_ended(const struct wg_work *w) { return atomic_load(&((struct wg_work *)w)->ended) == 1; }

static bool lasts(const struct wg_work *w) { return w && !wg_work_ended(w); }

bool wg_work_would_wait(struct wg_stream *s) {
    struct wg_device *dev = s->dev;
    pthread_mutex_lock(dev->lock);
    bool any = lasts(s->last) || (dev->in_order && lasts(dev->fleet->latest_work));
    if (s == dev->legacy) {
        for (struct wg_stream *o = dev->streams; o; o = o->next)
            any |= !(o->flags & WG_STREAM_NONBLOCKING) && lasts(o->last);
    } else if (!(s->flags & WG_STREAM_NONBLOCKING)) {
        any |= lasts(dev->legacy->last);
    }
    pthread_mutex_unlock(dev->lock);
    return any;
}

void wg_work_put(struct wg_stream *s, struct wg_work *w, struct wg_work *also) {
    struct wg_device *dev = s->dev;
    struct wg_work *replaced, *before = NULL;
    pthread_mutex_lock(dev->lock);
    w->stream = s;
    behind(w, s->last);
    if (also != s->last) behind(w, also);
    if (s == dev->legacy) {
        for (struct wg_stream *o = dev->streams; o; o = o->next)
            if (o != s && !(o->flags & WG_STREAM_NONBLOCKING)) behind(w, o->last);
    } else if (!(s->flags & WG_STREAM_NONBLOCKING)) {
        behind(w, dev->legacy->last);
    }
    if (dev->in_order) before = hold(w);
    if (dev->observer) dev->observer->put(s, w);
    replaced = s->last;
    s->last = w;
    atomic_fetch_add(&w->refs, 1);
    bool now = --w->pending == 0;
    pthread_mutex_unlock(dev->lock);
    if (replaced) wg_work_drop(replaced);
    if (before) wg_work_drop(before);
    if (!now) return;
    w->own = true;
    w->link = NULL;
    begin_all(w);
}

uint32_t wg_work_waiters(const struct wg_device *dev) {
    uint32_t n = 0;
    for (const struct wg_waiter *x = dev->fleet->waiters; x; x = x->next) n += !wg_work_ended(x->work);
    return n;
}
