/* What the files that make up one function share: crossing.c, branch.c, stop.c, function.c. See
 * emit.h. */
#ifndef WG_JIT_FUNCTION_H
#define WG_JIT_FUNCTION_H
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
/* GENERAL, all lanes at a __syncthreads(), whose wait is written down: the warp stops as CONVERGED would,
 * to go on there at block `next`, if it can. */
void wg_fn_try_stop_converged(struct wg_emit *e, uint32_t next, const struct wg_ir_instr *in);
void wg_fn_find_homes(struct wg_emit *e);
LLVMValueRef wg_fn_frame_ptr(struct wg_emit *e, LLVMBuilderRef b);
void wg_fn_restore_regs(struct wg_emit *e, const uint64_t *alive);
LLVMBasicBlockRef wg_fn_entered_at(struct wg_emit *e, uint32_t id);
void wg_fn_end_turn(struct wg_emit *e, enum wg_warp_status s);
void wg_fn_return_status(struct wg_emit *e, enum wg_warp_status s);
/* GENERAL: whether live lanes of the warp may be elsewhere while e->block runs. */
bool wg_fn_others_wait(const struct wg_emit *e);
bool wg_fn_is_red(const struct wg_ir_instr *in);
void wg_fn_stop_at(struct wg_emit *e, uint32_t next, enum wg_warp_status status,
                   const struct wg_ir_instr *in);
void wg_fn_stop_everywhere(struct wg_emit *e, enum wg_warp_status status);

/* branch.c */
void wg_fn_build_dispatch(struct wg_emit *e);
void wg_fn_begin_search(struct wg_emit *e);
/* Where the lanes that wait at the block are: i32. */
LLVMValueRef wg_fn_wait_slot(struct wg_emit *e, uint32_t block);
void wg_fn_add_waiting(struct wg_emit *e, uint32_t block, LLVMValueRef lanes);
/* The lanes that a branch takes, where they are the same in each warp that comes by: i32, to succ[0]; or NULL. */
LLVMValueRef wg_fn_known_lanes(struct wg_emit *e, uint32_t block);
void wg_fn_goto_block(struct wg_emit *e, uint32_t t);
void wg_fn_emit_terminator(struct wg_emit *e, const struct wg_ir_block *blk);

/* How code runs whole blocks in place of turns, as the code of a warp sees it (block/phases.c): e->whole. */
struct wg_block_runner {
    /* Whether the way from e->block to `to` ends the phase; the warp's part of it ends, and the next warp
     * begins its own. `to`: a block that a phase begins with; nblocks: the kernel's end. in: the barrier it
     * stands at, or NULL. */
    bool (*ends_phase)(const struct wg_emit *e, uint32_t to);
    void (*end_phase)(struct wg_emit *e, uint32_t to, const struct wg_ir_instr *in);
    /* The warp's state is stored and it goes on in GENERAL: so do all others, warp by warp. */
    void (*leave_phase)(struct wg_emit *e);
    /* At e->block's branch, if it is the first of a phase that is a loop over warps: ends the loop where warps
     * have nothing to do from now on. */
    void (*skip_rest)(struct wg_emit *e, const struct wg_ir_block *blk);
    /* What makes a predicate that the phase computed anew where it began, or with `part` one that such is made
     * of. What it is made of itself, but for predicates, is at hand then. NULL: it was not. */
    const struct wg_ir_instr *(*remakes)(struct wg_emit *e, uint32_t reg, bool part);
};

/* all_lanes.c */
/* Before the branch at a block's end: if a few scalars tell that all lanes go the usual way, they go. */
void wg_fn_try_all_lanes(struct wg_emit *e, const struct wg_ir_block *blk);
/* The successor of e->block, by its number there, that warps mostly take as a whole: what a comparison
 * guards. -1: not known. */
int wg_fn_usual_way(const struct wg_emit *e);
/* *holds: a few scalars that tell that all lanes go there; with `lanes`, that just *lanes do, which the
 * thread's index names. Of warps side by side the first one's test is for all of what they have in common.
 * NULL: there are none. */
struct wg_lane_test *wg_fn_test_lanes(struct wg_emit *e, int way, LLVMValueRef *holds, uint32_t *lanes);
/* Before the branch on *holds; where it holds; and where it does not: predicates that then are lanes'. */
void wg_fn_flush_unmade(struct wg_emit *e, const struct wg_lane_test *s);
void wg_fn_flush_known(struct wg_emit *e, const struct wg_lane_test *s);
void wg_fn_make_again(struct wg_emit *e, const struct wg_lane_test *s);

/* region.c */
/* CONVERGED: the lanes part at e->block, which has a region. */
void wg_fn_emit_region(struct wg_emit *e, LLVMValueRef taken, LLVMValueRef rest);
/* Over to GENERAL from inside a region: at the branch, as if none of it had run. */
void wg_fn_abandon_region(struct wg_emit *e);

/* few_lanes.c */
/* Whether lanes of block b may run one after the other, each with scalars. */
bool wg_fn_few_lanes_fit(struct wg_emit *e, uint32_t b);
/* Emits the way for few lanes of the mask; the builder then stands in the other way, which is to end in a
 * branch to the block that is returned. */
LLVMBasicBlockRef wg_fn_emit_few_lanes(struct wg_emit *e, uint32_t b, LLVMValueRef mask);

/* lane_loops.c */
/* GENERAL: whether block b is a loop whose lanes may run one after the other, each to its end. */
bool wg_fn_lane_loop_fits(struct wg_emit *e, uint32_t b);
/* All of it, for the lanes that are on, and on to where it leads. */
void wg_fn_emit_lane_loop(struct wg_emit *e, uint32_t b);

/* stop.c */
/* Writes down where lanes wait. */
void wg_fn_fill_wait(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef entry);
void wg_fn_set_red_result(struct wg_emit *e, const struct wg_ir_instr *in);
void wg_fn_emit_stop(struct wg_emit *e, const struct wg_ir_block *blk, const struct wg_ir_instr *in);
void wg_fn_wait_for_partners(struct wg_emit *e, const struct wg_ir_instr *in);
/* Whether lanes that come to the block wait there for others that its first instruction names. */
bool wg_fn_is_meeting(const struct wg_emit *e, uint32_t block);
/* GENERAL: no lane can run, and the machine hears of those that wait for others of their warp. */
void wg_fn_tell_waits(struct wg_emit *e);

/* ../function.c: the function of the kernel, in the version and form that `e` says. */
LLVMValueRef wg_emit_kernel(struct wg_emit *e);
#endif
