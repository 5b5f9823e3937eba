/* Inlining of all calls into a kernel, so that later passes see one function.
 *
 *     call (%r3), helper, (%r1);      -> the blocks of helper, its registers renumbered, its parameters moved
 *
 * Parameters and results go through registers where every access names a constant place that an argument
 * fills exactly, else through the kernel's local frame. An indirect call becomes a chain of comparisons with
 * the addresses of the functions whose address the module takes. Recursive functions (cycles of the call
 * graph) are inlined once: recursion.c.
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
/* False when the kernel would grow too large: the reference runs it. *recursive: there are recursive calls.
 */
bool wg_inline_possible(const struct wg_ir_module *m, uint32_t func, bool *recursive);
#endif
