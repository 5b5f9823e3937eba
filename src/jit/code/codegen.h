/* The code generator: what of jit/ needs LLVM, as a library of its own, libwarpglass-codegen.so beside
 * libcuda.so.1. Loading LLVM takes five times as long as all else that a small program does, so it is
 * loaded for the first kernel that has to be translated: a program whose code is kept does without.
 *
 *     codegen.c          the library's one name: this table
 *     codegen_end.c      what is in it lives as long as the process does
 *     codegen_load.c     finds and loads it, in libcuda.so.1
 *     codegen_linked.c   for tests' programs, which have it in themselves
 *
 * It gets an order and hands back bytes: nothing of the process is in it, and what generated code calls
 * (helpers.h) is not either. Pure code (base/, ir/, analysis/) is in both libraries.
 */
#ifndef WG_JIT_CODEGEN_H
#define WG_JIT_CODEGEN_H
#include "analysis/analysis.h"
#include "base/diag.h"
#include "base/progress.h"
#include "jit/code/cache.h"
#include "jit/code/target.h"

#define WG_COUNTS_SYMBOL "wgn_%s" /* the data of wg_count_finish */
#define WG_HALF_SYMBOL   "wgh_%s" /* code that was made in a thread of its own */

/* What is asked for. first: CONVERGED in the form that a kernel begins in: for whole blocks if it has that
 * one, else without the ways back from GENERAL, which many launches never take. */
struct wg_order {
    const struct wg_ir_module *m;
    uint32_t func;
    const struct wg_code_opts *o;
    const struct wg_target *t;
    enum wg_version v;
    bool first;
    bool brief;          /* GENERAL, for a time: little code, and no way back to CONVERGED */
    bool if_needed;      /* nothing is made where lanes never part */
    enum wg_tiers tiers; /* which code is made quickly: meta says whether this was */
    bool optimised;      /* whatever its size: its quick code wants too much stack */
    char key[WG_KEY_BYTES];
    struct wg_progress *progress; /* told of each step */
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
