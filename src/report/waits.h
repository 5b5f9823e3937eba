/* Who waited for whom: the files of events of a job's ranks (mpi/event.h), brought together.
 *
 *     struct wg_waits w;
 *     wg_waits_begin(&w, &arena, 4);
 *     for (rank...) wg_waits_add(&w, rank, path);     a file that is not there is that of a rank of which nothing is known
 *     wg_waits_match(&w);
 *
 * A message's n-th send is its n-th receive: MPI keeps the order of those between two ranks in one communicator with one tag.
 * A rank that came first waits until the other has come, and never longer than its call takes. Of a call that waits for
 * many, that counts which came last. Times are of the clock of rank 0's host.
 */
#ifndef WG_REPORT_WAITS_H
#define WG_REPORT_WAITS_H
#include "base/arena.h"
#include "mpi/event.h"
#include <stdbool.h>

enum wg_wait_kind { WG_WAIT_SENDER, WG_WAIT_RECEIVER, WG_WAIT_COLLECTIVE, WG_WAIT_KINDS };

struct wg_wait {       /* all that a rank waited for another in one function, for one reason */
    uint32_t rank, of; /* `rank` waited for `of` */
    enum wg_wait_kind kind;
    enum wg_mpi_call call;
    uint64_t times;
    double seconds;
};

struct wg_wait_call { /* a function of MPI, over ranks; NAN where a rank has not called it */
    enum wg_mpi_call call;
    double *times, *seconds;
};

struct wg_waits {
    struct wg_arena *arena;
    uint32_t n, known;                 /* ranks, and those of which there is a file */
    WG_VEC(struct wg_wait) all;        /* the longest first */
    WG_VEC(struct wg_wait_call) calls; /* the longest first */
    double *span,
        *in_mpi; /* seconds of each rank, or NAN: from MPI_Init to MPI_Finalize, and in MPI of these */
    double *waited[WG_WAIT_KINDS];
    const char **still;          /* "in MPI_Recv, for rank 1": when it was killed; or NULL */
    bool *cut;                   /* what it did in the end was not recorded */
    struct wg_waits_rank *ranks; /* waits.c */
};
void wg_waits_begin(struct wg_waits *w, struct wg_arena *a, uint32_t ranks);
void wg_waits_add(struct wg_waits *w, uint32_t rank, const char *path);
void wg_waits_match(struct wg_waits *w);
/* Did the program of the file go before MPI_Finalize? False also when it never began to use MPI. */
bool wg_waits_left_early(const char *path);
void wg_waits_free(struct wg_waits *w);

/* "MPI_Send" */
const char *wg_waits_call_name(enum wg_mpi_call call);
/* "late sender", ...; "late_sender" in files */
const char *wg_waits_kind_name(enum wg_wait_kind kind, bool in_files);
#endif
