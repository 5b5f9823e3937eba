/* Fault replay: finds the thread and the source line of a page fault in compiled code, which itself gives
 * only the block and the address. The unit runs again from its beginning in the scalar reference, which
 * checks every access before it makes it; stores go to an overlay (ref/replay.h), so memory stays as the
 * fault left it.
 *
 * What the unit stored before it faulted is in memory already. A kernel whose addresses depend on such stores
 * may take another path this time; then the fault is reported without its thread.
 */
#include "machine/module.h"
#include "base/clock.h"
#include "machine/overrun.h"
#include "machine/stray.h"
#include "machine/worker.h"
#include "ref/ref.h"
#include "ref/replay.h"
#include <stdlib.h>
#include <string.h>

enum {
    FIND_NS = 2000 * 1000 * 1000,
    WHERE_NS = 200 * 1000 * 1000,
    STRAYS_NS = 500 * 1000 * 1000,
    STRAYS = 16,
};

struct rerun {
    struct wg_code trampoline; /* what the machine calls; the warps' own code is the reference's */
    struct wg_replay *replay;
    struct wg_grid grid;
    struct wg_code *ref;
    struct wg_unit *unit;
    struct wg_stray_places *strays; /* NULL: they are not looked for */
};

static enum wg_warp_status run(struct wg_warp *w) {
    const struct wg_cta *c = w->machine;
    struct rerun *r = (struct rerun *)((char *)c->unit->grid - offsetof(struct rerun, grid));
    return wg_replay_run(r->replay, w);
}

static bool inside(uint64_t a, uint32_t size, const void *base, uint64_t bytes) {
    return a - (uint64_t)base < bytes && size <= bytes - (a - (uint64_t)base);
}

static void note_stray(struct rerun *r, const struct wg_warp *w, const struct wg_access *a) {
    struct wg_stray_places *all = r->strays;
    for (uint32_t i = 0; i < all->n; i++)
        if (all->v[i].fault.loc == a->loc && all->v[i].fault.op == a->op) return;
    if (all->n == STRAYS) return;
    struct wg_stray_place *p = WG_PUSH(all);
    *p = (struct wg_stray_place){.fault = {.kind = WG_FAULT_ADDRESS,
                                           .lane = a->lane,
                                           .loc = a->loc,
                                           .size = a->size,
                                           .address = a->address,
                                           .op = a->op},
                                 .warp = w->id};
    /* Shared memory is at another address this time: report the original one. */
    uint64_t offset = a->address - (uint64_t)r->unit->shared;
    if (offset < (uint64_t)r->unit->shape.nctas * WG_SHARED_STRIDE)
        p->fault.address = r->grid.fault_shared + offset;
    memcpy(p->block, w->block->ctaid, sizeof p->block);
}

/* Right past a block's shared memory, where nothing faults (overrun.h). */
static bool is_overrun(const struct wg_unit *u, const struct wg_access *a) {
    uint64_t offset = a->address - (uint64_t)u->shared;
    return offset < (uint64_t)u->shape.nctas * WG_SHARED_STRIDE &&
           offset % WG_SHARED_STRIDE + a->size <= wg_window_mapped(&u->shape);
}

static bool allow(void *user, const struct wg_warp *w, const struct wg_access *a) {
    struct rerun *r = user;
    const struct wg_unit *u = r->unit;
    struct wg_device *dev = r->grid.dev;
    struct wg_span span;
    for (uint32_t k = 0; k < u->shape.nctas; k++)
        if (inside(a->address, a->size, (char *)u->shared + (uint64_t)k * WG_SHARED_STRIDE,
                   u->shape.window_bytes))
            return true;
    uint64_t local = (uint64_t)u->shape.nctas * u->shape.nwarps * WG_LANES * u->shape.local_stride;
    if (u->local && inside(a->address, a->size, u->local, local)) return true;
    if (inside(a->address, a->size, r->grid.params, WG_PARAM_BYTES + WG_WORKSPACE_BYTES)) return true;
    if (is_overrun(u, a)) {
        if (r->strays && !dev->options.strict) note_stray(r, w, a);
        return !dev->options.strict;
    }
    bool found = wg_memory_find(&dev->memory, a->address, &span) && span.kind != WG_MEM_SCRATCH;
    if (found && a->size <= span.end - a->address) return true;
    if (dev->options.strict || (!found && !wg_stray_may(&dev->memory, a->address))) return false;
    if (r->strays) note_stray(r, w, a);
    return true;
}

static void prepare_grid(struct wg_grid *to, struct wg_grid *from) {
    to->dev = from->dev;
    to->func = from->func;
    to->block = from->block;
    to->block.services = &wg_quiet_services;
    to->block.stop = (const uint32_t *)&to->stop;
    to->shape = from->shape;
    to->last_lanes = from->last_lanes;
    to->cooperative = from->cooperative;
    to->params = from->params;
    memcpy(to->clusters, from->clusters, sizeof to->clusters);
    to->job.units = 1; /* a grid barrier waits for nobody else */
    to->replayed = true;
    to->fault_shared = from->fault_shared;
    to->fault_unit = UINT64_MAX;
    atomic_store(&to->limit, UINT64_MAX);
    pthread_mutex_init(&to->lock, NULL);
}

static struct wg_code *reference_code(const struct wg_grid *g) {
    struct wg_diag d = {0};
    const struct wg_memory *m = &g->dev->memory;
    struct wg_code_opts opts = {
        .ntid = {g->block.ntid[0], g->block.ntid[1], g->block.ntid[2]},
        .arena_base = m->base,
        .arena_bits = m->bits,
        .shared_window = WG_SHARED_MOST,
    };
    struct wg_code *code = wg_ref_compile(wg_grid_ir(g), g->func->index, &opts, &d);
    wg_diag_free(&d);
    return code;
}

static bool adopt_fault(struct wg_grid *g, const struct wg_grid *again, const struct wg_unit *u) {
    if (again->fault_unit == UINT64_MAX) return false;
    if (again->fault.kind != WG_FAULT_ADDRESS && again->fault.kind != WG_FAULT_MISALIGNED) return false;
    int64_t moved = (int64_t)(again->fault.address - (uint64_t)u->shared);
    g->fault = again->fault;
    g->fault_rank = again->fault_rank;
    g->fault_warp = again->fault_warp;
    memcpy(g->fault_block, again->fault_block, sizeof g->fault_block);
    /* Shared memory is at another address this time: report the original one. */
    if (moved == (int32_t)moved) g->fault.address = g->fault_shared + (uint64_t)moved;
    return true;
}

static struct rerun *begin(struct wg_grid *g, uint64_t unit, uint64_t ns, struct wg_stray_places *strays) {
    struct wg_worker *worker = wg_trap_self();
    struct wg_code *ref = worker && g->dev->options.compile == NULL ? reference_code(g) : NULL;
    if (!ref) return NULL;
    struct rerun *r = wg_xcalloc(1, sizeof *r);
    r->ref = ref;
    r->strays = strays;
    r->trampoline =
        (struct wg_code){.run = run, .frame_bytes = ref->frame_bytes, .local_bytes = ref->local_bytes};
    prepare_grid(&r->grid, g);
    r->grid.deadline = wg_now_ns() + ns;
    r->grid.code = &r->trampoline;
    r->grid.shape.frame_bytes = (ref->frame_bytes + 63) & ~63u;
    r->grid.shape.local_stride = wg_local_stride(g->dev, g->func, ref);
    r->grid.shape.save_bytes = 0;
    r->replay = wg_replay_new(allow, r);
    r->unit = wg_slot_get(worker, &r->grid);
    if (!r->unit) return r;
    struct wg_unit *u = r->unit;
    u->dirty = true;
    wg_unit_begin(u, unit);
    for (uint32_t i = 0; i < u->shape.nctas * u->shape.nwarps; i++) {
        u->warps[i].code = ref;
        u->warps[i].fault.loc = 0;
    }
    while (wg_worker_run(worker, u, unit) == WG_UNIT_ASIDE) {
    }
    u->dirty = true;
    g->strayed |= r->grid.strayed;
    return r;
}

static void end(struct rerun *r) {
    struct wg_worker *worker = wg_trap_self();
    wg_replay_free(r->replay);
    if (r->unit) wg_slot_put(worker, r->unit);
    wg_slot_trim(worker, 0);
    pthread_mutex_destroy(&r->grid.lock);
    free(r->grid.fault_detail);
    r->ref->destroy(r->ref);
    free(r);
}

bool wg_replay_find(struct wg_grid *g) {
    bool found = false;
    for (uint32_t k = 0; k < g->band_blocks && !found; k++) {
        struct rerun *r = begin(g, g->fault_unit + (uint64_t)k * g->band_step, FIND_NS, NULL);
        found = r && r->unit && adopt_fault(g, &r->grid, r->unit);
        if (r) end(r);
    }
    return found;
}

uint32_t wg_replay_where(struct wg_grid *g) {
    struct rerun *r = begin(g, g->stopped_unit, WHERE_NS, NULL);
    uint32_t loc = 0;
    if (r && r->unit && atomic_load(&r->grid.stop) == WG_STOP_TIMEOUT)
        for (uint32_t i = 0; i < r->unit->shape.nctas * r->unit->shape.nwarps && !loc; i++)
            if (r->unit->warps[i].live) loc = r->unit->warps[i].fault.loc;
    if (r) end(r);
    return loc;
}

void wg_replay_strays(struct wg_grid *g, uint64_t unit, struct wg_stray_places *out) {
    for (uint32_t k = 0; k < g->band_blocks && !out->n; k++) {
        struct rerun *r = begin(g, unit + (uint64_t)k * g->band_step, STRAYS_NS, out);
        if (r) end(r);
    }
}

void wg_overrun_fault(struct wg_grid *g) {
    const struct wg_overrun *o = &g->overrun;
    uint64_t unit;
    if (!o->seen || g->fault_unit != UINT64_MAX) return; /* another fault came first */
    g->fault_shared = o->shared;
    if (!g->dev->options.strict) return;
    for (uint32_t i = 0; (unit = wg_overrun_unit(g, i)) != UINT64_MAX; i++) {
        g->fault_unit = unit;
        if (wg_replay_find(g)) return;
    }
    g->fault = (struct wg_fault){.kind = WG_FAULT_ADDRESS, .lane = WG_LANES, .address = o->at};
    g->fault_block[0] = WG_BLOCK_UNKNOWN;
}
