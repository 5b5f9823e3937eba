/* Operations on one lane: its thread index, a fault, and a wait that the machine ends. */
#include "ref/lane.h"

void wg_ref_fault(struct ref_lane *l, const struct ref_ins *i, enum wg_fault_kind kind, uint64_t address,
                  uint32_t size) {
    struct ref_warp *w = l->warp;
    if (w->faulted) return;
    w->faulted = true;
    w->wg->fault = (struct wg_fault){.kind = kind,
                                     .lane = l->id,
                                     .loc = i ? i->ir->loc : l->at->func->blocks[l->at->block].ir->loc,
                                     .size = size,
                                     .address = address,
                                     .op = i ? i->op : WG_OP_NONE,
                                     .func = l->at->func->index};
}

uint32_t wg_ref_tid(const struct ref_lane *l, uint32_t dim) {
    const struct wg_block *b = l->warp->wg->block;
    uint32_t t = l->warp->wg->id * WG_LANES + l->id;
    if (dim == 0) return t % b->ntid[0];
    if (dim == 1) return t / b->ntid[0] % b->ntid[1];
    return t / (b->ntid[0] * b->ntid[1]);
}

void wg_ref_wait(struct ref_lane *l, const struct wg_wait *wait) {
    struct wg_warp *wg = l->warp->wg;
    uint32_t k = 0;
    /* Entries that the machine has seen stay as they are: it may have counted them. */
    for (; k < wg->nwait; k++) {
        const struct wg_wait *o = &wg->wait[k];
        if (o->resume == 0 && o->kind == wait->kind && o->id == wait->id && o->red == wait->red &&
            o->threads == wait->threads && o->site == wait->site)
            break;
    }
    if (k == wg->nwait) {
        wg->wait[wg->nwait++] = *wait;
        wg->wait[k].lanes = wg->wait[k].predicate = 0;
    }
    wg->wait[k].lanes |= 1u << l->id;
    wg->wait[k].predicate |= wait->predicate ? 1u << l->id : 0;
    l->state = REF_WAITS;
}
