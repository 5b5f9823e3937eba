/* The memory graph of a block: which two of its instructions must keep their order, whatever is gained by
 * issuing one of them earlier or later. What makes one access of several asks here (jit/access/structures.c,
 * window.c), and jit/emit/issue.c proves for all code of a block, from what was issued, that every edge was kept.
 * Forms that move accesses farther than within a block go by what instructions do (effects.h).
 *
 *     0  st.global [q]        q: 16 bytes from lane to lane
 *     1  ld.global [q+4]
 *     2  st.global [q+8]      edges: 0 - 3, which touch the same bytes in one lane
 *     3  ld.global [q]
 *
 *     0  st.global [q]        q: 4 bytes from lane to lane
 *     1  st.global [q+4]      edge: 0 - 1, which touch the same bytes in neighbouring lanes
 *
 * Between the lanes of a warp, too, accesses of which one writes keep their order: a warp's lanes run side by
 * side, and programs count on it. Accesses from one register are held against each other byte by byte, as far
 * as it is known how the lanes lie to each other; others may meet unless they are in different memories or in
 * memory that nothing writes. What waits, meets others, has effects or touches memory in ways of its own
 * stays where it is.
 */
#ifndef WG_ANALYSIS_MEMORY_H
#define WG_ANALYSIS_MEMORY_H
#include "analysis/analysis.h"
#include "analysis/effects.h"

/* Whether the instruction touches memory, orders it, waits or does something that others could see. */
bool wg_touches_memory(const struct wg_ir_instr *in);
/* A load or store that others need not be ordered with, of memory that has its own addresses. */
bool wg_is_plain_access(const struct wg_ir_instr *in);
/* Whether instructions a < b of the block must be issued in this order. */
bool wg_keeps_order(const struct wg_analysis *an, enum wg_version v, uint32_t block, uint32_t a, uint32_t b);
/* Whether load `a` of the block may be issued, or issued again, right before `to`, which is behind it. */
bool wg_may_sink_load(const struct wg_analysis *an, enum wg_version v, uint32_t block, uint32_t a,
                      uint32_t to);
/* Whether the register holds at instruction b of the block what it holds at a, before it. */
bool wg_stays(const struct wg_analysis *an, const struct wg_ir_block *blk, uint32_t reg, uint32_t a,
              uint32_t b);
/* Whether `to`, which was made of `from` by copying blocks, has each of its accesses, no others that write,
 * and those of one block in their order. What is of no text (id 0) is not looked at. */
bool wg_has_same_accesses(const struct wg_ir_func *from, const struct wg_ir_func *to);
#endif
