/* Static analysis for the barrier check: which branches skip barriers, and how two barriers relate to each
 * other.
 *
 *     @%p1 bra $DONE        ->   @%p1 check.event leave
 *                                @%p1 bra $DONE             lanes that go there come to no barrier any more
 *
 *     bar.warp.sync %r1     ->   bar.warp.sync %r1
 *                                check.event warp_sync %r1  for the lanes that have met
 */
#ifndef WG_CHECK_BARRIER_H
#define WG_CHECK_BARRIER_H
#include "check/instrument/pass.h"

/* Whether the instruction with number `b` can be reached from that with number `a` without going back in a
 * loop; both in `f`. False where one of them is not in `f`. */
bool wg_barrier_follows(const struct wg_ir_func *f, uint32_t a, uint32_t b);
/* Whether the branch with number `branch`, one of whose ways leads to no barrier, is in a loop around the barrier with
 * number `barrier`: the threads that took that way have left the loop. */
bool wg_barrier_loop_was_left(const struct wg_ir_func *f, uint32_t barrier, uint32_t branch);
/* passed_by.c: whether the threads that took that way did something after it, other than to return: the barrier was not on
 * their way, and they have not left early. */
bool wg_barrier_was_passed_by(const struct wg_ir_func *f, uint32_t barrier, uint32_t branch);
/* The block of the instruction with this number; WG_NO_REG: none in `f`. */
uint32_t wg_barrier_block(const struct wg_ir_func *f, uint32_t id);
/* The block that ends in the conditional branch with this number; WG_NO_REG: none in `f`. */
uint32_t wg_barrier_branch(const struct wg_ir_func *f, uint32_t id);
/* bar and barrier, which have a number and perhaps a count. */
bool wg_barrier_is_counted(const struct wg_ir_instr *in);
/* Where a warp's lanes must be together: bar.sync and what else is .aligned. */
bool wg_barrier_is_aligned(const struct wg_ir_instr *in);
/* passed_by.c: whether every lane that ends without reaching the convergence point at the beginning of block
 * `at` has done something past it. Such a lane was there to be waited for. False where a path to an end has
 * no side effects, as after `if (i >= n) return;`, and in functions that are no kernels. */
bool wg_meeting_is_passed_by(const struct wg_ir_func *f, uint32_t at);

extern const struct wg_instrument_pass wg_barrier_pass;
#endif
