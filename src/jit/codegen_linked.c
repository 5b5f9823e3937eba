/* For programs that have the code generator in them: see codegen.h. */
#include "jit/code/codegen.h"

const struct wg_codegen *wg_codegen(struct wg_diag *d) {
    (void)d;
    return &wg_codegen_table;
}
