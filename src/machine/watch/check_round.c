/* See check_round.h. */
#include "machine/watch/check_round.h"
#include "base/lanes.h"
#include "check/instrument/spin.h"
#include "machine/watch/check.h"
#include "machine/work.h"
#include "machine/worker.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 2, LOOKS = 3 }; /* that have to be alike, by a thread and by the worker */

static struct wg_cta *cta_of(const struct wg_warp *w) { return w->machine; }
static struct wg_check_rounds *rounds_of(const struct wg_grid *g) {
    return g->check ? g->check->rounds : NULL;
}
/* What is kept by the worker that has the unit; NULL: nothing told so far. */
static struct wg_round_worker *worker_of(const struct wg_unit *u) {
    struct wg_check_rounds *r = rounds_of(u->grid);
    return r ? r->worker[u->worker->index] : NULL;
}

static uint64_t mixed(uint64_t h, uint64_t x) {
    h = (h ^ x) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ h >> 29;
}

/* ---- launches and blocks ---- */

void wg_check_round_begin(struct wg_grid *g) {
    const struct wg_instrumented *i = g->func->module->instrumented;
    struct wg_check_rounds *r;
    if (!i->spinning || !i->spinning[g->func->index]) return;
    uint32_t n = g->check->nworkers;
    g->check->rounds = r = wg_xcalloc(1, sizeof *r + n * sizeof *r->worker);
    r->nworkers = n;
    r->of_one_worker = i->spinning[g->func->index] == WG_SPIN_OTHERS;
    if (r->of_one_worker) g->job.alone = true; /* who gets a lock first is the same in every run */
}

void wg_check_round_end(struct wg_grid *g) {
    struct wg_check_rounds *r = g->check->rounds;
    for (uint32_t i = 0; r && i < r->nworkers; i++) free(r->worker[i]);
    free(r);
}

static struct wg_round_block *block_of(struct wg_cta *c) {
    if (!c->rounds) c->rounds = wg_xcalloc(1, sizeof *c->rounds + c->nwarps * sizeof *c->rounds->lane);
    return c->rounds;
}

void wg_check_round_unit_begin(struct wg_unit *u) {
    if (!worker_of(u)) return;
    wg_check_round_moved(u);
    for (uint32_t k = 0; k < u->shape.nctas; k++) {
        struct wg_round_block *b = u->ctas[k].rounds;
        if (b) memset(b, 0, sizeof *b + u->ctas[k].nwarps * sizeof *b->lane);
    }
}

void wg_check_round_moved(const struct wg_unit *u) {
    struct wg_round_worker *s = worker_of(u);
    if (s) s->epoch++;
}

/* ---- events ---- */

/* Where the access is in the process's memory, and how long it is. */
static uint64_t place_of(const struct wg_warp *w, const struct wg_ir_instr *in, uint64_t a) {
    bool shared = in->space == WG_S_SHARED || in->space == WG_S_CLUSTER;
    if (!shared) return a + (uint64_t)in->offset;
    return (uint64_t)w->block->cluster_shared + (uint64_t)(int64_t)(int32_t)(uint32_t)a +
           (uint64_t)in->offset;
}

bool wg_check_round_tests_phase(const struct wg_ir_instr *in) {
    return in && (in->op == WG_OP_MBARRIER_WAIT || in->op == WG_OP_MBARRIER_WAIT_PARITY);
}

static uint32_t bytes_of(const struct wg_ir_instr *in) {
    return wg_check_round_tests_phase(in) ? 8 : wg_type_bits(in->type) / 8 * in->nvec;
}

static bool is_of_others(const struct wg_warp *w, const struct wg_ir_instr *in, uint64_t at) {
    uint64_t shared = at - (uint64_t)w->block->cluster_shared;
    return in->space != WG_S_LOCAL && shared >= (uint64_t)cta_of(w)->unit->shape.nctas * WG_SHARED_STRIDE;
}

/* What is there, or of more than 8 bytes something made of it. */
static uint64_t content(uint64_t at, uint32_t bytes) {
    uint64_t words[8] = {0}, all = 0;
    if (bytes > sizeof words || !wg_trap_read(words, at, bytes)) return 0;
    if (bytes <= 8) return words[0];
    for (uint32_t k = 0; k < 8; k++) all = mixed(all, words[k]);
    return all;
}

/* What it had met when it came round this loop last, which is now the latest; 0: not known. */
static struct wg_round_loop *loop_of(struct wg_round_lane *lane, uint32_t id) {
    struct wg_round_loop *of = lane->loop, found = {.id = id};
    uint32_t k = 0;
    while (k < WG_ROUND_LOOPS - 1 && of[k].id != id) k++;
    if (of[k].id == id) found = of[k];
    for (; k; k--) of[k] = of[k - 1];
    *of = found;
    return of;
}

/* A loop inside another one is part of its round: both have to be as they were. */
static void come_round(struct wg_round_worker *s, struct wg_round_lane *lane, uint32_t id) {
    struct wg_round_loop *loop = loop_of(lane, id);
    uint64_t now = mixed(lane->now, id);
    bool alike = now == loop->met;
    if (!alike) s->epoch++;
    bool again = alike && lane->epoch == s->epoch;
    lane->epoch = s->epoch;
    loop->met = now;
    lane->now = 0;
    if (again && lane->first != id) return;
    lane->same = again ? lane->same + 1 : 0;
    lane->first = id;
    lane->on = lane->next_site ? lane->next_on : 0;
    lane->site = lane->next_site ? lane->next_site : id;
    lane->others = lane->next_others;
    lane->next_site = 0;
    lane->next_others = false;
}

static bool asks(const struct wg_ir_instr *in) {
    return in->op == WG_OP_ATOM || wg_check_round_tests_phase(in) ||
           (in->op == WG_OP_LD && !wg_ir_is_weak(in));
}

static void look(const struct wg_warp *w, struct wg_round_lane *lane, uint32_t id,
                 const struct wg_ir_instr *in, uint64_t address) {
    lane->at = place_of(w, in, address);
    lane->found = content(lane->at, bytes_of(in));
    lane->now = mixed(mixed(mixed(lane->now, id), lane->at), lane->found);
    lane->next_others |= is_of_others(w, in, lane->at);
    if (!asks(in) && lane->next_site) return;
    lane->next_on = lane->at;
    lane->next_site = id;
}

static struct wg_round_change *entry_of(const struct wg_round_worker *s, uint64_t address) {
    uint64_t k = mixed(0, address) % WG_ROUND_CHANGES;
    while (s->change[k].unit && s->change[k].address != address) k = (k + 1) % WG_ROUND_CHANGES;
    return (struct wg_round_change *)&s->change[k];
}

const struct wg_round_change *wg_check_round_change_of(const struct wg_unit *u, uint64_t address) {
    const struct wg_round_worker *s = worker_of(u);
    const struct wg_round_change *c = entry_of(s, address);
    return c->unit && !s->forgets ? c : NULL;
}

static void changed(struct wg_round_worker *s, const struct wg_warp *w, uint32_t l, uint32_t id, uint64_t at,
                    uint64_t value) {
    if (s->forgets) return;
    struct wg_round_change *c = entry_of(s, at);
    if (!c->unit && s->nchanges >= WG_ROUND_CHANGES / 2) {
        s->forgets = true;
        return;
    }
    s->nchanges += !c->unit;
    *c = (struct wg_round_change){.address = at,
                                  .value = value,
                                  .unit = cta_of(w)->unit->index + 1,
                                  .thread = w->id * WG_LANES + l,
                                  .site = id};
    memcpy(c->block, w->block->ctaid, sizeof c->block);
}

/* Whether another lane's compare-and-swap went before this one's at the same place. */
static bool comes_late(const struct wg_round_lane *lane, uint32_t lanes, uint32_t l,
                       const struct wg_ir_instr *in) {
    if (in->op != WG_OP_ATOM || in->mod[WG_MC_AOP] != WG_M_cas) return false;
    WG_EACH_LANE(k, lanes & ((1u << l) - 1))
        if (lane[k].at == lane[l].at) return true;
    return false;
}

static void done(struct wg_round_worker *s, const struct wg_warp *w, const struct wg_round_lane *lane,
                 uint32_t lanes, uint32_t id, const struct wg_ir_instr *in) {
    WG_EACH_LANE(l, lanes) {
        uint64_t now = content(lane[l].at, bytes_of(in));
        if (now == lane[l].found) continue;
        s->epoch++;
        if (!comes_late(lane, lanes, l, in)) changed(s, w, l, id, lane[l].at, now);
    }
}

/* What they do next is not reported, until they reach a loop again. */
static void leave(struct wg_round_worker *s, struct wg_round_lane *lane, uint32_t lanes) {
    s->epoch++;
    WG_EACH_LANE(l, lanes) {
        memset(lane[l].loop, 0, sizeof lane[l].loop);
        lane[l].same = 0;
    }
}

/* One that goes on from a meeting may do anything, unless it comes by there in every round. */
static void met(struct wg_round_worker *s, const struct wg_round_lane *lane, uint32_t lanes) {
    WG_EACH_LANE(l, lanes)
        if (lane[l].epoch != s->epoch || !lane[l].same) {
            s->epoch++;
            return;
        }
}

void wg_check_round_event(struct wg_warp *w, uint32_t lanes, uint32_t id, uint32_t event,
                          const uint64_t *source) {
    struct wg_cta *c = cta_of(w);
    struct wg_check_rounds *r = rounds_of(c->unit->grid);
    if (!r) return;
    struct wg_round_worker **of = &r->worker[c->unit->worker->index];
    if (!*of) *of = wg_xcalloc(1, sizeof **of);
    struct wg_round_worker *s = *of;
    struct wg_round_block *b = block_of(c);
    struct wg_round_lane *lane = b->lane[w->id];
    const struct wg_ir_instr *in = c->unit->grid->check->sites[id].instr;
    switch ((enum wg_check_event)event) {
    case WG_EVENT_SPIN_ROUND:
        WG_EACH_LANE(l, lanes) come_round(s, &lane[l], id);
        break;
    case WG_EVENT_SPIN_KEEPS:
        WG_EACH_LANE(l, lanes) lane[l].now = mixed(lane[l].now, source[l]);
        break;
    case WG_EVENT_SPIN_LEFT: leave(s, lane, lanes); break;
    case WG_EVENT_SPIN_LOOKS:
        WG_EACH_LANE(l, lanes) look(w, &lane[l], id, in, source[l]);
        break;
    case WG_EVENT_SPIN_DONE: done(s, w, lane, lanes, id, in); break;
    case WG_EVENT_SPIN_MEETS:
        b->meets[w->id] |= lanes;
        b->site[w->id] = id;
        break;
    case WG_EVENT_SPIN_MET:
        b->meets[w->id] &= ~lanes;
        met(s, lane, lanes);
        break;
    default: break;
    }
}

/* ---- is it a deadlock? ---- */

uint32_t wg_check_round_waiting(const struct wg_warp *w) {
    uint32_t lanes = 0;
    for (uint32_t k = 0; k < w->nwait; k++)
        if (!w->wait[k].released) lanes |= w->wait[k].lanes;
    return lanes & w->live;
}

uint32_t wg_check_round_meeting(const struct wg_cta *c, const struct wg_warp *w) {
    return c->rounds ? c->rounds->meets[w->id] & w->live & ~wg_check_round_waiting(w) : 0;
}

/* Lanes that can run, if only in a loop. */
static uint32_t running(const struct wg_cta *c, const struct wg_warp *w) {
    if (c->state[w->id] == WG_WS_DONE) return 0;
    return w->live & ~wg_check_round_waiting(w) & ~wg_check_round_meeting(c, w);
}

/* others: also by asking memory that is not the unit's. */
static bool goes_round_in_vain(const struct wg_unit *u, bool others) {
    const struct wg_round_worker *s = worker_of(u);
    bool any = false;
    for (uint32_t k = 0; s && k < u->shape.nctas; k++)
        for (uint32_t i = 0; i < u->ctas[k].nwarps; i++) {
            const struct wg_cta *c = &u->ctas[k];
            uint32_t lanes = running(c, &c->warps[i]);
            any |= lanes != 0;
            if (lanes && !c->rounds) return false;
            WG_EACH_LANE(l, lanes) {
                const struct wg_round_lane *lane = &c->rounds->lane[i][l];
                if (lane->epoch != s->epoch || lane->same < ROUNDS || (lane->others && !others)) return false;
            }
        }
    return any;
}

bool wg_check_round_in_vain(const struct wg_unit *u) {
    const struct wg_check_rounds *r = rounds_of(u->grid);
    if (!r || !r->of_one_worker || wg_unit_at_grid(u)) return r && r->of_one_worker;
    return goes_round_in_vain(u, true);
}

bool wg_check_round_ends(struct wg_unit *u) {
    struct wg_round_worker *s = worker_of(u);
    if (!goes_round_in_vain(u, false)) return false;
    if (s->doubted != s->epoch) {
        s->doubted = ++s->epoch;
        return false;
    }
    wg_check_round_told(u->grid, u, true);
    return true;
}

/* Which threads of the launch live, and which of them wait. */
static uint64_t shape_of(const struct wg_unit *aside, const struct wg_grid *g, bool *in_vain, bool *spins) {
    uint64_t h = 0;
    *in_vain = true;
    *spins = false;
    for (const struct wg_unit *u = aside; u; u = u->next) {
        if (u->grid != g) continue;
        *in_vain = *in_vain && wg_check_round_in_vain(u);
        *spins |= !wg_unit_at_grid(u);
        h = mixed(h, u->index);
        for (uint32_t k = 0; k < u->shape.nctas; k++)
            for (uint32_t i = 0; i < u->ctas[k].nwarps; i++) {
                const struct wg_warp *w = &u->ctas[k].warps[i];
                h = mixed(h, (uint64_t)w->live << 32 | wg_check_round_waiting(w));
                h = mixed(h, wg_check_round_meeting(&u->ctas[k], w));
            }
    }
    return h;
}

/* The process's threads that are not Warpglass's own, which have its name. */
static uint32_t program_threads(void) {
    DIR *d = opendir("/proc/self/task");
    uint32_t n = 0;
    if (!d) return UINT32_MAX;
    for (struct dirent *e; (e = readdir(d));) {
        char path[64], name[32] = "";
        snprintf(path, sizeof path, "/proc/self/task/%.16s/comm", e->d_name);
        FILE *f = e->d_name[0] == '.' ? NULL : fopen(path, "r");
        if (!f) continue;
        n += !fgets(name, sizeof name, f) || strcmp(name, "warpglass\n") != 0;
        fclose(f);
    }
    closedir(d);
    return n;
}

/* Nothing but launches that are stuck, too, is at work on any device, and all of the program waits. Under their
 * lock. `g` is the first of these launches. */
static bool nobody_else(struct wg_device *dev, const struct wg_grid *g) {
    uint32_t stuck = 0;
    for (const struct wg_device *d = dev->fleet->first; d; d = d->sibling)
        for (const struct wg_grid *o = d->running; o; o = o->next, stuck++) {
            const struct wg_check_rounds *s = rounds_of(o);
            if (!s || !s->sure || s->shown != dev->fleet->happened) return false;
            if (o->block.gridid < g->block.gridid) return false;
        }
    return stuck == dev->fleet->nbegun && wg_work_waiters(dev) == program_threads();
}

/* The launch can make no progress by itself. */
static bool is_deadlock(struct wg_grid *g, struct wg_check_rounds *s, struct wg_round_worker *w) {
    struct wg_device *dev = g->dev;
    bool yes = false;
    pthread_mutex_lock(dev->lock);
    if (!s->stuck || s->shown != dev->fleet->happened) {
        /* Whoever was stuck before has to be seen so again: this one may have changed something until now, or
         * who has ended or begun to wait since then. */
        if (!s->stuck) dev->fleet->happened++;
        s->stuck = true;
        s->sure = false;
        s->shown = dev->fleet->happened;
        s->seen = ++w->epoch;
    } else {
        s->sure = true;
        yes = nobody_else(dev, g);
    }
    pthread_mutex_unlock(dev->lock);
    if (yes && wg_work_let_go_of(dev, g->work)) return false;
    return yes;
}

static void look_at(struct wg_worker *w, struct wg_grid *g, struct wg_round_worker *of) {
    struct wg_check_rounds *s = rounds_of(g);
    bool in_vain, spins;
    uint64_t shape = shape_of(w->aside, g, &in_vain, &spins);
    bool same = s->seen == of->epoch && s->shape == shape;
    s->quiet = same ? s->quiet + 1 : 0;
    if (s->shape != shape) of->epoch++;
    s->shape = shape;
    s->seen = of->epoch;
    if (s->quiet >= LOOKS && in_vain && spins) {
        if (is_deadlock(g, s, of)) {
            wg_check_round_told(g, w->aside, false);
            wg_grid_stop(g, WG_STOP_FAULT);
        }
    } else if (s->stuck && !same) {
        pthread_mutex_lock(g->dev->lock);
        s->stuck = s->sure = false;
        pthread_mutex_unlock(g->dev->lock);
    }
}

void wg_check_round_idle(struct wg_worker *w) {
    for (const struct wg_unit *u = w->aside; u; u = u->next) {
        const struct wg_unit *first = w->aside;
        const struct wg_check_rounds *r = rounds_of(u->grid);
        struct wg_round_worker *of = worker_of(u);
        while (first->grid != u->grid) first = first->next;
        if (first == u && of && r->of_one_worker && !wg_grid_stops(u->grid, u->index))
            look_at(w, u->grid, of);
    }
}
