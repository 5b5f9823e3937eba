/* How often warps executed slow paths (slow_paths.h) in machine code, once the rest is known.
 *
 *             FCHK P0, R0, R3 ;      100 times, of which 7 warps have a lane that needs it
 *         @!P0 BRA `(.L_x_1) ;
 *             MOV R4, 0x140 ;        7
 *             CALL.REL.NOINC `($__internal_0_$__cuda_sm3x_div_rn_noftz_f32_slowpath) ;
 *             MOV R9, R0 ;           7
 *     .L_x_1:                        100
 *             BSYNC B0 ;             100, and once more for each warp with lanes of both kinds
 *
 * Lanes whose first operand is 0 take a known way through the function, and others the one that is likely; where none is known,
 * each of a branch's ways is as likely.
 */
#ifndef WG_ANALYSIS_SASS_SLOW_H
#define WG_ANALYSIS_SASS_SLOW_H
#include "analysis/sass_counts.h"

/* Adds the calls and what stands beside them; what warps skip all of whose lanes are slow is taken off. */
void wg_sass_add_slow(const struct wg_sass_flow *w, const struct wg_sass_line *lines, uint32_t nlines,
                      double *times);
/* Of a block that is no slow path: false. Else adds the function that it calls, whose flow is `called`. */
bool wg_sass_add_slow_call(const struct wg_sass_flow *w, uint32_t block, const struct wg_sass_flow *called,
                           const struct wg_sass_line *lines, uint32_t nlines, double *times);
#endif
