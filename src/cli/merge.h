/* One report of many ranks', as `warpglass merge` and commands under mpirun show it. */
#ifndef WG_CLI_MERGE_H
#define WG_CLI_MERGE_H
#include "cli/options.h"
#include "report/merge.h"

/* Prints it, and writes it to the files that options name. `sarifs`: the ranks' own SARIF files, or NULL. The exit status. */
int wg_merge_show(const struct wg_cmdline *c, const struct wg_merge *m, const char *const *sarifs);
#endif
