/* Points-to analysis of variables: which variable an address is derived from, and so what an access through
 * it may touch.
 *
 *     mov.u32 %r1, tile;  add.s32 %r3, %r1, %r2;  ld.shared.f32 %f1, [%r3+4];      `tile`, whatever %r2 is
 *
 * A register may have several definitions (loops): then all of them must agree.
 */
#ifndef WG_CHECK_VARIABLE_H
#define WG_CHECK_VARIABLE_H
#include "ir/ir.h"

/* By register: a symbol's index, or WG_NO_REG where there is none or more than one. In the arena. */
uint32_t *wg_variables_find(struct wg_arena *a, const struct wg_ir_module *m, const struct wg_ir_func *f);
#endif
