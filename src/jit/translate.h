/* Compiles one version of one kernel: IR -> analysis -> LLVM IR -> passes -> objects. Neither the result
 * nor the code here depends on the process: several threads may compile at once. */
#ifndef WG_JIT_TRANSLATE_H
#define WG_JIT_TRANSLATE_H
#include "jit/code/codegen.h"

/* See struct wg_codegen. */
bool wg_translate(const struct wg_order *w, struct wg_cache_meta *meta, struct wg_strbuf *objects,
                  struct wg_diag *d);

#endif
