/* Data-flow passes over lanes' facts and the control-flow graph: settled registers, thread frontiers,
 * regions, phases. */
#ifndef WG_ANALYSIS_FLOW_H
#define WG_ANALYSIS_FLOW_H
#include "analysis/analysis.h"

/* Registers that a suspension point on every path to a block has spilled and nothing has written since. */
void wg_flow_settled(struct wg_analysis *an);
/* From divergent[GENERAL] and `passed`: true if a frontier grew. */
bool wg_flow_frontiers(struct wg_analysis *an);
/* Whether lanes are suspended after the instruction until the machine resumes them. */
bool wg_flow_parks(const struct wg_ir_instr *in);
/* `passed` and `stays` from the frontiers: true if one grew. */
bool wg_flow_passed(struct wg_analysis *an);
/* Registers whose every use is as an address of shared memory, or in sums that are. */
void wg_flow_shared_only(struct wg_analysis *an);
/* `tile_bits`: from facts of CONVERGED, which take it into account once they are computed again. */
void wg_flow_tile(struct wg_analysis *an);
/* CONVERGED: short divergent code that is run under masks. From facts and divergent[CONVERGED]. */
void wg_flow_regions(struct wg_analysis *an);
/* `one_by_one`, from facts of both versions: lane_loops.c */
void wg_flow_one_by_one(struct wg_analysis *an);
/* CONVERGED: whether the lanes that take one way of a divergent branch retire there, and the others stay. */
bool wg_flow_retires(const struct wg_analysis *an, uint32_t block);
void wg_flow_quiet(struct wg_analysis *an); /* quiet.c */
void wg_flow_touch(struct wg_analysis *an); /* touch.c */
/* `taken`. */
void wg_flow_known(struct wg_analysis *an);
/* `phases`, where the kernel has them. Last: from everything else. */
void wg_flow_phases(struct wg_analysis *an);
/* Whether a special register is the same for all threads of a block. */
bool wg_sreg_of_block(uint32_t sreg);
/* Whether an address in shared memory is the result of mapa, or an offset from one. def: [register] the one
 * instruction that writes it. */
bool wg_is_mapped(const struct wg_ir_instr *const *def, const struct wg_ir_opd *o);
#endif
