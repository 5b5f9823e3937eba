/* A worker's loop: claims units of launches, runs them, and resumes the units it had to put aside.
 *
 * Units put aside come first: when one of them makes progress, they are all resumed before anything new is
 * begun. When none makes progress, new units are begun, as many as are aside (so a grid whose blocks all wait
 * for each other is resident after a few rounds), until the device could hold no more.
 */
#include "machine/worker.h"
#include "base/clock.h"
#include "base/thread_text.h"
#include "machine/device.h"
#include "machine/later_sums.h"
#include "machine/overrun.h"
#include "machine/schedule.h"
#include "machine/watch/watch.h"
#include "machine/work.h"
#include <sched.h>
#include <stdlib.h>

enum {
    SPIN_NS = 15 * 1000,   /* idle: look for work this long before sleeping */
    WAY_NS = 50 * 1000,    /* spinning: yield the processor this often */
    BYTES_KEPT = 64 << 20, /* of units that wait for work: a grid whose blocks all wait for each other */
    SWEEP_WARPS = 256,     /* with fewer, one iteration covers only a short range of memory */
    /* Time slices of a launch that runs alone until other work gets one: slices without progress, and any. */
    ALONE_QUIET = 64,
    ALONE_TURNS = 1 << 14,
};

/* ---- units ---- */

enum wg_unit_end wg_worker_run(struct wg_worker *w, struct wg_unit *u, uint64_t last) {
    if (sigsetjmp(w->escape, 0)) { /* trap.c comes back here */
        struct wg_warp *warp = atomic_load_explicit(&w->warp, memory_order_relaxed);
        atomic_store_explicit(&w->warp, NULL, memory_order_relaxed);
        wg_unit_catch_up(u);
        if (w->kicked) {
            w->kicked = false;
            return WG_UNIT_STOPPED;
        }
        struct wg_fault f = w->refused;
        w->refused.kind = WG_FAULT_NONE;
        bool by_signal = f.kind == WG_FAULT_NONE;
        if (by_signal) f = (struct wg_fault){.kind = WG_FAULT_ADDRESS, .lane = WG_LANES};
        if (by_signal && w->fault_address_known) f.address = w->fault_address;
        wg_grid_fault(warp->machine, warp, &f, by_signal, by_signal ? NULL : wg_thread_text(WG_TEXT_REFUSED));
        return WG_UNIT_FAULT;
    }
    for (;;) {
        uint64_t first = u->index;
        enum wg_unit_end how = wg_unit_run(u, last);
        if (how != WG_UNIT_DONE || u->index == last || wg_grid_stops(u->grid, u->index + 1)) return how;
        if (u->grid->check) wg_check_unit_end(u);
        uint64_t ended = u->index - first + 1;
        wg_unit_begin(u, u->index + 1);
        wg_combine_tick(w, ended);
    }
}

static void put_aside(struct wg_worker *w, struct wg_unit *u) {
    u->next = NULL;
    *(w->aside ? &w->aside_last->next : &w->aside) = u;
    w->aside_last = u;
    w->naside++;
}

/* Streaming stores are visible before the units count as done: jit/access/stream.c. */
static void finish(struct wg_worker *w, struct wg_grid *g, uint64_t units) {
    if (g->block.streams) __builtin_ia32_sfence();
    wg_job_finished(w->pool, &g->job, units);
}

/* Runs a unit and handles how it ended. */
static void run_unit(struct wg_worker *w, struct wg_unit *u) {
    struct wg_grid *g = u->grid;
    enum wg_unit_end end = wg_worker_run(w, u, u->index);
    wg_combine_close(w);
    switch (end) {
    case WG_UNIT_ASIDE:
    case WG_UNIT_GRID: put_aside(w, u); return;
    case WG_UNIT_FAULT: u->dirty = true; break; /* what the warps were doing is lost */
    case WG_UNIT_STOPPED:
        u->dirty = true;
        wg_grid_stopped(u);
        break;
    case WG_UNIT_DONE: break;
    }
    if (g->check) wg_check_unit_end(u);
    struct wg_sum_claim *claim = u->claim;
    wg_overrun_look(u, u->index);
    wg_slot_put(w, u);
    if (claim) wg_later_ended(w, claim, 1);
    finish(w, g, 1);
}

/* Runs units of a launch in one slot, reused as long as they run to their end; returns how many have
 * ended. */
static uint64_t run_units(struct wg_worker *w, struct wg_grid *g, struct wg_unit **slot, uint64_t begin,
                          uint64_t end) {
    uint64_t finished = 0;
    struct wg_unit *u = *slot;
    for (uint64_t i = begin; i < end; i++) {
        uint64_t first = g->schedule ? wg_schedule_unit(g, i) : i;
        if (wg_grid_stops(g, first) || (!u && !(u = wg_slot_get(w, g)))) {
            finished++; /* no memory: the launch ends with that */
            continue;
        }
        wg_unit_begin(u, first);
        wg_combine_tick(w, 1);
        enum wg_unit_end how = wg_worker_run(w, u, g->schedule ? first : end - 1);
        finished += u->index - first;
        i += u->index - first;
        switch (how) {
        case WG_UNIT_DONE: finished++; break;
        case WG_UNIT_ASIDE:
        case WG_UNIT_GRID:
            wg_combine_publish(w);
            put_aside(w, u);
            u = NULL;
            break;
        case WG_UNIT_STOPPED: wg_grid_stopped(u); /* fall through */
        case WG_UNIT_FAULT:
            u->dirty = true;
            finished++;
            break;
        }
        if (u && g->check) wg_check_unit_end(u);
    }
    *slot = u;
    return finished;
}

/* Loop interchange across adjacent blocks in a row of the grid (analysis/interchange.h): each block runs the first
 * iteration, then each the next one, until the code says that there are no more iterations common to all.
 * When a block faults, the blocks after it are dropped; those before it still run their remaining
 * iterations. */
static uint64_t sweep(struct wg_worker *w, struct wg_grid *g, struct wg_unit **slot, uint64_t begin,
                      uint64_t end) {
    uint64_t finished = end - begin;
    uint32_t iteration = 0;
    for (bool on = true; on; iteration++) {
        on = false;
        for (uint64_t i = begin; i < end; i++) {
            if (wg_grid_stops(g, i) || (!*slot && !(*slot = wg_slot_get(w, g)))) {
                end = i;
                continue;
            }
            struct wg_unit *u = *slot;
            struct wg_block *b = &u->ctas[0].block;
            wg_unit_begin(u, i);
            b->stage = WG_STAGE_COUNT;
            b->iteration = iteration;
            b->last_x = b->ctaid[0] + (uint32_t)(end - i) * u->shape.nctas - 1;
            b->first_x = b->ctaid[0] - (uint32_t)(i - begin) * u->shape.nctas;
            if ((end - begin) * u->shape.nctas * u->shape.nwarps < SWEEP_WARPS) b->last_x = 0;
            if (i == begin) b->goes_on = 0;
            wg_combine_tick(w, WG_SWEEP_BLOCKS);
            enum wg_unit_end how = wg_worker_run(w, u, end - 1);
            i = u->index;
            iteration = b->iteration; /* the code has advanced it by itself */
            on = b->goes_on != 0;
            switch (how) {
            case WG_UNIT_DONE: break;
            case WG_UNIT_ASIDE: /* after the loop */
            case WG_UNIT_GRID:
                wg_combine_publish(w);
                put_aside(w, u);
                *slot = NULL;
                finished--;
                break;
            case WG_UNIT_STOPPED: wg_grid_stopped(u); /* fall through */
            case WG_UNIT_FAULT:
                u->dirty = true;
                end = i;
                break;
            }
        }
    }
    return finished;
}

/* One stage of a block, where all count in one table. */
static bool run_stage(struct wg_worker *w, struct wg_grid *g, struct wg_unit **slot, uint64_t i,
                      enum wg_stage stage) {
    if (wg_grid_stops(g, i) || (!*slot && !(*slot = wg_slot_get(w, g)))) return false;
    struct wg_unit *u = *slot;
    wg_unit_begin(u, i);
    for (uint32_t k = 0; k < u->shape.nctas; k++) {
        struct wg_block *b = &u->ctas[k].block;
        b->stage = stage;
        b->iteration = b->goes_on = 0;
    }
    wg_combine_tick(w, 1);
    enum wg_unit_end how = wg_worker_run(w, u, i);
    if (how == WG_UNIT_STOPPED) wg_grid_stopped(u);
    u->dirty |= how != WG_UNIT_DONE;
    return how == WG_UNIT_DONE;
}

/* Blocks of a row that run interleaved. */
static uint64_t run_together(struct wg_worker *w, struct wg_grid *g, struct wg_unit **slot, uint64_t begin,
                             uint64_t end) {
    if (!g->code->stages) return sweep(w, g, slot, begin, end);
    if (run_stage(w, g, slot, begin, WG_STAGE_CLEAR)) {
        sweep(w, g, slot, begin, end);
        /* After a fault the launch stops for all later blocks. */
        run_stage(w, g, slot, begin, WG_STAGE_HAND_OVER);
    }
    return end - begin;
}

/* As many of them as can run interleaved. */
static uint64_t run_sweeps(struct wg_worker *w, struct wg_grid *g, struct wg_unit **slot, uint64_t begin,
                           uint64_t end) {
    uint64_t finished = 0, row = g->clusters[0], most = WG_SWEEP_BLOCKS / g->shape.nctas, to;
    for (uint64_t at = begin; at < end; at = to) {
        to = g->block.nctaid[0] <= WG_SWEEP_MOST_X ? (at / row + 1) * row : at + 1;
        if (to > at + most) to = at + most;
        if (to > end) to = end;
        finished += run_together(w, g, slot, at, to);
    }
    return finished;
}

void wg_worker_run_units(struct wg_worker *w, struct wg_job *job, uint64_t begin, uint64_t end) {
    struct wg_grid *g = (struct wg_grid *)job;
    struct wg_unit *u = NULL;
    bool together = g->code->sweeps || g->code->stages;
    struct wg_sum_claim *claim = g->later ? wg_later_begin(w, g, begin, end) : NULL;
    uint64_t ended = (together ? run_sweeps : run_units)(w, g, &u, begin, end);
    if (u) wg_overrun_look(u, begin);
    if (u) wg_slot_put(w, u);
    if (claim) wg_later_ended(w, claim, ended);
    w->held += ended;
}

/* ---- the units put aside ---- */

/* One time slice for each. True when one of them made progress. */
static bool turn_aside(struct wg_worker *w) {
    bool moved = false;
    for (uint32_t n = w->naside; n; n--) {
        struct wg_unit *u = w->aside;
        w->aside = u->next;
        w->naside--;
        if (!wg_grid_stops(u->grid, u->index) && wg_unit_at_grid(u)) {
            put_aside(w, u);
            continue;
        }
        uint32_t moves = u->moves;
        uint32_t had = w->naside;
        run_unit(w, u);
        moved |= w->naside == had || w->aside_last->moves != moves;
    }
    return moved;
}

/* A spinning unit should see soon what it waits for, so it is resumed at once. Another thread that wants the
 * processor may be the one it waits for, but would keep the processor for milliseconds: if every time slice
 * yielded, a loaded machine would do little else. */
static void give_way(struct wg_worker *w) {
    if (wg_now_ns() - w->gave_way < WAY_NS) {
        wg_relax();
        return;
    }
    sched_yield();
    w->gave_way = wg_now_ns();
}

/* Every unit aside waits for a grid barrier (or spins): yields the processor. */
static void nap(struct wg_worker *w) {
    wg_check_round_idle(w);
    for (const struct wg_unit *u = w->aside; u; u = u->next)
        if (!wg_unit_at_grid(u)) {
            give_way(w);
            return;
        }
    struct wg_unit *u = w->aside;
    uint32_t phase = u->ctas[0].grid_phase;
    for (uint64_t until = wg_now_ns() + SPIN_NS; wg_now_ns() < until;) {
        if (!wg_unit_at_grid(u)) return;
        wg_relax();
    }
    if (wg_unit_at_grid(u) && !wg_grid_stops(u->grid, u->index)) wg_park(&u->grid->phase, phase, 1000 * 1000);
}

/* For the next launch of the same code: whether it will be brief. */
static void learn(const struct wg_job *job, uint64_t units, uint64_t ns) {
    if (job->kind->run != wg_worker_run_units) return;
    uint64_t each = ns / units;
    each = each ? each < UINT32_MAX ? each : UINT32_MAX : 1;
    __atomic_store_n(&((const struct wg_grid *)job)->code->unit_ns, (uint32_t)each, __ATOMIC_RELAXED);
}

/* Begins up to `most` new units of the job. */
static bool begin_of(struct wg_worker *w, struct wg_job *job, uint64_t most) {
    uint64_t begin, end;
    bool any = false;
    /* Something other than a launch (a copy) may always begin. */
    uint32_t resident =
        job->kind->run == wg_worker_run_units ? ((struct wg_grid *)job)->residents : UINT32_MAX;
    uint32_t aside = w->naside, epoch = atomic_load(&w->pool->epoch);
    struct wg_pace pace = wg_pace_of(job);
    uint64_t now = wg_now_ns();
    while (most && w->naside < resident &&
           wg_job_claim(w->pool, job, &pace, wg_pool_place(w->pool, w), most, &begin, &end)) {
        uint64_t began = now;
        job->kind->run(w, job, begin, end);
        now = wg_now_ns();
        learn(job, end - begin, now - began);
        if (job->brief)
            wg_pool_judge(w->pool, job, &pace, end - begin, now - began);
        else
            wg_pace_learn(&pace, job, end - begin, now - began);
        any = true;
        most -= end - begin;
        if (w->naside != aside) break; /* their turn */
        if (!job->alone && atomic_load_explicit(&w->pool->epoch, memory_order_relaxed) != epoch)
            break; /* perhaps more urgent */
    }
    if (w->held) {
        uint64_t held = w->held;
        wg_combine_close(w);
        w->held = 0; /* the last of a launch may begin another one: verify.h */
        finish(w, (struct wg_grid *)job, held);
    }
    return any;
}

/* Begins up to `most` new units. False when there are none to begin, or the device holds no more. */
static bool begin_new(struct wg_worker *w, uint64_t most) {
    struct wg_job *job = wg_pool_take(w->pool, w);
    if (!job) return false;
    bool any = begin_of(w, job, most);
    wg_job_drop(job);
    return any;
}

/* ---- launches that one worker runs alone ---- */

static void nobody_asks(struct wg_job *job) {}
static const struct wg_job_kind own_job = {wg_worker_run_units, nobody_asks, nobody_asks};

/* Units [begin, end) of the launch are this worker's, and no job of the pool's. */
static void take_over(struct wg_grid *g, uint64_t begin, uint64_t end) {
    g->taken = true;
    g->job.kind = &own_job;
    g->job.nshares = 1;
    g->job.shares = &g->job.only;
    g->job.only.end = end;
    atomic_store(&g->job.only.next, begin);
    atomic_store(&g->job.finished, 0);
    atomic_store(&g->job.refs, 2); /* the submitter's, and one for the reader of `finished` */
}

static void swap_aside(struct wg_worker *w, struct wg_aside *other) {
    struct wg_aside mine = {w->aside, w->aside_last, w->naside};
    w->aside = other->first;
    w->aside_last = other->last;
    w->naside = other->n;
    *other = mine;
}

/* A time slice of each unit put aside, or if none of them makes progress, new units. False: no progress. */
static bool turn(struct wg_worker *w, struct wg_grid *g) {
    if (w->naside && (turn_aside(w) || !w->naside)) return true;
    return begin_of(w, &g->job, w->naside ? w->naside : UINT64_MAX);
}

/* This thread's CPU time: on a busy machine wall-clock time says little. */
static uint64_t own_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void count_quiet(struct wg_grid *g, uint32_t *turns, uint64_t *since) {
    if (!(*turns)++) *since = own_ns();
    bool over = g->quiet_slices && *turns > g->quiet_slices;
    if (over || (g->quiet_ns && own_ns() - *since > g->quiet_ns)) wg_grid_stop(g, WG_STOP_FAULT);
}

void wg_worker_run_grid(struct wg_worker *w, struct wg_grid *g, uint64_t begin, uint64_t end) {
    const struct wg_job_kind *kind = g->job.kind;
    struct wg_aside others = {0};
    uint32_t quiet = 0;
    uint64_t since = 0;
    take_over(g, begin, end);
    swap_aside(w, &others);
    while (atomic_load(&g->job.finished) < end - begin) {
        if (turn(w, g)) {
            quiet = 0;
            continue;
        }
        count_quiet(g, &quiet, &since);
        if (w->naside) nap(w);
    }
    swap_aside(w, &others);
    g->taken = false;
    g->job.kind = kind;
}

void wg_worker_take_over(struct wg_worker *w, struct wg_job *job, uint64_t begin, uint64_t end) {
    struct wg_grid *g = wg_grid_of_alone(job);
    take_over(g, 0, g->job.units);
    g->alone_next = w->alone;
    w->alone = g;
}

/* It has made no progress for a while, or has run for very long: it may wait for other work, and after a
 * fault the blocks before the fault need not be waited for. */
static void stands_still(struct wg_grid *g) {
    if (atomic_load_explicit(&g->limit, memory_order_relaxed) != UINT64_MAX) wg_grid_stop(g, WG_STOP_FAULT);
    if (g->dev->in_order && !g->check) wg_work_let_go_of(g->dev, g->work);
}

/* Runs it until it has ended or makes no progress: how far depends only on the launch. True: it has ended. */
static bool run_alone(struct wg_worker *w, struct wg_grid *g) {
    uint32_t quiet = 0;
    bool ended = false;
    swap_aside(w, &g->aside);
    for (uint32_t n = 0; !ended && n < ALONE_TURNS && quiet < ALONE_QUIET; n++) {
        bool moved = turn(w, g);
        quiet = moved ? 0 : quiet + 1;
        ended = atomic_load(&g->job.finished) == g->job.units;
        if (!moved && !ended) wg_check_round_idle(w);
    }
    swap_aside(w, &g->aside);
    if (!ended) {
        stands_still(g);
        return false;
    }
    wg_job_finished(w->pool, &g->alone, 1);
    return true;
}

/* True: one of them has ended. */
static bool turn_alone(struct wg_worker *w) {
    bool any = false;
    for (struct wg_grid **at = &w->alone; *at;) {
        struct wg_grid *g = *at, *next = g->alone_next;
        bool ended = run_alone(w, g);
        any |= ended;
        if (ended)
            *at = next;
        else
            at = &g->alone_next;
    }
    return any;
}

/* ---- the loop ---- */

static void idle(struct wg_worker *w) {
    struct wg_pool *p = w->pool;
    uint32_t seen = atomic_load(&p->epoch);
    if (wg_pool_has(p, w) || atomic_load(&p->stopping)) return;
    wg_slot_trim(w, BYTES_KEPT);
    for (uint64_t until = wg_now_ns() + SPIN_NS; wg_now_ns() < until; sched_yield()) {
        for (int i = 0; i < 32; i++) {
            if (atomic_load_explicit(&p->epoch, memory_order_relaxed) != seen) return;
            wg_relax();
        }
    }
    atomic_fetch_add(&p->idle, 1);
    if (atomic_load(&p->epoch) == seen) wg_park(&p->epoch, seen, 0);
    atomic_fetch_sub(&p->idle, 1);
}

void *wg_worker_main(void *arg) {
    struct wg_worker *w = arg;
    wg_trap_enter(w);
    wg_sums_init(&w->sums);
    while (!atomic_load_explicit(&w->pool->stopping, memory_order_relaxed)) {
        if (w->alone && turn_alone(w)) continue;
        if (w->naside && (turn_aside(w) || !w->naside)) continue;
        if (begin_new(w, w->naside ? w->naside : UINT64_MAX)) continue;
        if (w->naside)
            nap(w);
        else if (w->alone)
            give_way(w);
        else
            idle(w);
    }
    wg_slot_trim(w, 0);
    wg_sums_free(&w->sums);
    wg_trap_leave(w);
    return NULL;
}
