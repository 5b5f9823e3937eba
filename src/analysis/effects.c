/* See effects.h. */
#include "analysis/effects.h"

uint8_t wg_memories_of(uint32_t space) {
    switch (space) {
    case WG_S_GLOBAL: return WG_GLOBAL_MEMORY;
    case WG_S_SHARED:
    case WG_S_CLUSTER: return WG_SHARED_MEMORY;
    case WG_S_LOCAL: return WG_LOCAL_MEMORY;
    case WG_S_CONST:
    case WG_S_PARAM: return 0;
    default: return WG_ALL_MEMORY;
    }
}

/* Loads, stores and atomics of each lane. */
static struct wg_effects of_access(const struct wg_ir_instr *in) {
    uint8_t where = wg_memories_of(in->space);
    bool weak = wg_ir_is_weak(in);
    switch (in->op) {
    case WG_OP_LD:
    case WG_OP_LDU: return (struct wg_effects){.reads = where, .ordered = !weak, .meets = !weak};
    case WG_OP_ST:
        return (struct wg_effects){.writes = where, .once = !weak, .ordered = !weak, .meets = !weak};
    case WG_OP_ATOM:
    case WG_OP_RED: return (struct wg_effects){where, where, true, where != WG_SHARED_MEMORY, true};
    case WG_OP_LDMATRIX: return (struct wg_effects){.reads = WG_SHARED_MEMORY, .meets = true};
    case WG_OP_STMATRIX: return (struct wg_effects){.writes = WG_SHARED_MEMORY, .meets = true};
    case WG_OP_CP_ASYNC: return (struct wg_effects){WG_GLOBAL_MEMORY, WG_SHARED_MEMORY, true, false, true};
    default: return (struct wg_effects){WG_ALL_MEMORY, WG_ALL_MEMORY, true, true, true};
    }
}

/* Functions of the machine's own that let threads learn of each other see to the order themselves
 * (machine/barrier.c). */
static struct wg_effects of_call(const struct wg_ir_instr *in) {
    bool ordered = in->call->builtin == WG_B_none;
    return (struct wg_effects){WG_ALL_MEMORY, WG_ALL_MEMORY, true, ordered, true};
}

/* Fences between the ways to memory of one thread, and for the barriers of a cluster, say nothing to other
 * blocks. */
static struct wg_effects of_fence(const struct wg_ir_instr *in) {
    bool ordered = in->op == WG_OP_MEMBAR || in->op == WG_OP_FENCE || in->op == WG_OP_FENCE_TENSORMAP;
    return (struct wg_effects){.ordered = ordered, .meets = true};
}

struct wg_effects wg_effects_of(const struct wg_ir_instr *in) {
    if (in->op >= WG_OP_COUNT) return (struct wg_effects){0}; /* our own: none of the program's memory */
    uint32_t flags = wg_op_flags(in->op);
    if (wg_is_fence(in)) return of_fence(in);
    if (in->op == WG_OP_NONE) return (struct wg_effects){WG_ALL_MEMORY, WG_ALL_MEMORY, true, true, true};
    if (in->op == WG_OP_CALL) return of_call(in);
    if (flags & WG_F_MEM) return of_access(in);
    struct wg_effects x = {.meets = (flags & (WG_F_SYNC | WG_F_WAIT | WG_F_EFFECT)) != 0};
    if (in->op == WG_OP_WMMA_LOAD) x.reads = wg_memories_of(in->space);
    if (in->op == WG_OP_WMMA_STORE) x.writes = wg_memories_of(in->space);
    if (flags & WG_F_EFFECT) { /* it writes itself, or releases others that do */
        x.reads = x.writes = WG_ALL_MEMORY;
        x.once = true;
    }
    return x;
}

bool wg_atomic_commutes(const struct wg_ir_instr *in) {
    switch (in->mod[WG_MC_AOP]) {
    case WG_M_add:
    case WG_M_min:
    case WG_M_max: return wg_type_kind(in->type) != WG_K_F;
    case WG_M_and:
    case WG_M_or:
    case WG_M_xor: return true;
    default: return false;
    }
}

void wg_replay_past(struct wg_replay *r, const struct wg_ir_instr *in) {
    struct wg_effects x = wg_effects_of(in);
    r->spoilt |= x.once || (x.writes & r->read);
    r->read |= x.reads;
}

bool wg_replay_join(struct wg_replay *r, const struct wg_replay *x) {
    bool grows = (x->read & ~r->read) || (x->spoilt && !r->spoilt);
    r->read |= x->read;
    r->spoilt |= x->spoilt;
    return grows;
}
