/* The warp scheduler: runs the warps of a unit until they are done.
 *
 * There are three ways. Generated code runs a block whose only barriers are __syncthreads() by itself
 * (`run_whole`). Where it cannot, `run_plain` runs each warp to the barrier, releases all, and repeats;
 * generated code switches from warp to warp by itself. At the first other event (a partial barrier, a yield,
 * a cluster or grid barrier) the block continues in `run_general`, which keeps each warp's state and asks
 * barrier.c which warps may resume.
 *
 * Time slices: a warp that spins yields after a while (warp/slices.h). When nothing in the unit has made
 * progress for a while, the unit is put aside so that the worker can run the blocks it may be waiting for.
 */
#include "base/clock.h"
#include "machine/device.h"
#include "machine/grid.h"
#include "machine/module.h"
#include "machine/schedule.h"
#include "machine/watch/watch.h"
#include "machine/worker.h"
#include <string.h>

enum {
    /* Passes without progress until a unit is put aside: where one warp spins and the others wait, or all of
     * them loop; and where it was put aside before, and there was no progress since. */
    WAITS_PASSES = 8,
    LOOPS_PASSES = 64,
    STILL_PASSES = 1,
    SLICE_NS = 20 * 1000 * 1000,  /* with progress, while other units wait for their time slice */
    GRACE_NS = 500 * 1000 * 1000, /* for units below one that has faulted */
    LOOK_PASSES = 16,             /* between reads of the clock */
    /* The same for a launch that one worker runs, so that its blocks are scheduled the same way in every
     * run. */
    QUIET_ALONE_PASSES = 2,
    QUIET_PASSES = 5,
    SLICE_PASSES = 64,
};

/* ---- the beginning of a unit ---- */

static void place_cta(struct wg_cta *c, const struct wg_grid *g, uint64_t unit) {
    struct wg_block *b = &c->block;
    const uint32_t *n = b->cluster_nctaid;
    uint64_t rest = unit;
    for (int i = 0; i < 3; i++) {
        b->clusterid[i] = (uint32_t)(rest % g->clusters[i]);
        rest /= g->clusters[i];
        b->ctaid[i] = b->clusterid[i] * n[i] + b->cluster_ctaid[i];
    }
    c->index = wg_block_index(b);
    b->smid = (uint32_t)(c->index % b->nsmid);
}

/* The block after the previous one, without divisions. Blocks without clusters only. */
static void place_next(struct wg_cta *c) {
    struct wg_block *b = &c->block;
    for (int i = 0; i < 3; i++) {
        b->clusterid[i] = b->ctaid[i] = b->ctaid[i] + 1 < b->nctaid[i] ? b->ctaid[i] + 1 : 0;
        if (b->ctaid[i]) break;
    }
    c->index++;
    b->smid = b->smid + 1 < b->nsmid ? b->smid + 1 : 0;
}

/* Generated code has continued with other blocks by itself: updates the unit's indices and whatever depends
 * on them. */
void wg_unit_catch_up(struct wg_unit *u) {
    struct wg_cta *c = &u->ctas[0];
    struct wg_block *b = &c->block;
    if (u->more == b->more) return;
    c->index += u->more - b->more;
    u->index = c->index / u->shape.nctas;
    u->more = b->more;
    for (int i = 0; i < 3; i++) b->clusterid[i] = b->ctaid[i] / b->cluster_nctaid[i];
    b->smid = (uint32_t)(c->index % b->nsmid);
}

static void clear_cta(struct wg_cta *c) {
    for (uint32_t used = c->used; used; used &= used - 1)
        memset(&c->barriers[__builtin_ctz(used)], 0, sizeof(struct wg_barrier));
    memset(c->cluster_arrived, 0, sizeof c->cluster_arrived);
    memset(c->grid_waiting, 0, sizeof c->grid_waiting);
    c->used = 0;
    c->wrong = NULL;
    c->ndone = 0;
    c->at_grid = false;
}

/* As if none of them had run. */
static void begin_warps(struct wg_cta *c) {
    for (uint32_t i = 0; i < c->nwarps; i++) {
        struct wg_warp *w = &c->warps[i];
        w->live = UINT32_MAX;
        w->active = 0;
        w->resume = w->told = 0;
        w->version = 0;
        w->met = 0;
        w->spun = w->spent = w->rounds = w->rested = 0;
        w->fuel = WG_FUEL;
        w->nwait = 0;
    }
    uint32_t run = c->unit->grid->code->warps;
    for (uint32_t i = run ? run : c->nwarps; i < c->nwarps; i++) c->warps[i].live = 0;
}

void wg_unit_begin(struct wg_unit *u, uint64_t index) {
    const struct wg_grid *g = u->grid;
    bool next = u->shape.nctas == 1 && u->placed && index == u->index + 1;
    bool reserves = g->func->module->reserves_shared;
    bool chains = u->shape.nctas == 1 && !g->cooperative && !g->schedule;
    u->placed = true;
    u->index = index;
    u->more = u->ctas[0].block.more = 0;
    u->passes = 0;
    if (next && u->fresh && !reserves && !g->check) { /* like the previous one */
        place_next(&u->ctas[0]);
        u->fresh = false;
        return;
    }
    for (uint32_t k = 0; k < u->shape.nctas; k++) {
        struct wg_cta *c = &u->ctas[k];
        if (next)
            place_next(c);
        else
            place_cta(c, g, index);
        if (u->dirty) clear_cta(c);
        if (reserves) memset(c->block.cluster_shared + c->block.reserved_at, 0, WG_RESERVED_BYTES);
        c->block.last = chains ? &c->warps[(g->code->warps ? g->code->warps : c->nwarps) - 1] : NULL;
        if (!u->fresh) begin_warps(c);
        if (c->warps[c->nwarps - 1].live) c->warps[c->nwarps - 1].live = g->last_lanes;
        if (g->check) wg_check_watch(c);
    }
    u->dirty = u->general = u->fresh = u->still = false;
    if (g->check) wg_check_unit_begin(u);
}

/* ---- one warp ---- */

/* Runs *w, and the following warps that the code switches to by itself; *w is then the one that returned. */
static inline enum wg_warp_status run_chain(struct wg_worker *worker, struct wg_warp **w, wg_warp_fn run) {
    atomic_store_explicit(&worker->warp, *w, memory_order_relaxed);
    enum wg_warp_status s = run(*w);
    *w = atomic_load_explicit(&worker->warp, memory_order_relaxed);
    atomic_store_explicit(&worker->warp, NULL, memory_order_relaxed);
    return s;
}

static inline enum wg_warp_status step(struct wg_worker *worker, struct wg_warp *w, wg_warp_fn run) {
    atomic_store_explicit(&worker->warp, w, memory_order_relaxed);
    enum wg_warp_status s = run(w);
    atomic_store_explicit(&worker->warp, NULL, memory_order_relaxed);
    return s;
}

static inline bool plain(const struct wg_wait *w) {
    return w->kind == WG_WAIT_BLOCK && w->id == 0 && w->threads == 0 && w->red == WG_M_none;
}

/* ---- run_plain: no barrier but __syncthreads() ---- */

/* Sets the states that run_general needs, when warp `at` has just returned with an event for it. Warps before
 * it are done or wait at barrier 0; those after it have not run since the last barrier. */
static void become_general(struct wg_cta *c, uint32_t at) {
    c->unit->general = c->unit->dirty = true;
    c->block.last = NULL;
    c->ndone = 0;
    for (uint32_t i = 0; i < c->nwarps; i++) {
        struct wg_warp *w = &c->warps[i];
        c->state[i] = !w->live ? WG_WS_DONE : i < at ? WG_WS_WAIT : WG_WS_RUN;
        c->ndone += !w->live;
        if (w->live && i < at) {
            w->nwait = 1;
            wg_barrier_note(c, w);
        }
    }
}

enum plain_end { PLAIN_DONE, PLAIN_STOPPED, PLAIN_GENERAL };

/* Returns PLAIN_GENERAL when warp *at has returned *status, which run_general must handle. */
static enum plain_end run_plain(struct wg_unit *u, uint32_t *at, enum wg_warp_status *status) {
    struct wg_cta *c = &u->ctas[0];
    struct wg_worker *worker = u->worker;
    const struct wg_grid *g = u->grid;
    wg_warp_fn run = wg_code_entry(&g->code->run);
    uint32_t n = c->nwarps, first = 0; /* the first live one */
    do {
        for (uint32_t i = first; i < n; i++) {
            struct wg_warp *w = &c->warps[i];
            if (!w->live) continue;
            enum wg_warp_status s = run_chain(worker, &w, run);
            i = w->id;
            if (s == WG_WARP_DONE) {
                w->live = 0;
            } else if (s == WG_WARP_BARRIER && plain(&w->wait[0])) {
                w->wait[0].released = 1; /* generated code neither reads nor sets it */
            } else {
                *at = i;
                *status = s;
                for (uint32_t k = 0; k < i; k++) c->warps[k].wait[0].released = 0;
                return PLAIN_GENERAL;
            }
        }
        while (first < n && !c->warps[first].live) first++;
        if (first < n && g->check) wg_check_plain_barrier(c);
        if (first < n && wg_grid_stops(u->grid, u->index)) return PLAIN_STOPPED;
    } while (first < n);
    return PLAIN_DONE;
}

/* ---- run_general ---- */

struct pass {
    uint32_t moved; /* warps that ended, reached a barrier or were released */
    uint32_t yielded;
};

static bool misused(struct wg_cta *c, struct wg_warp *w) {
    struct wg_fault f = w->fault;
    if (f.kind != WG_FAULT_BARRIER) f = (struct wg_fault){.kind = WG_FAULT_BARRIER, .lane = WG_LANES};
    wg_grid_fault(c, w, &f, false, c->wrong);
    return false;
}

/* Handles a warp's return. False: a fault, which is recorded. */
static bool after_step(struct wg_cta *c, uint32_t i, enum wg_warp_status s, struct pass *p) {
    struct wg_warp *w = &c->warps[i];
    struct wg_unit *u = c->unit;
    if (s == WG_WARP_FAULT) {
        wg_grid_fault(c, w, &w->fault, false, NULL);
        return false;
    }
    if (s == WG_WARP_DONE) {
        w->live = 0;
        w->nwait = 0;
        c->state[i] = WG_WS_DONE;
        p->moved++;
        if (++c->ndone == c->nwarps) {
            wg_check_block_ended(c);
            if (u->grid->cooperative) wg_barrier_exit(c);
        }
        return true;
    }
    if (s == WG_WARP_BARRIER) w->nwait = 1;
    if ((w->nwait && !wg_barrier_note(c, w)) || c->wrong) return misused(c, w);
    if (s == WG_WARP_YIELD) {
        wg_combine_publish(u->worker);
        p->yielded++;
        w->fuel = WG_FUEL;
    } else {
        c->state[i] = WG_WS_WAIT;
        p->moved++;
    }
    return true;
}

static bool run_pass(struct wg_unit *u, struct pass *p) {
    wg_warp_fn run = wg_code_entry(&u->grid->code->run);
    uint16_t order[WG_MAX_CLUSTER * WG_MAX_WARPS];
    uint32_t nwarps = u->shape.nwarps;
    bool scheduled = u->grid->schedule != WG_SCHEDULE_NONE;
    if (scheduled) wg_schedule_warps(u, order);
    for (uint32_t j = 0; j < u->shape.nctas * nwarps; j++) {
        uint32_t at = scheduled ? order[j] : j, i = at % nwarps;
        struct wg_cta *c = &u->ctas[at / nwarps];
        if (c->state[i] != WG_WS_RUN) continue;
        if (!after_step(c, i, step(u->worker, &c->warps[i], run), p)) return false;
    }
    p->moved += wg_barrier_settle(u);
    return true;
}

static bool all_done(const struct wg_unit *u) {
    for (uint32_t k = 0; k < u->shape.nctas; k++)
        if (u->ctas[k].ndone < u->ctas[k].nwarps) return false;
    return true;
}
static uint32_t runnable(const struct wg_unit *u) {
    uint32_t n = 0;
    for (uint32_t k = 0; k < u->shape.nctas; k++)
        for (uint32_t i = 0; i < u->ctas[k].nwarps; i++) n += u->ctas[k].state[i] == WG_WS_RUN;
    return n;
}

/* A time slice of a unit: when it began, its passes, and how many of them in a row made no progress. */
struct slice {
    uint64_t begun;
    uint32_t passes, quiet;
};

static bool slice_is_over(struct slice *t, bool same_in_every_run) {
    if (same_in_every_run) return t->passes > SLICE_PASSES;
    if (t->passes % LOOK_PASSES) return false;
    uint64_t now = wg_now_ns();
    if (!t->begun) t->begun = now;
    return now - t->begun > SLICE_NS;
}

/* When a single warp spins, what it waits for can only come from other units. Another worker may be about to
 * provide it; else this unit is put aside at once. */
static uint32_t most_quiet(const struct wg_unit *u, bool waits, bool same_in_every_run) {
    if (same_in_every_run) return waits ? QUIET_ALONE_PASSES : QUIET_PASSES;
    if (waits && u->worker->pool->nworkers == 1) return 0;
    if (u->still) return STILL_PASSES;
    return waits ? WAITS_PASSES : LOOPS_PASSES;
}

/* Whether to put the unit aside after a pass. */
static bool to_be_aside(struct wg_unit *u, const struct pass *p, struct slice *t) {
    bool same_in_every_run = u->grid->job.alone;
    t->passes++;
    if (p->moved) {
        u->moves++;
        u->still = false;
        t->quiet = 0;
        return slice_is_over(t, same_in_every_run);
    }
    if (u->grid->check && wg_check_round_in_vain(u)) return true;
    bool waits = p->yielded == 1 && u->shape.nctas * u->shape.nwarps > 1;
    if (++t->quiet <= most_quiet(u, waits, same_in_every_run)) return false;
    u->still = true;
    return true;
}

/* Units below a fault run on so that the lowest one is reported, but not for ever: they may wait for it. */
static void end_grace(struct wg_grid *g) {
    if (atomic_load_explicit(&g->limit, memory_order_relaxed) == UINT64_MAX || g->job.alone) return;
    pthread_mutex_lock(&g->lock);
    bool over = wg_now_ns() - g->fault_time > GRACE_NS;
    pthread_mutex_unlock(&g->lock);
    if (over) wg_grid_stop(g, WG_STOP_FAULT);
}

/* The checks report it together with the fault that is kept. */
static void deadlock(struct wg_unit *u) {
    struct wg_deadlock d = wg_deadlock(u);
    if (u->grid->check) wg_check_stuck(u, d.site, d.other, d.other ? &d.wait : NULL);
    wg_grid_fault(d.warp->machine, d.warp, &d.fault, false, d.text.s ? d.text.s : "");
    wg_strbuf_free(&d.text);
}

static enum wg_unit_end run_general(struct wg_unit *u) {
    struct slice slice = {0};
    for (;;) {
        struct pass p = {0};
        if (wg_grid_stops(u->grid, u->index)) return WG_UNIT_STOPPED;
        if (!run_pass(u, &p)) return WG_UNIT_FAULT;
        if (p.moved && u->grid->check) wg_check_round_moved(u);
        if (all_done(u)) {
            if (u->grid->check) wg_check_cluster_end(u);
            return WG_UNIT_DONE;
        }
        if (!runnable(u)) {
            if (wg_unit_at_grid(u)) {
                u->moves++;
                return WG_UNIT_GRID;
            }
            if (p.moved) continue; /* other units completed the grid barrier meanwhile */
            deadlock(u);
            return WG_UNIT_FAULT;
        }
        if (p.yielded && !p.moved && u->grid->check && wg_check_round_ends(u)) return WG_UNIT_FAULT;
        if (p.yielded && to_be_aside(u, &p, &slice) &&
            !u->grid->code->stages) { /* these wait for no other unit */
            end_grace(u->grid);
            return WG_UNIT_ASIDE;
        }
    }
}

/* Continues where run_plain stopped: the rest of its pass, then the general loop. */
static enum wg_unit_end leave_plain(struct wg_unit *u, uint32_t at, enum wg_warp_status s) {
    struct wg_cta *c = &u->ctas[0];
    struct pass p = {0};
    become_general(c, at);
    u->moves++;
    if (!after_step(c, at, s, &p)) return WG_UNIT_FAULT;
    for (uint32_t i = at + 1; i < c->nwarps; i++)
        if (c->state[i] == WG_WS_RUN &&
            !after_step(c, i, step(u->worker, &c->warps[i], wg_code_entry(&u->grid->code->run)), &p))
            return WG_UNIT_FAULT;
    wg_barrier_settle(u);
    if (u->grid->check) wg_check_round_moved(u);
    if (all_done(u)) return WG_UNIT_DONE;
    if (!runnable(u) && wg_unit_at_grid(u)) return WG_UNIT_GRID;
    return run_general(u);
}

/* ---- whole blocks: generated code does it all ---- */

/* The states in which the code has left the warps: at the barrier, or before it. */
static void become_general_where_left(struct wg_cta *c) {
    c->unit->general = c->unit->dirty = true;
    c->block.last = NULL;
    c->ndone = 0;
    for (uint32_t i = 0; i < c->nwarps; i++) {
        struct wg_warp *w = &c->warps[i];
        c->state[i] = !w->live ? WG_WS_DONE : w->nwait ? WG_WS_WAIT : WG_WS_RUN;
        c->ndone += !w->live;
        if (w->live && w->nwait) wg_barrier_note(c, w);
    }
}

/* Runs generated code with a stack that begins at the end of a page. This avoids 4K aliasing: a CPU searches
 * its store buffer by the low 12 bits of the addresses, and a load stalls where only these match. So loads
 * from the stack would stall on each addition to a table entry at the same page offset; tables are
 * page-aligned, both those in shared memory and sums (warp/combine.h). */
__attribute__((noinline)) static enum wg_warp_status run_apart(struct wg_worker *worker, struct wg_warp **w,
                                                               wg_warp_fn run) {
    char *room = __builtin_alloca((uintptr_t)__builtin_frame_address(0) % WG_PAGE);
    __asm__ volatile("" : : "r"(room) : "memory"); /* it is there */
    return run_chain(worker, w, run);
}

/* A block, and up to so many more. */
static enum wg_unit_end run_blocks(struct wg_unit *u, struct wg_cta *c, uint64_t more) {
    struct wg_warp *w = &c->warps[0];
    u->more = u->ctas[0].block.more = c->block.more = more;
    enum wg_warp_status s = run_apart(u->worker, &w, wg_code_entry(&u->grid->code->whole));
    wg_unit_catch_up(u);
    switch (s) {
    case WG_WARP_DONE: u->fresh = !u->grid->check; return WG_UNIT_DONE; /* checks note who is alive */
    case WG_WARP_FAULT: wg_grid_fault(c, w, &w->fault, false, NULL); return WG_UNIT_FAULT;
    default:
        become_general_where_left(c);
        u->moves++;
        return run_general(u);
    }
}

static enum wg_unit_end run_whole(struct wg_unit *u, uint64_t last) {
    struct wg_cta *c = &u->ctas[0];
    bool alike = !u->grid->check && !u->grid->func->module->reserves_shared;
    uint64_t more = alike ? last - u->index : 0, few = wg_combine_more(&u->worker->sums);
    if (u->grid->code->sums && !c->block.last_x && more > few) more = few; /* sweeps come back soon */
    return run_blocks(u, c, more);
}

/* A block of a cooperative launch, from one grid barrier to the next. */
static enum wg_unit_end run_to_grid(struct wg_unit *u) {
    struct wg_cta *c = &u->ctas[0];
    u->dirty = true;
    while (!c->at_grid || !wg_barrier_at_grid(c)) {
        if (wg_grid_stops(u->grid, u->index)) return WG_UNIT_STOPPED;
        u->moves++;
        struct wg_warp *w = &c->warps[0];
        switch (run_apart(u->worker, &w, wg_code_entry(&u->grid->code->whole))) {
        case WG_WARP_GRID:
            if (wg_barrier_at_grid(c)) return WG_UNIT_GRID;
            break;
        case WG_WARP_DONE: wg_barrier_exit(c); return WG_UNIT_DONE;
        case WG_WARP_FAULT: wg_grid_fault(c, w, &w->fault, false, NULL); return WG_UNIT_FAULT;
        default: become_general_where_left(c); return run_general(u);
        }
    }
    return WG_UNIT_GRID;
}

/* ---- stages of clusters: a block of them at a time, and none waits for another one ---- */

static void begin_block(struct wg_cta *c) {
    struct wg_unit *u = c->unit;
    for (uint32_t k = 0; k < u->shape.nctas; k++) {
        u->ctas[k].ndone = u->ctas[k].nwarps;
        memset(u->ctas[k].state, WG_WS_DONE, u->ctas[k].nwarps);
    }
    clear_cta(c);
    begin_warps(c);
    c->warps[c->nwarps - 1].live = u->grid->last_lanes;
}

/* All blocks of the clusters up to `last` count in place of the first one's first. */
static enum wg_unit_end count_in_clusters(struct wg_unit *u, uint64_t last) {
    struct wg_cta *c = &u->ctas[0];
    for (uint64_t more = (last - u->index + 1) * u->shape.nctas - 1;; more = c->block.more - 1) {
        begin_block(c);
        enum wg_unit_end how = run_blocks(u, c, more);
        if (how != WG_UNIT_DONE || !c->block.more || wg_grid_stops(u->grid, u->index)) return how;
        c->index++; /* this one continued in run_general */
        c->block.ctaid[0]++;
        u->index = c->index / u->shape.nctas;
    }
}

static enum wg_unit_end run_cluster_stage(struct wg_unit *u, uint64_t last) {
    enum wg_unit_end how = WG_UNIT_DONE;
    if (u->ctas[0].block.stage == WG_STAGE_COUNT) return count_in_clusters(u, last);
    for (uint32_t k = 0; k < u->shape.nctas && how == WG_UNIT_DONE; k++) {
        begin_block(&u->ctas[k]);
        how = run_blocks(u, &u->ctas[k], 0);
    }
    return how;
}

enum wg_unit_end wg_unit_run(struct wg_unit *u, uint64_t last) {
    if (u->general) return run_general(u);
    if (u->ctas[0].block.last && wg_code_entry(&u->grid->code->whole)) return run_whole(u, last);
    if (u->shape.nctas > 1 && u->grid->code->stages) return run_cluster_stage(u, last);
    if (u->grid->cooperative && u->shape.nctas == 1 && wg_code_entry(&u->grid->code->whole))
        return run_to_grid(u);
    if (u->shape.nctas == 1 && !u->grid->cooperative && !u->grid->schedule) {
        uint32_t at = 0;
        enum wg_warp_status s = WG_WARP_DONE;
        switch (run_plain(u, &at, &s)) {
        case PLAIN_DONE:
            if (!u->ctas[0].wrong) return WG_UNIT_DONE;
            misused(&u->ctas[0], &u->ctas[0].warps[0]);
            return WG_UNIT_FAULT;
        case PLAIN_STOPPED: return WG_UNIT_STOPPED;
        case PLAIN_GENERAL: return leave_plain(u, at, s);
        }
    }
    u->general = u->dirty = true;
    u->moves++;
    for (uint32_t k = 0; k < u->shape.nctas; k++) {
        struct wg_cta *c = &u->ctas[k];
        c->ndone = 0;
        for (uint32_t i = 0; i < c->nwarps; i++) {
            c->state[i] = c->warps[i].live ? WG_WS_RUN : WG_WS_DONE;
            c->ndone += !c->warps[i].live;
        }
    }
    return run_general(u);
}
