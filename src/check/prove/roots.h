/* Points-to analysis of kernel parameters: from which parameters an address may be derived, and so what
 * memory a store through it reaches.
 *
 *     ld.param.u64 %rd1, [out];
 *     add.s64 %rd3, %rd1, %rd2;
 *     st.global.f32 [%rd3], %f1;      `out`, and what %rd2 was made from
 *
 * A value that is multiplied, shifted, or narrower than an address is no longer one.
 */
#ifndef WG_CHECK_ROOTS_H
#define WG_CHECK_ROOTS_H
#include "ir/ir.h"

/* A bit for each 8 bytes of parameters; and: */
enum { WG_ROOT_PARAMS = 61 };               /* so many of the first */
#define WG_ROOT_OWN     (UINT64_C(1) << 61) /* local memory, and shared memory of the block or of its cluster */
#define WG_ROOT_MODULE  (UINT64_C(1) << 62) /* variables of the module */
#define WG_ROOT_UNKNOWN (UINT64_C(1) << 63)

/* By register. In the arena. */
uint64_t *wg_roots_find(struct wg_arena *a, const struct wg_ir_module *m, const struct wg_ir_func *f);
/* Of an operand, given those of the registers. */
uint64_t wg_roots_of(const struct wg_ir_module *m, const uint64_t *roots, const struct wg_ir_opd *o);
#endif
