/* The issue log of a basic block: which accesses the emitted code issued, in what order and for which
 * warp; and the proof that this order satisfies analysis/memory.h. See issue.c. */
#ifndef WG_JIT_ISSUE_H
#define WG_JIT_ISSUE_H
#include "jit/emit/emit.h"

/* Starts the log: code for all instructions of e->block follows, for the jammed warps if there are some. */
void wg_issues_begin(struct wg_emit *e);
/* Ends the log before the block's terminator and proves its order. A violation is an assertion; in release
 * builds the kernel is abandoned with a diagnostic and e->broken is set: it must be compiled again without
 * forms. */
void wg_issues_end(struct wg_emit *e);
/* A violation in the log: of two instructions of the block, or of one. */
struct wg_broken {
    const char *what;
    uint32_t a, b;
};
/* Whether the block's first n instructions were issued in a valid order. */
bool wg_issues_hold(const struct wg_emit *e, uint32_t n, struct wg_broken *b);
/* Reports another violated invariant, at the current instruction. */
void wg_break_promise(struct wg_emit *e, const char *what);
/* Accesses of the block are issued together, now, for the current warp. */
void wg_issue(struct wg_emit *e, const uint32_t *instr, uint32_t n);
/* The access at e->instr is not issued at its own position: it is issued with others, before or after. */
void wg_issue_elsewhere(struct wg_emit *e);
/* The instruction at e->instr has been emitted: it counts as issued, unless it is issued elsewhere. */
void wg_issue_here(struct wg_emit *e);
void wg_issues_free(struct wg_emit *e);
#endif
