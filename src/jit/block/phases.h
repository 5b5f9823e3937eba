/* Internal interface of the phase loops: what the files that emit one phase of a whole-block kernel share. */
#ifndef WG_JIT_PHASES_H
#define WG_JIT_PHASES_H
#include "jit/emit/phase.h"
#include "jit/warp/function.h"

/* blocks.c */
void wg_fn_begin_blocks(struct wg_emit *e);
void wg_fn_finish_blocks(struct wg_emit *e);

/* phases.c */
extern const struct wg_block_runner wg_phase_runner;
void wg_fn_begin_phases(struct wg_emit *e);
void wg_fn_finish_phases(struct wg_emit *e);
/* Before code of block b is emitted. */
void wg_fn_enter_phase(struct wg_emit *e, uint32_t b);
bool wg_fn_ends_phase(const struct wg_emit *e, uint32_t to); /* see wg_block_runner */
/* From here on emitted code is this warp's; its warp_b is the builder's block. */
void wg_fn_be_warp(struct wg_emit *e, LLVMValueRef number);
/* Rematerializes the registers live at the start of the block that are chosen for it. */
void wg_fn_remake(struct wg_emit *e, uint32_t block);
/* Whether the register is read after the beginning of the phase at `block`. */
bool wg_fn_wanted_at(const struct wg_emit *e, uint32_t block, uint32_t reg);
/* The warp's share of the phase ends at block `to`: its live registers are stored for the next phase. */
void wg_fn_save_for_next(struct wg_emit *e, uint32_t to, const struct wg_ir_instr *in);
void wg_fn_note_end(struct wg_emit *e, uint32_t to, const struct wg_ir_instr *in);
/* Saves uniform registers for warps that have finished the phase: for side exits of later warps. */
void wg_fn_keep_out(struct wg_emit *e, const struct wg_phase *p);

/* idle_warps.c */
/* Whether e->block's branch is the first one of the phase. */
bool wg_fn_decides(const struct wg_emit *e, uint32_t begins);
/* At the end of a phase's first block: ends the loop where warps have nothing to do from now on. */
void wg_fn_skip_rest(struct wg_emit *e, const struct wg_ir_block *blk);

/* aside.c: at the place where warps leave the phase. Other code runs the warp's share; the builder is then
 * positioned where that ended in another way than the phase does. */
void wg_fn_run_aside(struct wg_emit *e, struct wg_phase *p);
/* Before each edge there: uniform results that later phases change are saved as they are. */
void wg_fn_keep_aside(struct wg_emit *e);

/* jam.c */
/* Emits the jammed version of phases, beside the code of one warp. */
void wg_fn_emit_sides(struct wg_emit *e);
/* The edges between the two: `before` has no terminator yet. */
void wg_fn_close_sides(struct wg_emit *e, struct wg_phase *p);
#endif
