/* See check_barrier.h. */
#include "machine/watch/check_barrier.h"
#include "base/lanes.h"
#include "check/instrument/barrier.h"
#include "machine/watch/check.h"
#include "machine/watch/check_async.h"

#include <stdlib.h>
#include <string.h>

static const struct wg_ir_instr *instr_of(const struct wg_cta *c, uint32_t id) {
    return c->unit->grid->check->sites[id].instr;
}

void wg_check_watch(struct wg_cta *c) {
    struct wg_barrier_watch *w = c->watch;
    if (!(wg_checks(c->unit->grid->dev) & 1u << WG_CHECK_barrier)) return;
    if (!w) w = c->watch = wg_xcalloc(1, sizeof *w);
    w->out_of_step = w->closely = false;
    w->phases = w->waited = w->at = 0;
    memset(w->left, 0, c->nwarps * sizeof *w->left);
    memset(w->remote, 0, c->unit->shape.nctas * sizeof *w->remote);
    for (uint32_t i = 0; i < c->nwarps; i++) w->expected[i] = c->warps[i].live;
}

/* ---- findings with two places ---- */

/* One side of a finding: lanes of a warp at an instruction. */
struct party {
    const struct wg_cta *block;
    uint32_t warp, lanes, site;
};

static void tell(enum wg_finding_kind kind, struct party here, struct party other, const char *detail) {
    struct wg_arena a = {0};
    const struct wg_warp *w = &here.block->warps[here.warp];
    struct wg_finding f = {.kind = kind, .detail = detail, .has_other = other.lanes != 0};
    if (f.has_other) {
        f.other = wg_check_place_of(&a, &other.block->warps[other.warp], other.lanes, other.site);
        f.other_site = other.site;
    }
    wg_check_found(w, here.lanes & -here.lanes, here.site, &f); /* one a block, however many wait */
    wg_arena_free(&a);
}

/* ---- the block's barriers ---- */

/* The lowest threads that wait at barrier `id`, and at instruction `site` if that is not 0. */
static struct party first_waiting(const struct wg_cta *c, uint8_t kind, uint32_t id, uint32_t site) {
    struct party p = {.block = c};
    for (uint32_t i = 0; i < c->nwarps && !p.lanes; i++)
        for (uint32_t k = 0; k < c->warps[i].nwait; k++) {
            const struct wg_wait *w = &c->warps[i].wait[k];
            if (w->released || w->kind != kind || w->id != id || (site && w->site != site)) continue;
            bool lower = !p.lanes || __builtin_ctz(w->lanes) < __builtin_ctz(p.lanes);
            if (lower) p = (struct party){c, i, w->lanes, w->site};
        }
    return p;
}

/* Where the thread was last that no barrier has seen since. */
static uint32_t left_at(const struct wg_barrier_watch *w, uint32_t warp, uint32_t lane) {
    return w->left[warp][lane] ? w->left[warp][lane] : w->at;
}

/* What a finding says of threads that were last at `left`. */
static const char *how_ended(const struct wg_grid *g, uint32_t barrier, uint32_t left) {
    const struct wg_check_site *sites = g->check->sites;
    const struct wg_ir_func *f = &g->func->module->ir->funcs[sites[barrier].func];
    if (sites[left].func != sites[barrier].func) return NULL;
    if (wg_barrier_loop_was_left(f, barrier, left))
        return "threads have left the loop that the barrier is in";
    if (wg_barrier_was_passed_by(f, barrier, left))
        return "threads took the other way at this branch, and have ended without coming to the barrier";
    return NULL;
}

/* Threads that have ended since the last barrier of all of them, and did not arrive at this one before
 * (`arrived`, by warp): each place where they left, once. */
static void tell_ended(struct wg_cta *c, struct party here, const uint32_t *arrived) {
    struct wg_barrier_watch *watch = c->watch;
    uint32_t told[WG_MAX_WAITS], ntold = 0;
    for (uint32_t i = 0; i < c->nwarps; i++) {
        uint32_t there = c->warps[i].live | (arrived ? arrived[i] : 0);
        uint32_t gone = watch->expected[i] & ~there;
        watch->expected[i] &= there;
        WG_EACH_LANE(l, gone) {
            uint32_t site = left_at(watch, i, l), k = 0;
            while (k < ntold && told[k] != site) k++;
            if (k < ntold || ntold == WG_MAX_WAITS) continue;
            told[ntold++] = site;
            tell(WG_F_barrier_exited, here, (struct party){c, i, 1u << l, site},
                 how_ended(c->unit->grid, here.site, site));
        }
    }
}

/* What comes of it where threads wait at two of the block's barriers, by what PTX says. */
static const char *what_happens(struct party a, struct party b) {
    return a.warp == b.warp
               ? "the threads are of one warp, which PTX requires to come to the same barrier"
               : "PTX and hardware count arrivals and let all of them pass, wherever they are; CUDA C++ "
                 "has no meaning for __syncthreads() in a branch that only some threads take";
}

/* Two places where threads wait for one another. */
static void tell_apart(const struct wg_cta *c, struct party a, struct party b) {
    const struct wg_check_site *sites = c->unit->grid->check->sites;
    const struct wg_ir_func *f = &c->unit->grid->func->module->ir->funcs[sites[a.site].func];
    if (wg_barrier_follows(f, b.site, a.site)) {
        struct party x = a;
        a = b, b = x;
    }
    bool skipped = wg_barrier_follows(f, a.site, b.site);
    c->watch->out_of_step |= skipped;
    if (!skipped && !wg_barrier_is_aligned(sites[a.site].instr) &&
        !wg_barrier_is_aligned(sites[b.site].instr))
        return; /* barrier.sync: wherever the threads are */
    tell(skipped ? WG_F_barrier_skipped : WG_F_barrier_divergent, a, b,
         skipped || !wg_barrier_is_counted(sites[a.site].instr) ? NULL : what_happens(a, b));
}

/* Every place where threads wait at the barrier is held against the first. */
static void compare_places(struct wg_cta *c, uint8_t kind, uint32_t id, uint32_t only_warp) {
    uint32_t sites[WG_MAX_WAITS], n = 0;
    for (uint32_t i = 0; i < c->nwarps; i++)
        for (uint32_t k = 0; k < c->warps[i].nwait; k++) {
            const struct wg_wait *w = &c->warps[i].wait[k];
            if (w->released || w->kind != kind || w->id != id || (only_warp < WG_MAX_WARPS && i != only_warp))
                continue;
            uint32_t at = 0;
            while (at < n && sites[at] < w->site) at++;
            if ((at < n && sites[at] == w->site) || n == WG_MAX_WAITS) continue;
            memmove(&sites[at + 1], &sites[at], (n - at) * sizeof *sites);
            sites[at] = w->site;
            n++;
        }
    for (uint32_t k = 1; k < n; k++)
        tell_apart(c, first_waiting(c, kind, id, sites[0]), first_waiting(c, kind, id, sites[k]));
}

/* Should they end without another one: that is where they were last. */
static void note_barrier(struct wg_cta *c, uint32_t id) {
    c->watch->closely = true;
    for (uint32_t i = 0; i < c->nwarps; i++)
        for (uint32_t k = 0; k < c->warps[i].nwait; k++) {
            const struct wg_wait *w = &c->warps[i].wait[k];
            if (w->released || w->kind != WG_WAIT_BLOCK || w->id != id) continue;
            WG_EACH_LANE(l, w->lanes) c->watch->left[i][l] = w->site;
        }
}

void wg_check_barrier(struct wg_cta *c, uint32_t id) {
    const struct wg_barrier *b = &c->barriers[id];
    note_barrier(c, id);
    struct party here = first_waiting(c, WG_WAIT_BLOCK, id, 0);
    if (!here.lanes || c->watch->out_of_step) return;
    if (b->threads == 0) tell_ended(c, here, b->arrived);
    if (b->threads == 0 && id == 0) compare_places(c, WG_WAIT_BLOCK, id, WG_MAX_WARPS);
    if (b->threads == 0 && id == 0) return;
    /* Barriers with a number: warps come from different places; the lanes of a warp must not. */
    for (uint32_t i = 0; i < c->nwarps; i++)
        if (c->warps[i].nwait > 1) compare_places(c, WG_WAIT_BLOCK, id, i);
}

/* Nobody has ended since the last one, and all warps are at the same one. */
static bool all_came(struct wg_cta *c) {
    struct wg_barrier_watch *w = c->watch;
    uint32_t site = 0;
    for (uint32_t i = 0; i < c->nwarps; i++) {
        const struct wg_warp *warp = &c->warps[i];
        if (warp->live != w->expected[i]) return false;
        if (!warp->live) continue;
        if (site && site != warp->wait[0].site) return false;
        site = warp->wait[0].site;
    }
    w->at = site;
    return true;
}

void wg_check_all_at_barrier(struct wg_cta *c) {
    if (!c->watch->closely && all_came(c)) return;
    for (uint32_t i = 0; i < c->nwarps; i++)
        if (c->warps[i].live) c->warps[i].wait[0].released = 0;
    wg_check_barrier(c, 0);
}

/* ---- the grid's barrier ---- */

/* Thread 0 stands for the block. */
static void keep_lowest(struct wg_check_block_at *b, const struct wg_cta *c, uint32_t site) {
    if (b->known && b->index < c->index) return;
    *b = (struct wg_check_block_at){.known = true, .index = c->index, .site = site};
    memcpy(b->ctaid, c->block.ctaid, sizeof b->ctaid);
}

void wg_check_grid_arrival(struct wg_cta *c) {
    struct party here = first_waiting(c, WG_WAIT_GRID, 0, 0);
    tell_ended(c, here, NULL);
    compare_places(c, WG_WAIT_GRID, 0, WG_MAX_WARPS);
    pthread_mutex_lock(&c->unit->grid->lock);
    keep_lowest(&c->unit->grid->check->at_grid.arrived, c, here.site);
    pthread_mutex_unlock(&c->unit->grid->lock);
}

void wg_check_grid_exit(const struct wg_cta *c) {
    keep_lowest(&c->unit->grid->check->at_grid.ended, c, left_at(c->watch, 0, 0));
}

void wg_check_grid_barrier(struct wg_grid *g) {
    struct wg_check_grid_barrier *b = &g->check->at_grid;
    if (b->arrived.known && b->ended.known) {
        struct wg_arena a = {0};
        struct wg_finding f = {.kind = WG_F_barrier_exited,
                               .here = wg_check_place(&a, g->func, b->arrived.site),
                               .other = wg_check_place(&a, g->func, b->ended.site),
                               .has_other = true,
                               .detail = how_ended(g, b->arrived.site, b->ended.site),
                               .site = b->arrived.site,
                               .other_site = b->ended.site};
        f.here.has_thread = f.other.has_thread = true;
        memcpy(f.here.block, b->arrived.ctaid, sizeof f.here.block);
        memcpy(f.other.block, b->ended.ctaid, sizeof f.other.block);
        wg_check_add(g, &f);
        wg_arena_free(&a);
    }
    b->arrived.known = b->ended.known = false;
}

/* ---- the cluster ---- */

void wg_check_cluster_barrier(struct wg_unit *u) {
    for (uint32_t k = 0; k < u->shape.nctas; k++)
        if (u->ctas[k].watch) u->ctas[k].watch->phases++;
}

void wg_check_cluster_waited(struct wg_cta *c, uint32_t warp, const struct wg_wait *w) {
    c->watch->waited = c->watch->phases;
    WG_EACH_LANE(l, w->lanes) c->watch->left[warp][l] = w->site;
}

static bool is_strong(const struct wg_ir_instr *in) {
    uint8_t sem = in->mod[WG_MC_SEM];
    return wg_op_is(in->op, WG_IS_ATOMIC) || (sem != WG_M_none && sem != WG_M_weak);
}

/* The latest, and of these the lowest. */
static void keep_remote(struct wg_check_remote *r, struct wg_check_remote now) {
    now.strong |= r->strong;
    bool later = !r->known || now.phase > r->phase;
    bool lower =
        now.phase == r->phase && (now.site < r->site || (now.site == r->site && now.thread < r->thread));
    if (later || lower)
        *r = now;
    else
        r->strong = now.strong;
}

/* Whether of no other block's memory an access by these threads would be kept: what most are. */
static bool says_nothing_new(const struct wg_cta *c, uint32_t thread, uint32_t id, bool strong) {
    const struct wg_barrier_watch *w = c->watch;
    for (uint32_t k = 0; k < c->unit->shape.nctas; k++) {
        const struct wg_check_remote *r = &w->remote[k];
        bool kept = r->known && r->phase == w->phases && r->site <= id && r->thread <= thread;
        if (k != c->rank && !(kept && (r->strong || !strong))) return false;
    }
    return true;
}

bool wg_check_remote_known(const struct wg_warp *w, uint32_t id) {
    const struct wg_cta *c = w->machine;
    return !c->cluster_arrived[w->id] &&
           says_nothing_new(c, w->id * WG_LANES, id, is_strong(instr_of(c, id)));
}

bool wg_check_remote_access(struct wg_warp *w, uint32_t lanes, uint32_t id, const uint64_t *address) {
    struct wg_cta *c = w->machine;
    bool any = false, strong = is_strong(instr_of(c, id));
    WG_EACH_LANE(l, lanes) {
        uint64_t rank = (address[l] - (uint64_t)c->block.cluster_shared) / WG_SHARED_STRIDE;
        if (rank >= c->unit->shape.nctas || rank == c->rank) continue;
        uint32_t phase = c->watch->phases + (c->cluster_arrived[w->id] >> l & 1);
        const struct wg_check_remote *r = &c->watch->remote[rank];
        any = true;
        if (r->known && r->phase == phase && r->site <= id && r->thread <= w->id * WG_LANES + l &&
            (r->strong || !strong))
            continue; /* what most are */
        keep_remote(&c->watch->remote[rank], (struct wg_check_remote){
                                                 .known = true,
                                                 .strong = strong,
                                                 .phase = phase,
                                                 .site = id,
                                                 .warp = w->id,
                                                 .thread = w->id * WG_LANES + l,
                                             });
    }
    return any;
}

/* Other ways to know that a block is still needed: then nothing is said. */
static bool has_mbarriers(const struct wg_check_launch *l) {
    for (uint32_t id = 1; id < l->nids; id++)
        if (l->sites[id].instr && strcmp(wg_op_name(l->sites[id].instr->op), "mbarrier") == 0) return true;
    return false;
}

void wg_check_cluster_end(const struct wg_unit *u) {
    if (u->ctas[0].watch) wg_check_async_cluster_end(u);
    for (uint32_t k = 0; k < u->shape.nctas; k++) {
        const struct wg_cta *c = &u->ctas[k];
        for (uint32_t o = 0; c->watch && o < u->shape.nctas; o++) {
            const struct wg_check_remote *r = &c->watch->remote[o];
            const struct wg_cta *owner = &u->ctas[o];
            if (!r->known || r->strong || owner->watch->waited > r->phase) continue;
            if (has_mbarriers(u->grid->check)) return;
            tell(WG_F_cluster_exit, (struct party){c, r->warp, 1u << r->thread % WG_LANES, r->site},
                 (struct party){owner, 0, 1, left_at(owner->watch, 0, 0)}, NULL);
        }
    }
}

/* ---- what ends a launch ---- */

void wg_check_stuck(const struct wg_unit *u, uint32_t site, const struct wg_warp *w,
                    const struct wg_wait *other) {
    struct wg_grid *g = u->grid;
    pthread_mutex_lock(&g->lock);
    if (u->index < g->fault_unit) {
        struct wg_check_stuck *s = &g->check->stuck;
        *s = (struct wg_check_stuck){.site = site, .has_other = other != NULL};
        if (other) {
            s->other_site = other->site;
            s->thread = w->id * WG_LANES + (uint32_t)__builtin_ctz(other->lanes);
            memcpy(s->block, w->block->ctaid, sizeof s->block);
        }
    }
    pthread_mutex_unlock(&g->lock);
}

static void number_thread(const struct wg_grid *g, uint32_t t, struct wg_finding_place *p) {
    const uint32_t *n = g->block.ntid;
    p->has_thread = true;
    p->thread[0] = t % n[0];
    p->thread[1] = t / n[0] % n[1];
    p->thread[2] = t / n[0] / n[1];
}

static bool is_misused(const struct wg_ir_instr *in) {
    return wg_barrier_is_counted(in) || (in->op == WG_OP_CALL && in->call->builtin == WG_B_grid_sync);
}

/* The barrier, or what was done with an mbarrier, at a place in the source; 0: none. */
static uint32_t barrier_at(const struct wg_grid *g, const struct wg_fault *f) {
    for (uint32_t id = 1; id < g->check->nids; id++) {
        const struct wg_ir_instr *in = g->check->sites[id].instr;
        if (!in || in->loc != f->loc) continue;
        if (f->kind == WG_FAULT_MBARRIER ? in->op == f->op : is_misused(in)) return id;
    }
    return 0;
}

/* Where the mbarrier that is used there begins; 0: nowhere that is known, or it may have ended. */
static uint32_t beginning_of(const struct wg_grid *g, uint32_t site) {
    uint32_t variable = g->check->sites[site].variable, found = 0;
    for (uint32_t id = g->check->nids; id-- > 1;) {
        const struct wg_check_site *s = &g->check->sites[id];
        if (!s->instr || variable == WG_NO_REG || s->variable != variable) continue;
        if (s->instr->op == WG_OP_MBARRIER_INVAL) return 0;
        if (s->instr->op == WG_OP_MBARRIER_INIT) found = id;
    }
    return found;
}

const char *wg_check_join_lines(struct wg_arena *a, const char *lines) {
    struct wg_strbuf out = {0};
    for (const char *line = lines ? lines : ""; *line;) {
        size_t n = strcspn(line, "\n");
        wg_strbuf_printf(&out, "%s%.*s", out.n ? "; " : "", (int)n, line);
        line += n + (line[n] == '\n');
    }
    const char *text = wg_arena_strdup(a, out.s ? out.s : "");
    wg_strbuf_free(&out);
    return text;
}

static void put_mbarrier(struct wg_arena *a, const struct wg_grid *g, struct wg_finding *f) {
    uint64_t at = g->fault.address - g->fault_shared;
    if (at >= WG_SHARED_STRIDE * (uint64_t)g->block.cluster_nctarank) return;
    f->other_site = g->fault_early ? beginning_of(g, f->site) : 0;
    if (f->other_site) {
        f->has_other = true;
        f->other = wg_check_place(a, g->func, f->other_site);
        f->detail = "It was not initialised when it was used, and nothing this thread has waited for "
                    "implies that it would be";
    }
    wg_check_describe_shared(g, f->site, f->has_other ? f->other_site : f->site, at % WG_SHARED_STRIDE,
                             at / WG_SHARED_STRIDE != g->fault_rank, &f->memory);
}

void wg_check_barrier_fault(const struct wg_grid *g) {
    bool deadlock = g->fault.kind == WG_FAULT_DEADLOCK, mbarrier = g->fault.kind == WG_FAULT_MBARRIER;
    const struct wg_check_stuck *s = &g->check->stuck;
    if (g->fault_unit == UINT64_MAX || (!deadlock && !mbarrier && g->fault.kind != WG_FAULT_BARRIER)) return;
    struct wg_arena a = {0};
    uint32_t site = deadlock ? s->site : barrier_at(g, &g->fault);
    struct wg_finding f = {.kind = deadlock ? WG_F_deadlock : WG_F_barrier_count,
                           .here = wg_check_place(&a, g->func, site),
                           .site = site,
                           .memory = s->memory,
                           .detail = g->fault_detail ? wg_check_join_lines(&a, g->fault_detail) : NULL};
    memcpy(f.here.block, g->fault_block, sizeof f.here.block);
    if (g->fault.lane < WG_LANES) number_thread(g, g->fault_warp * WG_LANES + g->fault.lane, &f.here);
    if (mbarrier) put_mbarrier(&a, g, &f);
    if (deadlock && s->has_other) {
        f.has_other = true;
        f.other = wg_check_place(&a, g->func, s->other_site);
        f.other_site = s->other_site;
        memcpy(f.other.block, s->block, sizeof f.other.block);
        number_thread(g, s->thread, &f.other);
    }
    wg_check_add(g, &f);
    wg_arena_free(&a);
}

/* ---- meetings of a warp's lanes ---- */

void wg_check_left(struct wg_warp *w, uint32_t lanes, uint32_t id) {
    struct wg_cta *c = w->machine;
    uint32_t *left = c->watch->left[w->id];
    for (uint32_t l = 0; l < WG_LANES; l++) left[l] = lanes >> l & 1 ? id : left[l];
}

/* Lanes of the mask that have ended. All lanes is said where those are meant that there are. */
static uint32_t absent_of(const struct wg_warp *w, uint32_t mask) {
    const uint32_t *n = w->block->ntid;
    uint32_t left = n[0] * n[1] * n[2] - w->id * WG_LANES;
    uint32_t there = mask != UINT32_MAX || left >= WG_LANES ? UINT32_MAX : (1u << left) - 1;
    return mask & there & ~w->live;
}

static void tell_lanes(const struct wg_warp *w, uint32_t lanes, uint32_t id, enum wg_finding_kind kind,
                       const uint64_t *members) {
    if (!lanes) return;
    struct wg_arena a = {0};
    uint32_t l = (uint32_t)__builtin_ctz(lanes), mask = (uint32_t)members[l];
    const char *text = wg_arena_printf(&a, "lane %u names the mask %#010x", l, mask);
    if (kind == WG_F_mask_absent)
        text = wg_arena_printf(&a,
                               mask == UINT32_MAX ? "%s; lanes %#010x of it went past and exited"
                                                  : "%s; lanes %#010x of it have exited or never existed",
                               text, absent_of(w, mask));
    struct wg_finding f = {.kind = kind, .detail = text};
    wg_check_found(w, lanes, id, &f);
    wg_arena_free(&a);
}

void wg_check_meeting(struct wg_warp *w, uint32_t lanes, uint32_t id, const uint64_t *members) {
    if (!members && lanes == UINT32_MAX) return; /* all are alive, and here */
    struct wg_cta *c = w->machine;
    bool anywhere = instr_of(c, id)->op == WG_OP_BAR_WARP; /* its partners may be at another one */
    bool passed_by = c->unit->grid->check->sites[id].passed_by;
    uint32_t absent = 0, without = 0, differs = 0;
    uint64_t all[WG_LANES];
    if (!members) {
        for (uint32_t l = 0; l < WG_LANES; l++) all[l] = UINT32_MAX;
        members = all;
    }
    for (uint32_t left = lanes, same; left; left &= ~same) { /* by what they name */
        uint32_t mask = (uint32_t)members[__builtin_ctz(left)];
        same = wg_lanes_alike(members, left);
        without |= same & ~mask;
        if ((mask != UINT32_MAX || passed_by) && absent_of(w, mask)) absent |= same;
        /* Partners that name others, or are alive and elsewhere. */
        if (mask & lanes & ~same || (!anywhere && mask & w->live & ~lanes)) differs |= same;
    }
    tell_lanes(w, without, id, WG_F_mask_caller, members);
    tell_lanes(w, absent, id, WG_F_mask_absent, members);
    tell_lanes(w, differs & ~without, id, WG_F_mask_differs, members);
}
