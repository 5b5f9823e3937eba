/* Slow paths: the assembler makes of a rounded division, root or reciprocal a few instructions that are right for most
 * operands, and a call of a function of its own for the rest, which a warp makes for all lanes that need it.
 *
 *     div.rn.f32 %f3, %f1, %f2;      FCHK P0, R1, R2 ... @!P0 BRA; CALL     34 instructions more for a numerator of 0
 *
 * Counted where the machine code is known, of each such instruction: how many warps (and lanes) took the slow path; of them
 * those with a lane whose first operand is 0, with one that makes a subnormal number of normal ones, or with .ftz 0 of them, and,
 * of divisions of f32 without .ftz, with one that divides a subnormal number or by one, and has a normal or a subnormal result, for
 * all of which the function has ways of their own; and those in which all active lanes took it, which skip what the others
 * would have executed. What the assembler tests is the same on all chips that
 * have such code: it was read in that, and FCHK's answer measured on an H200.
 */
#ifndef WG_ANALYSIS_SLOW_PATHS_H
#define WG_ANALYSIS_SLOW_PATHS_H
#include "ir/ir.h"

enum wg_slow_path {
    WG_SLOW_ANY,
    WG_SLOW_ZERO,
    WG_SLOW_SMALL,
    WG_SLOW_SCALED, /* a subnormal operand, and a normal result */
    WG_SLOW_TINY,   /* a subnormal operand, and a subnormal result */
    WG_SLOW_ALL,
    WG_SLOW_PATHS
};

bool wg_has_slow_path(const struct wg_ir_instr *in);
/* What a site of the class slow_path is about, as its op. */
const char *wg_slow_path_name(enum wg_slow_path which);

/* What the tests compare: bits of a float, or of the higher half of a double. Fast is: */
enum {
    WG_SLOW_SQRT_F32_LEAST = 0x0d000000, /* from here on, as far as this */
    WG_SLOW_SQRT_F32_SPAN = 0x727fffff,
    WG_SLOW_SQRT_F64_LEAST = 0x03500000,
    WG_SLOW_SQRT_F64_SPAN = 0x7c9fffff,
    WG_SLOW_RCP_F32_ADDED = 0x01800000, /* the exponent after this was added, more than so much */
    WG_SLOW_RCP_F32_MOST = 0x01ffffff,
    WG_SLOW_RCP_F64_ADDED = 0x00300402, /* after this was added, and without the sign, this or more */
    WG_SLOW_RCP_F64_LEAST = 0x00400402,
    WG_SLOW_DIV_F64_NUMERATOR =
        0x03600000, /* the numerator, this or more; the quotient, more than that of the least */
    WG_SLOW_DIV_F64_QUOTIENT =
        0x00100000, /* normal number, and no more than infinity; the denominator, less than it */
    WG_SLOW_INFINITY_F32 = 0x7f800000,
    WG_SLOW_EXPONENT_F64_AT = 20,
    WG_SLOW_EXPONENT_F64_MOST = 0x7ff,
    WG_SLOW_EXPONENT_AT = 23, /* FCHK: exponents of a and b in a / b, and the first less the second */
    WG_SLOW_FCHK_A_LEAST = 25,
    WG_SLOW_FCHK_A_MOST = 254,
    WG_SLOW_FCHK_B_LEAST = 2,
    WG_SLOW_FCHK_B_MOST = 251,
    WG_SLOW_FCHK_LEAST = -124,
    WG_SLOW_FCHK_MOST = 126,
};
#endif
