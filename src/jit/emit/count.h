/* Counting in generated code.
 *
 *     count.c         what is emitted: units that the code adds to, calls for the rest
 *     count_cells.c   what those calls do, and how units become rows when a launch has ended
 *
 * Units of a tally: a few for each block of the function (calls put in place), then the cells of the groups.
 *
 * A group is the accesses of one block through one register under one mask: `[%rd4]`, `[%rd4+64]`, ... Where
 * the lanes' offsets are known (base + k[lane] + r[lane] * scale) what such an access costs is a function of
 * the mask, the scale and the base modulo 128 bytes. So the code counts how often each of those happened, in
 * a cell each, and the costs are worked out once, when the launch has ended:
 *
 *     x[threadIdx.x + c]: base modulo 128 / 4 is one of 32 phases; all lanes on:   cell[phase]++
 *
 * Cells for all lanes on (and the first scale met) lie in the units; others are found by wg_jit_count_group.
 * Addresses that vary freely are handed to wg_jit_count.
 */
#ifndef WG_JIT_COUNT_H
#define WG_JIT_COUNT_H
#include "jit/code/count_cells.h"
#include "jit/emit/emit.h"

/* At the start of e->block, when its lanes are known. */
void wg_count_block(struct wg_emit *e);
/* So many warps that run `block` with all lanes on, and make no access there. */
void wg_count_idle(struct wg_emit *e, uint32_t block, LLVMValueRef warps);
/* Where code may be entered in the middle of a block: groups end. */
void wg_count_segment(struct wg_emit *e);
/* Where a branch has found that its lanes part. */
void wg_count_parted(struct wg_emit *e);
/* The same where only a bit that is not constant says so. */
void wg_count_parted_if(struct wg_emit *e, LLVMValueRef parted);
/* At a memory instruction, before it happens. */
void wg_count_memory(struct wg_emit *e, const struct wg_ir_instr *in, struct wg_value *a, LLVMValueRef mask);
/* At a cp.async: the lanes that write and those that read, where from and where to. */
void wg_count_copy(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef mask, LLVMValueRef reads,
                   struct wg_value *from, struct wg_value *to);
/* At a load or store of a fragment: where its tile begins, elements from row to row. */
void wg_count_tile(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef at, LLVMValueRef stride);
/* The groups, as data of the object: a symbol of this name. */
void wg_count_finish(struct wg_emit *e, const char *symbol);

#endif
