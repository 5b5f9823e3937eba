/* Entering functions, and operands as compile.c resolves them. */
#ifndef WG_REF_CALL_H
#define WG_REF_CALL_H
#include "ref/lane.h"

/* Lane l enters f through the CALL i: false after a fault (local memory used up). */
bool wg_ref_enter(struct ref_lane *l, const struct ref_ins *i, const struct ref_func *f);
struct ref_opd wg_ref_operand(const struct ref_func *f, const struct wg_ir_module *m,
                              const struct wg_ir_opd *o);
#endif
