/* Facts of the control-flow graph: liveness, dominators, settled registers, thread frontiers.
 * flow.c; used by lanes.c. */
#ifndef WG_ANALYSIS_FLOW_H
#define WG_ANALYSIS_FLOW_H
#include "analysis/analysis.h"

void wg_flow_liveness(struct wg_analysis *an);
void wg_flow_dominators(struct wg_analysis *an);
/* Registers that a stop on every way to a block has saved and nothing has written since. */
void wg_flow_settled(struct wg_analysis *an);
/* From divergent[GENERAL] and `passed`: true if a frontier grew. */
bool wg_flow_frontiers(struct wg_analysis *an);
/* Whether lanes stop behind the instruction until the machine lets them go on. */
bool wg_flow_parks(const struct wg_ir_instr *in);
/* `passed` and `stays` from the frontiers: true if one grew. */
bool wg_flow_passed(struct wg_analysis *an);
/* Registers whose every use is as an address of shared memory, or in sums that are. */
void wg_flow_shared_only(struct wg_analysis *an);
/* `tile_bits`: from facts of CONVERGED, which know of it from then on if they are found once more. */
void wg_flow_tile(struct wg_analysis *an);
/* CONVERGED: short divergent code that is run under masks. From facts and divergent[CONVERGED]. */
void wg_flow_regions(struct wg_analysis *an);
void wg_flow_quiet(struct wg_analysis *an); /* quiet.c */
void wg_flow_touch(struct wg_analysis *an); /* touch.c */
/* `taken`. */
void wg_flow_known(struct wg_analysis *an);
/* `phases`, where the kernel has them. Last: from everything else. */
void wg_flow_phases(struct wg_analysis *an);
/* Whether a special register is the same for all threads of a block. */
bool wg_sreg_of_block(uint32_t sreg);
/* Fills in the blocks' `pred`. */
void wg_flow_preds(struct wg_arena *a, struct wg_ir_block *blocks, uint32_t n);
/* Calls fn for each register that an instruction reads (guard and call arguments too) / writes. */
void wg_each_use(const struct wg_ir_instr *in, void (*fn)(void *, uint32_t), void *user);
void wg_each_def(const struct wg_ir_instr *in, void (*fn)(void *, uint32_t), void *user);
/* [register] how many instructions of the function write it, and results of calls */
uint32_t *wg_count_defs(struct wg_arena *a, const struct wg_ir_func *f);
/* A set, and whether it grew since; wg_grow adds a register, for the two above. */
struct wg_growing {
    wg_bits set;
    bool grew;
};
void wg_grow(void *growing, uint32_t r);
/* Whether the block is of the loop that begins with `header`, or of one inside of it. */
bool wg_in_loop(const struct wg_ir_func *f, uint32_t block, uint32_t header);
/* Registers that follow from what BEGINS, directly or through others; an instruction of part NONE hands
 * nothing on. */
enum wg_part { WG_PART_NONE, WG_PART_FOLLOWS, WG_PART_BEGINS };
wg_bits wg_following(struct wg_arena *a, const struct wg_ir_func *f,
                     enum wg_part (*part)(const void *user, const struct wg_ir_instr *in), const void *user);
/* Whether an address is mapa's, or something more: of shared memory. def: [register] the one instruction that
 * writes it. */
bool wg_is_mapped(const struct wg_ir_instr *const *def, const struct wg_ir_opd *o);
/* Drops arithmetic whose result nobody reads from the first n blocks. */
void wg_drop_unused(struct wg_arena *a, struct wg_ir_func *f, uint32_t n);
#endif
