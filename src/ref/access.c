/* Address resolution and access checks: an operand's address, which accesses are legal, and the bytes. */
#include "ref/access.h"
#include "warp/touch.h"

uint64_t wg_ref_symbol(const struct ref_lane *l, const struct ref_opd *o) {
    const struct wg_block *b = l->warp->wg->block;
    switch (o->kind) {
    case REF_GLOBAL: return b->symbols[o->slot] + o->imm;
    case REF_SHARED: return b->shared_offset + o->imm;
    case REF_DYNAMIC: return b->shared_offset + b->static_shared + o->imm;
    case REF_LOCAL: return (uint64_t)(uintptr_t)l->at->local + o->imm;
    case REF_PARAM: return (uint64_t)(uintptr_t)b->params + o->imm;
    case REF_CALL: return (uint64_t)(uintptr_t)l->at->call + o->imm;
    default: return 0;
    }
}

static bool within(uint64_t address, uint32_t size, uint64_t base, uint64_t bytes) {
    return address >= base && address - base < bytes && size <= bytes - (address - base);
}

static bool in_const(const struct ref_lane *l, uint64_t address, uint32_t size) {
    const struct wg_ir_module *m = l->warp->code->module;
    const uint64_t *at = l->warp->wg->block->symbols;
    for (uint32_t k = 0; k < m->nsyms; k++)
        if (m->syms[k].kind == WG_SYM_GLOBAL && m->syms[k].space == WG_S_CONST &&
            within(address, size, at[k], m->syms[k].size))
            return true;
    return false;
}

static uint64_t window_bytes(const struct ref_lane *l) {
    uint32_t bytes = l->warp->code->opts.shared_window;
    return bytes ? bytes : WG_SHARED_MOST;
}

/* In the window of one of the cluster's blocks, or of this one? */
static bool in_shared(const struct ref_lane *l, uint64_t address, uint32_t size, bool whole_cluster) {
    const struct wg_block *b = l->warp->wg->block;
    uint64_t base = (uint64_t)(uintptr_t)b->cluster_shared,
             ranks = b->cluster_nctarank ? b->cluster_nctarank : 1;
    if (!whole_cluster) return within(address, size, base + b->shared_offset, window_bytes(l));
    if (!within(address, size, base, ranks * WG_SHARED_STRIDE)) return false;
    return (address - base) % WG_SHARED_STRIDE + size <= window_bytes(l);
}

static bool in_local(const struct ref_lane *l, uint64_t address, uint32_t size) {
    const struct wg_warp *w = l->warp->wg;
    return within(address, size, (uint64_t)(uintptr_t)w->local + l->id * w->local_stride, w->local_stride);
}

static bool in_params(const struct ref_lane *l, uint64_t address, uint32_t size) {
    uint64_t bytes = l->warp->code->entry->ir->param_bytes;
    return within(address, size, (uint64_t)(uintptr_t)l->warp->wg->block->params, bytes);
}

bool wg_ref_in_space(const struct ref_lane *l, uint64_t address, enum wg_space space, bool whole_cluster) {
    switch (space) {
    case WG_S_SHARED: return in_shared(l, address, 1, whole_cluster);
    case WG_S_LOCAL: return in_local(l, address, 1);
    case WG_S_CONST: return in_const(l, address, 1);
    case WG_S_PARAM: return in_params(l, address, 1);
    default:
        return !in_shared(l, address, 1, true) && !in_local(l, address, 1) && !in_const(l, address, 1) &&
               !in_params(l, address, 1);
    }
}

/* Whether the space holds the access. What is no memory in the device's address space is found by the page
 * fault that it causes. */
static bool allowed(const struct ref_lane *l, uint8_t space, uint64_t address, uint32_t size) {
    switch (space) {
    case WG_S_SHARED:
    case WG_S_CLUSTER: return in_shared(l, address, size, true);
    case WG_S_LOCAL: return in_local(l, address, size);
    case WG_S_PARAM: return in_params(l, address, size) || in_local(l, address, size);
    default: return wg_may_touch(l->warp->wg, address, size);
    }
}

bool wg_ref_reaches(struct ref_lane *l, const struct ref_ins *i, uint64_t a, enum wg_space space,
                    uint32_t size, enum wg_access_kind kind) {
    bool ok = a && (i->checked || allowed(l, (uint8_t)space, a, size));
    if (ok && l->warp->replay) {
        struct wg_access access = {.kind = (uint8_t)kind,
                                   .space = (uint8_t)space,
                                   .lane = (uint8_t)l->id,
                                   .size = size,
                                   .address = a,
                                   .loc = i->ir->loc,
                                   .op = i->op,
                                   .instr = i->ir};
        ok = wg_replay_ask(l->warp->replay, l->warp->wg, &access);
    }
    if (!ok) wg_ref_fault(l, i, WG_FAULT_ADDRESS, a, size);
    return ok;
}

/* `a`: as the operand has it. */
static uint64_t checked(struct ref_lane *l, const struct ref_ins *i, const struct ref_opd *base, uint64_t a,
                        enum wg_space space, uint32_t size, enum wg_access_kind kind) {
    if (base->kind == REF_REG && base->bits == 32) a = (uint32_t)a;
    if (space == WG_S_SHARED || space == WG_S_CLUSTER) {
        a = (uint64_t)(uintptr_t)l->warp->wg->block->cluster_shared + (uint64_t)(int64_t)(int32_t)(uint32_t)a;
    }
    if (a & (size - 1)) {
        wg_ref_fault(l, i, WG_FAULT_MISALIGNED, a, size);
        return 0;
    }
    return wg_ref_reaches(l, i, a, space, size, kind) ? a : 0;
}

uint64_t wg_ref_raw_address(const struct ref_lane *l, const struct ref_ins *i) {
    uint64_t a = ref_opd_raw(l, &i->src[0]);
    if (i->space == WG_S_SHARED || i->space == WG_S_CLUSTER)
        return (uint64_t)(uintptr_t)l->warp->wg->block->cluster_shared +
               (uint64_t)(int64_t)(int32_t)(uint32_t)a + (uint64_t)i->offset;
    if (i->src[0].kind == REF_REG && i->src[0].bits == 32) a = (uint32_t)a;
    return a + (uint64_t)i->offset;
}

uint64_t wg_ref_address(struct ref_lane *l, const struct ref_ins *i, uint32_t size,
                        enum wg_access_kind kind) {
    const struct ref_opd *base = &i->src[0];
    if (i->checked && l->refused) return 0;
    uint64_t a = ref_opd_raw(l, base) + (uint64_t)i->offset;
    return checked(l, i, base, a, (enum wg_space)i->space, size, kind);
}

uint64_t wg_ref_further_address(struct ref_lane *l, const struct ref_ins *i, uint32_t k, enum wg_space space,
                                uint32_t size, enum wg_access_kind kind) {
    return checked(l, i, &i->src[k], ref_further_raw(l, i, k), space, size, kind);
}
