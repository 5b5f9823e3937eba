/* The thread pool: worker threads, and jobs whose units are distributed among them.
 *
 * A launch is a job whose units are its clusters of blocks; a large copy is a job whose units are pieces of
 * it. Units are dealt in order and in runs of whole rows of a grid. Runs grow where units turn out to be
 * quick, and shrink as a job nears its end (guided self-scheduling). Several jobs may be under way: the
 * oldest of the highest priority is dealt first.
 *
 * Where the order does not matter, a job is divided into as many shares as there are workers. Each worker
 * begins with the share of the CPU that it runs on, and then takes what is left of the others. So if the next
 * job has the same shape, what one job wrote is in the caches of the CPU that reads it: the cores of a host
 * need not share a last-level cache.
 *
 *     submit --> list of jobs --> worker claims [begin, end) --> kind->run --> wg_job_finished(n)
 *                                                                last one --> kind->done
 *
 * A worker that submits a job of one unit, or a brief one, while it has nothing else takes it itself: no other
 * one is woken. So a stream's small launches follow each other on one thread.
 *
 * A unit need not be finished when kind->run returns: blocks that spin are put aside (run.c) and finished
 * later, so `finished` is counted apart from `next`.
 */
#ifndef WG_MACHINE_POOL_H
#define WG_MACHINE_POOL_H
#include "machine/machine.h"
#include "machine/park.h"
#include <pthread.h>

struct wg_worker;
struct wg_job;
struct wg_job_kind {
    void (*run)(struct wg_worker *w, struct wg_job *job, uint64_t begin, uint64_t end);
    void (*done)(struct wg_job *job);    /* every unit has finished; on a worker */
    void (*release)(struct wg_job *job); /* no reference to the job is left */
};
/* Units [next, end) are still unclaimed. Padded to a cache line against false sharing. */
struct wg_share {
    _Atomic uint64_t next;
    uint64_t end;
    char apart[48];
};
struct wg_job {
    const struct wg_job_kind *kind;
    uint64_t units;         /* at least 1 */
    uint64_t longest;       /* most units in one claim... */
    uint64_t longest_quick; /* ...and where they take a few microseconds together */
    uint64_t row;           /* claims of more units than this are a multiple of it; or 0 */
    int priority;           /* lower goes first, as CUDA has it */
    bool any_order; /* units do not depend on the order, gain nothing by it, and their footprint fits the
                     * caches */
    bool sweeps;    /* adjacent units in one claim share data */
    bool alone;     /* the first worker runs all units, so that the order does not depend on timing */
    bool steady;    /* ...none of which waits for another: it may claim many at once */
    /* Its units took so little time before that one worker is done with them before another one would have begun:
     * nobody else is told of it while that seems to be so. */
    _Atomic bool brief;
    struct wg_share *shares, only;
    uint32_t nshares;
    _Atomic uint64_t finished;
    _Atomic uint32_t refs;
    struct wg_job *before, *behind; /* in the pool's list */
    bool listed;
};

struct wg_pool {
    struct wg_device *dev;
    pthread_mutex_t lock;
    struct wg_job *first, *last;
    struct wg_worker *workers;
    void *(*worker_main)(void *worker);
    uint32_t nworkers;
    uint32_t nstarted; /* threads that exist; under the lock */
    /* [CPU] which of the CPUs that may be used it is; NULL: they are not as many as workers */
    uint32_t *place;
    uint32_t ncpus;
    _Atomic bool stopping;
    wg_word epoch; /* changes when there is new work */
    _Atomic uint32_t idle;
};

/* `worker_main` is what each worker's thread runs, until `stopping`. */
void wg_pool_init(struct wg_pool *p, struct wg_device *dev, uint32_t nworkers,
                  void *(*worker_main)(void *worker));
/* Ends the threads; no job may be under way. */
void wg_pool_close(struct wg_pool *p);
/* Gets the workers out of kernel code whose launch is to end. */
void wg_pool_kick(struct wg_pool *p);
/* `job` filled in but for its counters. False with errno: no thread could be created. */
bool wg_pool_submit(struct wg_pool *p, struct wg_job *job);

/* ---- for workers ---- */

/* How many units of a job a worker claims at a time, adapted to how long its last ones took. */
struct wg_pace {
    uint64_t longest, least;
};
/* The worker took so long for its first units of a brief job: was it wrong to tell nobody? Then others are told; else the
 * worker may take all that is left. */
void wg_pool_judge(struct wg_pool *p, struct wg_job *job, struct wg_pace *pace, uint64_t units, uint64_t ns);
/* The first job with units left for the worker, held; or NULL. */
struct wg_job *wg_pool_take(struct wg_pool *p, struct wg_worker *w);
/* Whether there is one. */
bool wg_pool_has(struct wg_pool *p, const struct wg_worker *w);
void wg_job_drop(struct wg_job *job);
/* The share that a worker begins with. */
uint32_t wg_pool_place(const struct wg_pool *p, const struct wg_worker *w);
struct wg_pace wg_pace_of(const struct wg_job *job);
void wg_pace_learn(struct wg_pace *pace, const struct wg_job *job, uint64_t units, uint64_t ns);
/* Splits a job's units into shares; called by wg_pool_submit. */
/* Whether so many units, of so many nanoseconds each, are a brief job. */
bool wg_job_is_brief(uint64_t units, uint64_t ns);
void wg_job_deal(const struct wg_pool *p, struct wg_job *job);
/* The number of unclaimed units. */
uint64_t wg_job_left(const struct wg_job *job);
/* The next units of the job, `most` at most, of the worker's share or else of another one; false when there
 * are none left. */
bool wg_job_claim(struct wg_pool *p, struct wg_job *job, const struct wg_pace *pace, uint32_t place,
                  uint64_t most, uint64_t *begin, uint64_t *end);
/* Counts finished units; after the last one calls `done` and drops the submitter's reference. */
void wg_job_finished(struct wg_pool *p, struct wg_job *job, uint64_t units);
#endif
