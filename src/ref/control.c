/* Control rows: barriers, calls, sleep, traps. Branches are terminators: see run.c. */
#include "ref/access.h"
#include "ref/call.h"
#include "ref/operand.h"
#include "warp/device_runtime.h"

/* ---- barriers ---- */

/* Barrier number and thread count of one lane: false after a fault. What other counts are wrong the machine
 * says. */
static bool barrier_operands(struct ref_lane *l, const struct ref_ins *i, bool has_count,
                             struct wg_wait *wait) {
    uint32_t id = (uint32_t)ref_bits(l, i, 0, 32);
    uint32_t threads = has_count ? (uint32_t)ref_bits(l, i, 1, 32) : 0;
    if (id >= WG_BARRIERS || (has_count && !threads)) {
        wg_ref_fault(l, i, WG_FAULT_BARRIER, id >= WG_BARRIERS ? id : threads, 0);
        return false;
    }
    *wait = (struct wg_wait){
        .kind = WG_WAIT_BLOCK, .id = (uint8_t)id, .threads = threads, .site = i->ir->id, .loc = i->ir->loc};
    return true;
}
static void bar_sync(struct ref_warp *w, const struct ref_ins *i, uint32_t lanes) {
    struct wg_wait wait;
    REF_FOR_LANES(k, lanes)
    if (barrier_operands(&w->lane[k], i, i->nsrc > 1, &wait)) wg_ref_wait(&w->lane[k], &wait);
}
static void bar_red(struct ref_warp *w, const struct ref_ins *i, uint32_t lanes) {
    struct wg_wait wait;
    REF_FOR_LANES(k, lanes) {
        if (!barrier_operands(&w->lane[k], i, i->nsrc > 2, &wait)) return;
        wait.red = i->mod[WG_MC_AOP];
        wait.predicate = ref_pred(&w->lane[k], i, i->nsrc - 1u);
        wg_ref_wait(&w->lane[k], &wait);
    }
}
/* Lanes may name different barriers: one call of the machine for each. */
static void bar_arrive(struct ref_warp *w, const struct ref_ins *i, uint32_t lanes) {
    struct wg_wait of[WG_LANES];
    REF_FOR_LANES(k, lanes)
    if (!barrier_operands(&w->lane[k], i, true, &of[k])) return;
    while (lanes) {
        uint32_t first = (uint32_t)__builtin_ctz(lanes), same = 0;
        REF_FOR_LANES(k, lanes)
        if (of[k].id == of[first].id && of[k].threads == of[first].threads) same |= 1u << k;
        w->wg->block->services->bar_arrive(w->wg, same, of[first].id, of[first].threads);
        lanes &= ~same;
    }
}
/* The four warps of a group wait for each other, so that one of them may signal that all have read. */
static void wait_for_group(struct ref_warp *w, const struct ref_ins *i, uint32_t lanes) {
    struct wg_wait wait = {.kind = WG_WAIT_BLOCK,
                           .id = (uint8_t)(WG_BARRIERS + w->wg->id / 4),
                           .threads = 4 * WG_LANES,
                           .loc = i->ir->loc};
    REF_FOR_LANES(k, lanes) wg_ref_wait(&w->lane[k], &wait);
}
static void cluster_arrive(struct ref_warp *w, const struct ref_ins *i, uint32_t lanes) {
    w->wg->block->services->cluster_arrive(w->wg, lanes);
}
static void wait_for(struct ref_warp *w, const struct ref_ins *i, uint32_t lanes, enum wg_wait_kind kind) {
    struct wg_wait wait = {.kind = (uint8_t)kind, .site = i->ir->id, .loc = i->ir->loc};
    REF_FOR_LANES(k, lanes) wg_ref_wait(&w->lane[k], &wait);
}
static void cluster_wait(struct ref_warp *w, const struct ref_ins *i, uint32_t lanes) {
    wait_for(w, i, lanes, WG_WAIT_CLUSTER);
}

/* ---- calls ---- */

static uint64_t argument(const struct ref_lane *l, const struct ref_ins *i, uint32_t k) {
    const struct wg_ir_call *c = i->ir->call;
    if (k >= c->nargs) return 0;
    struct ref_opd o = wg_ref_operand(l->at->func, l->warp->code->module, &c->args[k].value);
    return ref_low(ref_opd_raw(l, &o), wg_type_bits(c->args[k].type));
}
static void give_result(struct ref_lane *l, const struct ref_ins *i, uint64_t v) {
    const struct wg_ir_call *c = i->ir->call;
    if (!c->nrets) return;
    struct ref_opd o = wg_ref_operand(l->at->func, l->warp->code->module, &c->rets[0].value);
    ref_put(l, &o, v, wg_type_bits(c->rets[0].type), false);
}

static void call_builtin(struct ref_warp *w, const struct ref_ins *i, uint32_t lanes) {
    const struct wg_services *s = w->wg->block->services;
    uint64_t a[4][WG_LANES] = {{0}}, result[WG_LANES] = {0};
    uint32_t line[WG_LANES] = {0}, count[WG_LANES] = {0};
    REF_FOR_LANES(k, lanes) {
        for (uint32_t n = 0; n < 4; n++) a[n][k] = argument(&w->lane[k], i, n);
        line[k] = (uint32_t)a[2][k];
    }
    switch (i->ir->call->builtin) {
    case WG_B_vprintf:
        s->vprintf(w->wg, i->ir->id, lanes, a[0], a[1], count);
        REF_FOR_LANES(k, lanes) result[k] = count[k];
        break;
    case WG_B_malloc: s->malloc(w->wg, i->ir->id, lanes, a[0], result); break;
    case WG_B_free: s->free(w->wg, i->ir->id, lanes, a[0]); break;
    case WG_B_assertfail:
        s->assertfail(w->wg, lanes, a[0], a[1], line, a[3]);
        wg_ref_fault(&w->lane[__builtin_ctz(lanes)], i, WG_FAULT_ASSERT, 0, 0);
        return;
    case WG_B_grid_sync: wait_for(w, i, lanes, WG_WAIT_GRID); return;
    case WG_B_grid_is_cooperative: REF_FOR_LANES(k, lanes) result[k] = w->wg->block->cooperative != 0; break;
    case WG_B_device_runtime:
        s->device_runtime(w->wg, i->ir->id, lanes, a[0], a[1], a[2], a[3], result);
        break;
    case WG_B_launch_device:
    case WG_B_launch_device_ptsz:
        REF_FOR_LANES(k, lanes) a[3][k] = WG_RUNTIME_GO;
        s->device_runtime(w->wg, i->ir->id, lanes, a[3], a[0], a[1], a[2], result);
        break;
    default: break;
    }
    REF_FOR_LANES(k, lanes) give_result(&w->lane[k], i, result[k]);
}

/* The function that one lane calls; NULL after a fault. */
static const struct ref_func *target(struct ref_lane *l, const struct ref_ins *i) {
    const struct wg_ir_call *c = i->ir->call;
    const struct ref_code *code = l->warp->code;
    if (c->func != WG_NO_REG) return code->funcs[c->func];
    struct ref_opd o = wg_ref_operand(l->at->func, code->module, &c->target);
    uint64_t v = ref_opd_raw(l, &o);
    if (v - 1 < code->module->nfuncs && code->funcs[v - 1] && !code->module->funcs[v - 1].entry)
        return code->funcs[v - 1];
    wg_ref_fault(l, i, WG_FAULT_CALL, v, 0);
    return NULL;
}

static void call(struct ref_warp *w, const struct ref_ins *i, uint32_t lanes) {
    if (i->ir->call->builtin != WG_B_none) {
        call_builtin(w, i, lanes);
        return;
    }
    REF_FOR_LANES(k, lanes) {
        const struct ref_func *f = target(&w->lane[k], i);
        if (!f || !wg_ref_enter(&w->lane[k], i, f)) return;
    }
}

/* ---- the rest ---- */

/* A warp that sleeps yields to the others. */
static void nanosleep_(struct ref_warp *w, const struct ref_ins *i, uint32_t lanes) {
    w->yields |= lanes == w->wg->live;
}
REF_LANE_ROW(trap) { wg_ref_fault(l, i, WG_FAULT_TRAP, 0, 0); }
REF_LANE_ROW(nothing) {}

const struct ref_row wg_ref_control_rows[WG_OP_COUNT] = {
    [WG_OP_WGMMA_WAIT] = {.group = wait_for_group},
    [WG_OP_BAR_SYNC] = {.group = bar_sync},
    [WG_OP_BARRIER_SYNC] = {.group = bar_sync},
    [WG_OP_BAR_ARRIVE] = {.group = bar_arrive},
    [WG_OP_BARRIER_ARRIVE] = {.group = bar_arrive},
    [WG_OP_BAR_RED] = {.group = bar_red},
    [WG_OP_BARRIER_RED] = {.group = bar_red},
    [WG_OP_BAR_CL_ARRIVE] = {.group = cluster_arrive},
    [WG_OP_BAR_CL_WAIT] = {.group = cluster_wait},
    [WG_OP_CALL] = {.group = call},
    [WG_OP_NANOSLEEP] = {.group = nanosleep_},
    [WG_OP_TRAP] = {.lane = trap},
    [WG_OP_BRKPT] = {.lane = trap},
    [WG_OP_PMEVENT] = {.lane = nothing},
};
