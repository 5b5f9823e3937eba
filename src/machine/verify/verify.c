/* See verify.h. */
#include "machine/verify/verify.h"
#include "base/clock.h"
#include "machine/profile.h"
#include "machine/watch/watch.h"
#include "machine/work.h"
#include "machine/worker.h"
#include <stdlib.h>
#include <string.h>

/* How long the host program is held up, so that it does not write to memory that a kernel reads. */
#define HOST_WAIT_NS (3 * UINT64_C(1000000000))
/* A launch that may wait for others does, if nothing moves so long. */
#define QUIET_NS (3 * UINT64_C(1000000000))

/* ---- before it runs ---- */

static void keep_order(struct wg_verify *v, const struct wg_launch_order *o) {
    uint32_t bytes = v->g->func->ir->param_bytes;
    v->order = *o;
    v->order.launch.args = NULL;
    v->order.launch.param_bytes = bytes;
    v->order.launch.params = v->params = wg_xmalloc(bytes + 1u);
    memcpy(v->params, v->g->params, bytes);
}

void wg_verify_begin(struct wg_grid *g, const struct wg_launch_order *o) {
    struct wg_verified *t = g->dev->options.verified;
    bool orders = wg_device_has_orders(g->dev);
    bool beyond = wg_fleet_gives(g->dev); /* what it writes there would not be put back */
    bool launches = wg_func_may_launch(g->func);
    if (orders && beyond) {
        wg_findings_note(g->dev->options.findings,
                         "launches of a device that can access memory of others were not compared in other "
                         "orders: only what the program prints was");
        return;
    }
    if (orders && launches) {
        wg_findings_note(
            g->dev->options.findings,
            "launches of kernels that launch kernels were not compared in other orders: only what "
            "the program prints was");
        return;
    }
    if (!orders && (!t || !g->dev->options.verify || g->code->reference)) return;
    struct wg_verify *v = wg_xcalloc(1, sizeof *v);
    v->g = g;
    v->orders = orders;
    keep_order(v, o);
    if (orders) {
        g->verify = v;
        atomic_store(&v->refs, 1);
        return;
    }
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    g->clock_base = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    g->job.alone |= g->dev->options.verify == WG_VERIFY_ALL;
    g->verify = v;
    atomic_store(&v->refs, 1);
    if (!beyond && !launches && wg_verify_prepare_reference(v, false)) return;
    wg_verify_leave_out(v, beyond     ? "kernels of the device can access memory of other devices"
                           : launches ? "the kernel launches kernels"
                                      : "the reference cannot run the kernel");
    wg_verify_forget(g);
}

void wg_verify_wait(struct wg_work *w) {
    if (w->dev->options.verify || wg_device_has_orders(w->dev)) wg_work_wait_most(w, HOST_WAIT_NS);
}

/* ---- judging ---- */

static bool faulted(const struct wg_grid *g) { return g->fault_unit != UINT64_MAX; }
static bool stopped(const struct wg_grid *g) {
    return !faulted(g) && atomic_load(&((struct wg_grid *)g)->stop) != WG_STOP_NO;
}

/* A misaligned address may be found by a page fault alone. */
static bool same_fault(const struct wg_grid *a, const struct wg_grid *b) {
    uint32_t x = a->fault.kind, y = b->fault.kind;
    if (x == WG_FAULT_MISALIGNED) x = WG_FAULT_ADDRESS;
    if (y == WG_FAULT_MISALIGNED) y = WG_FAULT_ADDRESS;
    return x == y;
}

static enum wg_verdict look_closer(struct wg_verify *v, uint64_t *by_order) {
    struct wg_snapshot_state *now = wg_snapshot_take(v->snapshot);
    struct wg_heap_state *heap = wg_heap_keep(v->g->dev);
    struct wg_verify_difference d;
    bool differs = wg_verify_find(v, now, &d);
    *by_order = d.by_order;
    if (differs && wg_verify_is_new(v, &d)) {
        char *blame = wg_verify_blame(v);
        wg_verify_say_difference(v, &d, blame);
        free(blame);
    }
    wg_snapshot_put(v->snapshot, now);
    wg_heap_put(v->g->dev, heap);
    wg_heap_drop(heap);
    wg_replay_free(v->marks);
    v->marks = NULL;
    return !differs ? WG_VERIFY_EQUAL : d.order_is_open ? WG_VERIFY_MAY_DIFFER : WG_VERIFY_DIFFERS;
}

static enum wg_verdict judge_faults(struct wg_verify *v) {
    if (faulted(v->g) && faulted(v->ref) && same_fault(v->g, v->ref)) return WG_VERIFY_EQUAL;
    if (wg_verify_is_new(v, NULL)) wg_verify_say_fault(v);
    return WG_VERIFY_DIFFERS;
}

static void judge(struct wg_verify *v) {
    uint64_t by_order = 0;
    enum wg_verdict verdict = WG_VERIFY_EQUAL;
    if (stopped(v->g) || stopped(v->ref)) {
        wg_verify_leave_out(v, "the launch was stopped");
        return;
    }
    if (faulted(v->g) || faulted(v->ref)) {
        wg_verify_count(v, judge_faults(v), 0, 0, false);
        return;
    }
    bool equal = wg_verify_is_equal(v);
    if (!equal && wg_verify_heap_moved(v)) {
        wg_verify_leave_out(v, "malloc gave threads different addresses");
        return;
    }
    uint64_t bytes = wg_verify_bytes_written(v->overlay);
    if (!equal) verdict = look_closer(v, &by_order);
    if (verdict == WG_VERIFY_EQUAL && wg_verify_counts_differ(v)) verdict = WG_VERIFY_DIFFERS;
    wg_verify_count(v, verdict, bytes, by_order, false);
}

/* ---- the job ---- */

static void run_generated(struct wg_verify *v) {
    wg_snapshot_refresh(v->snapshot);
    wg_grid_set_deadline(v->g);
    wg_verify_run_units(v, v->g);
    v->host_ran = wg_now_ns() - v->asked > HOST_WAIT_NS;
    judge(v);
}

/* It waits for later work, or for the host. */
static bool waits(const struct wg_verify *v) {
    return v->ref->quiet_ns && !faulted(v->ref) && atomic_load(&v->ref->stop) == WG_STOP_FAULT;
}

/* False: the reference did not end, and the launch has not run. */
static bool run_both(struct wg_verify *v) {
    v->overlay = wg_replay_new(NULL, NULL);
    v->ref->quiet_ns = wg_func_may_wait(v->g->func) ? QUIET_NS : 0;
    wg_verify_run_reference(v, v->overlay);
    bool ended = !waits(v);
    v->ref->quiet_ns = 0;
    wg_profile_rows(v->ref); /* of this run alone */
    wg_verify_heap_keep(v);
    wg_verify_heap_begin(v, false);
    if (ended) run_generated(v);
    wg_replay_free(v->overlay);
    v->overlay = NULL;
    return ended;
}

static void drop(struct wg_verify *v) {
    if (atomic_fetch_sub(&v->refs, 1) != 1) return;
    wg_verify_sample_free(v);
    if (v->ref) wg_profile_drop(v->ref);
    if (v->ref) wg_grid_release(v->ref);
    free(v->params);
    free(v);
}

/* False: it is still to be run. */
static bool run_whole(struct wg_verify *v) {
    bool ended = false;
    v->was_alone = v->g->job.alone;
    v->g->job.alone = true;
    v->heap = wg_verify_heap_new(v);
    v->snapshot = wg_snapshot_begin(&v->g->dev->memory);
    if (v->snapshot) {
        ended = v->orders ? wg_verify_orders(v) : run_both(v);
        wg_snapshot_end(v->snapshot);
        v->snapshot = NULL;
        if (!ended && !v->orders) wg_verify_leave_out(v, "it waits for other work or for the host");
    } else {
        wg_verify_leave_out(v, "there was no memory for a copy");
    }
    wg_verify_heap_free(v->heap);
    v->heap = NULL;
    v->g->job.alone = v->was_alone;
    return ended;
}

/* Runs it without comparison. It may wait for later work in other streams. */
static void hand_on(struct wg_verify *v, bool sampled) {
    struct wg_grid *g = v->g;
    v->handed_on = true;
    if (!sampled) wg_work_let_go_of(g->dev, g->work);
    g->job.kind = &wg_grid_job;
    wg_grid_set_deadline(g);
    if (!wg_pool_submit(&g->dev->pool, wg_grid_submits(g))) abort(); /* there are workers: this is one */
}

/* Another launch that was let go may write to the same memory. */
static bool has_company(const struct wg_grid *g) {
    pthread_mutex_lock(g->dev->lock);
    bool any = g->prev || g->next;
    pthread_mutex_unlock(g->dev->lock);
    return any;
}

static void run(struct wg_worker *w, struct wg_job *job, uint64_t begin, uint64_t end) {
    struct wg_verify *v = (struct wg_verify *)job;
    bool company = has_company(v->g);
    v->worker = w;
    wg_verify_lock();
    wg_trap_install();
    bool sampled = !company && !v->orders && wg_verify_sample(v),
         ended = !sampled && !company && run_whole(v);
    wg_verify_unlock();
    if (company) wg_verify_leave_out(v, "another launch ran at the same time");
    if (ended)
        v->g->launcher->completed(v->g);
    else
        hand_on(v, sampled);
    wg_job_finished(w->pool, job, end - begin);
}

static void done(struct wg_job *job) {}
static void release(struct wg_job *job) {
    struct wg_verify *v = (struct wg_verify *)job;
    if (!v->handed_on) wg_grid_release(v->g);
    drop(v);
}
static const struct wg_job_kind verify_job = {run, done, release};

void wg_verify_forget(struct wg_grid *g) {
    struct wg_verify *v = g->verify;
    g->verify = NULL;
    g->clock_base = 0;
    g->dry = false;
    g->quiet_slices = 0;
    g->quiet_ns = 0;
    if (v && v->g == g) drop(v);
}

struct wg_job *wg_verify_job(struct wg_grid *g) {
    struct wg_verify *v = g->verify;
    v->asked = wg_now_ns();
    atomic_fetch_add(&v->refs, 1);
    v->job.kind = &verify_job;
    v->job.units = v->job.longest = v->job.longest_quick = 1;
    v->job.priority = g->job.priority;
    v->job.alone = true;
    return &v->job;
}
