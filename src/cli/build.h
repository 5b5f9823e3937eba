/* What `warpglass cc` and `warpglass nvcc` do with a command line: plan, compile, and what nvcc's -dryrun, -clean, -time and -run
 * ask for around that. */
#ifndef WG_CLI_BUILD_H
#define WG_CLI_BUILD_H
#include "cli/job.h"

/* `settings`: called when the job is planned as far as it can be, if commands are shown; may be NULL. An exit status; the job is
 * freed. */
int wg_build(struct wg_job *job, const struct wg_cmdline *c, void (*settings)(const struct wg_job *));
#endif
