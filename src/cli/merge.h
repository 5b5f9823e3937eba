/* One report of many ranks', as `warpglass merge` and commands under mpirun show it. */
#ifndef WG_CLI_MERGE_H
#define WG_CLI_MERGE_H
#include "cli/options.h"
#include "report/merge.h"

/* A file that is made of all reports: one's own would be another's. */
bool wg_merge_is_file(enum wg_option o);
/* Prints it, and writes it to the files that options name. `sarifs`: the ranks' own SARIF files, or NULL. False after a message. */
bool wg_merge_print(const struct wg_cmdline *c, const struct wg_merge *m, const char *const *sarifs);
/* The same; the exit status. */
int wg_merge_show(const struct wg_cmdline *c, const struct wg_merge *m, const char *const *sarifs);
#endif
