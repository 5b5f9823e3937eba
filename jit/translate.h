/* One version of one kernel: IR -> analysis -> LLVM IR -> passes -> objects. What is made knows nothing of
 * the process, and nothing here does: several threads may be at it. */
#ifndef WG_JIT_TRANSLATE_H
#define WG_JIT_TRANSLATE_H
#include "jit/cache.h"
#include "jit/machine_code.h"

#include <llvm-c/Error.h>

#define WG_COUNTS_SYMBOL "wgn_%s" /* the data of wg_count_finish */
#define WG_HALF_SYMBOL   "wgh_%s" /* code that was made in a thread of its own */
enum { WG_KEY_BYTES = 40 };       /* a letter for the version and 32 digits */

/* What is asked for. first: CONVERGED in the form that a kernel begins in: for whole blocks if it has that
 * one, else without the ways back from GENERAL, which many launches never take. */
struct wg_order {
    const struct wg_ir_module *m;
    uint32_t func;
    const struct wg_code_opts *o;
    const struct wg_target *t;
    enum wg_version v;
    bool first;
    char key[WG_KEY_BYTES];
};

/* The function is "wg_" and the key. False, with a diagnostic: it cannot be. */
bool wg_translate(const struct wg_order *w, struct wg_cache_meta *meta, struct wg_objects *out,
                  struct wg_diag *d);
/* False, which it returns: LLVM's error as a diagnostic. */
bool wg_complain(struct wg_diag *d, const char *what, LLVMErrorRef err);

#endif
