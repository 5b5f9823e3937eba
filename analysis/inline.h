/* A kernel with the functions that it calls put in place of the calls, so that what follows sees one function.
 *
 *     call (%r3), helper, (%r1);      ->   the blocks of helper, its registers renumbered, its parameters moved
 *
 * Indirect calls become a chain of comparisons with the addresses of the functions whose address the module takes.
 * Recursion has no such form: wg_inline_calls says so with its line.
 */
#ifndef WG_ANALYSIS_INLINE_H
#define WG_ANALYSIS_INLINE_H
#include "ir/ir.h"

struct wg_inlined {
    struct wg_arena arena;
    const struct wg_ir_func *func; /* NULL: a diagnostic says why */
};
struct wg_inlined wg_inline_calls(const struct wg_ir_module *m, uint32_t func, struct wg_diag *d);
void wg_inlined_free(struct wg_inlined *i);
#endif
