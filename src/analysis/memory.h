/* Memory dependence graph of a basic block: which pairs of its instructions must keep their order.
 *
 * Forms that merge accesses query it (jit/access/structures.c, window.c), and jit/emit/issue.c proves for all
 * code of a block, from what was issued, that every edge was kept. Forms that move accesses farther than
 * within a block use the instructions' effects (effects.h).
 *
 *     0  st.global [q]        q: 16 bytes from lane to lane
 *     1  ld.global [q+4]
 *     2  st.global [q+8]      edges: 0 - 3, which touch the same bytes in one lane
 *     3  ld.global [q]
 *
 *     0  st.global [q]        q: 4 bytes from lane to lane
 *     1  st.global [q+4]      edge: 0 - 1, which touch the same bytes in neighbouring lanes
 *
 * Accesses of different lanes of a warp keep their order, too, if one of them writes: a warp's lanes run in
 * lockstep, and programs count on it. Accesses with the same base register are compared byte by byte, as far
 * as the lanes' stride is known; others may alias unless they are in different memories or in memory that
 * nothing writes. Instructions that wait, synchronize, have effects or touch memory in ways of their own are
 * not moved.
 */
#ifndef WG_ANALYSIS_MEMORY_H
#define WG_ANALYSIS_MEMORY_H
#include "analysis/analysis.h"
#include "analysis/effects.h"

/* Whether the instruction touches memory, orders it, waits or has another side effect. */
bool wg_touches_memory(const struct wg_ir_instr *in);
/* A load or store that others need not be ordered with, of memory that has its own addresses. */
bool wg_is_plain_access(const struct wg_ir_instr *in);
/* Whether instructions a < b of the block must be issued in this order. */
bool wg_keeps_order(const struct wg_analysis *an, enum wg_version v, uint32_t block, uint32_t a, uint32_t b);
/* Whether load `a` of the block may be sunk, or issued again, to right before `to`, which follows it. */
bool wg_may_sink_load(const struct wg_analysis *an, enum wg_version v, uint32_t block, uint32_t a,
                      uint32_t to);
/* Whether the register holds at instruction b of the block what it holds at a, before it. */
bool wg_stays(const struct wg_analysis *an, const struct wg_ir_block *blk, uint32_t reg, uint32_t a,
              uint32_t b);
/* Whether `to`, a copy of the blocks of `from`, has each access of `from`, no others that write, and those of
 * one block in their order. Instructions that are not in the text (id 0) are ignored. */
bool wg_has_same_accesses(const struct wg_ir_func *from, const struct wg_ir_func *to);
#endif
