/* Lanes that walk along rows of their own: whole lines of the rows are transposed and kept (row_lines.c). */
#ifndef WG_JIT_ROW_LINES_H
#define WG_JIT_ROW_LINES_H
#include "jit/emit/emit.h"

/* At the start of e->block, and where all lanes go back to the header of a loop that e->block is in. */
void wg_row_lines_begin(struct wg_emit *e);
void wg_row_lines_repeat(struct wg_emit *e, uint32_t to);
/* For rows whose lines compete for few sets of the first-level cache, so that pieces of them would come from the second level
 * one by one: where all lanes load `bytes` bytes each from, `low` bytes from their addresses by in's register, in place of
 * `a`: copies of the rows' lines. false, and nothing emitted: from where they are. */
bool wg_row_lines_near(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *a, int64_t low,
                       uint32_t bytes, LLVMValueRef mask, struct wg_value *near);
/* The members of structures whose distance only the run shows, `a` the address of one at register + `at`, from lines or, where
 * these do not compete, from where they are; false, and nothing emitted: no lines are kept for them. */
struct wg_structure;
bool wg_row_lines_structure(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *a,
                            int64_t at, LLVMValueRef mask, struct wg_structure *of);
/* The elements of a load; false, and nothing emitted: no lines are kept for it. */
bool wg_row_lines_load(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *a,
                       LLVMValueRef mask, LLVMValueRef *x);
/* Before a store: lines that it may write are kept no longer. */
void wg_row_lines_store(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *a);
/* Whether lines are kept in e->block: then stores stay where they are. */
bool wg_row_lines_kept(const struct wg_emit *e);
#endif
