/* See verify.h. */
#include "machine/verify.h"
#include "base/clock.h"
#include "machine/profile.h"
#include "machine/watch/watch.h"
#include "machine/work.h"
#include "machine/worker.h"
#include <stdlib.h>
#include <string.h>

/* How long the host program is held up, so that it does not write to memory that a kernel reads. */
#define HOST_WAIT_NS (3 * UINT64_C(1000000000))
/* A launch that takes the reference longer is told of, and again. */
#define QUIET_NS                                                                                             \
    (3 * UINT64_C(1000000000)) /* a launch that may wait for others does, if nothing moves so long */
#define SOON_NS  (5 * UINT64_C(1000000000))
#define AGAIN_NS (30 * UINT64_C(1000000000))

/* A process has one snapshot at a time. */
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

static struct wg_verified *totals_of(const struct wg_verify *v) { return v->g->dev->options.verified; }

/* ---- what it comes to ---- */

void wg_verify_lock(void) { pthread_mutex_lock(&one_at_a_time); }
void wg_verify_unlock(void) { pthread_mutex_unlock(&one_at_a_time); }

void wg_verify_leave_out(const struct wg_verify *v, const char *why) {
    struct wg_verified *t = totals_of(v);
    if (v->orders) return; /* the whole program's output is compared all the same */
    pthread_mutex_lock(&t->lock);
    t->left_out++;
    if (!t->why_not) t->why_not = why;
    pthread_mutex_unlock(&t->lock);
}

void wg_verify_count(const struct wg_verify *v, enum wg_verdict verdict, uint64_t bytes, uint64_t by_order,
                     bool in_part) {
    struct wg_verified *t = totals_of(v);
    pthread_mutex_lock(&t->lock);
    t->launches++;
    t->in_part += in_part;
    t->different += verdict == WG_VERIFY_DIFFERS;
    t->may_differ += verdict == WG_VERIFY_MAY_DIFFER;
    t->by_order += by_order;
    t->bytes += bytes;
    pthread_mutex_unlock(&t->lock);
}

bool wg_verify_is_new(const struct wg_verify *v, const struct wg_verify_difference *d) {
    struct wg_verified *t = totals_of(v);
    const void *place = d && d->instr ? (const void *)d->instr : v->g->func;
    bool known = false;
    pthread_mutex_lock(&t->lock);
    for (uint32_t i = 0; i < t->ntold; i++) known |= t->told[i] == place;
    bool full = t->ntold == WG_VERIFY_TOLD;
    if (!known && !full) t->told[t->ntold++] = place;
    pthread_mutex_unlock(&t->lock);
    return !known && !full;
}

/* A process has one list of findings, and one of these. */
bool wg_verify_is_new_order(const struct wg_verify *v) {
    enum { MOST = 32 };
    static const struct wg_func *told[MOST]; /* under one_at_a_time */
    uint32_t n = 0;
    while (n < MOST && told[n] && told[n] != v->g->func) n++;
    if (n == MOST || told[n]) return false;
    told[n] = v->g->func;
    return true;
}

/* ---- before it runs ---- */

static enum wg_warp_status run_under_overlay(struct wg_warp *w);

bool wg_verify_prepare_reference(struct wg_verify *v, bool in_order) {
    struct wg_how how = wg_how_asked(&v->g->dev->options);
    enum wg_status status;
    how.backend = WG_BACKEND_REF;
    how.in_order = in_order;
    how.plain = wg_checks(v->g->dev) != 0;
    v->ref = wg_grid_make(v->g->dev, &v->order, &how, &status);
    if (!v->ref) return false;
    v->code = *v->ref->code;
    v->code.run = run_under_overlay;
    v->code.whole = NULL;
    v->ref->code = &v->code;
    wg_verify_like(v, v->ref);
    if (v->g->profile) wg_profile_begin(v->ref, 0);
    return true;
}

void wg_verify_like(struct wg_verify *v, struct wg_grid *g) {
    g->verify = v;
    g->block.gridid = v->g->block.gridid;
    g->block.services = &wg_dry_services;
    g->schedule_key = v->g->schedule_key;
    if (g->schedule) g->block.lane_order = v->g->block.lane_order;
    g->clock_base = v->g->clock_base;
    g->dry = true;
    g->deadline = 0;
    g->job.alone = true;
    g->residents = v->g->cooperative ? UINT32_MAX : (uint32_t)(v->order.resident / g->shape.nctas ?: 1);
}

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
    bool orders = wg_verify_has_orders(g->dev);
    bool beyond = wg_fleet_gives(g->dev); /* what it writes there would not be put back */
    if (orders && beyond) return;
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
    if (!beyond && wg_verify_prepare_reference(v, false)) return;
    wg_verify_leave_out(v, beyond ? "kernels of the device can access memory of other devices"
                                  : "the reference cannot run the kernel");
    wg_verify_forget(g);
}

uint64_t wg_verify_block(const struct wg_warp *w) { return wg_block_index(w->block); }

void wg_verify_wait(struct wg_work *w) {
    if (w->dev->options.verify || wg_verify_has_orders(w->dev)) wg_work_wait_most(w, HOST_WAIT_NS);
}

/* ---- the reference ---- */

static void say_how_far(struct wg_verify *v, const struct wg_cta *c, uint64_t now) {
    char *kernel = wg_func_pretty(v->g->func);
    totals_of(v)->say(
        "verify: %s, launch %llu: the reference has run it for %.0f s, and is at block %llu of %llu", kernel,
        (unsigned long long)v->g->block.gridid - 1, (double)(now - v->began) * 1e-9,
        (unsigned long long)c->index + 1, (unsigned long long)v->ref->job.units * v->ref->shape.nctas);
    free(kernel);
}

static enum wg_warp_status run_under_overlay(struct wg_warp *w) {
    const struct wg_cta *c = w->machine;
    struct wg_verify *v = c->unit->grid->verify;
    uint64_t now = wg_now_ns();
    if (now > v->tell_at && !v->orders) {
        say_how_far(v, c, now);
        v->tell_at = now + AGAIN_NS;
    }
    return wg_replay_run(v->running, w);
}

/* All of it, or the block that is looked at. */
static void run_grid(struct wg_verify *v, struct wg_grid *g) {
    uint64_t begin = v->sample ? v->sample->unit : 0, end = v->sample ? begin + 1 : g->job.units;
    wg_worker_run_grid(v->worker, g, begin, end);
}

void wg_verify_run_reference(struct wg_verify *v, struct wg_replay *overlay) {
    const struct wg_memory *m = &v->g->dev->memory;
    /* Memory of blocks that run lies in the upper half: it is the reference's own. */
    uint64_t half = UINT64_C(1) << (m->bits - 1);
    wg_replay_own(overlay, m->base + half, half);
    v->running = overlay;
    if (v->heap) wg_verify_heap_begin(v, true);
    v->began = wg_now_ns();
    v->tell_at = v->began + SOON_NS;
    run_grid(v, v->ref);
    v->running = NULL;
}

/* ---- comparing ---- */

/* A bit for each of `n` bytes that differ. Kernel memory is no sanitizer's business. */
__attribute__((no_sanitize("address", "thread"))) static uint64_t differing(uint64_t address,
                                                                            const uint8_t *with, uint32_t n) {
    const uint8_t *p = (const uint8_t *)(uintptr_t)address;
    uint64_t mask = 0;
    if (memcmp(p, with, n) == 0) return 0;
    for (uint32_t k = 0; k < n; k++) mask |= (uint64_t)(p[k] != with[k]) << k;
    return mask;
}
__attribute__((no_sanitize("address", "thread"))) static uint64_t
differing_in(uint64_t address, const uint8_t *with, uint64_t which) {
    const uint8_t *p = (const uint8_t *)(uintptr_t)address;
    uint64_t mask = 0;
    if (which == UINT64_MAX) return differing(address, with, WG_VERIFY_LINE);
    for (; which; which &= which - 1) {
        int k = __builtin_ctzll(which);
        mask |= (uint64_t)(p[k] != with[k]) << k;
    }
    return mask;
}

/* Calls for each word of a line that has one of these bytes. */
static bool each_word(uint64_t line, uint64_t bytes, bool stray, wg_verify_each each, void *user) {
    for (uint32_t k = 0; k < WG_VERIFY_LINE; k += WG_VERIFY_WORD)
        if (bytes >> k & ((1u << WG_VERIFY_WORD) - 1) && !each(user, line + k, stray)) return false;
    return true;
}

static bool compare_part(const struct wg_verify *v, const struct wg_snapshot_part *part, wg_verify_each each,
                         void *user) {
    uint64_t end = part->address + part->bytes;
    for (uint64_t a = part->address, next; a < end; a = next) {
        uint64_t line = a & ~(uint64_t)(WG_VERIFY_LINE - 1);
        next = line + WG_VERIFY_LINE < end ? line + WG_VERIFY_LINE : end;
        uint64_t mask = differing(a, part->before + (a - part->address), (uint32_t)(next - a)) << (a - line);
        if (mask) mask &= ~wg_replay_line_at(v->overlay, a).written;
        if (mask && !each_word(line, mask, true, each, user)) return false;
    }
    return true;
}

void wg_verify_compare(const struct wg_verify *v, wg_verify_each each, void *user) {
    struct wg_snapshot_part part;
    struct wg_replay_line line;
    for (size_t at = 0; wg_replay_next(v->overlay, &at, &line);) {
        struct wg_span span;
        if (v->g->strayed && !wg_memory_find(&v->g->dev->memory, line.address, &span)) continue;
        uint64_t mask = differing_in(line.address, line.bytes, line.written);
        if (mask && v->heap) mask &= wg_verify_heap_lives(v, line.address);
        if (mask && !each_word(line.address, mask, false, each, user)) return;
    }
    for (uint64_t at = 0; !v->sample && wg_snapshot_next(v->snapshot, &at, &part);) {
        if (part.kind == WG_MEM_HEAP || (part.host && v->host_ran)) continue;
        if (!compare_part(v, &part, each, user)) return;
    }
}

/* That word is written by nothing but float atomics. */
bool wg_verify_is_by_order(const struct wg_verify *v, uint64_t word) {
    if (!v->marks) return false;
    struct wg_replay_line line = wg_replay_line_at(v->marks, word);
    uint32_t bytes = ((1u << WG_VERIFY_WORD) - 1), at = word % WG_VERIFY_LINE;
    return line.written >> at & bytes && !(line.marked >> at & bytes);
}

struct equal {
    const struct wg_verify *v;
    bool equal;
};
static bool one_differs(void *user, uint64_t word, bool stray) {
    struct equal *e = user;
    e->equal = !stray && wg_verify_is_by_order(e->v, word);
    return e->equal;
}

bool wg_verify_is_equal(const struct wg_verify *v) {
    struct equal e = {v, true};
    wg_verify_compare(v, one_differs, &e);
    return e.equal;
}

void wg_verify_expected(const struct wg_verify *v, uint64_t address, uint8_t *byte) {
    struct wg_replay_line line = wg_replay_line_at(v->overlay, address);
    if (line.written >> address % WG_VERIFY_LINE & 1)
        *byte = line.bytes[address % WG_VERIFY_LINE];
    else
        wg_snapshot_read(v->snapshot, NULL, address, byte, 1);
}

uint64_t wg_verify_bytes_written(const struct wg_replay *overlay) {
    struct wg_replay_line line;
    uint64_t n = 0;
    for (size_t at = 0; wg_replay_next(overlay, &at, &line);)
        n += (uint64_t)__builtin_popcountll(line.written);
    return n;
}

/* ---- once more ---- */

static void rewind_memory(struct wg_verify *v) {
    if (v->sample)
        wg_verify_sample_rewind(v);
    else
        wg_snapshot_restore(v->snapshot, WG_SNAPSHOT_ALL);
}

struct wg_replay *wg_verify_replay(struct wg_verify *v, wg_replay_allow allow, void *user) {
    struct wg_replay *r = wg_replay_new(allow, user);
    rewind_memory(v);
    wg_grid_again(v->ref);
    wg_verify_run_reference(v, r);
    if (v->heap) wg_verify_heap_keep(v);
    return r;
}

void wg_verify_run(struct wg_verify *v, struct wg_grid *g) {
    rewind_memory(v);
    if (v->heap) wg_verify_heap_begin(v, false);
    run_grid(v, g);
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
    run_grid(v, v->g);
    v->host_ran = wg_now_ns() - v->asked > HOST_WAIT_NS;
    judge(v);
}

/* It waits for what comes behind it, or for the host. */
static bool waits(const struct wg_verify *v) {
    return v->ref->quiet_ns && !faulted(v->ref) && atomic_load(&v->ref->stop) == WG_STOP_FAULT;
}

/* False: the reference has come to no end, and the launch has not run. */
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

/* As it runs where nothing is compared. What is behind it in other streams may be what it waits for. */
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
        wg_grid_finished(v->g);
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
    g->quiet_turns = 0;
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
