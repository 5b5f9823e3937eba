/* The code generator for programs that link it statically: see codegen.h. */
#include "jit/code/codegen.h"

const struct wg_codegen *wg_codegen(struct wg_diag *d) {
    (void)d;
    return &wg_codegen_table;
}
