/* What a command is to report of: a program that is run and counted, or a report of before. */
#ifndef WG_CLI_OBTAIN_H
#define WG_CLI_OBTAIN_H
#include "cli/options.h"
#include "report/profile.h"
#include "report/summary.h"

/* By the name's end: report.json is a report, everything else is run. */
bool wg_obtain_is_report(const char *file);
/* Of a program: it runs with what stands behind "--", and *status is its own. NULL after a message, with
 * *status what the command should end with. */
struct wg_profile *wg_obtain(struct wg_arena *arena, const struct wg_cmdline *c, const char *file,
                             int *status);
/* --kernel and --launches. False after a message. */
bool wg_obtain_choice(const struct wg_cmdline *c, struct wg_choice *choice);
#endif
