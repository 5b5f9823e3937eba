/* The sides of a comparison, from the command line: each a report, a profiler's table, or a program with its own
 * options. */
#ifndef WG_CLI_SIDE_H
#define WG_CLI_SIDE_H
#include "cli/options.h"
#include "report/measured.h"
#include "report/source.h"

struct wg_side {
    const char *file, *options; /* options: for this side alone, NULL: none */
    const char *spelling;       /* of the option that gave them */
    struct wg_args words;       /* the same taken apart */
    struct wg_cmdline own;
    struct wg_measured measured;
    struct wg_sources sources; /* not of a profiler's */
};
struct wg_sides {
    WG_VEC(struct wg_side) all;
};

/* By the files, --before-opts, --after-opts and --variant. False after a message: then the command line is wrong. */
bool wg_sides_of(const struct wg_cmdline *c, struct wg_sides *s);
/* Reads or runs one. 0, or the status to end with after a message. */
int wg_side_measure(const struct wg_cmdline *c, struct wg_arena *arena, const struct wg_choice *choice,
                    struct wg_side *side);
void wg_sides_free(struct wg_sides *s);
#endif
