/* Threads of the program that wait for work; meanwhile they supervise the running launches. */
#include "base/clock.h"
#include "base/progress.h"
#include "machine/watch/watch.h"
#include "machine/work.h"
#include <sched.h>
#include <stdlib.h>
#include <time.h>

enum { WAIT_SPIN_NS = 8 * 1000, WATCH_NS = 50 * 1000 * 1000, TAIL = 64 };

static void wait_begins(struct wg_device *dev, struct wg_waiter *x) {
    pthread_mutex_lock(dev->lock);
    x->next = dev->fleet->waiters;
    x->here = &dev->fleet->waiters;
    if (x->next) x->next->here = &x->next;
    dev->fleet->waiters = x;
    dev->fleet->happened++;
    pthread_mutex_unlock(dev->lock);
}

static void wait_ends(struct wg_device *dev, struct wg_waiter *x) {
    pthread_mutex_lock(dev->lock);
    *x->here = x->next;
    if (x->next) x->next->here = x->here;
    dev->fleet->happened++;
    pthread_mutex_unlock(dev->lock);
}

/* Unless a kernel is being compiled, which tells of itself. */
static void tell_progress(struct wg_device *dev, struct wg_progress_line *line) {
    struct wg_strbuf text = {0};
    if (!atomic_load(&dev->compiling) && wg_grids_progress(dev, &text)) wg_progress_put(line, text.s);
    wg_strbuf_free(&text);
}

static void wait_long(struct wg_work *w, uint64_t until) {
    struct wg_progress_line line = {.after = w->dev->options.progress, .began = wg_now_ns()};
    while (wg_now_ns() < until) {
        uint32_t seen = 0;
        if (!atomic_compare_exchange_strong(&w->ended, &seen, 2) && seen == 1) break;
        wg_park(&w->ended, 2, WATCH_NS);
        if (wg_work_ended(w)) continue;
        wg_grids_watch(w->dev);
        wg_work_let_go(w->dev);
        if (wg_progress_is_due(&line)) tell_progress(w->dev, &line);
    }
    wg_progress_over(&line);
}

/* A worker may be there for this processor: a waiting thread that keeps it holds up what it waits for. */
void wg_work_wait_most(struct wg_work *w, uint64_t ns) {
    atomic_store_explicit(&w->dev->unlooked, 0, memory_order_relaxed);
    uint64_t now = wg_now_ns();
    for (uint64_t until = now + WAIT_SPIN_NS; wg_now_ns() < until; sched_yield())
        for (int i = 0; i < 16; i++) {
            if (wg_work_ended(w)) return;
            wg_relax();
        }
    struct wg_waiter x = {.work = w};
    wait_begins(w->dev, &x);
    wait_long(w, now + ns < now ? UINT64_MAX : now + ns);
    wait_ends(w->dev, &x);
}

void wg_work_wait(struct wg_work *w) { wg_work_wait_most(w, UINT64_MAX); }

/* ---- all of a stream, or of a device ---- */

uint32_t wg_work_tail(struct wg_device *dev, const struct wg_stream *s, struct wg_work **out, uint32_t most) {
    uint32_t n = 0;
    pthread_mutex_lock(dev->lock);
    for (struct wg_stream *o = dev->streams; o; o = o->next) {
        bool counts = !s || o == s || (s == dev->legacy && !(o->flags & WG_STREAM_NONBLOCKING));
        if (!counts || !o->last || wg_work_ended(o->last) || n == most) continue;
        atomic_fetch_add(&o->last->refs, 1);
        out[n++] = o->last;
    }
    pthread_mutex_unlock(dev->lock);
    return n;
}

void wg_work_wait_all(struct wg_device *dev, const struct wg_stream *s) {
    struct wg_work *tail[TAIL];
    uint32_t n;
    wg_check_stream_waited(dev, s);
    atomic_store_explicit(&dev->unlooked, 0, memory_order_relaxed);
    do {
        n = wg_work_tail(dev, s, tail, TAIL);
        for (uint32_t i = 0; i < n; i++) {
            wg_work_wait(tail[i]);
            wg_work_drop(tail[i]);
        }
    } while (n == TAIL);
}

void wg_work_wait_for_lent(struct wg_device *dev) {
    enum { LOOK_NS = 20 * 1000 };
    for (bool any = atomic_load_explicit(&dev->fleet->n, memory_order_relaxed) != 1; any;) {
        pthread_mutex_lock(dev->lock);
        any = dev->nlent != 0;
        pthread_mutex_unlock(dev->lock);
        if (!any) return;
        nanosleep(&(struct timespec){.tv_nsec = LOOK_NS}, NULL);
        wg_grids_watch(dev);
        wg_work_let_go(dev);
    }
}
