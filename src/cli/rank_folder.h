/* What ranks leave in the folder that they share (suite/folder.h), and one report of it: rank 0 makes it when all have ended, and
 * `warpglass merge` when the whole job was killed, or still runs.
 *
 *     FOLDER/run-1/ranks/2      rank 2 has begun, and holds a lock on the file as long as it lives; that of rank 0: how many there are
 *     FOLDER/run-1/command      the words of rank 0's command line
 *     FOLDER/run-1/left/2/      what rank 2's program leaves while it runs, until its report is made of that
 *     FOLDER/run-1/results/2    how it ended: "0", or "139 left" if others may wait for it
 *     FOLDER/run-1/reports/2.json, 2.sarif, 2.mpi    its own report; what it did in MPI
 *     FOLDER/run-1/stop         all programs are asked to end
 */
#ifndef WG_CLI_RANK_FOLDER_H
#define WG_CLI_RANK_FOLDER_H
#include "cli/merge.h"

struct wg_rank_folder {
    struct wg_arena *arena;
    const char *path; /* FOLDER/run-1 */
    uint32_t size;
    const struct wg_cmdline *c; /* that of the ranks */
    int (*command)(const struct wg_cmdline *);
    const char *scratch; /* where reports are made that a rank did not come to make itself */
};

/* "PATH/ROOM/RANK.END" */
const char *wg_rank_file(struct wg_arena *a, const char *path, const char *room, uint32_t rank,
                         const char *end);
const char *wg_rank_stop(struct wg_arena *a, const char *path);
/* Nobody holds its file, or there is none. */
bool wg_rank_is_gone(const char *path, uint32_t rank);
/* False: it has not ended, or was killed. */
bool wg_rank_has_ended(const char *path, uint32_t rank, int *status, bool *left);

/* Rank 0's command line, for a report that others make. */
bool wg_rank_folder_note_command(struct wg_arena *a, const char *path);
/* The newest run in a folder, or the run that this folder is. False with a message in `why`. `c` and `command` are the caller's to
 * find: the words of the command line are in `words`, which it frees. */
bool wg_rank_folder_open(struct wg_arena *a, const char *folder, struct wg_rank_folder *f,
                         struct wg_args *words, struct wg_strbuf *why);
/* All that ranks have left, ready to be shown. `sarifs`: of each rank, the file that may be there. */
void wg_rank_folder_merge(const struct wg_rank_folder *f, struct wg_merge *m, const char **sarifs);
#endif
