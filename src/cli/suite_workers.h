/* Workers of `warpglass suite`: processes that take one program after the other, each of which runs as a command of its own,
 * until none is left (suite/folder.h). */
#ifndef WG_CLI_SUITE_WORKERS_H
#define WG_CLI_SUITE_WORKERS_H
#include "suite/result.h"

struct wg_suite_work {
    const struct wg_suite *suite;
    const struct wg_suite_run *run;
    struct wg_suite_program **order;
    const char *folder;  /* in which commands run */
    const char *timeout; /* --timeout for those without one of their own, or NULL */
    uint32_t jobs;       /* programs at a time */
    uint32_t threads;    /* for the kernels of each */
};
/* Also sees to it, in rank 0, that programs of ranks that ended in the middle run. False when some worker failed, after
 * messages. `signal`: the one that asked for an end, or 0. */
bool wg_suite_run_all(const struct wg_suite_work *w, int *signal);
#endif
