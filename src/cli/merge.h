/* One report of many ranks', as `warpglass merge` and commands under mpirun show it. */
#ifndef WG_CLI_MERGE_H
#define WG_CLI_MERGE_H
#include "cli/options.h"
#include "report/merge.h"

/* The command line for the report of one rank or process, written as JSON and, where `c` asks for that, as SARIF. Its items are to be freed. */
struct wg_cmdline wg_merge_own(const struct wg_cmdline *c, const char *json, const char *sarif);
/* Prints it, and writes it to the files that options name. `sarifs`: the ranks' own SARIF files, or NULL. False after a message. */
bool wg_merge_print(const struct wg_cmdline *c, const struct wg_merge *m, const char *const *sarifs);
/* The same; the exit status. */
int wg_merge_show(const struct wg_cmdline *c, const struct wg_merge *m, const char *const *sarifs);
#endif
