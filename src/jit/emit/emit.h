/* The state of the translation of one function to LLVM IR, shared by the folders of jit/ that emit code.
 *
 *     lower/     pure instructions
 *     emit/      values.c       registers: slots across blocks, values inside them, scalars to lanes
 *                lanes.c        masks, faults, exits      special.c    special registers, variable addresses
 *                sides.c        jammed warps              addresses.c  lanes' addresses
 *                count.c        performance counters      call.c       calls of runtime helpers
 *                issue.c        the log of accesses, and the proof
 *     access/    memory.c       loads and stores
 *                access_plan.h  the plan of accesses whose address varies over the lanes
 *                pattern.c      by runs of elements       known_lanes.c  by short vectors
 *                structures.c   interleaved accesses: structures; network.c: their shuffles
 *                gather.c       gather, scatter           combine.c    deferred additions
 *     instr/     instr.c        which file emits an instruction
 *                atomics.c      atomics and reductions    warpops.c    shuffles, votes, barriers
 *                async.c        copies, mbarriers         bulk.c       bulk and tensor copies
 *                matrix.c       matrix instructions       check.c      our own instructions, for checked code
 *                shadow.c       shadow memory: defined bits; lines.c: the same for whole lines
 *     warp/      crossing.c     side exits and re-entry   stop.c       barriers and reconvergence points
 *                branch.c       terminators of basic blocks
 *                region.c       if-conversion             all_lanes.c  uniformity tests on scalars
 *     block/     blocks.c       loop over thread blocks   phases.c     parallel regions: whole thread blocks
 *                jam.c          unroll-and-jam of warps   idle_warps.c warps with no work
 *     trace/     a thread block as straight-line vector code
 *
 * function.c builds a function with them; translate.c calls it and runs LLVM's passes (llvm/); code/ produces
 * the object code of the process.
 */
#ifndef WG_JIT_EMIT_H
#define WG_JIT_EMIT_H
#include "analysis/analysis.h"
#include "jit/emit/late_add.h"
#include "jit/lower/lower.h"

/* A generic address in shared memory of the block with rank `rank` in the cluster: far + rank *
 * WG_SHARED_STRIDE + sext(near) * step. */
struct wg_mapped {
    LLVMValueRef far, rank, near; /* i64; <32 x i32>; the same, or NULL */
    int64_t step;
};

/* A register's value in the code being emitted. UNIFORM: `base`. AFFINE: lane l holds base + k[l] +
 * r[l]*scale; k[0] == r[0] == 0, so `base` is lane 0's value. VARYING: `vec`. */
struct wg_value {
    uint8_t kind;             /* enum wg_fact_kind */
    LLVMValueRef base, scale; /* iN */
    LLVMValueRef vec;         /* <32 x iN>; of UNIFORM and AFFINE: NULL until first needed */
    const int64_t *k, *r;
    /* A VARYING address known as far + sext(near) * step: gathers with 32-bit indices are twice as fast. */
    LLVMValueRef far, near; /* i64; <32 x i32> */
    int64_t step;
    const struct wg_mapped *mapped; /* NULL, or a second known form of a VARYING address */
};

struct wg_slot {
    LLVMValueRef base, scale, vec; /* pointers to memory: see values.c */
};

struct wg_phase;        /* phases.c */
struct wg_sides;        /* sides.h */
struct wg_block_runner; /* warp/function.h */

struct wg_check { /* a side exit: CONVERGED may continue in GENERAL before this instruction */
    uint32_t block, instr;
};

struct wg_resume { /* an entry point of this function: a value of warp->resume */
    uint32_t id;
    LLVMBasicBlockRef bb;
};

struct wg_checked { /* an alignment of a root pointer, tested in a basic block */
    uint32_t root, align, block;
    uint8_t version, side; /* side: which of the jammed warps; 0: code of one warp */
};

struct wg_lane_fault { /* target block of lanes' faults: phis of what determines the lane and its address */
    LLVMBasicBlockRef bb;
    LLVMValueRef site, hit, far, step, vec;
};

enum { WG_MOST_PREFETCHES = 12 }; /* for the next thread block: prefetch.c */

struct wg_emit;

/* The side exits of CONVERGED, for the instructions that may need one (warp/crossing.c). */
struct wg_exits {
    void (*leave_if)(struct wg_emit *e, LLVMValueRef cond);
    void (*save_before_checks)(struct wg_emit *e);
};

/* Registers. */
struct wg_regs {
    struct wg_slot *slot[WG_VERSIONS];
    struct wg_value *cur; /* [register] the value, valid within the basic block being emitted */
    bool *have, *dirty;
    const struct wg_ir_instr **def; /* [register] the only instruction that writes it, or NULL */
    struct wg_small *small;         /* [register] values that fit 16 bits: narrow.c */
    const uint64_t *blend;          /* if-converted region: registers to blend where the mask is off */
    wg_bits sets[4];    /* reused scratch sets: one for each use would be half of a huge kernel's memory */
    LLVMValueRef cc;    /* an alloca: carry flags */
    LLVMValueRef frame; /* GENERAL */
    uint32_t *home;     /* [register] spill slot: offset in the warp's frame; WG_NO_REG: none yet */
    uint32_t *nook;     /* the same for CONVERGED's compact form, where that is no vector: crossing.c */
    uint32_t frame_bytes;
};

/* Lanes. */
struct wg_masks {
    LLVMValueRef on, bits; /* execution mask of the current block: i32 and <32 x i1>, NULL until needed */
    LLVMValueRef slot[WG_VERSIONS]; /* i32: active lanes */
    LLVMValueRef live;              /* GENERAL, an alloca: lanes that have not exited */
    /* GENERAL: [block] i32: lanes waiting there that cannot run now, and lanes that can: where they meet
     * others that have yet to arrive, and where they rest (warp/slices.h). NULL where none ever does. */
    LLVMValueRef *early, *rest;
    wg_bits waits;            /* GENERAL: blocks where lanes may wait: wg_fn_wait_slot */
    uint32_t wait_home;       /* offset of the wait masks in the frame */
    struct wg_masked *region; /* CONVERGED: the if-converted region being emitted: region.c */
    wg_bits under;            /* blocks reached only by masked code, so far */
    /* CONVERGED: [block] its second code, for 32 active lanes, where its own is for fewer as well; NULL: it has
     * none. The code being emitted is such code. */
    LLVMBasicBlockRef *all_bb;
    bool all;
};

/* Side exits and re-entry: crossing.c. */
struct wg_out {
    const struct wg_exits *exits;
    WG_VEC(struct wg_check) checks;
    LLVMBasicBlockRef leave; /* CONVERGED: side exit that checks of leave_block share; NULL: none yet */
    uint32_t leave_block;
    LLVMValueRef
        told; /* CONVERGED, after a CHECK_ACCESS of the block: i32, its id if reported to the machine */
    uint32_t told_block, told_instr;
    uint64_t *saved; /* CONVERGED: registers spilled before instruction saved_to of saved_block; or NULL */
    uint32_t saved_block, saved_to;
    LLVMBasicBlockRef *check_bb; /* GENERAL: [check] */
    wg_bits entered; /* GENERAL, after a check of the block: registers live there; NULL: no check so far */
    WG_VEC(struct wg_resume) resumes;
};

/* Control flow between the basic blocks of a warp's code: branch.c. */
struct wg_way {
    LLVMBasicBlockRef dispatch; /* GENERAL: picks the lowest waiting block */
    LLVMBasicBlockRef chosen;   /* GENERAL: jumps to the picked block */
    LLVMValueRef chosen_block;  /* a phi of `chosen` */
    LLVMBasicBlockRef search;   /* brief: `dispatch` for blocks from search_from, a phi, upwards */
    LLVMValueRef search_from;
    LLVMBasicBlockRef look_again; /* GENERAL: `dispatch`, when more lanes may have reconverged */
    LLVMBasicBlockRef next;       /* CONVERGED: the warp is done or at barrier 0; advances to the next warp */
    LLVMValueRef next_status;     /* a phi of `next`: the status to return after the last warp */
};

struct wg_faults {
    LLVMBasicBlockRef bb;             /* stores the fault and returns */
    LLVMValueRef site, address, lane; /* phis of it */
    struct wg_lane_fault
        of_lanes[3]; /* predecessors of bb by form of address: a scalar, far + near * step, vec */
};

/* How whole thread blocks run: block/. */
struct wg_whole_run {
    const struct wg_block_runner *runner;
    uint32_t warps;               /* of the block that run; 0: all (analysis/duplicates.h) */
    struct wg_phase **phases;     /* [block] the phase (parallel region) that begins there */
    struct wg_phase *phase;       /* the one being emitted */
    LLVMValueRef end;             /* an alloca: the exit that a warp took from its phase */
    LLVMValueRef more;            /* i64: number of thread blocks that may follow this one */
    LLVMBasicBlockRef row;        /* start of a row of thread blocks */
    LLVMValueRef row_x, row_more; /* ctaid.x and `more` at `row` */
    LLVMValueRef current;         /* block->current */
    struct wg_line **line;        /* [register] its affine form over all threads: block_span.c */
    LLVMValueRef spans_fit;       /* an alloca: none of them overflows */
};

/* Scalars loaded once, in the entry block or at the start of each warp (`start`). */
struct wg_once {
    LLVMValueRef block, warp_id;
    LLVMValueRef sreg[WG_SR_ALL];
    uint32_t nparams; /* number of parameters loaded in the entry block */
    LLVMValueRef shared_base, shared_offset, params, symbols, local, local_stride;
    LLVMValueRef device,
        reach; /* start of the device's address space, and of the addresses that can reach it: touch.c */
};

/* Accesses that have been emitted or are pending. */
struct wg_accesses {
    const struct wg_ir_instr *ahead[WG_MOST_PREFETCHES]; /* accesses that prefetch ahead of themselves */
    uint32_t nahead;
    struct wg_rows *rows;             /* of sliding-window sums: window.c */
    struct wg_kept_lines *kept_lines; /* of loops in which lanes walk along rows: row_lines.c */
    wg_bits of_data; /* registers that follow from what the kernel loads, NULL until needed: pattern.c */
    struct wg_lane_rows *lane_rows; /* rows found by the block's last such access: lane_rows.c */
    struct wg_issues *issues;       /* the log of issued accesses of the block: issue.c */
    struct wg_groups *groups;       /* the interleaved groups of this block: structures.c */
    uint32_t napart;                /* of these, so far, those accessed lane by lane */
    uint32_t nlane_adds;            /* inlined sequences of 32 additions, so far */
    WG_VEC(struct wg_late_add) late_adds;
    uint32_t stream_bytes; /* that a warp stores non-temporally when told to: stream.c */
    enum { WG_STREAMS_UNKNOWN, WG_STREAMS_YES, WG_STREAMS_NO } streams[2]; /* a single warp; jammed warps */
    WG_VEC(struct wg_checked) checked; /* alignment checks already made: see memory.c */
    const struct wg_ir_instr
        *combine[WG_COMBINERS]; /* deferrable additions, the first to each array: combine.c */
    uint32_t ncombine;
    bool combine_asked;      /* the current access has tested for pending additions */
    wg_bits combine_behind;  /* blocks whose accesses may read a pending addition */
    LLVMValueRef scratch[4]; /* allocas of 32 x i64 for helper calls */
    LLVMValueRef area;       /* an alloca for matrix operands: matrix.c */
    uint32_t area_slots;
};

/* Instrumented code: counters and checks. */
struct wg_watched {
    LLVMValueRef tally; /* the counters */
    struct wg_count_state *count;
    LLVMValueRef windows, refused;                   /* check.c */
    LLVMValueRef lines, arena, line_zero, undefined; /* lines.c */
};

struct wg_emit {
    struct wg_lower L; /* first: lowering works on it */
    struct wg_analysis *an;
    const struct wg_ir_module *module;
    const struct wg_ir_func *func;
    uint32_t func_index;
    const struct wg_code_opts *opts;
    struct wg_diag *diag;
    bool failed;
    bool broken; /* it failed because the code violates an invariant of its forms: issue.c */

    enum wg_version v; /* the version being emitted */
    bool whole;        /* CONVERGED: the form that runs whole thread blocks */
    bool one_way;      /* CONVERGED: a form that GENERAL does not return to */
    bool brief;        /* GENERAL: the form that compiles fast (codegen.h) */
    bool crowded;      /* no blocks are only if-converted: a try with some had too much register pressure */
    bool is_long;      /* a long kernel: not all passes are worth their time */
    bool long_sides;   /* jammed warps run through many instructions in a row */
    bool many_sides;   /* more than four warps are jammed */
    bool traced;       /* a thread block is straight-line code (trace.h) */

    LLVMValueRef fn, warp;   /* the current warp */
    LLVMValueRef warp_slot;  /* whole: an alloca that holds the current warp */
    LLVMValueRef first_warp; /* the function's argument: for what is uniform over the thread block */
    LLVMBasicBlockRef entry, warp_start;
    LLVMBuilderRef entry_b; /* at the end of the entry block: allocas, values shared by a thread block */
    LLVMBuilderRef block_b; /* whole: at the end of the basic block where each thread block begins */
    LLVMBuilderRef warp_b;  /* at the end of the basic block that starts each warp, before its switch */
    LLVMBasicBlockRef *bb[WG_VERSIONS];
    LLVMTypeRef i1, i8, i16, i32, i64, ptr;
    LLVMMetadataRef invariant; /* an empty node for !invariant.load */

    uint32_t block, instr;  /* the current position */
    struct wg_sides *sides; /* the jammed warps that code is being emitted for; or NULL */
    struct wg_regs regs;
    struct wg_masks masks;
    struct wg_out out;
    struct wg_way way;
    struct wg_faults faults;
    struct wg_whole_run run;
    struct wg_once once;
    struct wg_accesses access;
    struct wg_watched check;
};

/* Number of warps of a thread block that run. */
static inline uint32_t wg_warps_of(const struct wg_emit *e) {
    return (wg_running_threads(e->opts) + WG_LANES - 1) / WG_LANES;
}

/* values.c */
void wg_value_begin_block(struct wg_emit *e);
/* Writes the registers that were changed in this block and are live out of it to their slots. */
void wg_value_flush(struct wg_emit *e, const uint64_t *alive);
struct wg_value *wg_value_get(struct wg_emit *e, uint32_t reg);
struct wg_value wg_operand(struct wg_emit *e, const struct wg_ir_opd *o, uint32_t bits);
LLVMValueRef wg_value_vec(struct wg_emit *e, struct wg_value *v); /* <32 x iN> */
LLVMValueRef wg_value_vec_at(struct wg_emit *e, LLVMBuilderRef b, const struct wg_value *v);
void wg_value_set(struct wg_emit *e, uint32_t reg, struct wg_value v);
/* Sets a register to the lanes in vec, in the form its fact gives; blends in the old value where `mask`
 * (<32 x i1> or NULL) is false. */
void wg_value_set_vec(struct wg_emit *e, uint32_t reg, LLVMValueRef vec);
void wg_value_set_scalar(struct wg_emit *e, uint32_t reg, LLVMValueRef s);
LLVMValueRef wg_place_in_frame(struct wg_emit *e, LLVMBuilderRef b,
                               uint32_t at); /* GENERAL: the address of offset `at` */
struct wg_value wg_slot_load(struct wg_emit *e, LLVMBuilderRef b, enum wg_version v, uint32_t reg);
void wg_slot_store(struct wg_emit *e, LLVMBuilderRef b, enum wg_version v, uint32_t reg,
                   const struct wg_value *x);
/* The address of one lane's value of a VARYING register, except predicates. */
LLVMValueRef wg_slot_of_lane(struct wg_emit *e, uint32_t reg, LLVMValueRef lane);
uint32_t wg_reg_bits(const struct wg_emit *e, uint32_t reg);
LLVMValueRef wg_emit_resize(struct wg_emit *e, LLVMValueRef x, uint32_t bits,
                            bool is_signed); /* scalar or vector */
LLVMValueRef wg_emit_splat(struct wg_emit *e, LLVMBuilderRef b, LLVMValueRef scalar);
LLVMValueRef wg_lane_consts(struct wg_emit *e, const int64_t *k, uint32_t bits);
LLVMValueRef wg_i32(struct wg_emit *e, uint32_t x);
LLVMValueRef wg_i64(struct wg_emit *e, uint64_t x);
void wg_set_lanes(struct wg_emit *e, unsigned lanes);

/* lanes.c */
LLVMValueRef wg_mask(struct wg_emit *e);      /* i32 */
LLVMValueRef wg_mask_bits(struct wg_emit *e); /* <32 x i1> */
bool wg_mask_is_full(struct wg_emit *e);      /* known at compile time */
/* Where block b's code begins; all: that for 32 active lanes, where it has such code. */
LLVMBasicBlockRef wg_code_at(const struct wg_emit *e, uint32_t b, bool all);
bool wg_is_full(LLVMValueRef mask); /* a constant of all ones; a guard may also be a constant */
/* Mask of the lanes that execute `in`: the execution mask and its guard. */
LLVMValueRef wg_instr_mask(struct wg_emit *e, const struct wg_ir_instr *in);
/* Sets the instruction's result in the lanes where its guard holds. */
void wg_set_result(struct wg_emit *e, const struct wg_ir_instr *in, uint32_t reg, struct wg_value v);
LLVMValueRef wg_emit_bits(struct wg_emit *e, LLVMValueRef i32mask); /* <32 x i1> */
LLVMValueRef wg_emit_mask(struct wg_emit *e, LLVMValueRef bits);    /* i32 */
LLVMBasicBlockRef wg_new_bb(struct wg_emit *e, const char *name);
/* Ends the block with a branch to the fault exit if cond holds. */
void wg_fault_if(struct wg_emit *e, LLVMValueRef cond, enum wg_fault_kind kind, const struct wg_ir_instr *in,
                 LLVMValueRef address, LLVMValueRef lane);
/* The same for the lowest lane of the i32 mask `hit`, and its address. */
void wg_fault_lanes_if(struct wg_emit *e, LLVMValueRef cond, enum wg_fault_kind kind,
                       const struct wg_ir_instr *in, struct wg_value *a, LLVMValueRef hit);
void wg_emit_unsupported(struct wg_emit *e, const struct wg_ir_instr *in, const char *why);
void wg_fn_set_mask(struct wg_emit *e, LLVMBuilderRef b, enum wg_version v, LLVMValueRef m);
LLVMValueRef wg_fn_site_of(struct wg_emit *e, enum wg_fault_kind kind, const struct wg_ir_instr *in);
void wg_fn_build_fault_exit(struct wg_emit *e);
void wg_fn_hint_unlikely(struct wg_emit *e, LLVMValueRef br);
/* Branches to a new block of this name if cond, which is unlikely, holds, and puts the builder there.
 * Returns the fall-through block. */
LLVMBasicBlockRef wg_fn_seldom_if(struct wg_emit *e, LLVMValueRef cond, const char *name);
/* Branches from the builder's block to `go` and puts the builder there. */
void wg_fn_go_on(struct wg_emit *e, LLVMBasicBlockRef go);
LLVMValueRef wg_fn_first_lane(struct wg_emit *e, LLVMValueRef m);
void wg_fn_add_fault_edge(struct wg_emit *e, LLVMBasicBlockRef from, LLVMValueRef site, LLVMValueRef address,
                          LLVMValueRef lane);

/* The lowest lane of an i32 mask, in range whatever the mask is. */
LLVMValueRef wg_first_lane_of(struct wg_emit *e, LLVMValueRef mask);
bool wg_fn_stops(const struct wg_ir_instr *in); /* whether the warp is suspended there */
/* Side exit: continues in GENERAL when `cond` holds. */
void wg_leave_converged_if(struct wg_emit *e, LLVMValueRef cond);
/* Before a check that may leave: where many registers are live, spills them here, once for this side exit
 * of the block and those that follow. Spilling in each exit would cost n * n stores for n checks with n
 * live values. */
void wg_save_before_checks(struct wg_emit *e);
LLVMValueRef wg_field(struct wg_emit *e, LLVMBuilderRef b, LLVMValueRef base, size_t offset);
LLVMValueRef wg_load_field(struct wg_emit *e, LLVMBuilderRef b, LLVMTypeRef t, LLVMValueRef base,
                           size_t offset, bool invariant, const char *name);
void wg_store_field(struct wg_emit *e, LLVMBuilderRef b, LLVMValueRef x, LLVMValueRef base, size_t offset);

/* call.c */
LLVMValueRef wg_call_helper(struct wg_emit *e, const char *name, LLVMTypeRef ret, LLVMValueRef *args,
                            unsigned n);
/* Stores the lanes of `vec` to a 32-entry array in memory. */
LLVMValueRef wg_spill_lanes(struct wg_emit *e, unsigned which, LLVMValueRef vec);

/* addresses.c */
LLVMValueRef wg_pointers(struct wg_emit *e, struct wg_value *a);       /* <32 x ptr> */
LLVMValueRef wg_lane_addresses(struct wg_emit *e, struct wg_value *a); /* <32 x i64>, kept in a->vec */
/* Splits an address into a scalar and 32-bit indices, sign-extended, times a scale that x86 addressing has
 * (1 to 8). False: the address does not have this form. */
bool wg_split_address(struct wg_emit *e, const struct wg_value *a, LLVMValueRef *far, LLVMValueRef *near,
                      uint32_t *step);

/* sides.c: jammed warps. The first one holds what is uniform over all of them. */
bool wg_is_of_first(const struct wg_emit *e, uint32_t reg); /* and the code is another warp's */
const struct wg_value *wg_value_of_first(const struct wg_emit *e, uint32_t reg); /* NULL: not known here */
/* Whether a register that the current instruction does not name still has its value from before it. */
bool wg_value_is_at_hand(const struct wg_emit *e, uint32_t reg);
struct wg_slot *wg_slot_of_first(struct wg_emit *e, uint32_t reg);
uint8_t wg_side_of(const struct wg_emit *e, uint32_t reg); /* the `side` of a wg_checked */
/* Whether this is a column access of jammed warps. */
bool wg_in_columns(const struct wg_emit *e, uint32_t block, uint32_t instr);
/* Number of jammed warps in a sliding-window sum whose rows continue from one warp to the next
 * (analysis/jam.h); 0: not here. */
uint32_t wg_sides_in_window(const struct wg_emit *e);
uint32_t wg_side_now(const struct wg_emit *e);
void wg_switch_to_side(struct wg_emit *e, uint32_t k);
/* For a lane comparison, affine with base `base`, against a bound that is uniform over the jammed warps.
 * In the first warp's code the test spans all warps (*span grows) and NULL is returned; in the others'
 * code it returns the condition this requires. */
LLVMValueRef wg_spans_sides(struct wg_emit *e, const struct wg_ir_instr *in, uint32_t reg, LLVMValueRef base,
                            uint64_t *span);
/* Where `cond` holds each warp restarts the phase by itself. False, and nothing emitted: there are no
 * jammed warps, or the work done so far cannot be repeated. */
bool wg_begin_again_if(struct wg_emit *e, LLVMValueRef cond);
/* Whether the code is of jammed warps, which may not begin again at the current instruction. */
bool wg_is_past_restart(const struct wg_emit *e);

/* special.c */
LLVMValueRef wg_preload(struct wg_emit *e, LLVMValueRef *cache, LLVMTypeRef t, size_t offset_in_block,
                        const char *name);
void wg_emit_sreg(struct wg_emit *e, const struct wg_ir_instr *in);
/* A special register that is a field of the block, loaded in the entry block; NULL: it is not one. */
LLVMValueRef wg_block_field(struct wg_emit *e, uint32_t sreg);
/* %tid of the warp's first lane along an axis; NULL: the lanes have no pattern there. */
LLVMValueRef wg_tid_base(struct wg_emit *e, uint32_t axis);
struct wg_value wg_symbol_address(struct wg_emit *e, const struct wg_ir_opd *o, uint32_t bits);
LLVMValueRef wg_shared_base(struct wg_emit *e);   /* i64: address of shared offset 0 */
LLVMValueRef wg_shared_offset(struct wg_emit *e); /* i32: this block's window */
LLVMValueRef wg_params(struct wg_emit *e);        /* i64 */
LLVMValueRef wg_local_base(struct wg_emit *e);    /* i64: lane 0's local memory */
LLVMValueRef wg_local_stride_of(struct wg_emit *e);
#endif
