/* Types of the reference interpreter: compiled instructions, lanes, and helpers for the functions of rows.
 *
 * compile.c turns each wg_ir_instr into a ref_ins: the function that implements it and resolved operands.
 * run.c picks lanes at the same program point and runs one instruction for each of them before the next, so
 * lanes that have not diverged run in lockstep, as in hardware; each lane has its own program counter,
 * registers and calls, so lanes that have diverged are independent threads.
 *
 *     add.s32 %r3, %r1, 7;   ref_ins {fn = add_i, src {slot of r1, immediate 7}, dst {slot of r3}}
 *     for each lane of the group:  ref_set(l, i, ref_src(l, i, 0) + ref_src(l, i, 1))
 *
 * Invariants: a register is 64-bit slots (two for .b128); bits above its width are zero. A function of a row
 * touches only its lane (REF_LANE_ROW), or the lanes of its mask, and reports faults by wg_ref_fault.
 */
#ifndef WG_REF_LANE_H
#define WG_REF_LANE_H
#include "ref/ref.h"
#include "ref/replay.h"

struct ref_lane;
struct ref_warp;
struct ref_ins;

typedef void (*ref_fn)(struct ref_warp *w, const struct ref_ins *i, uint32_t lanes);

/* What a family file offers for its rows: one of the two, by enum wg_op. */
struct ref_row {
    ref_fn lane;  /* lane by lane: REF_LANE_ROW */
    ref_fn group; /* needs the lanes together: calls, barriers, and F_SYNC rows once all lanes have arrived */
};
extern const struct ref_row wg_ref_int_rows[WG_OP_COUNT], wg_ref_bit_rows[WG_OP_COUNT],
    wg_ref_float_rows[WG_OP_COUNT], wg_ref_compare_rows[WG_OP_COUNT], wg_ref_convert_rows[WG_OP_COUNT],
    wg_ref_approx_rows[WG_OP_COUNT], wg_ref_move_rows[WG_OP_COUNT], wg_ref_memory_rows[WG_OP_COUNT],
    wg_ref_warp_rows[WG_OP_COUNT], wg_ref_control_rows[WG_OP_COUNT], wg_ref_async_rows[WG_OP_COUNT],
    wg_ref_matrix_rows[WG_OP_COUNT], wg_ref_bulk_rows[WG_OP_COUNT], wg_ref_wgmma_rows[WG_OP_COUNT];
extern const struct ref_row wg_ref_check_rows[WG_OP_ALL - WG_OP_COUNT]; /* ptx/own.def */

enum ref_opd_kind {
    REF_NONE,
    REF_REG,
    REF_IMM,
    REF_GLOBAL,  /* block->symbols[slot] + imm */
    REF_SHARED,  /* this block's window + imm */
    REF_DYNAMIC, /* end of the static shared memory + imm */
    REF_LOCAL,   /* this activation's local frame + imm */
    REF_PARAM,   /* the launch's parameters + imm */
    REF_CALL,    /* this activation's incoming call frame + imm */
};
struct ref_opd {
    uint8_t kind;
    bool negated;
    uint8_t bits; /* width of the register */
    uint32_t slot;
    uint64_t ones; /* REG: as many as it has bits */
    uint64_t imm;  /* REG: the constant offset, for address operands after an instruction's first */
};

struct ref_ins {
    ref_fn fn, group; /* its row's */
    uint16_t op;      /* enum wg_op */
    uint8_t type, type2;
    uint8_t space, nvec, nsrc, ndst;
    bool sync, waits; /* row has F_SYNC, F_WAIT */
    bool checked;     /* a CHECK_ACCESS precedes it */
    bool guarded, guard_neg;
    uint32_t guard; /* slot */
    const struct ref_opd *dst, *src;
    int64_t offset;     /* of a memory operand, src[0] */
    const uint8_t *mod; /* enum wg_mod by enum wg_modc */
    const struct wg_ir_instr *ir;
    /* Derived from `type`: */
    uint8_t bits;
    bool is_signed;
    uint64_t ones;                   /* as many as it has bits */
    const struct ref_format *format; /* NULL: no float */
};

struct ref_block {
    const struct ref_ins *ins;
    uint32_t nins;
    uint32_t cond; /* slot of CBR's predicate, BRX's index */
    const struct wg_ir_block *ir;
};

struct ref_func {
    const struct wg_ir_func *ir;
    uint32_t index; /* in module->funcs */
    uint32_t nslots;
    const uint32_t *slot_of; /* by register */
    const struct ref_block *blocks;
    const uint8_t *yields; /* [block] enum wg_yields */
};

/* A kernel with all that it can call. */
struct ref_code {
    struct wg_code code;
    const struct wg_ir_module *module;
    struct wg_code_opts opts;
    struct wg_arena arena;
    struct ref_func **funcs; /* by index into module->funcs; NULL: never called */
    const struct ref_func *entry;
    struct ref_pool *pool; /* activations of called functions; freed with the code */
};

/* An activation of a function. The kernel's own is in warp->frame; callees' are from the pool. */
struct ref_activation {
    struct ref_activation *caller;
    const struct ref_func *func;
    uint32_t block, ins; /* next instruction; of callers: the call's */
    uint8_t *call;       /* incoming call frame */
    uint8_t *local;      /* local frame */
    uint64_t top;        /* local memory in use up to here */
    uint32_t depth;
    uint64_t path; /* identifies the call stack: equal for two of one warp with callers at the same calls */
    struct ref_activation *pool_prev, *pool_next;
    uint64_t regs[];
};

enum ref_state {
    REF_RUNS,
    REF_EXITED,
    REF_MEETS /* waits for lanes of its warp */,
    REF_RESTS /* it spins, and others have the time slice */,
    REF_WAITS /* warp->wait */
};

struct ref_lane {
    struct ref_warp *warp;
    struct ref_activation *at;
    uint32_t id;
    uint8_t state;  /* enum ref_state */
    uint8_t wait;   /* REF_WAITS: index into warp->wait */
    bool cc;        /* the carry flag */
    bool refused;   /* by the last CHECK_ACCESS */
    uint32_t meets; /* REF_MEETS: the member mask of its instruction */
};

/* In warp->frame, followed by the 32 kernel activations. */
struct ref_warp {
    struct wg_warp *wg;
    const struct ref_code *code;
    struct wg_replay *replay; /* or NULL */
    uint32_t group;           /* lanes that run the current instruction */
    uint32_t picks,
        yielded; /* where lanes run one at a time: how often one was picked; the warp has yielded */
    bool faulted, yields;
    struct {
        const struct ref_ins *ins;
        uint64_t from, path; /* the caller's, and what it calls has */
    } called;       /* by the last lane that called: those that follow by the same call share its path */
    uint64_t paths; /* number of paths so far; the kernel's own is 0 */
    struct ref_lane lane[WG_LANES];
};

/* ---- operands ---- */

uint64_t wg_ref_symbol(const struct ref_lane *l, const struct ref_opd *o);

static inline uint64_t ref_opd_raw(const struct ref_lane *l, const struct ref_opd *o) {
    if (o->kind == REF_REG) return l->at->regs[o->slot];
    if (o->kind == REF_IMM) return o->imm;
    return wg_ref_symbol(l, o);
}
static inline uint64_t ref_low(uint64_t v, uint32_t bits) {
    return bits >= 64 ? v : v & ((UINT64_C(1) << bits) - 1);
}
static inline int64_t ref_signed(uint64_t v, uint32_t bits) {
    return bits >= 64 ? (int64_t)v : (int64_t)(v << (64 - bits)) >> (64 - bits);
}
/* Source k as bits: of the instruction's type, or of `bits`. */
static inline uint64_t ref_bits(const struct ref_lane *l, const struct ref_ins *i, uint32_t k,
                                uint32_t bits) {
    return ref_low(ref_opd_raw(l, &i->src[k]), bits);
}
static inline uint64_t ref_src(const struct ref_lane *l, const struct ref_ins *i, uint32_t k) {
    return ref_opd_raw(l, &i->src[k]) & i->ones;
}
/* Source k > 0 as an address: its constant added. */
static inline uint64_t ref_further_raw(const struct ref_lane *l, const struct ref_ins *i, uint32_t k) {
    const struct ref_opd *o = &i->src[k];
    return ref_opd_raw(l, o) + (o->kind == REF_REG ? o->imm : 0);
}
/* Source k as a predicate, negated where it is written with '!'. */
static inline bool ref_pred(const struct ref_lane *l, const struct ref_ins *i, uint32_t k) {
    return (ref_opd_raw(l, &i->src[k]) & 1) != i->src[k].negated;
}
static inline bool ref_is_signed(uint8_t type) { return wg_type_kind(type) == WG_K_S; }

/* Writes v, of `bits` bits, to a destination. A register wider than the type gets v sign-extended for signed
 * types and zero-extended otherwise. */
static inline void ref_put(struct ref_lane *l, const struct ref_opd *d, uint64_t v, uint32_t bits,
                           bool is_signed) {
    if (d->kind != REF_REG) return;
    if (bits < d->bits) v = is_signed ? (uint64_t)ref_signed(v, bits) : ref_low(v, bits);
    l->at->regs[d->slot] = v & d->ones;
}
static inline void ref_set(struct ref_lane *l, const struct ref_ins *i, uint64_t v) {
    ref_put(l, &i->dst[0], v, i->bits, i->is_signed);
}
static inline void ref_set_bits(struct ref_lane *l, const struct ref_ins *i, uint32_t k, uint64_t v,
                                uint32_t bits) {
    ref_put(l, &i->dst[k], v, bits, false);
}

static inline bool ref_has(const struct ref_ins *i, enum wg_modc c) { return i->mod[c] != WG_M_none; }

/* REF_LANE_ROW(add) { ... } defines what instruction `i` does for `l`, one lane; `add` is then the row's
 * function: it loops over the lanes of the mask until one faults. The loop is in the row's function so that
 * the work of a lane is inlined. */
#define REF_LANE_ROW(row)                                                                                    \
    static inline void row##_by(struct ref_lane *l, const struct ref_ins *i);                                \
    static void row(struct ref_warp *w, const struct ref_ins *i, uint32_t lanes) {                           \
        for (; lanes && !w->faulted; lanes &= lanes - 1) row##_by(&w->lane[__builtin_ctz(lanes)], i);        \
    }                                                                                                        \
    static inline void row##_by(struct ref_lane *l, const struct ref_ins *i)

/* ---- one lane (lane.c) ---- */

void wg_ref_fault(struct ref_lane *l, const struct ref_ins *i, enum wg_fault_kind kind, uint64_t address,
                  uint32_t size);
/* Thread index of a lane in its block, as x, y, z. */
uint32_t wg_ref_tid(const struct ref_lane *l, uint32_t dim);
/* Suspends the lane until the machine resumes it: `wait` has kind, id, red, threads and predicate (0 or
 * 1). */
void wg_ref_wait(struct ref_lane *l, const struct wg_wait *wait);

#define REF_FOR_LANES(l, mask)                                                                               \
    for (uint32_t m_ = (mask), l = 0; m_ && (l = (uint32_t)__builtin_ctz(m_), 1); m_ &= m_ - 1)

/* A shuffle's source lane; the lane itself where the source is out of range. */
uint32_t wg_ref_shfl_source(const struct ref_lane *l, const struct ref_ins *i, bool *in_range);
#endif
