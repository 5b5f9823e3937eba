/* Uniform control flow: what all threads of a block of threads run, equally often and in the same order.
 *
 *     for (i = 0; i < n; i++) {          uniform: n is a parameter, i counts in uniform blocks
 *         if (threadIdx.x <= i) ...;     not uniform up to where the two ways join again
 *         __syncthreads();               uniform
 *     }
 *
 * Registers are uniform that are functions of parameters, constants and the block's index and are written in
 * uniform blocks only: then each thread has the same numbers in them when it comes to the same place.
 */
#ifndef WG_CHECK_UNIFORM_H
#define WG_CHECK_UNIFORM_H
#include "cfg/bits.h"
#include "ir/ir.h"

/* The function's uniform basic blocks; NULL: from some block the end cannot be reached. In the arena. */
wg_bits wg_uniform_find(struct wg_arena *a, const struct wg_ir_func *f);
#endif
