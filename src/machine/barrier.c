/* Barriers of a block, of a cluster and of a grid, for the general scheduler of run.c.
 *
 * Each warp records where groups of its lanes wait (warp->wait). `note` counts a group when it is first seen;
 * `settle`, once every warp has had its time slice, releases the barriers that are complete. A warp resumes
 * when one of its groups is released.
 *
 *   block    complete when all live lanes of the block are there, or as many threads as the barrier's count
 *            says. A warp whose live lanes have all arrived counts as 32, as on the hardware. Lanes that exit
 *            are no longer waited for.
 *   cluster  arriving is a service (wg_barrier cluster_arrived); a wait ends when its lanes are no longer
 *            among the arrived, which a completed phase clears.
 *   grid     a block has arrived when all its live lanes wait; the last block of the grid flips the phase.
 */
#include "machine/device.h"
#include "machine/grid.h"
#include "machine/watch/watch.h"
#include "machine/worker.h"
#include <stdio.h>
#include <string.h>

static uint32_t round32(uint32_t n) { return (n + 31) & ~31u; }
static uint32_t threads_of(const struct wg_cta *c) {
    return c->block.ntid[0] * c->block.ntid[1] * c->block.ntid[2];
}

static bool bad_barrier(struct wg_warp *w, const struct wg_wait *wait, const char *what) {
    w->fault = (struct wg_fault){.kind = WG_FAULT_BARRIER,
                                 .lane = wait->lanes ? (uint32_t)__builtin_ctz(wait->lanes) : WG_LANES,
                                 .loc = wait->loc};
    ((struct wg_cta *)w->block->machine)->wrong = what;
    return false;
}

/* The barrier `id`, in use from now on with this count. NULL: not possible, *what says why. */
static struct wg_barrier *open_barrier(struct wg_cta *c, uint32_t id, uint32_t threads, const char **what) {
    if (id >= WG_BARRIERS + WG_GROUP_BARRIERS) {
        *what = "the barrier's number is not one of 0 to 15";
        return NULL;
    }
    if (threads == round32(threads_of(c))) threads = 0;
    if (threads % WG_LANES || threads > round32(threads_of(c))) {
        *what = threads % WG_LANES ? "the barrier's thread count is not a multiple of 32"
                                   : "the barrier waits for more threads than the block has";
        return NULL;
    }
    struct wg_barrier *b = &c->barriers[id];
    if (b->used && b->threads != threads) {
        *what = "threads reached the same barrier with different thread counts";
        return NULL;
    }
    b->used = true;
    b->threads = threads;
    c->used |= 1u << id;
    c->unit->dirty = true;
    return b;
}

bool wg_barrier_note(struct wg_cta *c, struct wg_warp *w) {
    for (uint32_t i = 0; i < w->nwait; i++) {
        struct wg_wait *wait = &w->wait[i];
        if (wait->released) continue;
        if (wait->kind == WG_WAIT_BLOCK) {
            const char *what = NULL;
            struct wg_barrier *b = open_barrier(c, wait->id, wait->threads, &what);
            if (!b) return bad_barrier(w, wait, what);
            b->waiting[w->id] |= wait->lanes;
        } else if (wait->kind == WG_WAIT_GRID) {
            if (!c->unit->grid->cooperative)
                return bad_barrier(w, wait,
                                   "grid.sync() needs a cooperative launch (cudaLaunchCooperativeKernel)");
            c->grid_waiting[w->id] |= wait->lanes;
        }
    }
    return true;
}

void wg_barrier_arrive(struct wg_cta *c, struct wg_warp *w, uint32_t lanes, uint32_t id, uint32_t threads) {
    const char *what = NULL;
    struct wg_barrier *b = open_barrier(c, id, threads, &what);
    if (b && c->race) wg_check_race_arrive(w, lanes, id);
    if (b)
        b->arrived[w->id] |= lanes;
    else
        c->wrong = what;
}

/* ---- block ---- */

static bool complete(const struct wg_cta *c, const struct wg_barrier *b) {
    uint32_t here = 0;
    for (uint32_t i = 0; i < c->nwarps; i++) {
        uint32_t lanes = b->waiting[i] | b->arrived[i], missing = c->warps[i].live & ~lanes;
        if (b->threads == 0 && missing) return false;
        if (lanes) here += missing ? (uint32_t)__builtin_popcount(lanes) : WG_LANES;
    }
    return here && here >= b->threads;
}

/* Lets the groups go that wait for `kind` (and `id`). */
static uint32_t release(struct wg_cta *c, uint8_t kind, uint8_t id, uint32_t holding, uint32_t waiting) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->nwarps; i++) {
        struct wg_warp *w = &c->warps[i];
        for (uint32_t k = 0; k < w->nwait; k++) {
            struct wg_wait *wait = &w->wait[k];
            if (wait->released || wait->kind != kind || (kind == WG_WAIT_BLOCK && wait->id != id)) continue;
            if (wait->red == WG_M_popc)
                wait->result = holding;
            else if (wait->red == WG_M_and)
                wait->result = holding == waiting;
            else if (wait->red == WG_M_or)
                wait->result = holding != 0;
            wait->released = 1;
            if (c->state[i] == WG_WS_WAIT) c->state[i] = WG_WS_RUN;
            n++;
        }
    }
    return n;
}

static uint32_t settle_block(struct wg_cta *c) {
    uint32_t released = 0;
    for (uint32_t used = c->used; used; used &= used - 1) {
        uint32_t id = (uint32_t)__builtin_ctz(used), holding = 0, waiting = 0;
        struct wg_barrier *b = &c->barriers[id];
        if (!complete(c, b)) continue;
        if (c->race) wg_check_race_barrier(c, id);
        if (c->watch) wg_check_barrier(c, id);
        if (c->unit->grid->check) wg_check_init_shared(c);
        for (uint32_t i = 0; i < c->nwarps; i++)
            for (uint32_t k = 0; k < c->warps[i].nwait; k++) {
                const struct wg_wait *w = &c->warps[i].wait[k];
                if (w->released || w->kind != WG_WAIT_BLOCK || w->id != id) continue;
                waiting += (uint32_t)__builtin_popcount(w->lanes);
                holding += (uint32_t)__builtin_popcount(w->predicate & w->lanes);
            }
        memset(b, 0, sizeof *b);
        c->used &= ~(1u << id);
        released += release(c, WG_WAIT_BLOCK, (uint8_t)id, holding, waiting);
    }
    return released;
}

/* ---- cluster ---- */

static uint32_t settle_cluster(struct wg_unit *u) {
    bool all = true, any = false;
    uint32_t released = 0;
    for (uint32_t k = 0; k < u->shape.nctas; k++) {
        const struct wg_cta *c = &u->ctas[k];
        for (uint32_t i = 0; i < c->nwarps; i++) {
            all &= !(c->warps[i].live & ~c->cluster_arrived[i]);
            any |= c->cluster_arrived[i] != 0;
        }
    }
    if (all && any && u->grid->check) wg_check_race_cluster_barrier(u);
    if (all && any) {
        for (uint32_t k = 0; k < u->shape.nctas; k++)
            memset(u->ctas[k].cluster_arrived, 0, sizeof u->ctas[k].cluster_arrived);
        wg_check_cluster_barrier(u);
        for (uint32_t k = 0; k < u->shape.nctas && u->grid->check; k++) wg_check_init_shared(&u->ctas[k]);
    }
    for (uint32_t k = 0; k < u->shape.nctas; k++) {
        struct wg_cta *c = &u->ctas[k];
        for (uint32_t i = 0; i < c->nwarps; i++)
            for (uint32_t j = 0; j < c->warps[i].nwait; j++) {
                struct wg_wait *w = &c->warps[i].wait[j];
                if (w->released || w->kind != WG_WAIT_CLUSTER || (w->lanes & c->cluster_arrived[i])) continue;
                w->released = 1;
                if (c->watch) wg_check_cluster_waited(c, i, w);
                if (c->state[i] == WG_WS_WAIT) c->state[i] = WG_WS_RUN;
                released++;
            }
    }
    return released;
}

/* ---- grid ---- */

/* Under the grid's lock. */
static void turn_phase(struct wg_grid *g, uint64_t blocks) {
    if (!g->arrived || g->arrived + g->exited < blocks) return;
    if (g->check) wg_check_race_grid_barrier(g);
    if (g->check) wg_check_grid_barrier(g);
    g->arrived = 0;
    atomic_fetch_add(&g->phase, 1);
    wg_unpark(&g->phase, INT_MAX);
}

static uint64_t blocks_of(const struct wg_grid *g) { return g->job.units * g->shape.nctas; }

bool wg_barrier_at_grid(struct wg_cta *c) {
    struct wg_grid *g = c->unit->grid;
    if (!c->at_grid) {
        c->at_grid = true;
        wg_combine_publish(c->unit->worker);
        if (g->block.streams) __builtin_ia32_sfence(); /* as before others hear that a unit is done */
        pthread_mutex_lock(&g->lock);
        c->grid_phase = atomic_load(&g->phase);
        g->arrived++;
        turn_phase(g, blocks_of(g));
        pthread_mutex_unlock(&g->lock);
    }
    if (atomic_load(&g->phase) == c->grid_phase) return true;
    c->at_grid = false;
    return false;
}

static uint32_t settle_grid(struct wg_cta *c) {
    if (!c->at_grid) {
        bool any = false;
        for (uint32_t i = 0; i < c->nwarps; i++) {
            if (c->warps[i].live & ~c->grid_waiting[i]) return 0;
            any |= c->grid_waiting[i] != 0;
        }
        if (!any) return 0;
        if (c->watch) wg_check_grid_arrival(c);
    }
    if (wg_barrier_at_grid(c)) return 0;
    memset(c->grid_waiting, 0, sizeof c->grid_waiting);
    return release(c, WG_WAIT_GRID, 0, 0, 0);
}

void wg_barrier_exit(struct wg_cta *c) {
    struct wg_grid *g = c->unit->grid;
    wg_combine_publish(c->unit->worker);
    pthread_mutex_lock(&g->lock);
    g->exited++;
    if (c->watch) wg_check_grid_exit(c);
    turn_phase(g, blocks_of(g));
    pthread_mutex_unlock(&g->lock);
}

uint32_t wg_barrier_settle(struct wg_unit *u) {
    uint32_t released = 0;
    for (uint32_t k = 0; k < u->shape.nctas; k++) {
        struct wg_cta *c = &u->ctas[k];
        if (c->used) released += settle_block(c);
        if (u->grid->cooperative) released += settle_grid(c);
    }
    return released + settle_cluster(u);
}
