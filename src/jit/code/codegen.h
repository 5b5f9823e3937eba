/* The interface of the code generator: the part of jit/ that needs LLVM, a library of its own,
 * libwarpglass-codegen.so beside libcuda.so.1. Loading LLVM takes five times as long as everything else that
 * a small program does, so it is loaded lazily, for the first kernel that has to be compiled: a program whose
 * code is cached does not need it.
 *
 *     codegen.c          the library's only exported symbol: this table
 *     codegen_end.c      keeps its state alive until the process exits
 *     codegen_load.c     finds and loads it, in libcuda.so.1
 *     codegen_linked.c   for test programs, which link it statically
 *
 * It takes an order and returns bytes: it has no state of the process, nor the functions that generated code
 * calls (helpers.h). Pure code (base/, ir/, analysis/) is in both libraries.
 */
#ifndef WG_JIT_CODEGEN_H
#define WG_JIT_CODEGEN_H
#include "analysis/analysis.h"
#include "base/diag.h"
#include "base/progress.h"
#include "jit/code/cache.h"
#include "jit/code/target.h"

#define WG_COUNTS_SYMBOL "wgn_%s" /* the data of wg_count_finish */
#define WG_SPLIT_SYMBOL  "wgh_%s" /* the part that another thread compiled (llvm/split_function.h) */

/* A request to compile. first: CONVERGED in the form that a kernel begins in: for whole blocks if it has that
 * form, else without the re-entries from GENERAL, which many launches never take. */
struct wg_order {
    const struct wg_ir_module *m;
    uint32_t func;
    const struct wg_code_opts *o;
    const struct wg_target *t;
    enum wg_version v;
    bool first;
    bool brief;          /* GENERAL, temporary: small code without exits back to CONVERGED */
    bool if_needed;      /* nothing is compiled where lanes never diverge */
    enum wg_tiers tiers; /* which code is compiled quickly: meta says whether this was */
    bool optimised;      /* whatever its size: its quick code needs too much stack */
    char key[WG_KEY_BYTES];
    struct wg_progress *progress; /* notified of each step */
};
enum wg_step { WG_STEP_ANALYSING, WG_STEP_EMITTING, WG_STEP_OPTIMISING, WG_STEP_MACHINE_CODE, WG_STEPS };

struct wg_codegen {
    const char *build; /* WG_JIT_BUILD: what is declared here and in warp/ and ir/ is another build's, else */
    /* Appends the objects' bytes: one, or two of which meta says the second's length. The function is "wg_"
     * and the key. False, with a diagnostic: it cannot be. Several threads may be at it. */
    bool (*translate)(const struct wg_order *w, struct wg_cache_meta *meta, struct wg_strbuf *objects,
                      struct wg_diag *d);
    bool (*host_drops_result)(uint64_t at, uint64_t end); /* host_code.h */
};

/* Loaded if it is not yet. NULL, with a diagnostic: it cannot be. */
const struct wg_codegen *wg_codegen(struct wg_diag *d);

extern const struct wg_codegen wg_codegen_table;

#endif
