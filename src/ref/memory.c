/* Loads, stores, atomics, fences. Orders and scopes need nothing more on the host: every access is at least
 * an acquire or a release, every atomic is sequentially consistent. Caching hints have no effect here.
 * An f32 addition takes subnormals for zeros, except in shared memory: the PTX ISA has it so, and an H200
 * does it. */
#include "ref/access.h"
#include "ref/atomic.h"
#include <string.h>

static uint32_t bytes_of(const struct ref_ins *i) { return (i->bits + 7u) / 8; }

static void put_element(struct ref_lane *l, const struct ref_ins *i, uint32_t k, const uint64_t v[2]) {
    ref_put(l, &i->dst[k], v[0], i->bits, i->is_signed);
    if (i->bits == 128 && i->dst[k].kind == REF_REG) l->at->regs[i->dst[k].slot + 1] = v[1];
}

REF_LANE_ROW(ld) {
    uint32_t bytes = bytes_of(i);
    uint64_t a = wg_ref_address(l, i, bytes * i->nvec, WG_ACCESS_LOAD);
    if (l->warp->faulted) return;
    for (uint32_t k = 0; k < i->nvec; k++) {
        uint64_t v[2] = {0, 0};
        if (a) wg_ref_peek(l, a + k * bytes, v, bytes); /* 0: refused */
        put_element(l, i, k, v);
    }
}

REF_LANE_ROW(st) {
    uint32_t bytes = bytes_of(i);
    uint64_t a = wg_ref_address(l, i, bytes * i->nvec, WG_ACCESS_STORE);
    for (uint32_t k = 0; a && k < i->nvec; k++) {
        uint64_t v[2];
        ref_wide_source(l, i, 1 + k, v);
        wg_ref_poke(l, a + k * bytes, v, bytes);
    }
}

/* The value before; false after a fault. */
static bool modify(struct ref_lane *l, const struct ref_ins *i, uint64_t old[2]) {
    uint32_t bytes = bytes_of(i);
    uint64_t a = wg_ref_address(l, i, bytes, WG_ACCESS_ATOMIC);
    if (!a) return false;
    struct ref_atomic x = {.ins = i};
    ref_wide_source(l, i, 1, x.b);
    if (i->nsrc > 2) ref_wide_source(l, i, 2, x.c);
    x.shared = wg_ref_in_space(l, a, WG_S_SHARED, true);
    if (l->warp->replay) {
        uint64_t now[2];
        old[0] = old[1] = 0;
        wg_ref_peek(l, a, old, bytes);
        ref_atomic_apply(&x, old, now);
        wg_ref_poke(l, a, now, bytes);
    } else {
        ref_atomic_host(&x, (void *)(uintptr_t)a, bytes, old);
    }
    return true;
}
REF_LANE_ROW(atom) {
    uint64_t old[2] = {0, 0};
    if (modify(l, i, old) || !l->warp->faulted) put_element(l, i, 0, old);
}
REF_LANE_ROW(red) {
    uint64_t old[2];
    modify(l, i, old);
}

REF_LANE_ROW(fence) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
REF_LANE_ROW(nothing) {}

const struct ref_row wg_ref_memory_rows[WG_OP_COUNT] = {
    [WG_OP_LD] = {.lane = ld},
    [WG_OP_LDU] = {.lane = ld},
    [WG_OP_ST] = {.lane = st},
    [WG_OP_ATOM] = {.lane = atom},
    [WG_OP_RED] = {.lane = red},
    [WG_OP_PREFETCH] = {.lane = nothing},
    [WG_OP_PREFETCHU] = {.lane = nothing},
    [WG_OP_DISCARD] = {.lane = nothing},
    [WG_OP_APPLYPRIORITY] = {.lane = nothing},
    [WG_OP_MEMBAR] = {.lane = fence},
    [WG_OP_FENCE] = {.lane = fence},
};
