/* Joining the rows of small blocks (form bands): blocks whose rows are shorter than a warp run beside their
 * neighbours in blocks of our own, whose rows are whole warps.
 *
 *     sobel<<<dim3(128, 64), dim3(16, 16)>>>      runs in 64 x 64 blocks of 32 x 16 threads
 *
 * A warp of 16 x 2 threads has half of one row and half of the next: two short accesses where one would do,
 * and an index of the row that its lanes do not share.
 */
#ifndef WG_ANALYSIS_JOINED_ROWS_H
#define WG_ANALYSIS_JOINED_ROWS_H
#include "ir/ir.h"

/* Whether joining rows of so many threads, a power of two below 32, is profitable, and the kernel cannot tell. */
bool wg_rows_join(const struct wg_ir_func *f, uint32_t threads);
#endif
