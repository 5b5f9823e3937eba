/* Instrumentation of generated code: performance counters.
 *
 *     count.c         the emitted code: inline additions to units, calls for the rest
 *     count_slow.c    the same for slow paths
 *     count_cells.c   the called functions, and the conversion of units to rows when a launch has ended
 *
 * A tally has a few units for each basic block of the function (calls placed inline), then the cells of the
 * groups.
 *
 * A group is the set of accesses in one basic block that use the same register under the same mask: `[%rd4]`,
 * `[%rd4+64]`, ... Where the lanes' offsets are known (base + k[lane] + r[lane] * scale), the cost of such an
 * access is a function of the mask, the scale and the base modulo 128 bytes. So the code keeps a histogram:
 * one cell for each combination. The costs are computed once, when the launch has ended:
 *
 *     x[threadIdx.x + c]: base modulo 128 / 4 is one of 32 phases; all lanes on:   cell[phase]++
 *
 * The cells for a full mask (and the first scale seen) are among the units; wg_jit_count_group looks up the
 * others. Addresses without a known pattern go to wg_jit_count.
 */
#ifndef WG_JIT_COUNT_H
#define WG_JIT_COUNT_H
#include "jit/code/count_cells.h"
#include "jit/emit/emit.h"

/* Adds to a unit of the tally. */
void wg_count_add(struct wg_emit *e, uint32_t unit, LLVMValueRef x);
/* At an instruction that may have a slow path (count_slow.c): its sources and result as they were lowered. */
void wg_count_slow(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef *src, LLVMValueRef result);
/* At the start of e->block, once its lane mask is known. */
void wg_count_block(struct wg_emit *e);
/* Counts `warps` warps that run `block` with a full mask and make no access there. */
void wg_count_idle(struct wg_emit *e, uint32_t block, LLVMValueRef warps);
/* At a place inside a basic block where code may be entered: ends the groups. */
void wg_count_segment(struct wg_emit *e);
/* At a branch found to diverge. */
void wg_count_parted(struct wg_emit *e);
/* The same, if the bit `parted` is set at run time. */
void wg_count_parted_if(struct wg_emit *e, LLVMValueRef parted);
/* At a memory instruction, before it executes. */
void wg_count_memory(struct wg_emit *e, const struct wg_ir_instr *in, struct wg_value *a, LLVMValueRef mask);
/* At a cp.async: the masks of lanes that write and of lanes that read, source and destination. */
void wg_count_copy(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef mask, LLVMValueRef reads,
                   struct wg_value *from, struct wg_value *to);
/* At a load or store of a fragment: the address of its tile, and its row stride in elements. */
void wg_count_tile(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef at, LLVMValueRef stride);
/* Emits the groups as data of the object, under this symbol. */
void wg_count_finish(struct wg_emit *e, const char *symbol);

#endif
