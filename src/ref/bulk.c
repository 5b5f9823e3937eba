/* Bulk copies and tensor copies, element by element, by one lane. Layout of a tensor map: warp/tensor_map.h.
 *
 * A box is stored in shared memory with its innermost dimension first and no gaps; swizzling exchanges
 * address bits 4, 5, 6 with exclusive ors of bits 7, 8, 9. Elements outside the tensor are zeros, and are not
 * written. */
#include "analysis/copies.h"
#include "ref/access.h"
#include "ref/atomic.h"
#include "ref/operand.h"
#include "warp/tensor_map.h"
#include <string.h>

enum { NONE = 32 }; /* no source */

static void impossible(struct ref_lane *l, const struct ref_ins *i, uint64_t at) {
    wg_ref_fault(l, i, WG_FAULT_COPY, at, 16);
}

/* Address of source k: of the process, unchecked. */
static uint64_t address_of(const struct ref_lane *l, const struct ref_ins *i, uint32_t k, bool shared) {
    uint64_t a = k ? ref_further_raw(l, i, k) : ref_opd_raw(l, &i->src[0]) + (uint64_t)i->ir->offset;
    if (!shared) return a;
    return (uint64_t)(int64_t)(int32_t)(uint32_t)a + (uint64_t)(uintptr_t)l->warp->wg->block->cluster_shared;
}

static bool reach(struct ref_lane *l, const struct ref_ins *i, uint64_t at, uint32_t bytes, bool shared,
                  enum wg_access_kind kind) {
    return wg_ref_reaches(l, i, at, shared ? WG_S_CLUSTER : WG_S_GLOBAL, bytes, kind);
}

/* One element, or 16 bytes, from here to there; with an operation it is combined with what is there. */
static bool move(struct ref_lane *l, const struct ref_ins *i, uint64_t to, bool to_shared, uint64_t from,
                 bool from_shared, uint32_t bytes, uint8_t type, uint8_t floats) {
    uint64_t v[2] = {0, 0};
    if (!reach(l, i, from, bytes, from_shared, WG_ACCESS_LOAD) ||
        !reach(l, i, to, bytes, to_shared, type ? WG_ACCESS_ATOMIC : WG_ACCESS_STORE))
        return false;
    wg_ref_peek(l, from, v, bytes);
    if (to_shared && floats & WG_TENSOR_TF32) v[0] = wg_tensor_tf32((uint32_t)v[0]);
    if (!type) {
        wg_ref_poke(l, to, v, bytes);
        return true;
    }
    struct ref_ins op = *i;
    wg_ref_set_type(&op, type);
    struct ref_atomic x = {
        .ins = &op, .b = {v[0], 0}, .shared = to_shared, .keeps = !(floats & WG_TENSOR_FTZ)};
    uint64_t old[2] = {0, 0}, now[2];
    if (l->warp->replay) {
        wg_ref_peek(l, to, old, bytes);
        ref_atomic_apply(&x, old, now);
        wg_ref_poke(l, to, now, bytes);
    } else {
        ref_atomic_host(&x, (void *)(uintptr_t)to, bytes, old);
    }
    return true;
}

/* The blocks of the cluster that a copy goes to; 0 after a fault. */
static uint32_t blocks_of(struct ref_lane *l, const struct ref_ins *i, uint32_t mask_at, uint64_t to) {
    const struct wg_block *b = l->warp->wg->block;
    uint64_t base = (uint64_t)(uintptr_t)b->cluster_shared;
    if (i->mod[WG_MC_MULTICAST] == WG_M_none) return 1u << (to - base) / WG_SHARED_STRIDE % 32;
    uint32_t mask = (uint32_t)ref_bits(l, i, mask_at, 16);
    if (mask && !(mask >> b->cluster_nctarank)) return mask;
    impossible(l, i, to);
    return 0;
}

/* The same place in block r of the cluster. */
static uint64_t in_block(const struct ref_lane *l, uint64_t at, uint32_t r) {
    uint64_t base = (uint64_t)(uintptr_t)l->warp->wg->block->cluster_shared;
    return base + (at - base) % WG_SHARED_STRIDE + (uint64_t)r * WG_SHARED_STRIDE;
}

static bool signal(struct ref_lane *l, const struct ref_ins *i, uint64_t bar, uint32_t bytes) {
    bool ok =
        bar % 8 == 0 && wg_ref_in_space(l, bar, WG_S_SHARED, true) && wg_ref_mbarrier_done(l, bar, bytes);
    if (!ok) impossible(l, i, bar);
    return ok;
}

/* ---- checked ---- */

/* Asks the machine about the copy; false: it is not made, though its mbarriers may hear of its bytes. `far`
 * and `bar_at`: the sources that are the address in global memory (or the map) and the mbarrier. */
static bool allowed(struct ref_lane *l, const struct ref_ins *i, uint32_t far, uint32_t bar_at) {
    uint64_t sources[4 + WG_TENSOR_DIMS] = {0};
    uint32_t rank = i->mod[WG_MC_DIMS] == WG_M_none ? 0 : i->mod[WG_MC_DIMS] - WG_M_d1 + 1u;
    if (!l->warp->wg->windows) return true;
    for (uint32_t k = 0; k < i->nsrc && k < sizeof sources / sizeof *sources; k++) {
        bool number = rank ? k > far && k <= far + rank : k == 2;
        number |= k > bar_at;
        sources[k] = number ? ref_opd_raw(l, &i->src[k]) : address_of(l, i, k, k != far);
    }
    uint64_t refused = l->warp->wg->block->services->check_bulk(l->warp->wg, l->id, i->ir->id, sources);
    if (!refused) return true;
    if (refused & WG_BULK_SILENT || bar_at >= i->nsrc) return false;
    bool multicast = i->mod[WG_MC_MULTICAST] != WG_M_none;
    uint32_t blocks = multicast ? blocks_of(l, i, bar_at + 1, sources[0]) : 1;
    REF_FOR_LANES(r, blocks) {
        uint64_t bar = multicast ? in_block(l, sources[bar_at], r) : sources[bar_at];
        if (!signal(l, i, bar, (uint32_t)(refused >> WG_BULK_BYTES))) return false;
    }
    return false;
}

/* ---- cp.async.bulk, cp.reduce.async.bulk ---- */

REF_LANE_ROW(bulk) {
    bool loads = i->op == WG_OP_BULK_LOAD, to_shared = i->space != WG_S_GLOBAL;
    bool reduces = i->op == WG_OP_BULK_RED || i->op == WG_OP_BULK_RED_SHARED;
    uint64_t to = address_of(l, i, 0, to_shared), from = address_of(l, i, 1, !loads);
    uint32_t size = (uint32_t)ref_bits(l, i, 2, 32), step = reduces ? i->bits / 8u : 16;
    if (!allowed(l, i, loads ? 1 : to_shared ? NONE : 0, 3)) return;
    if (to % 16 || from % 16 || size % 16) {
        impossible(l, i, to % 16 ? to : from);
        return;
    }
    uint32_t blocks = to_shared ? blocks_of(l, i, 4, to) : 1;
    if (l->warp->wg->tally && blocks)
        wg_count_bulk(l->warp->wg, i->ir->id, l->id, loads ? from : to_shared ? 0 : to, size, blocks);
    REF_FOR_LANES(r, blocks) {
        uint64_t there = to_shared ? in_block(l, to, r) : to;
        for (uint32_t k = 0; k < size; k += step)
            if (!move(l, i, there + k, to_shared, from + k, !loads, step, reduces ? i->type : 0, 0)) return;
        if (!to_shared) continue;
        uint64_t bar = address_of(l, i, 3, true);
        if (!signal(l, i, i->mod[WG_MC_MULTICAST] ? in_block(l, bar, r) : bar, size)) return;
    }
}

/* ---- tensors ---- */

struct box {
    struct wg_tensor_map map;
    uint32_t bytes;                 /* of an element */
    uint32_t count[WG_TENSOR_DIMS]; /* elements in shared memory */
    int32_t at[WG_TENSOR_DIMS];
};

static bool read_box(struct ref_lane *l, const struct ref_ins *i, uint32_t map_at, struct box *x) {
    uint32_t rank = i->mod[WG_MC_DIMS] - WG_M_d1 + 1u;
    uint64_t a = ref_further_raw(l, i, map_at);
    if (!wg_ref_reaches(l, i, a, WG_S_GENERIC, 128, WG_ACCESS_LOAD)) return false;
    for (uint32_t k = 0; k < sizeof x->map; k += 8) wg_ref_peek(l, a + k, (uint8_t *)&x->map + k, 8);
    if (!wg_tensor_map_is_sound(&x->map, rank)) {
        impossible(l, i, a);
        return false;
    }
    x->bytes = wg_tensor_element_bytes((enum wg_type)x->map.type);
    for (uint32_t d = 0; d < rank; d++) {
        x->count[d] = (x->map.box[d] + x->map.step[d] - 1u) / x->map.step[d];
        x->at[d] = (int32_t)ref_bits(l, i, map_at + 1 + d, 32);
    }
    if ((int64_t)x->at[0] * x->bytes % 16) {
        impossible(l, i, a);
        return false;
    }
    return true;
}

static uint32_t elements(const struct box *x) {
    uint32_t n = 1;
    for (uint32_t d = 0; d < x->map.rank; d++) n *= x->count[d];
    return n;
}

/* Element `index` of the box in global memory; 0 outside the tensor. */
static uint64_t global_place(const struct box *x, uint32_t index) {
    uint64_t at = x->map.base;
    for (uint32_t d = 0; d < x->map.rank; d++) {
        int64_t c = (int64_t)x->at[d] + (int64_t)(index % x->count[d]) * x->map.step[d];
        index /= x->count[d];
        if (c < 0 || c > x->map.last[d]) return 0;
        at += (uint64_t)c * (d ? x->map.stride[d - 1] : x->bytes);
    }
    return at;
}

/* Its offset in shared memory: windows are aligned to the address bits that swizzling reads. */
static uint64_t shared_place(const struct ref_lane *l, const struct box *x, uint64_t box, uint32_t index) {
    uint64_t base = (uint64_t)(uintptr_t)l->warp->wg->block->cluster_shared;
    uint64_t offset = box - base + (uint64_t)index * x->bytes;
    for (uint32_t bit = 0; bit < x->map.swizzle; bit++) offset ^= (offset >> (7 + bit) & 1) << (4 + bit);
    return base + offset;
}

REF_LANE_ROW(tensor_load) {
    struct box x;
    uint64_t to = address_of(l, i, 0, true);
    if (!allowed(l, i, 1, i->mod[WG_MC_DIMS] - WG_M_d1 + 3u) || !read_box(l, i, 1, &x)) return;
    uint32_t n = elements(&x), bar_at = 2u + x.map.rank;
    uint8_t outside[8];
    for (uint32_t k = 0; k < sizeof outside; k++) outside[k] = wg_tensor_outside(&x.map, k);
    if (to % 128) {
        impossible(l, i, to);
        return;
    }
    uint32_t blocks = blocks_of(l, i, bar_at + 1, to);
    if (l->warp->wg->tally && blocks)
        wg_count_box(l->warp->wg, i->ir->id, l->id, &x.map, x.at, true, blocks,
                     i->mod[WG_MC_MULTICAST] != WG_M_none);
    REF_FOR_LANES(r, blocks) {
        uint64_t there = in_block(l, to, r), bar = address_of(l, i, bar_at, true);
        if (i->mod[WG_MC_MULTICAST]) bar = in_block(l, bar, r);
        for (uint32_t k = 0; k < n; k++) {
            uint64_t from = global_place(&x, k), place = shared_place(l, &x, there, k);
            if (from && !move(l, i, place, true, from, false, x.bytes, 0, x.map.floats)) return;
            if (from) continue;
            if (!reach(l, i, place, x.bytes, true, WG_ACCESS_STORE)) return;
            wg_ref_poke(l, place, outside, x.bytes);
        }
        if (!signal(l, i, bar, n * x.bytes)) return;
    }
}

REF_LANE_ROW(tensor_store) {
    struct box x;
    if (!allowed(l, i, 0, NONE) || !read_box(l, i, 0, &x)) return;
    uint64_t from = address_of(l, i, 1u + x.map.rank, true);
    bool reduces = i->op == WG_OP_TENSOR_RED;
    if (from % 128 || (reduces && wg_type_kind(x.map.type) == WG_K_F && i->mod[WG_MC_AOP] != WG_M_add)) {
        impossible(l, i, from);
        return;
    }
    if (l->warp->wg->tally) wg_count_box(l->warp->wg, i->ir->id, l->id, &x.map, x.at, false, 1, false);
    for (uint32_t k = 0; k < elements(&x); k++) {
        uint64_t to = global_place(&x, k);
        if (to && !move(l, i, to, false, shared_place(l, &x, from, k), true, x.bytes,
                        reduces ? x.map.type : 0, x.map.floats))
            return;
    }
}

REF_LANE_ROW(nothing) {}

const struct ref_row wg_ref_bulk_rows[WG_OP_COUNT] = {
    [WG_OP_BULK_LOAD] = {.lane = bulk},
    [WG_OP_BULK_SHARED] = {.lane = bulk},
    [WG_OP_BULK_STORE] = {.lane = bulk},
    [WG_OP_BULK_RED] = {.lane = bulk},
    [WG_OP_BULK_RED_SHARED] = {.lane = bulk},
    [WG_OP_TENSOR_LOAD] = {.lane = tensor_load},
    [WG_OP_TENSOR_STORE] = {.lane = tensor_store},
    [WG_OP_TENSOR_RED] = {.lane = tensor_store},
    [WG_OP_BULK_COMMIT] = {.lane = nothing},
    [WG_OP_BULK_WAIT] = {.lane = nothing},
    [WG_OP_BULK_PREFETCH] = {.lane = nothing},
    [WG_OP_TENSOR_PREFETCH] = {.lane = nothing},
    [WG_OP_PREFETCH_TENSORMAP] = {.lane = nothing},
};
