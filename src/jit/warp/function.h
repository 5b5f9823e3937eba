/* Interface among the files that emit one function: crossing.c, branch.c, stop.c, region.c and
 * ../function.c. See emit.h. */
#ifndef WG_JIT_FUNCTION_H
#define WG_JIT_FUNCTION_H
#include "analysis/lane_loops.h"
#include "jit/emit/emit.h"

/* crossing.c */
extern const struct wg_exits wg_fn_exits;
uint32_t wg_fn_at_block(const struct wg_emit *e, enum wg_version v, uint32_t b);
uint32_t wg_fn_at_branch(const struct wg_emit *e, uint32_t b);
uint32_t wg_fn_at_check(const struct wg_emit *e, uint32_t k);
uint32_t wg_fn_at_dispatch(const struct wg_emit *e);
uint32_t wg_fn_at_indexed(const struct wg_emit *e, uint32_t b);
void wg_fn_live_before(struct wg_emit *e, uint32_t block, uint32_t instr, wg_bits live);
wg_bits wg_fn_unsettled(struct wg_emit *e, uint32_t block, uint32_t instr, const uint64_t *alive);
void wg_fn_save_regs(struct wg_emit *e, const uint64_t *alive, const LLVMValueRef *base);
void wg_fn_go_over(struct wg_emit *e, uint32_t resume, LLVMValueRef live);
void wg_fn_clear_waits(struct wg_emit *e);
bool wg_fn_may_return(const struct wg_emit *e, uint32_t b);
void wg_fn_try_return(struct wg_emit *e, uint32_t b);
/* GENERAL, all lanes at a __syncthreads(), whose wait is recorded: suspends the warp as CONVERGED would,
 * to resume there at block `next`, if it can. */
void wg_fn_try_stop_converged(struct wg_emit *e, uint32_t next, const struct wg_ir_instr *in);
void wg_fn_find_homes(struct wg_emit *e);
LLVMValueRef wg_fn_frame_ptr(struct wg_emit *e, LLVMBuilderRef b);
void wg_fn_restore_regs(struct wg_emit *e, const uint64_t *alive);
LLVMBasicBlockRef wg_fn_entered_at(struct wg_emit *e, uint32_t id);
void wg_fn_end_slice(struct wg_emit *e, enum wg_warp_status s);
void wg_fn_return_status(struct wg_emit *e, enum wg_warp_status s);
/* GENERAL: whether live lanes of the warp may be in other blocks while e->block runs. */
bool wg_fn_others_wait(const struct wg_emit *e);
bool wg_fn_is_red(const struct wg_ir_instr *in);
void wg_fn_stop_at(struct wg_emit *e, uint32_t next, enum wg_warp_status status,
                   const struct wg_ir_instr *in);
void wg_fn_stop_everywhere(struct wg_emit *e, enum wg_warp_status status);

/* branch.c */
void wg_fn_build_dispatch(struct wg_emit *e);
void wg_fn_begin_search(struct wg_emit *e);
/* The address of the mask of lanes that wait at the block: i32. */
LLVMValueRef wg_fn_wait_slot(struct wg_emit *e, uint32_t block);
void wg_fn_add_waiting(struct wg_emit *e, uint32_t block, LLVMValueRef lanes);
/* The lanes that a branch takes to succ[0], if they are the same in each warp: i32; else NULL. */
LLVMValueRef wg_fn_known_lanes(struct wg_emit *e, uint32_t block);
void wg_fn_goto_block(struct wg_emit *e, uint32_t t);
void wg_fn_emit_terminator(struct wg_emit *e, const struct wg_ir_block *blk);

/* How code runs whole thread blocks instead of warps one by one, as the code of a warp sees it
 * (block/phases.c): e->whole. */
struct wg_block_runner {
    /* Whether the edge from e->block to `to` ends the phase: the iteration of this warp ends, and the next
     * warp starts its own. `to`: the first block of a phase; nblocks: the kernel's end. in: the barrier on
     * the edge, or NULL. */
    bool (*ends_phase)(const struct wg_emit *e, uint32_t to);
    void (*end_phase)(struct wg_emit *e, uint32_t to, const struct wg_ir_instr *in);
    /* Spills the warp's state and continues in GENERAL; so do all other warps, one by one. */
    void (*leave_phase)(struct wg_emit *e);
    /* At e->block's branch, if it is the first of a phase that is a loop over warps: exits the loop where
     * the remaining warps have no work. */
    void (*skip_rest)(struct wg_emit *e, const struct wg_ir_block *blk);
    /* The definition of a predicate that the phase rematerialized at its start; with `part`, of a
     * predicate that such a one is computed from. Its own operands, except predicates, are available then.
     * NULL: it was not rematerialized. */
    const struct wg_ir_instr *(*remakes)(struct wg_emit *e, uint32_t reg, bool part);
};

/* all_lanes.c */
/* Before the branch at a block's end: if a test of a few scalars proves that all lanes go the usual way,
 * they branch at once. */
void wg_fn_try_all_lanes(struct wg_emit *e, const struct wg_ir_block *blk);
/* Prepares second code for blocks in which fewer than 32 lanes may be active: for 32 (masks.all_bb). */
void wg_fn_begin_all_lanes(struct wg_emit *e);
/* The number of the successor of e->block that warps mostly take as a whole: the one that a comparison
 * guards. -1: not known. */
int wg_fn_usual_way(const struct wg_emit *e);
/* *holds: a test of a few scalars that proves that all lanes go that way; with `lanes`, that exactly
 * *lanes do, which the thread's index determines. For jammed warps, the first one's test covers all that
 * they have in common. NULL: there is no test. */
struct wg_lane_test *wg_fn_test_lanes(struct wg_emit *e, int way, LLVMValueRef *holds, uint32_t *lanes);
/* Before the branch on *holds; where it holds; and where it does not: predicates that then have a vector
 * of lanes. */
void wg_fn_flush_unmade(struct wg_emit *e, const struct wg_lane_test *s);
void wg_fn_flush_known(struct wg_emit *e, const struct wg_lane_test *s);
void wg_fn_make_again(struct wg_emit *e, const struct wg_lane_test *s);

/* region.c */
/* CONVERGED: the lanes diverge at e->block, which has an if-convertible region. */
void wg_fn_emit_region(struct wg_emit *e, LLVMValueRef taken, LLVMValueRef rest);
/* Side exit to GENERAL from inside a region: resumes at its branch, as if none of it had run. */
void wg_fn_abandon_region(struct wg_emit *e);

/* few_lanes.c */
/* Emits the path for few active lanes of the mask. The builder then is on the other path, which must end
 * with a branch to the returned block. */
LLVMBasicBlockRef wg_fn_emit_few_lanes(struct wg_emit *e, uint32_t b, LLVMValueRef mask);

/* lane_loops.c */
/* GENERAL: whether block b is a loop whose lanes may run one after the other, each to its end. */
bool wg_fn_lane_loop_fits(struct wg_emit *e, uint32_t b, struct wg_scalar_loop *l);
/* Emits the whole loop for the active lanes, and the branch to its exit. */
void wg_fn_emit_lane_loop(struct wg_emit *e, const struct wg_scalar_loop *l);

/* stop.c */
/* Records where lanes wait. */
void wg_fn_fill_wait(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef entry);
void wg_fn_set_red_result(struct wg_emit *e, const struct wg_ir_instr *in);
void wg_fn_emit_stop(struct wg_emit *e, const struct wg_ir_block *blk, const struct wg_ir_instr *in);
void wg_fn_wait_for_partners(struct wg_emit *e, const struct wg_ir_instr *in);
/* Whether the block starts with a reconvergence point: lanes wait there for the others that its first
 * instruction names. */
bool wg_fn_is_meeting(const struct wg_emit *e, uint32_t block);
/* GENERAL: no lane can run; reports lanes that wait for others of their warp to the machine. */
void wg_fn_tell_waits(struct wg_emit *e);

/* ../function.c: emits the kernel's function in the version and form that `e` gives. */
LLVMValueRef wg_emit_kernel(struct wg_emit *e);
#endif
