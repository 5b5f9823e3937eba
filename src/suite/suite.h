/* A suite file: programs, one on each line, with the command that runs each as a user would type it.
 *
 *     # NAME: COMMAND                      # begins a comment; \ at the end of a line continues it
 *     saxpy: profile --budget saxpy.budget saxpy.cu -- 1000
 *     race (status 3): check race.cu
 *
 * Names are unique; they also name the files that a run leaves (folder.h).
 */
#ifndef WG_SUITE_SUITE_H
#define WG_SUITE_SUITE_H
#include "base/arena.h"
#include "base/strbuf.h"
#include <stdbool.h>

struct wg_suite_program {
    const char *name, *command; /* the command without "warpglass" */
    uint32_t line;
    int status;  /* the exit status expected */
    double last; /* seconds that it took in the last run; negative: not known */
};
struct wg_suite {
    const char *path;
    struct wg_suite_program *v;
    uint32_t n;
};

/* False with a message in `why`, with the file and line. */
bool wg_suite_read(struct wg_arena *a, const char *path, struct wg_suite *out, struct wg_strbuf *why);
/* The programs in the order in which they are begun: those of unknown time first, then the longest. */
struct wg_suite_program **wg_suite_order(struct wg_arena *a, const struct wg_suite *s);
#endif
