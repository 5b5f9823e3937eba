/* Columns: accesses of warps side by side to neighbouring elements, each lane in one of several rows. */
#ifndef WG_JIT_COLUMNS_H
#define WG_JIT_COLUMNS_H
#include "jit/emit.h"

/* Elements of n warps in 32, 16 or 8 rows: `first` is the first warp's AFFINE address. Lanes l and l + rows
 * are an element apart, and so are the last lane of a row and the first of the next warp; no more than 16 a
 * row. x[k]: 32 elements. `in`: the access. */
void wg_columns_load(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *first,
                     uint32_t rows, uint32_t n, LLVMValueRef *x);
void wg_columns_store(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *first,
                      uint32_t rows, uint32_t n, const LLVMValueRef *x);
#endif
