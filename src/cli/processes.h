/* Programs of several processes: a script, a program that forks a worker for each device. Each process that used a device has left
 * a file of its own (driver/program.c), and these become one report, as those of ranks do (report/merge.h).
 *
 *     struct wg_processes p;
 *     wg_processes_begin(&arena, c, &p)     an empty folder, p.folder, for WARPGLASS_PROFILE
 *     ...the program runs...
 *     wg_processes_look(&p, c, status);             waits for those that still run
 *     p.n == 1: p.file[0] is the only one; more: wg_processes_report
 */
#ifndef WG_CLI_PROCESSES_H
#define WG_CLI_PROCESSES_H
#include "cli/descendants.h"
#include "cli/options.h"

struct wg_processes {
    struct wg_arena *arena;
    const char *folder;           /* ends in '/' */
    const char **file;            /* in the order in which processes began */
    bool *replaced;               /* by another program, with exec */
    struct wg_descendants others; /* of this command: no processes of the program */
    uint32_t n;                   /* those that did something on a device, if there are some */
};

/* False after a message. */
bool wg_processes_begin(struct wg_arena *a, const struct wg_cmdline *c, struct wg_processes *p);
/* What lies in p->folder now. */
void wg_processes_find(struct wg_processes *p);
/* Gives the exit status: that which the program had, or that of a timeout. */
int wg_processes_look(struct wg_processes *p, const struct wg_cmdline *c, int status);
/* Runs `command` on each file, and shows one report. `status`: how the program ended. The exit status. */
int wg_processes_report(const struct wg_cmdline *c, int (*command)(const struct wg_cmdline *),
                        const struct wg_processes *p, int status);
#endif
