/* A kernel with the functions that it calls put in place of the calls, so that what follows sees one
 * function.
 *
 *     call (%r3), helper, (%r1);      -> the blocks of helper, its registers renumbered, its parameters moved
 *
 * Parameters and results go through registers where every access names a constant place that an argument
 * fills exactly, else through the kernel's local frame. An indirect call becomes a chain of comparisons with
 * the addresses of the functions whose address the module takes. Functions that call each other in a ring are
 * put in place once: recursion.c.
 */
#ifndef WG_ANALYSIS_INLINE_H
#define WG_ANALYSIS_INLINE_H
#include "ir/ir.h"

struct wg_inlined {
    struct wg_arena arena;
    const struct wg_ir_module *module; /* the one given, or a copy with a symbol for the call frames */
    const struct wg_ir_func *func;     /* NULL: a diagnostic says why */
};
struct wg_inlined wg_inline_calls(const struct wg_ir_module *m, uint32_t func, struct wg_diag *d);
void wg_inlined_free(struct wg_inlined *i);
/* False when the kernel would grow beyond all reason: the reference runs it. *recursive: calls may come back.
 */
bool wg_inline_possible(const struct wg_ir_module *m, uint32_t func, bool *recursive);
#endif
