/* The state of one function's translation to LLVM, shared by the rooms of jit/ that emit code.
 *
 *     lower/     pure rows
 *     emit/      values.c       registers: slots across blocks, values inside them, scalars to lanes
 *                lanes.c        masks, faults, ways out   special.c    special registers, addresses of variables
 *                sides.c        of warps side by side     addresses.c  lanes' addresses
 *                count.c        what is counted           call.c       calls of this process
 *                issue.c        the log of accesses, and the proof
 *     access/    memory.c       loads and stores
 *                access_plan.h  the plan of those at addresses that differ over the lanes
 *                pattern.c      by runs of elements       known_lanes.c  by short vectors
 *                structures.c   fields of structures, loaded and stored as rows; network.c: the shuffles for them
 *                gather.c       others                    combine.c    additions that are made later
 *     instr/     instr.c        which file emits an instruction
 *                atomics.c      atomics and reductions    warpops.c    shuffles, votes, barriers
 *                async.c        copies, mbarriers         bulk.c       bulk and tensor copies
 *                matrix.c       matrix instructions       check.c      instructions of our own: what is checked
 *                shadow.c       what is defined; lines.c: the same of lines
 *     warp/      crossing.c     leaving and coming back   stop.c       barriers and meetings
 *                branch.c       the ends of blocks
 *                region.c       short divergent code      all_lanes.c  branches that whole warps take
 *     block/     blocks.c       from block to block       phases.c     whole blocks at a time
 *                jam.c          warps side by side        idle_warps.c warps with nothing to do
 *     trace/     a block as straight vector code
 *
 * function.c makes a function with them; translate.c calls it and then LLVM's passes (llvm/); code/ makes the object code of the process.
 */
#ifndef WG_JIT_EMIT_H
#define WG_JIT_EMIT_H
#include "analysis/analysis.h"
#include "jit/emit/late_add.h"
#include "jit/lower/lower.h"

/* A generic address in shared memory of the block that `rank` says of the cluster: far + rank *
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
    LLVMValueRef vec;         /* <32 x iN>; of UNIFORM and AFFINE once somebody wanted it */
    const int64_t *k, *r;
    /* A VARYING address known as far + sext(near) * step: gathers by 32-bit lanes are twice as fast. */
    LLVMValueRef far, near; /* i64; <32 x i32> */
    int64_t step;
    const struct wg_mapped *mapped; /* a VARYING address that is known as that, too */
};

struct wg_slot {
    LLVMValueRef base, scale, vec; /* places in memory: see values.c */
};

struct wg_phase;        /* phases.c */
struct wg_sides;        /* sides.h */
struct wg_block_runner; /* warp/function.h */

struct wg_check { /* an instruction before which CONVERGED may go over to GENERAL */
    uint32_t block, instr;
};

struct wg_resume { /* a value of warp->resume with which this function is entered */
    uint32_t id;
    LLVMBasicBlockRef bb;
};

struct wg_checked { /* an alignment of a root pointer that was tested in a block */
    uint32_t root, align, block;
    uint8_t version, side; /* side: of warps side by side, which; 0: code of one warp */
};

struct wg_lane_fault { /* where a lane's fault leads to: phis of what tells the lane and its address */
    LLVMBasicBlockRef bb;
    LLVMValueRef site, hit, far, step, vec;
};

enum { WG_MOST_PREFETCHES = 12 }; /* for the next block: prefetch.c */

struct wg_emit;

/* How code leaves CONVERGED, as the instructions see it that may have to (warp/crossing.c). */
struct wg_exits {
    void (*leave_if)(struct wg_emit *e, LLVMValueRef cond);
    void (*save_before_checks)(struct wg_emit *e);
};

/* Registers. */
struct wg_regs {
    struct wg_slot *slot[WG_VERSIONS];
    struct wg_value *cur; /* [register] valid inside the current LLVM block run */
    bool *have, *dirty;
    const struct wg_ir_instr **def; /* [register] the instruction that writes it, when there is just one */
    struct wg_small *small;         /* [register] of numbers that fit 16 bits: narrow.c */
    const uint64_t *blend;          /* in a region: registers that keep their value where the mask is off */
    wg_bits sets[4]; /* of registers, for one place: one for each would be half of a huge kernel's memory */
    LLVMValueRef cc; /* a variable: carry flags */
    LLVMValueRef frame; /* GENERAL */
    uint32_t *home;     /* [register] offset in the warp's frame, WG_NO_REG: none yet */
    uint32_t *nook;     /* the same of what CONVERGED keeps of it, where that is no vector: crossing.c */
    uint32_t frame_bytes;
};

/* Lanes. */
struct wg_masks {
    LLVMValueRef on, bits;          /* of the current block: i32 and <32 x i1>, NULL until wanted */
    LLVMValueRef slot[WG_VERSIONS]; /* i32: lanes that run */
    LLVMValueRef live;              /* GENERAL, a variable: lanes that have not exited */
    /* GENERAL: [block] i32: lanes there that cannot run now, and those that wait can: where they meet
     * others that have yet to come, and where they rest (warp/turns.h). NULL where none ever does. */
    LLVMValueRef *early, *rest;
    wg_bits waits;            /* GENERAL: blocks where lanes may wait: wg_fn_wait_slot */
    uint32_t wait_home;       /* offset of wait masks in the frame */
    struct wg_masked *region; /* CONVERGED: the region that is being emitted: region.c */
    wg_bits under;            /* blocks that only masked code leads to, so far */
};

/* Leaving the function and coming back: crossing.c. */
struct wg_out {
    const struct wg_exits *exits;
    WG_VEC(struct wg_check) checks;
    LLVMBasicBlockRef leave; /* CONVERGED: the way out that checks of leave_block share; NULL: none yet */
    uint32_t leave_block;
    LLVMValueRef
        told; /* CONVERGED, behind a CHECK_ACCESS of the block: i32, its id if the machine heard of it */
    uint32_t told_block, told_instr;
    uint64_t
        *saved; /* CONVERGED: what lies in the frame before instruction saved_to of saved_block; or NULL */
    uint32_t saved_block, saved_to;
    LLVMBasicBlockRef *check_bb; /* GENERAL: [check] */
    wg_bits entered; /* GENERAL, behind a check of the block: what was alive there; NULL: there was none */
    WG_VEC(struct wg_resume) resumes;
};

/* From block to block of a warp's code: branch.c. */
struct wg_way {
    LLVMBasicBlockRef dispatch; /* GENERAL: pick the lowest waiting block */
    LLVMBasicBlockRef chosen;   /* GENERAL: go to the block that was picked */
    LLVMValueRef chosen_block;  /* a phi of `chosen` */
    LLVMBasicBlockRef search;   /* brief: `dispatch`, where lanes wait at search_from, a phi, or above it */
    LLVMValueRef search_from;
    LLVMBasicBlockRef look_again; /* GENERAL: `dispatch`, when all meetings may be complete that were not */
    LLVMBasicBlockRef next;       /* CONVERGED: the warp is done or at barrier 0; the next one's turn */
    LLVMValueRef next_status;     /* a phi of `next`: what the machine hears where there is none */
};

struct wg_faults {
    LLVMBasicBlockRef bb;             /* stores the fault and returns */
    LLVMValueRef site, address, lane; /* phis of it */
    struct wg_lane_fault
        of_lanes[3]; /* ways to it, of addresses that are: a scalar, far + near * step, vec */
};

/* How whole blocks run: block/. */
struct wg_whole_run {
    const struct wg_block_runner *runner;
    struct wg_phase **phases;     /* [block] the phase that begins there */
    struct wg_phase *phase;       /* where code is being emitted */
    LLVMValueRef end;             /* a variable, the way out of its phase that a warp took */
    LLVMValueRef more;            /* i64, blocks that may follow this one */
    LLVMBasicBlockRef row;        /* where a row of blocks begins */
    LLVMValueRef row_x, row_more; /* ctaid.x and `more` there */
    LLVMValueRef current;         /* block->current */
    struct wg_line **line;        /* [register] of all threads: block_span.c */
    LLVMValueRef spans_fit;       /* a variable, none of them wraps round */
};

/* Scalars loaded once, in the entry block or at the beginning of the warp's turn. */
struct wg_once {
    LLVMValueRef block, warp_id;
    LLVMValueRef sreg[WG_SR_ALL];
    uint32_t nparams; /* parameters loaded in the entry block */
    LLVMValueRef shared_base, shared_offset, params, symbols, local, local_stride;
    LLVMValueRef device,
        reach; /* where the device's address space begins, and may be reached from: touch.c */
};

/* Accesses that have been emitted or are pending. */
struct wg_accesses {
    const struct wg_ir_instr *ahead[WG_MOST_PREFETCHES]; /* those that ask for what lies ahead of them */
    uint32_t nahead;
    struct wg_rows *rows;           /* of sums over windows: window.c */
    struct wg_lane_rows *lane_rows; /* of the block's last such access: lane_rows.c */
    struct wg_issues *issues;       /* those of the block that have been issued: issue.c */
    struct wg_groups *groups;       /* those of this block that are made together: structures.c */
    uint32_t napart;                /* of them, so far, those lane by lane */
    uint32_t nlane_adds;            /* additions of all lanes in a row, so far */
    WG_VEC(struct wg_late_add) late_adds;
    uint32_t stream_bytes; /* that a warp stores past the caches when told to: stream.c */
    enum { WG_STREAMS_UNKNOWN, WG_STREAMS_YES, WG_STREAMS_NO } streams[2]; /* a warp alone; side by side */
    WG_VEC(struct wg_checked) checked; /* alignment checks already made: see memory.c */
    const struct wg_ir_instr
        *combine[WG_COMBINERS]; /* additions that may be made later, the first to each array: combine.c */
    uint32_t ncombine;
    bool combine_asked;      /* the access at hand has looked whether it may see one */
    wg_bits combine_behind;  /* blocks whose accesses may have to see one */
    LLVMValueRef scratch[4]; /* allocas of 32 x i64 for calls */
    LLVMValueRef area;       /* one for matrices: matrix.c */
    uint32_t area_slots;
};

/* Code that counts, and code with checks. */
struct wg_watched {
    LLVMValueRef tally; /* where the code counts */
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
    bool broken; /* what failed is code that breaks a promise of its forms: issue.c */

    enum wg_version v; /* the one that is being made */
    bool whole;        /* of CONVERGED, the form that runs whole blocks */
    bool one_way;      /* of CONVERGED, a form that GENERAL does not go back to */
    bool brief;        /* of GENERAL, one that is soon made (codegen.h) */
    bool crowded;      /* no blocks are under masks alone: once some were, too much was alive */
    bool is_long;      /* the kernel is: not all passes are worth their time */
    bool long_sides;   /* warps go side by side through many instructions in a row */
    bool many_sides;   /* more than four do */
    bool traced;       /* a block is straight code (trace.h) */

    LLVMValueRef fn, warp;   /* the warp of this turn */
    LLVMValueRef warp_slot;  /* whole: a variable that holds the warp */
    LLVMValueRef first_warp; /* the function's argument: for what is the same for all warps of the block */
    LLVMBasicBlockRef entry, turn;
    LLVMBuilderRef entry_b; /* at the end of the entry block: variables, and what a whole block shares */
    LLVMBuilderRef block_b; /* whole: at the end of the block where each block begins: what is its own */
    LLVMBuilderRef turn_b;  /* at the end of the block where each warp begins, before its switch */
    LLVMBasicBlockRef *bb[WG_VERSIONS];
    LLVMTypeRef i1, i8, i16, i32, i64, ptr;
    LLVMMetadataRef invariant; /* an empty node for !invariant.load */

    uint32_t block, instr;  /* being emitted */
    struct wg_sides *sides; /* the warps side by side that code is being emitted of; or NULL */
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

/* Of a block. */
static inline uint32_t wg_warps_of(const struct wg_emit *e) {
    return (e->opts->ntid[0] * e->opts->ntid[1] * e->opts->ntid[2] + WG_LANES - 1) / WG_LANES;
}

/* values.c */
void wg_value_begin_block(struct wg_emit *e);
/* Writes registers changed in this block, and alive after it, to their slots. */
void wg_value_flush(struct wg_emit *e, const uint64_t *alive);
struct wg_value *wg_value_get(struct wg_emit *e, uint32_t reg);
struct wg_value wg_operand(struct wg_emit *e, const struct wg_ir_opd *o, uint32_t bits);
LLVMValueRef wg_value_vec(struct wg_emit *e, struct wg_value *v); /* <32 x iN> */
LLVMValueRef wg_value_vec_at(struct wg_emit *e, LLVMBuilderRef b, const struct wg_value *v);
void wg_value_set(struct wg_emit *e, uint32_t reg, struct wg_value v);
/* Sets a register to lanes computed (vector), as its fact says, keeping other lanes where `mask` (<32 x i1>
 * or NULL) is false. */
void wg_value_set_vec(struct wg_emit *e, uint32_t reg, LLVMValueRef vec);
void wg_value_set_scalar(struct wg_emit *e, uint32_t reg, LLVMValueRef s);
LLVMValueRef wg_place_in_frame(struct wg_emit *e, LLVMBuilderRef b, uint32_t at); /* of GENERAL: an address */
struct wg_value wg_slot_load(struct wg_emit *e, LLVMBuilderRef b, enum wg_version v, uint32_t reg);
void wg_slot_store(struct wg_emit *e, LLVMBuilderRef b, enum wg_version v, uint32_t reg,
                   const struct wg_value *x);
/* Where one lane's value of a VARYING register lies, predicates excepted. */
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
bool wg_mask_is_full(struct wg_emit *e);      /* statically */
bool wg_is_full(LLVMValueRef mask);           /* a constant of all ones; a guard may be a constant, too */
/* Lanes that execute `in`: the mask and its guard. */
LLVMValueRef wg_instr_mask(struct wg_emit *e, const struct wg_ir_instr *in);
/* What the instruction gives, in lanes that its guard lets have it. */
void wg_set_result(struct wg_emit *e, const struct wg_ir_instr *in, uint32_t reg, struct wg_value v);
LLVMValueRef wg_emit_bits(struct wg_emit *e, LLVMValueRef i32mask); /* <32 x i1> */
LLVMValueRef wg_emit_mask(struct wg_emit *e, LLVMValueRef bits);    /* i32 */
LLVMBasicBlockRef wg_new_bb(struct wg_emit *e, const char *name);
/* Ends the block with: if cond goto the fault exit. */
void wg_fault_if(struct wg_emit *e, LLVMValueRef cond, enum wg_fault_kind kind, const struct wg_ir_instr *in,
                 LLVMValueRef address, LLVMValueRef lane);
/* The same of the lowest lane of the i32 mask `hit`, and its address. */
void wg_fault_lanes_if(struct wg_emit *e, LLVMValueRef cond, enum wg_fault_kind kind,
                       const struct wg_ir_instr *in, struct wg_value *a, LLVMValueRef hit);
void wg_emit_unsupported(struct wg_emit *e, const struct wg_ir_instr *in, const char *why);
void wg_fn_set_mask(struct wg_emit *e, LLVMBuilderRef b, enum wg_version v, LLVMValueRef m);
LLVMValueRef wg_fn_site_of(struct wg_emit *e, enum wg_fault_kind kind, const struct wg_ir_instr *in);
void wg_fn_build_fault_exit(struct wg_emit *e);
void wg_fn_hint_unlikely(struct wg_emit *e, LLVMValueRef br);
/* cond seldom holds. The builder goes to where it does, a block of this name; gives the block to go on in. */
LLVMBasicBlockRef wg_fn_seldom_if(struct wg_emit *e, LLVMValueRef cond, const char *name);
/* From where the builder stands to there. */
void wg_fn_go_on(struct wg_emit *e, LLVMBasicBlockRef go);
LLVMValueRef wg_fn_first_lane(struct wg_emit *e, LLVMValueRef m);
void wg_fn_add_fault_edge(struct wg_emit *e, LLVMBasicBlockRef from, LLVMValueRef site, LLVMValueRef address,
                          LLVMValueRef lane);

/* The lowest lane of an i32 mask, in range whatever the mask is. */
LLVMValueRef wg_first_lane_of(struct wg_emit *e, LLVMValueRef mask);
bool wg_fn_stops(const struct wg_ir_instr *in); /* the warp, there */
/* The rest of the kernel runs in GENERAL when `cond` holds. */
void wg_leave_converged_if(struct wg_emit *e, LLVMValueRef cond);
/* Before code of a check that may leave: where much is alive it is saved here, once for this way out of the
 * block and those that follow. In each of them it would be n * n stores for n checks with n values alive. */
void wg_save_before_checks(struct wg_emit *e);
LLVMValueRef wg_field(struct wg_emit *e, LLVMBuilderRef b, LLVMValueRef base, size_t offset);
LLVMValueRef wg_load_field(struct wg_emit *e, LLVMBuilderRef b, LLVMTypeRef t, LLVMValueRef base,
                           size_t offset, bool invariant, const char *name);
void wg_store_field(struct wg_emit *e, LLVMBuilderRef b, LLVMValueRef x, LLVMValueRef base, size_t offset);

/* call.c */
LLVMValueRef wg_call_helper(struct wg_emit *e, const char *name, LLVMTypeRef ret, LLVMValueRef *args,
                            unsigned n);
/* A 32-entry array in memory holding the lanes of `vec`. */
LLVMValueRef wg_spill_lanes(struct wg_emit *e, unsigned which, LLVMValueRef vec);

/* addresses.c */
LLVMValueRef wg_pointers(struct wg_emit *e, struct wg_value *a);       /* <32 x ptr> */
LLVMValueRef wg_lane_addresses(struct wg_emit *e, struct wg_value *a); /* <32 x i64>, kept in a->vec */
/* Splits an address into a scalar and 32-bit indices, sign-extended, times a step that x86 has (1 to 8);
 * false: it is none of the kind. */
bool wg_split_address(struct wg_emit *e, const struct wg_value *a, LLVMValueRef *far, LLVMValueRef *near,
                      uint32_t *step);

/* sides.c: of warps side by side. What is the same for all of them is the first one's. */
bool wg_is_of_first(const struct wg_emit *e, uint32_t reg); /* and the code is another one's */
const struct wg_value *wg_value_of_first(const struct wg_emit *e, uint32_t reg); /* NULL: not known here */
/* Whether a register that the instruction at hand does not name can be had as it was before it. */
bool wg_value_is_at_hand(const struct wg_emit *e, uint32_t reg);
struct wg_slot *wg_slot_of_first(struct wg_emit *e, uint32_t reg);
uint8_t wg_side_of(const struct wg_emit *e, uint32_t reg); /* of wg_checked */
/* Is it an access to columns, of warps side by side? */
bool wg_in_columns(const struct wg_emit *e, uint32_t block, uint32_t instr);
/* How many go side by side through a sum over windows whose rows go on from one to the next (analysis/jam.h);
 * 0: not here. */
uint32_t wg_sides_in_window(const struct wg_emit *e);
uint32_t wg_side_now(const struct wg_emit *e);
void wg_turn_to_side(struct wg_emit *e, uint32_t k);
/* Of a comparison of lanes, affine from `base` on, with what is the same for all warps side by side: the
 * first one's reaches over all of them (*span grows, and NULL comes back), and of the others what it takes
 * for that. */
LLVMValueRef wg_spans_sides(struct wg_emit *e, const struct wg_ir_instr *in, uint32_t reg, LLVMValueRef base,
                            uint64_t *span);
/* Where `cond` holds each warp begins the phase again by itself; false, and nothing emitted: there are none
 * side by side, or what was done cannot be done twice. */
bool wg_begin_again_if(struct wg_emit *e, LLVMValueRef cond);

/* special.c */
LLVMValueRef wg_preload(struct wg_emit *e, LLVMValueRef *cache, LLVMTypeRef t, size_t offset_in_block,
                        const char *name);
void wg_emit_sreg(struct wg_emit *e, const struct wg_ir_instr *in);
/* A special register that is a field of the block, loaded in the entry block; NULL: it is none. */
LLVMValueRef wg_block_field(struct wg_emit *e, uint32_t sreg);
/* %tid of the warp's first lane along an axis; NULL: lanes have no pattern there. */
LLVMValueRef wg_tid_base(struct wg_emit *e, uint32_t axis);
struct wg_value wg_symbol_address(struct wg_emit *e, const struct wg_ir_opd *o, uint32_t bits);
LLVMValueRef wg_shared_base(struct wg_emit *e);   /* i64: address of shared offset 0 */
LLVMValueRef wg_shared_offset(struct wg_emit *e); /* i32: this block's window */
LLVMValueRef wg_params(struct wg_emit *e);        /* i64 */
LLVMValueRef wg_local_base(struct wg_emit *e);    /* i64: lane 0's local memory */
LLVMValueRef wg_local_stride_of(struct wg_emit *e);
#endif
