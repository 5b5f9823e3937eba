/* Columns: accesses of warps side by side to neighbouring elements, each lane in one of several rows. */
#ifndef WG_JIT_COLUMNS_H
#define WG_JIT_COLUMNS_H
#include "analysis/jam.h"
#include "jit/emit.h"

/* Accesses of one kind that may be made as one: of all warps side by side, in the same number of rows. */
struct wg_columns {
    const struct wg_ir_instr *in[WG_JAM_MOST];
    uint32_t n, rows;
    struct wg_value first[WG_JAM_MOST];        /* [access] the first warp's AFFINE address */
    LLVMValueRef x[WG_JAM_MOST * WG_JAM_MOST]; /* [access * warps + warp] what is stored: 32 elements each */
};

/* Whether the one at e->block and e->instr is such, too, and no more than one access can do. */
bool wg_columns_go_on(const struct wg_emit *e, const struct wg_columns *c, const struct wg_ir_instr *in);
/* Adds it; each warp begins again where it finds its elements elsewhere than behind those of the one before.
 */
void wg_columns_add(struct wg_emit *e, struct wg_columns *c, const struct wg_ir_instr *in);
/* All of them: as one where their rows go on from one to the next. */
void wg_columns_emit(struct wg_emit *e, struct wg_columns *c);
#endif
