/* Columns: accesses of warps side by side to neighbouring words, each lane in a row of its own. */
#ifndef WG_JIT_COLUMNS_H
#define WG_JIT_COLUMNS_H
#include "jit/emit.h"

/* Words of n warps (4, 8 or 16): lane l of warp k has the one at first + k words, `first` being the first
 * warp's AFFINE address. x[k]: <32 x i32>. */
void wg_columns_load(struct wg_emit *e, const struct wg_value *first, uint32_t n, LLVMValueRef *x);
void wg_columns_store(struct wg_emit *e, const struct wg_value *first, uint32_t n, const LLVMValueRef *x);
#endif
