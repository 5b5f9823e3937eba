/* Kernel faults: a launch keeps the fault of its lowest unit. fault_report.c formats it. */
#include "base/clock.h"
#include "base/thread_text.h"
#include "machine/module.h"
#include "machine/worker.h"
#include "warp/mbarrier.h"
#include <stdlib.h>
#include <string.h>

/* What is wrong with the mbarrier, as far as its bytes tell. early: it does not count, or not any more. */
static const char *misused_mbarrier(const struct wg_unit *u, const struct wg_fault *f, bool *early) {
    uint64_t bits, place = f->address - (uint64_t)u->ctas[0].block.cluster_shared;
    if (place >= (uint64_t)u->shape.nctas * WG_SHARED_STRIDE) return "it is not in shared memory";
    if (f->op == WG_OP_MBARRIER_INIT) return "its count must be from 1 to 1048575";
    if (!wg_trap_read(&bits, f->address, sizeof bits)) return NULL;
    *early = !(bits >> WG_MBARRIER_VALID_AT & 1);
    if (*early && !u->grid->check)
        return "it was not initialised (mbarrier.init)"; /* mbarrier.inval changes nothing there */
    if (*early) return "it was not initialised (mbarrier.init), or was invalidated (mbarrier.inval)";
    if (f->op == WG_OP_MBARRIER_TX) return "more bytes are expected than it can count";
    return "more threads arrive at it than its phase still waits for, or too many bytes are expected";
}

void wg_grid_fault(const struct wg_cta *c, const struct wg_warp *w, const struct wg_fault *f, bool by_signal,
                   const char *detail) {
    const struct wg_unit *u = c->unit;
    struct wg_grid *g = u->grid;
    bool early = false;
    if (f->kind == WG_FAULT_MBARRIER && !detail) detail = misused_mbarrier(u, f, &early);
    if (f->kind == WG_FAULT_ASSERT && g->check) detail = wg_thread_text(WG_TEXT_ASSERTION);
    pthread_mutex_lock(&g->lock);
    if (u->index < g->fault_unit) {
        free(g->fault_detail);
        g->fault_detail = detail ? wg_xstrdup(detail) : NULL;
        g->fault = *f;
        g->fault_unit = u->index;
        g->fault_rank = c->rank;
        g->fault_warp = w->id;
        g->fault_by_signal = by_signal;
        g->fault_early = early;
        g->fault_shared = (uint64_t)u->shared;
        memcpy(g->fault_block, c->block.ctaid, sizeof g->fault_block);
        g->fault_time = wg_now_ns();
        atomic_store(&g->limit, u->index);
    }
    pthread_mutex_unlock(&g->lock);
    if (g->cooperative) wg_grid_stop(g, WG_STOP_FAULT); /* the others may wait for it at the grid's barrier */
}

void wg_grid_stopped(const struct wg_unit *u) {
    struct wg_grid *g = u->grid;
    pthread_mutex_lock(&g->lock);
    if (u->index < g->stopped_unit) {
        g->stopped_unit = u->index;
        memcpy(g->stopped_block, u->ctas[0].block.ctaid, sizeof g->stopped_block);
    }
    pthread_mutex_unlock(&g->lock);
}
