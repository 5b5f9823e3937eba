/* How a program of a suite ended: one small JSON file for each, which lasts from one start of a run to the next, and gives
 * the next run its times. */
#ifndef WG_SUITE_RESULT_H
#define WG_SUITE_RESULT_H
#include "suite/folder.h"

struct wg_suite_result {
    const char *command;
    int status;            /* negative: not run again, because its rank ended each time that it ran */
    double seconds, begun; /* begun: since 1970 */
    uint32_t rank;
    const char *host;
    uint32_t interrupted; /* how often it was begun before without an end */
    const char *by;       /* who began it last without an end, or NULL */
};

bool wg_suite_write_result(const struct wg_suite_run *run, const struct wg_suite_program *p,
                           const struct wg_suite_result *r, struct wg_strbuf *why);
/* NULL: it has not ended, or it was another command; with a message in `why` when the file is none of ours. */
struct wg_suite_result *wg_suite_read_result(struct wg_arena *a, const char *folder,
                                             const struct wg_suite_program *p, struct wg_strbuf *why);
/* The times of the last run's programs. */
void wg_suite_last_times(struct wg_arena *a, const struct wg_suite_run *run, struct wg_suite *s);
#endif
