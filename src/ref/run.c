/* The warp scheduler of the reference: selects the lanes that run next, and runs one basic block for them.
 *
 * Lanes at the same program point form a group and run each instruction together. Of several groups the one
 * at the earliest point runs (blocks are in priority order, see ir/ir.h), so diverged lanes reconverge where
 * their paths join. Lanes that spin yield their time slice (warp/slices.h) and rest: those that spin on a lock
 * let the lane that holds it proceed. After warp->fuel back edges, of any loops, the whole warp yields.
 *
 * A lane that reaches an F_SYNC row waits (REF_MEETS) until all live lanes of its member mask are at the same
 * instruction with the same mask (bar.warp.sync: at any bar.warp.sync); then the row's function runs for all
 * of them. A lane that reaches a barrier waits in warp->wait (REF_WAITS).
 */
#include "ref/run.h"
#include "analysis/analysis.h"
#include "base/arena.h"
#include "ref/call.h"
#include "ref/count.h"
#include "warp/slices.h"
#include <string.h>

static struct ref_warp *state_of(const struct wg_warp *wg) { return (struct ref_warp *)wg->frame; }

static bool same_place(const struct ref_activation *a, const struct ref_activation *b) {
    return a->block == b->block && a->ins == b->ins && a->func == b->func;
}

static int compare_within(const struct ref_activation *a, const struct ref_activation *b) {
    if (a->func != b->func) return a->func->index < b->func->index ? -1 : 1;
    if (a->block != b->block) return a->block < b->block ? -1 : 1;
    return a->ins == b->ins ? 0 : a->ins < b->ins ? -1 : 1;
}

/* Where a is against b: negative when a goes first. Outermost calls decide, so a lane inside a call goes
 * before one that has already come back from it. */
static int compare_places(const struct ref_activation *a, const struct ref_activation *b) {
    int order = a->depth > b->depth ? -1 : a->depth < b->depth;
    while (a->depth > b->depth) a = a->caller;
    while (b->depth > a->depth) b = b->caller;
    for (;; a = a->caller, b = b->caller) {
        int outer = compare_within(a, b);
        if (outer) order = outer;
        if (a->path == b->path) return order;
    }
}

/* The first of the lanes at the earliest place of those that can run; NULL: none can. *alone: all of them are
 * there. */
static struct ref_lane *earliest(struct ref_warp *w, bool *alone) {
    struct ref_lane *first = NULL;
    *alone = true;
    REF_FOR_LANES(k, w->wg->live) {
        struct ref_lane *l = &w->lane[k];
        if (l->state != REF_RUNS) continue;
        if (!first) first = l;
        if (l->at->path == first->at->path && same_place(l->at, first->at)) continue;
        *alone = false;
        if (compare_places(l->at, first->at) < 0) first = l;
    }
    return first;
}

static uint32_t in_state(const struct ref_warp *w, enum ref_state state) {
    uint32_t lanes = 0;
    REF_FOR_LANES(k, w->wg->live) lanes |= (uint32_t)(w->lane[k].state == state) << k;
    return lanes;
}

/* Bits stirred, as by a step of splitmix64. */
static uint64_t mix(uint64_t x) {
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static void wake(struct ref_lane *l) { l->state = REF_RUNS; }

static uint32_t highest_first(const struct ref_warp *w, uint32_t lanes) {
    /* Where a lane spins in a loop not known to be a spin loop, others run once the warp has yielded. */
    uint32_t from = w->yielded % WG_LANES, up = lanes << from | lanes >> (WG_LANES - from) % WG_LANES;
    uint32_t k = WG_LANES - 1 - (uint32_t)__builtin_clz(up);
    return 1u << (k + WG_LANES - from) % WG_LANES;
}

static uint32_t any_one(struct ref_warp *w, uint32_t lanes, uint64_t key) {
    const struct wg_block *b = w->wg->block;
    uint64_t x = key + mix(b->ctaid[0] | (uint64_t)b->ctaid[1] << 32);
    x = mix(x + w->wg->id + ((uint64_t)b->ctaid[2] << 32) + ((uint64_t)w->picks++ << 8));
    for (uint32_t n = (uint32_t)(x % (uint32_t)__builtin_popcount(lanes)); n; n--) lanes &= lanes - 1;
    return lanes & -lanes;
}

/* The lanes to run next; 0 when none can, or the warp yields. */
static uint32_t pick(struct ref_warp *w) {
    bool alone;
    uint32_t resting = in_state(w, REF_RESTS), group = 0, runs;
    uint64_t order = w->wg->block->lane_order;
    if (order && (runs = in_state(w, REF_RUNS)))
        return order == 1 ? highest_first(w, runs) : any_one(w, runs, order);
    struct ref_lane *first = earliest(w, &alone);
    if (!first && resting) {
        w->yields = wg_round_is_last(w->wg, resting);
        REF_FOR_LANES(k, resting) wake(&w->lane[k]);
        return w->yields ? 0 : pick(w);
    }
    if (!first) return 0;
    if (alone && !resting) return in_state(w, REF_RUNS); /* the common case */
    REF_FOR_LANES(k, w->wg->live) {
        struct ref_lane *l = &w->lane[k];
        if ((l->state != REF_RUNS && l->state != REF_RESTS) || !same_place(l->at, first->at)) continue;
        wake(l);
        group |= 1u << k;
    }
    return group;
}

static void exit_lane(struct ref_lane *l) {
    wg_ref_unwind(l);
    l->state = REF_EXITED;
    l->warp->wg->live &= ~(1u << l->id);
}

/* ---- meetings of F_SYNC rows ---- */

static const struct ref_ins *instruction_at(const struct ref_lane *l) {
    return &l->at->func->blocks[l->at->block].ins[l->at->ins];
}

static uint32_t place_of(const struct ref_lane *l) {
    const struct ref_block *b = &l->at->func->blocks[l->at->block];
    return l->at->ins < b->nins ? b->ins[l->at->ins].ir->loc : b->ir->loc;
}

/* The lanes that wait for the same as lane l, itself included, and in *all whether all that they wait for
 * have arrived. Lanes with different member masks never meet, except in checked code: there it is reported,
 * and they proceed. */
static uint32_t meeting(const struct ref_warp *w, const struct ref_lane *l, bool *all) {
    const struct ref_ins *i = instruction_at(l);
    uint32_t here = 0, alike = 0;
    REF_FOR_LANES(k, w->wg->live) {
        const struct ref_lane *o = &w->lane[k];
        if (o->state != REF_MEETS) continue;
        const struct ref_ins *j = instruction_at(o);
        if (j != i && !(i->op == WG_OP_BAR_WARP && j->op == WG_OP_BAR_WARP)) continue;
        here |= 1u << k;
        if (o->meets == l->meets) alike |= 1u << k;
    }
    *all = !(l->meets & w->wg->live & ~(w->code->opts.check ? here : alike));
    return alike;
}

/* Groups that have arrived at one instruction run one by one, except shuffles, which read from any lane that
 * runs them. */
static void run_together(struct ref_warp *w, const struct ref_ins *i, uint32_t leaders,
                         const uint32_t met[WG_LANES]) {
    uint32_t lanes = 0;
    REF_FOR_LANES(k, leaders) {
        bool last = !(leaders >> k >> 1), all = i->op == WG_OP_SHFL;
        lanes = all ? lanes | met[k] : met[k];
        if (all && !last) continue;
        w->group = lanes;
        i->group(w, i, lanes);
        if (w->faulted) return;
    }
}

/* Runs every complete meeting. */
static void hold_meetings(struct ref_warp *w) {
    uint32_t met[WG_LANES], seen = 0, complete = 0;
    REF_FOR_LANES(k, w->wg->live) {
        if (w->lane[k].state != REF_MEETS || seen >> k & 1) continue;
        bool all;
        met[k] = meeting(w, &w->lane[k], &all);
        seen |= met[k];
        complete |= (uint32_t)all << k;
    }
    while (complete) {
        const struct ref_ins *i = instruction_at(&w->lane[__builtin_ctz(complete)]);
        uint32_t leaders = 0, together = 0;
        REF_FOR_LANES(k, complete) {
            if (instruction_at(&w->lane[k]) != i) continue;
            leaders |= 1u << k;
            together |= met[k];
        }
        complete &= ~leaders;
        if (w->wg->tally) wg_ref_count(w, i, together, together);
        run_together(w, i, leaders, met);
        if (w->faulted) return;
        REF_FOR_LANES(j, together) {
            wake(&w->lane[j]);
            w->lane[j].at->ins++;
        }
    }
}

static void arrive_at_meeting(struct ref_warp *w, const struct ref_ins *i, uint32_t lanes) {
    REF_FOR_LANES(k, lanes) {
        struct ref_lane *l = &w->lane[k];
        l->meets = (uint32_t)ref_bits(l, i, i->nsrc - 1u, 32);
        l->state = REF_MEETS;
    }
    hold_meetings(w);
}

/* ---- waits for the machine ---- */

/* Lanes whose partners do not arrive, for the report of a deadlock. */
static void wait_in_vain(struct ref_warp *w) {
    REF_FOR_LANES(k, w->wg->live) {
        struct ref_lane *l = &w->lane[k];
        if (l->state != REF_MEETS) continue;
        const struct ref_ins *i = instruction_at(l);
        wg_ref_wait(l, &(struct wg_wait){.kind = WG_WAIT_WARP, .site = i->ir->id, .loc = i->ir->loc});
        l->state = REF_MEETS;
    }
}

static void mark_seen(struct wg_warp *wg) {
    for (uint32_t k = 0; k < wg->nwait; k++) wg->wait[k].resume = 1;
}

/* All live lanes at one block barrier? */
static bool whole_at_barrier(const struct wg_warp *wg) {
    return wg->nwait == 1 && wg->wait[0].kind == WG_WAIT_BLOCK && wg->wait[0].lanes == wg->live;
}

static enum wg_warp_status stop_at_waits(struct ref_warp *w) {
    struct wg_warp *wg = w->wg;
    wait_in_vain(w);
    mark_seen(wg);
    return whole_at_barrier(wg) ? WG_WARP_BARRIER : WG_WARP_WAITING;
}

/* Resumes the lanes that the machine has released since the last suspension. */
static void take_releases(struct ref_warp *w) {
    struct wg_warp *wg = w->wg;
    bool barrier = whole_at_barrier(wg);
    uint32_t kept = 0;
    for (uint32_t k = 0; k < wg->nwait; k++) {
        struct wg_wait wait = wg->wait[k];
        if (wait.kind == WG_WAIT_WARP) continue; /* their lanes know */
        if (!wait.released && !barrier) {
            wg->wait[kept++] = wait;
            continue;
        }
        REF_FOR_LANES(n, wait.lanes) {
            struct ref_lane *l = &w->lane[n];
            wake(l);
            const struct ref_ins *i = instruction_at(l) - 1; /* a waiting lane is past its instruction */
            if (wait.red != WG_M_none) ref_put(l, &i->dst[0], wait.result, i->dst[0].bits, false);
        }
    }
    wg->nwait = kept;
}

/* ---- one block ---- */

/* A lane that is at the kernel's end has exited: no lane waits for it. */
static void go_to(struct ref_lane *l, uint32_t block) {
    const struct wg_ir_func *f = l->at->func->ir;
    l->at->block = block;
    l->at->ins = 0;
    if (!wg_leads_to_exit(f, block)) return;
    if (!l->at->caller || f->blocks[block].term == WG_TERM_EXIT) exit_lane(l);
}

static void take_terminator(struct ref_lane *l, const struct ref_block *b) {
    uint64_t cond;
    switch (b->ir->term) {
    case WG_TERM_BR: go_to(l, b->ir->succ[0]); return;
    case WG_TERM_CBR:
        cond = l->at->regs[b->cond] & 1;
        go_to(l, b->ir->succ[cond != b->ir->cond_neg ? 0 : 1]);
        return;
    case WG_TERM_BRX:
        cond = (uint32_t)l->at->regs[b->cond];
        if (cond < b->ir->nsucc)
            go_to(l, b->ir->succ[cond]);
        else
            wg_ref_fault(l, NULL, WG_FAULT_TRAP, 0, 0);
        return;
    case WG_TERM_RET:
        if (!wg_ref_return(l)) exit_lane(l);
        return;
    case WG_TERM_EXIT: exit_lane(l); return;
    default: wg_ref_fault(l, NULL, WG_FAULT_TRAP, 0, 0); return;
    }
}

/* Whether the lanes have diverged: they are at different program points. */
static bool parted(const struct ref_warp *w, uint32_t lanes) {
    const struct ref_lane *first = &w->lane[__builtin_ctz(lanes)];
    REF_FOR_LANES(k, lanes)
    if (w->lane[k].at->block != first->at->block) return true;
    return false;
}

/* Lanes have gone back to a block of function f. */
static void go_back(struct ref_warp *w, const struct ref_func *f, uint32_t back) {
    uint32_t header = UINT32_MAX, lanes = 0;
    if (w->wg->fuel) w->wg->fuel--;
    if (!w->wg->fuel) w->yields = true;
    REF_FOR_LANES(k, back) if (w->lane[k].at->block < header) header = w->lane[k].at->block;
    REF_FOR_LANES(k, back) lanes |= (uint32_t)(w->lane[k].at->block == header) << k;
    uint8_t yields = f->yields[header];
    if (!yields || !wg_slice_is_over(w->wg, lanes, yields == WG_YIELDS_SOON)) return;
    if (lanes == w->wg->live)
        w->yields = true;
    else
        REF_FOR_LANES(k, lanes) w->lane[k].state = REF_RESTS;
}

static void end_block(struct ref_warp *w, const struct ref_block *b, uint32_t from, uint32_t lanes) {
    const struct ref_func *f = w->lane[__builtin_ctz(lanes)].at->func;
    uint32_t back = 0;
    bool left = false;
    REF_FOR_LANES(k, lanes) {
        struct ref_lane *l = &w->lane[k];
        struct ref_activation *at = l->at;
        take_terminator(l, b);
        if (l->state == REF_EXITED)
            left = true;
        else if (l->at == at && at->block <= from)
            back |= 1u << k;
    }
    if (w->wg->tally) wg_ref_count_end(w, b, lanes, parted(w, lanes));
    if (left) hold_meetings(w);
    if (back && !w->faulted) go_back(w, f, back);
}

/* Lanes whose guard lets them execute the instruction. */
static uint32_t guard_of(const struct ref_warp *w, const struct ref_ins *i, uint32_t lanes) {
    uint32_t on = lanes;
    if (!i->guarded) return on;
    REF_FOR_LANES(k, lanes)
    if ((w->lane[k].at->regs[i->guard] & 1) == i->guard_neg) on &= ~(1u << k);
    return on;
}

static void run_group(struct ref_warp *w, uint32_t lanes) {
    const struct ref_activation *at = w->lane[__builtin_ctz(lanes)].at;
    uint32_t from = at->block;
    const struct ref_block *b = &at->func->blocks[from];
    for (uint32_t n = at->ins; n < b->nins; n++) {
        const struct ref_ins *i = &b->ins[n];
        if (i->sync) {
            REF_FOR_LANES(k, lanes) w->lane[k].at->ins = n;
            arrive_at_meeting(w, i, lanes);
            return;
        }
        w->group = lanes;
        if (i->group) {
            REF_FOR_LANES(k, lanes) w->lane[k].at->ins = n + 1;
            uint32_t now = guard_of(w, i, lanes);
            if (w->wg->tally) wg_ref_count(w, i, lanes, now);
            if (now) i->group(w, i, now);
            if (w->faulted || i->waits) return;
            continue;
        }
        uint32_t now = guard_of(w, i, lanes);
        if (w->wg->tally) wg_ref_count(w, i, lanes, now);
        i->fn(w, i, now);
        if (w->faulted) return;
    }
    end_block(w, b, from, lanes);
}

/* ---- the warp ---- */

static void start(struct wg_warp *wg) {
    struct ref_warp *w = state_of(wg);
    const struct ref_code *code = wg->code->impl;
    memset(w, 0, wg->code->frame_bytes);
    w->wg = wg;
    w->code = code;
    const struct ref_func *f = code->entry;
    size_t stride = sizeof(struct ref_activation) + f->nslots * sizeof(uint64_t);
    for (uint32_t k = 0; k < WG_LANES; k++) {
        struct ref_lane *l = &w->lane[k];
        l->warp = w;
        l->id = k;
        l->state = wg->live >> k & 1 ? REF_RUNS : REF_EXITED;
        l->at = (struct ref_activation *)((uint8_t *)(w + 1) + k * stride);
        l->at->func = f;
        l->at->local = wg->local ? wg->local + k * wg->local_stride : NULL;
        l->at->top = f->ir->local_bytes;
    }
    wg->nwait = 0;
    wg->resume = 1;
}

static enum wg_warp_status run(struct wg_warp *wg, struct wg_replay *replay) {
    if (!wg->resume) start(wg);
    struct ref_warp *w = state_of(wg);
    w->replay = replay;
    w->yields = false;
    take_releases(w);
    while (wg->live && !w->faulted && !w->yields) {
        uint32_t lanes = pick(w);
        if (lanes)
            run_group(w, lanes);
        else if (!w->yields)
            return stop_at_waits(w);
    }
    if (w->faulted) {
        for (uint32_t k = 0; k < WG_LANES; k++) wg_ref_unwind(&w->lane[k]);
        return WG_WARP_FAULT;
    }
    mark_seen(wg);
    if (!wg->live) return WG_WARP_DONE;
    w->yielded++;
    wg->fault.loc = place_of(&w->lane[__builtin_ctz(wg->live)]); /* for who asks what an endless loop does */
    return WG_WARP_YIELD;
}

enum wg_warp_status wg_ref_run(struct wg_warp *wg) { return run(wg, NULL); }
enum wg_warp_status wg_replay_run(struct wg_replay *r, struct wg_warp *wg) { return run(wg, r); }
