/* Code for the value of a symbolic sum (scev/scev.h).
 *
 *     4096 + 4 tid.x + param(8)*ctaid.y        with ctaid.y + 2: what the block two rows on has
 *
 * The caller says what the thread's and the block's indices are, so that the same sum gives another lane's,
 * thread block's or iteration's value. Parameters and the fields of the block are loaded once.
 */
#ifndef WG_JIT_EMIT_EXPAND_H
#define WG_JIT_EMIT_EXPAND_H
#include "jit/emit/emit.h"

enum { WG_MOST_MADE = 16 };
struct wg_env {
    LLVMBuilderRef b;               /* where the code goes */
    uint32_t bits;                  /* the sum is computed modulo 2^bits: 32 or 64 */
    LLVMValueRef axis[WG_VAR_AXES]; /* i32: %tid and %ctaid; NULL: a sum that has it is not computed */
    /* A register's value where the code is, NULL: it has none there; the pointer may be NULL. */
    LLVMValueRef (*reg)(struct wg_emit *e, uint32_t reg);
    uint32_t used; /* out: a bit for each axis that the value depends on */
    /* Registers that are no sums (quotients, shifts, minima of sums) are rematerialized, once each. */
    uint32_t nmade;
    struct {
        uint32_t reg;
        LLVMValueRef x;
    } made[WG_MOST_MADE];
};
/* Indices of the thread block that runs. */
void wg_env_of_block(struct wg_emit *e, struct wg_env *env);
/* NULL: the sum has a variable whose value the environment lacks. */
LLVMValueRef wg_expand(struct wg_emit *e, struct wg_scev *s, const struct wg_sum *f, struct wg_env *env);
#endif
