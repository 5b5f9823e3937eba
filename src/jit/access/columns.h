/* Column accesses: jammed warps access neighbouring elements, with each lane in one of several rows. */
#ifndef WG_JIT_COLUMNS_H
#define WG_JIT_COLUMNS_H
#include "jit/emit/emit.h"

/* Emits the access at e->block and e->instr for all jammed warps. False: it is not a column access. */
bool wg_columns(struct wg_emit *e, const struct wg_ir_instr *in);
#endif
