/* Uninitialised-value detection with bit-precise shadows: which bits of a register or of memory were ever
 * written, computed by ordinary IR beside the program's.
 *
 * Each register that may hold something nobody wrote has a shadow register of its width, each byte of memory
 * a shadow byte at a fixed distance (wg_code_opts.shadow_distance). 1 bits are defined: so fresh memory from
 * the host, and registers before their first write, are undefined without any work. Registers that can only
 * hold written values have no shadow, and cost nothing.
 *
 *     ld.global.u32 %r1, [%rd1]        check.ld.b32 %s1, [%rd1]
 *     and.b32 %r2, %r1, 255            or.b32 %s2, %s1, 0xffffff00
 *     add.s32 %r3, %r2, %r4            and.b32 %t, %s2, %s4;  left of the lowest 0, all is 0:
 *                                      add.s32 %u, %t, 1;  not.b32 %v, %u;  and.b32 %s3, %t, %v
 *     setp.lt.s32 %p1, %r3, 0          (only the sign decides)  setp.lt.s32 %sp1, %s3, 0
 *     st.shared.u32 [%r5], %r3         check.st.b32 [%r5], %s3
 *     @%p1 bra                         check.defined %sp1
 *
 * The rules are those of Memcheck (Seward, Nethercote: Using Valgrind to detect undefined value errors with
 * bit-precision, 2005), except for floating point, where the result's shadow is the AND of all operands'
 * shadows. After a value was checked it counts as defined, and so do the registers that a predicate was
 * computed from: each fault is reported once.
 */
#ifndef WG_CHECK_SHADOW_H
#define WG_CHECK_SHADOW_H
#include "check/instrument/pass.h"

/* Runs after wg_access_pass: what that refuses has no shadow. */
extern const struct wg_instrument_pass wg_shadow_pass;
#endif
