/* The folder of a suite's results, in which workers on any number of hosts divide a run's programs among them, without a
 * word to each other: each program is claimed by a lock on a file of its own. A lock goes with its process, however that
 * ends, so a program whose worker was killed is free again, and what had ended is kept.
 *
 *     FOLDER/lock               held by whoever began a run, rank 0
 *     FOLDER/run-7/next         how many programs workers have come to, in the order in which they are begun
 *     FOLDER/run-7/claims/NAME  locked while the program runs; a line for each time that it was begun
 *     FOLDER/run-7/results/NAME.json  how it ended (result.h)
 *     FOLDER/run-7/reports/NAME.json  the report of profile or check
 *     FOLDER/run-7/output/NAME.txt    what it wrote
 *     FOLDER/run-7/ranks/2      rank 2 has joined the run
 *     FOLDER/run-7/complete     the run has ended; the next start begins a new one
 */
#ifndef WG_SUITE_FOLDER_H
#define WG_SUITE_FOLDER_H
#include "suite/suite.h"

struct wg_suite_run {
    const char *folder; /* FOLDER/run-7 */
    const char *last;   /* that of the last complete run, or NULL */
    const char
        *unfinished; /* one that was begun and did not end, if this one does not go on with it; or NULL */
    const char *outdated; /* one that is no longer needed, or NULL */
    bool resumed;         /* it was begun before, and did not end */
    uint32_t rank, size;  /* 0 of 1 without a launcher */
    int lock;
};

/* Rank 0: a new run, or the one that was begun and did not end, unless `again`. Others: joins the run of rank 0, for which
 * it waits. False with a message in `why`. The others find the run complete when rank 0 has ended without them: *over. */
bool wg_suite_begin(struct wg_arena *a, const char *folder, uint32_t rank, uint32_t size, bool again,
                    struct wg_suite_run *run, bool *over, struct wg_strbuf *why);
/* That of the newest run in the folder, or NULL. */
const char *wg_suite_newest(struct wg_arena *a, const char *folder);
/* Of rank 0, when all programs have ended: waits a while for ranks that have not joined, and names them in `missing`. */
void wg_suite_missing_ranks(const struct wg_suite_run *run, struct wg_strbuf *missing);
bool wg_suite_complete(const struct wg_suite_run *run);

/* FOLDER/run-7/WHAT/NAME.SUFFIX */
enum wg_suite_what { WG_SUITE_RESULT, WG_SUITE_REPORT, WG_SUITE_OUTPUT };
const char *wg_suite_file(struct wg_arena *a, const char *run, enum wg_suite_what what,
                          const struct wg_suite_program *p);

/* The number of the program, in the order in which they are begun, that nobody has come to; those that have ended are among
 * them. False with a message in `why`. */
bool wg_suite_next(struct wg_arena *a, const struct wg_suite_run *run, uint32_t *number,
                   struct wg_strbuf *why);

/* FAILED: a message is in `why`. */
enum wg_claim { WG_CLAIM_MINE, WG_CLAIM_BUSY, WG_CLAIM_ENDED, WG_CLAIM_FAILED };
struct wg_suite_claim {
    int fd;
    uint32_t before; /* how often it was begun before, and not ended */
    const char *who; /* the last that began it, "rank 2 on host7", or NULL */
    long begins;     /* where this begin's line is in the file */
};
/* `ended` says whether there is a result, and is asked when the lock is held. */
enum wg_claim wg_suite_claim(struct wg_arena *a, const struct wg_suite_run *run,
                             const struct wg_suite_program *p,
                             bool (*ended)(void *, const struct wg_suite_program *), void *user,
                             struct wg_suite_claim *c, struct wg_strbuf *why);
/* Gives it back; `unbegun`: as if it had not been begun. */
void wg_suite_release(struct wg_suite_claim *c, bool unbegun);
#endif
