/* What of a block's accesses was issued, when, and for which warp: the log of the code that has been emitted,
 * and the proof that it keeps what analysis/memory.h demands. See issue.c. */
#ifndef WG_JIT_ISSUE_H
#define WG_JIT_ISSUE_H
#include "jit/emit/emit.h"

/* Code of all instructions of e->block follows, for warps side by side if there are some. */
void wg_issues_begin(struct wg_emit *e);
/* It has been emitted, up to what ends the block: proves it. A broken rule is an assertion; in release the
 * kernel is given up with a diagnostic, and e->broken is set: it is to be made again without forms. */
void wg_issues_end(struct wg_emit *e);
/* What is wrong with the log: of two instructions of the block, or of one. */
struct wg_broken {
    const char *what;
    uint32_t a, b;
};
/* Whether the block's first n instructions were issued as they must be. */
bool wg_issues_hold(const struct wg_emit *e, uint32_t n, struct wg_broken *b);
/* Another promise does not hold: at the instruction at hand. */
void wg_break_promise(struct wg_emit *e, const char *what);
/* Accesses of the block are issued together, now; of the warp at hand. */
void wg_issue(struct wg_emit *e, const uint32_t *instr, uint32_t n);
/* The access at e->instr is not issued where it stands: it was, or will be, with others. */
void wg_issue_elsewhere(struct wg_emit *e);
/* The instruction at e->instr has been emitted: it is issued, unless elsewhere. */
void wg_issue_here(struct wg_emit *e);
void wg_issues_free(struct wg_emit *e);
#endif
