/* Running launches: the device's list of them, their time limit, and their progress. */
#include "base/clock.h"
#include "machine/module.h"
#include "machine/worker.h"
#include <inttypes.h>

bool wg_grid_stops(struct wg_grid *g, uint64_t unit) {
    if (atomic_load_explicit(&g->dev->interrupted, memory_order_relaxed) && !g->replayed)
        wg_grid_stop(g, WG_STOP_INTERRUPT);
    else if (g->deadline && !atomic_load(&g->making) && wg_now_ns() > g->deadline)
        wg_grid_stop(g, WG_STOP_TIMEOUT);
    return atomic_load_explicit(&g->stop, memory_order_relaxed) != WG_STOP_NO ||
           unit > atomic_load_explicit(&g->limit, memory_order_relaxed);
}

void wg_grid_list(struct wg_grid *g) {
    __atomic_fetch_add(&g->code->running, 1, __ATOMIC_RELAXED);
    pthread_mutex_lock(g->dev->lock);
    g->prev = NULL;
    g->next = g->dev->running;
    if (g->next) g->next->prev = g;
    g->dev->running = g;
    pthread_mutex_unlock(g->dev->lock);
}

void wg_grid_unlist(struct wg_grid *g) {
    __atomic_fetch_sub(&g->code->running, 1, __ATOMIC_RELAXED);
    pthread_mutex_lock(g->dev->lock);
    *(g->prev ? &g->prev->next : &g->dev->running) = g->next;
    if (g->next) g->next->prev = g->prev;
    pthread_mutex_unlock(g->dev->lock);
}

void wg_grids_watch(struct wg_device *dev) {
    pthread_mutex_lock(dev->lock);
    for (struct wg_device *d = dev->fleet->first; d; d = d->sibling) {
        bool any = false;
        for (struct wg_grid *g = d->running; g; g = g->next) any |= wg_grid_stops(g, 0);
        if (any) wg_pool_kick(&d->pool);
    }
    pthread_mutex_unlock(dev->lock);
}

/* One whose units are dealt, so that they can be counted: of those that one worker runs it has taken them by then. */
static bool is_counting(const struct wg_grid *g, uint64_t now) {
    enum { DEALT_NS = 500 * 1000 * 1000 };
    if (g->verify || g->replayed || now < g->began + DEALT_NS) return false;
    return !g->job.alone || g->taken;
}

static void put_progress(const struct wg_grid *g, double seconds, struct wg_strbuf *out) {
    uint64_t left = wg_job_left(&g->job), all = g->job.units;
    double share = left < all ? (double)(all - left) / (double)all : 0;
    const char *name = g->func->shown ? g->func->shown : g->func->ir->name;
    const uint32_t *n = g->block.nctaid;
    wg_strbuf_printf(out, "kernel '%s', launch %" PRIu64 ": ", name, g->block.gridid - 1);
    if (left)
        wg_strbuf_printf(out, "%.0f %% of its blocks (grid %u x %u x %u), ", 100 * share, n[0], n[1], n[2]);
    if (!left) wg_strbuf_puts(out, "its last blocks, ");
    wg_strbuf_printf(out, "%.0f s", seconds);
    if (left && share > 0.005) wg_strbuf_printf(out, ", about %.0f s left", seconds * (1 - share) / share);
}

bool wg_grids_progress(struct wg_device *dev, struct wg_strbuf *out) {
    const struct wg_grid *first = NULL;
    uint64_t now = wg_now_ns();
    pthread_mutex_lock(dev->lock);
    for (const struct wg_grid *g = dev->running; g; g = g->next)
        if (is_counting(g, now) && (!first || g->began < first->began)) first = g;
    if (first) put_progress(first, (double)(now - first->began) * 1e-9, out);
    pthread_mutex_unlock(dev->lock);
    return first != NULL;
}

void wg_grid_set_deadline(struct wg_grid *g) {
    double timeout = g->dev->options.timeout;
    g->deadline = timeout > 0 ? wg_now_ns() + (uint64_t)(timeout * 1e9) + 1 : 0;
}

/* A lock that the thread itself may hold is not waited for: there is a next time. */
void wg_device_kick(struct wg_device *dev) {
    if (pthread_mutex_trylock(dev->lock) != 0) return;
    for (struct wg_grid *g = dev->running; g; g = g->next) wg_grid_stop(g, WG_STOP_INTERRUPT);
    pthread_mutex_unlock(dev->lock);
    uint32_t n = *(volatile uint32_t *)&dev->pool.nstarted;
    for (uint32_t i = 0; i < n; i++) wg_trap_kick(&dev->pool.workers[i]);
}
