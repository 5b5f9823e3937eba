/* Columns: accesses of warps side by side to neighbouring elements, each lane in one of several rows. */
#ifndef WG_JIT_COLUMNS_H
#define WG_JIT_COLUMNS_H
#include "jit/emit/emit.h"

/* Makes the access at e->block and e->instr for all warps side by side. False: it is no such one. */
bool wg_columns(struct wg_emit *e, const struct wg_ir_instr *in);
#endif
