/* `warpglass check --schedules N`: the program once more in N other orders of blocks, warps and lanes (machine/schedule.h), and
 * what it prints held against what it prints in order. An order that changes that is a finding, order-dependent, with the
 * first launch that differs (machine/verify/verify_order.c). */
#ifndef WG_CLI_SCHEDULES_H
#define WG_CLI_SCHEDULES_H
#include "cli/options.h"
#include "report/findings.h"

/* The value of --schedules; 0: it was not given. False after a message. */
bool wg_schedules_read(const struct wg_cmdline *c, uint32_t *n);
/* What standard input is at, before the program first runs. */
void wg_schedules_begin(void);
/* `file` and `first` as wg_obtain_result has them. Adds to what was found. */
void wg_schedules_try(const struct wg_cmdline *c, const char *file, const struct wg_item *first, uint32_t n,
                      struct wg_findings_file *into);
#endif
