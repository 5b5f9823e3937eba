/* Operand resolution: the slot of a register, an immediate, or the base of a symbol's address; and everything
 * that follows from an instruction's type. */
#ifndef WG_REF_OPERAND_H
#define WG_REF_OPERAND_H
#include "ref/lane.h"

struct ref_opd wg_ref_operand(const struct ref_func *f, const struct wg_ir_module *m,
                              const struct wg_ir_opd *o);
void wg_ref_set_type(struct ref_ins *i, uint8_t type);
#endif
