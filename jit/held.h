/* Stores that are held back to the end of a phase which warps run side by side (analysis/straight.h): they
 * are made there if they lie apart from all that it has loaded, and before that nothing has happened yet. */
#ifndef WG_JIT_HELD_H
#define WG_JIT_HELD_H
#include "jit/emit.h"

struct wg_held *wg_new_held(struct wg_emit *e);
/* Where the phase holds back: whether the instruction is held, a store or a load of columns that only stores
 * want. Where it reads from is noted. */
bool wg_hold(struct wg_emit *e, const struct wg_ir_instr *in);
/* At the phase's end: all that was held. */
void wg_release(struct wg_emit *e);
#endif
