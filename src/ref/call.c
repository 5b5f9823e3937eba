/* Calls and activations: calls, returns, and the local memory that they use.
 *
 * The caller puts the call frame (arguments and results) at the top of its local memory; the callee's own
 * .local variables follow it:
 *
 *     | kernel's locals | call frame | callee's locals | call frame | ...      each part aligned
 *
 * Registers of callees come from the code's pool and are returned to it on return; a warp that is dropped
 * midway leaves its activations in the pool, which frees them with the code.
 */
#include "ref/call.h"
#include "ref/access.h"
#include "base/arena.h"
#include "ref/operand.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct ref_pool {
    pthread_mutex_t lock;
    struct ref_activation *all;
};

struct ref_pool *wg_ref_pool_new(void) {
    struct ref_pool *p = wg_xcalloc(1, sizeof *p);
    pthread_mutex_init(&p->lock, NULL);
    return p;
}

void wg_ref_pool_free(struct ref_pool *p) {
    if (!p) return;
    for (struct ref_activation *a = p->all, *next; a; a = next) {
        next = a->pool_next;
        free(a);
    }
    pthread_mutex_destroy(&p->lock);
    free(p);
}

static struct ref_activation *pool_take(struct ref_pool *p, const struct ref_func *f) {
    struct ref_activation *a = wg_xcalloc(1, sizeof *a + f->nslots * sizeof(uint64_t));
    pthread_mutex_lock(&p->lock);
    a->pool_next = p->all;
    if (p->all) p->all->pool_prev = a;
    p->all = a;
    pthread_mutex_unlock(&p->lock);
    return a;
}

static void pool_give(struct ref_pool *p, struct ref_activation *a) {
    pthread_mutex_lock(&p->lock);
    if (a->pool_prev)
        a->pool_prev->pool_next = a->pool_next;
    else
        p->all = a->pool_next;
    if (a->pool_next) a->pool_next->pool_prev = a->pool_prev;
    pthread_mutex_unlock(&p->lock);
    free(a);
}

static uint64_t align_up(uint64_t v, uint64_t to) { return to > 1 ? (v + to - 1) / to * to : v; }

/* Calls take at least 16 bytes, so infinite recursion ends. */
static uint64_t call_frame_at(const struct ref_activation *a) { return align_up(a->top, 16); }

/* The path of what the caller calls by instruction i. Lanes that call together get one. */
static uint64_t path_by(struct ref_warp *w, const struct ref_activation *caller, const struct ref_ins *i) {
    if (w->called.ins != i || w->called.from != caller->path) {
        w->called.ins = i;
        w->called.from = caller->path;
        w->called.path = ++w->paths;
    }
    return w->called.path;
}

bool wg_ref_enter(struct ref_lane *l, const struct ref_ins *i, const struct ref_func *f) {
    const struct wg_ir_call *c = i->ir->call;
    struct ref_activation *caller = l->at;
    uint64_t frame = call_frame_at(caller);
    uint64_t local =
        align_up(frame + (c->bytes ? c->bytes : 16), f->ir->local_align > 16 ? f->ir->local_align : 16);
    uint64_t top = local + f->ir->local_bytes;
    const struct wg_warp *wg = l->warp->wg;
    uint8_t *base = wg->local + l->id * wg->local_stride;
    if (top > wg->local_stride) {
        wg_ref_fault(l, i, WG_FAULT_STACK, (uint64_t)(uintptr_t)(base + frame), (uint32_t)(top - frame));
        return false;
    }
    struct ref_activation *a = pool_take(l->warp->code->pool, f);
    a->caller = caller;
    a->func = f;
    a->call = base + frame;
    a->local = base + local;
    a->top = top;
    a->depth = caller->depth + 1;
    a->path = path_by(l->warp, caller, i);
    for (uint32_t k = 0; k < c->nargs; k++) {
        struct ref_opd o = wg_ref_operand(caller->func, l->warp->code->module, &c->args[k].value);
        uint64_t v[2] = {ref_opd_raw(l, &o), 0};
        if (o.kind == REF_REG && o.bits == 128) v[1] = caller->regs[o.slot + 1];
        wg_ref_poke(l, (uint64_t)(uintptr_t)a->call + c->args[k].offset, v,
                    (wg_type_bits(c->args[k].type) + 7) / 8);
    }
    l->at = a;
    return true;
}

/* Loads the results from the call frame at `frame` into the caller's registers. */
static void take_results(struct ref_lane *l, const struct wg_ir_call *c, const uint8_t *frame) {
    for (uint32_t k = 0; k < c->nrets; k++) {
        struct ref_opd o = wg_ref_operand(l->at->func, l->warp->code->module, &c->rets[k].value);
        uint32_t bits = wg_type_bits(c->rets[k].type);
        uint64_t v[2] = {0, 0};
        wg_ref_peek(l, (uint64_t)(uintptr_t)frame + c->rets[k].offset, v, (bits + 7) / 8);
        ref_put(l, &o, v[0], bits, ref_is_signed(c->rets[k].type));
        if (o.kind == REF_REG && o.bits == 128) l->at->regs[o.slot + 1] = v[1];
    }
}

static void leave(struct ref_lane *l) {
    struct ref_activation *a = l->at;
    l->at = a->caller;
    pool_give(l->warp->code->pool, a);
}

bool wg_ref_return(struct ref_lane *l) {
    const uint8_t *frame = l->at->call;
    if (!l->at->caller) return false;
    leave(l);
    const struct ref_ins *call = &l->at->func->blocks[l->at->block].ins[l->at->ins - 1];
    take_results(l, call->ir->call, frame);
    return true;
}

void wg_ref_unwind(struct ref_lane *l) {
    while (l->at->caller) leave(l);
}
