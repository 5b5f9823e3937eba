/* Constant folding of integer operations.
 *
 *     shr.u32 %r2, %r1, 1    of 128: 64
 *
 * Used where the values in a thread, or in an iteration of a loop, are followed through the code (known.c,
 * unroll.c).
 */
#ifndef WG_CFG_CONSTANT_H
#define WG_CFG_CONSTANT_H
#include "ir/ir.h"
/* The lower `bits` of x. */
static inline uint64_t wg_constant_cut(uint64_t x, uint32_t bits) {
    return bits >= 64 ? x : x & ((UINT64_C(1) << bits) - 1);
}
/* Integers of 32 and 64 bits and predicates. */
bool wg_constant_type(enum wg_type type);
/* The result of an unguarded instruction whose sources have these values. It is not truncated: the caller
 * cuts it to the register's width. False: not an operation on integers of 32 and 64 bits and predicates that
 * it can fold. */
bool wg_constant_of(const struct wg_ir_instr *in, const uint64_t source[3], uint64_t *x);
#endif
