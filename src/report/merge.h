/* The reports of a job's ranks as one: each figure's least, median and most over the ranks, findings once with the ranks
 * that had them, and what became of each rank. Reports are JSON of "profile" or "check".
 *
 *     struct wg_merge m;
 *     wg_merge_begin(&m, 4);
 *     for (rank...) wg_merge_add(&m, rank, path);     a report that cannot be read is that of a missing rank
 *     wg_merge_match(&m);
 *     wg_merge_text(&paint, &arena, &m);
 *     wg_merge_free(&m);
 *
 * Kernels of several ranks are one kernel if their names are the same, those of several processes if their programs are, too. A rank without a kernel counts for none of its figures.
 */
#ifndef WG_REPORT_MERGE_H
#define WG_REPORT_MERGE_H
#include "report/metric.h"
#include "report/paint.h"
#include "report/waits.h"

struct wg_merge_rank {
    const char *path, *program;
    const char *command; /* the program and its arguments, as a shell would have them; NULL: not known */
    const char *missing; /* why it has no report; NULL: it has one */
    const char *ended;   /* another end than by itself: "signal 11", "running"; NULL: it came to its end */
    int64_t status;
};

/* A figure over ranks; NAN where a rank has none. */
struct wg_merge_line {
    const char *file;
    uint32_t line;
    double *work; /* of each rank: sectors and wavefronts */
};
struct wg_merge_kernel {
    const char *display, *program;
    double *launches, *seconds; /* of each rank */
    double *value;              /* of each metric (wg_metric_list) for each rank */
    WG_VEC(struct wg_merge_line) lines;
};
struct wg_merge_library { /* a function of cuBLAS, over all its sizes */
    const char *name;
    double *calls, *operations; /* of each rank */
};
struct wg_merge_finding {
    const char *kind, *kernel, *file, *message; /* file: "race.cu:7", or NULL; message: the first rank's */
    bool counts;                                /* neither benign nor suppressed */
    bool *in;                                   /* for each rank */
};

struct wg_merge {
    struct wg_arena arena;
    bool processes; /* they are no ranks but processes of one program; to be set after wg_merge_begin */
    uint32_t n, missing, unfinished;
    struct wg_merge_rank *ranks;
    bool checked; /* there are reports of check */
    WG_VEC(struct wg_merge_kernel) kernels;
    WG_VEC(struct wg_merge_library) library;
    WG_VEC(struct wg_merge_finding) findings;
    size_t metrics;
    struct wg_waits waits;
};
void wg_merge_begin(struct wg_merge *m, uint32_t ranks);
void wg_merge_add(struct wg_merge *m, uint32_t rank, const char *path);
/* What it did in MPI, from a file that may be there (mpi/event.h). A report's own is looked for beside it: 2.json, 2.mpi. */
void wg_merge_add_events(struct wg_merge *m, uint32_t rank, const char *path);
/* When all were added: who waited for whom. */
void wg_merge_match(struct wg_merge *m);
/* Why it has no report, in place of that. */
void wg_merge_miss(struct wg_merge *m, uint32_t rank, const char *why);
void wg_merge_free(struct wg_merge *m);

struct wg_merge_spread {
    double least, median, most;
    uint32_t n, at; /* ranks that have it; a rank that has the most */
};
struct wg_merge_spread wg_merge_spread(const struct wg_merge *m, const double *of_ranks);
/* 3: findings; otherwise the greatest status of a rank; otherwise 1 if one is missing or did not come to its end. */
int wg_merge_status(const struct wg_merge *m);
/* Findings that a rank had and that count. */
uint32_t wg_merge_findings(const struct wg_merge *m, uint32_t rank);
/* "rank", "Process", "ranks" */
const char *wg_merge_noun(const struct wg_merge *m, bool capital, bool many);
/* "ranks 0-3, 5" */
const char *wg_merge_ranks(struct wg_arena *a, const struct wg_merge *m, const bool *in);
/* "4 ranks of ./halo" */
const char *wg_merge_title(struct wg_arena *a, const struct wg_merge *m);
/* They do not all run the same. */
bool wg_merge_has_commands(const struct wg_merge *m);
/* "is missing: ...", "ended with status 5."; NULL: the rank came to a good end. */
const char *wg_merge_wrong(struct wg_arena *a, const struct wg_merge *m, uint32_t rank);
/* "in ranks 0-3, 5 to 8 launches each" */
/* "rank 0 waited 12.1 ms for rank 3 in MPI_Barrier (collective), 10 times" */
const char *wg_merge_wait(struct wg_arena *a, const struct wg_wait *w);
/* "Rank 3 was waited for most: 21 ms, by 3 ranks."; NULL: nobody waited. */
const char *wg_merge_latest(struct wg_arena *a, const struct wg_merge *m);
/* Of the times. */
const char *wg_merge_waits_note(struct wg_arena *a, const struct wg_merge *m);
/* The rows of their table: name and value of each rank, until NULL. */
const char *wg_merge_wait_row(const struct wg_merge *m, uint32_t i, const double **of_ranks);
/* Likewise of what cuBLAS did: "cublasDgemm, calls". */
const char *wg_merge_library_row(struct wg_arena *a, const struct wg_merge *m, uint32_t i,
                                 const double **of_ranks);
const char *wg_merge_launches(struct wg_arena *a, const struct wg_merge *m, const struct wg_merge_kernel *k);

/* merge_text.c, merge_json.c, ... */
void wg_merge_text(const struct wg_paint *p, struct wg_arena *a, const struct wg_merge *m);
void wg_merge_json(struct wg_strbuf *out, const struct wg_merge *m);
void wg_merge_html(struct wg_strbuf *out, struct wg_arena *a, const struct wg_merge *m);
void wg_merge_junit(struct wg_strbuf *out, struct wg_arena *a, const struct wg_merge *m);
/* Made of the ranks' own SARIF files. False when there is none. */
bool wg_merge_sarif(struct wg_strbuf *out, struct wg_arena *a, const struct wg_merge *m,
                    const char *const *paths);
#endif
