/* One version of one kernel: IR -> analysis -> LLVM IR -> passes -> objects. What is made knows nothing of
 * the process, and nothing here does: several threads may be at it. */
#ifndef WG_JIT_TRANSLATE_H
#define WG_JIT_TRANSLATE_H
#include "jit/code/codegen.h"

/* struct wg_codegen says what it does. */
bool wg_translate(const struct wg_order *w, struct wg_cache_meta *meta, struct wg_strbuf *objects,
                  struct wg_diag *d);

#endif
