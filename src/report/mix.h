/* Expensive instructions of each line, counted in the module's PTX: double precision, conversions to and from it, and
 * integer divisions, which the assembler expands into many instructions. Only results that contain their PTX have them;
 * reports include the figures.
 *
 *     y = x * 0.1;        cvt.f64.f32, mul.f64, cvt.rn.f32.f64     -> 1 double, 2 conversions
 *     i = j % n;          rem.s32                                  -> 1 division
 */
#ifndef WG_REPORT_MIX_H
#define WG_REPORT_MIX_H
#include "report/profile.h"

/* Sets the mix of each of the kernel's lines. */
void wg_mix_lines(struct wg_profile_kernel *k);
#endif
