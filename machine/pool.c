/* See pool.h. The loop of a worker is wg_worker_main in worker.c. */
#include "machine/pool.h"
#include "machine/worker.h"
#include <signal.h>
#include <stdlib.h>

enum {
    SHARES = 8,        /* a claim is at most this part of what is left for each worker... */
    FEWEST_SHARES = 2, /* ...but for claims that would be over too soon */
    SOON_NS = 1000,
    LONG_NS = 8000, /* claims that take less may be longer */
};

void wg_pool_init(struct wg_pool *p, struct wg_device *dev, uint32_t nworkers) {
    p->dev = dev;
    pthread_mutex_init(&p->lock, NULL);
    p->nworkers = nworkers;
    p->workers = wg_xcalloc(nworkers, sizeof *p->workers);
    for (uint32_t i = 0; i < nworkers; i++) wg_worker_init(&p->workers[i], p, i);
}

/* Threads are made when the first job comes: a program that only asks for the device's name pays for none.
 * The program's signals are not for them. */
static bool start(struct wg_pool *p) {
    sigset_t all, old;
    sigfillset(&all);
    sigdelset(&all, SIGSEGV);
    sigdelset(&all, SIGBUS);
    sigdelset(&all, SIGFPE);
    sigdelset(&all, SIGILL);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    while (p->nstarted < p->nworkers && wg_worker_start(&p->workers[p->nstarted])) p->nstarted++;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return p->nstarted > 0;
}

static void unlist(struct wg_pool *p, struct wg_job *job) {
    if (!job->listed) return;
    *(job->before ? &job->before->behind : &p->first) = job->behind;
    *(job->behind ? &job->behind->before : &p->last) = job->before;
    job->listed = false;
}

bool wg_pool_submit(struct wg_pool *p, struct wg_job *job) {
    atomic_store_explicit(&job->next, 0, memory_order_relaxed);
    atomic_store_explicit(&job->finished, 0, memory_order_relaxed);
    atomic_store_explicit(&job->refs, 1, memory_order_relaxed);
    job->owner = NULL;
    pthread_mutex_lock(&p->lock);
    if (!p->nstarted && !start(p)) {
        pthread_mutex_unlock(&p->lock);
        return false;
    }
    struct wg_job *at = p->last;
    while (at && at->priority > job->priority) at = at->before;
    job->before = at;
    job->behind = at ? at->behind : p->first;
    *(at ? &at->behind : &p->first) = job;
    *(job->behind ? &job->behind->before : &p->last) = job;
    job->listed = true;
    pthread_mutex_unlock(&p->lock);
    atomic_fetch_add(&p->epoch, 1);
    if (atomic_load(&p->idle)) wg_unpark(&p->epoch, 1);
    return true;
}

/* The first job with units left for the worker. Under the lock. */
static struct wg_job *first_for(struct wg_pool *p, const struct wg_worker *w) {
    struct wg_job *job = p->first;
    while (job) {
        struct wg_job *behind = job->behind;
        if (atomic_load_explicit(&job->next, memory_order_relaxed) >= job->units)
            unlist(p, job);
        else if (!job->alone || !job->owner || job->owner == w)
            break;
        job = behind;
    }
    return job;
}

struct wg_job *wg_pool_take(struct wg_pool *p, struct wg_worker *w) {
    pthread_mutex_lock(&p->lock);
    struct wg_job *job = first_for(p, w);
    if (job) {
        atomic_fetch_add_explicit(&job->refs, 1, memory_order_relaxed);
        job->owner = w;
    }
    pthread_mutex_unlock(&p->lock);
    return job;
}

bool wg_pool_has(struct wg_pool *p, const struct wg_worker *w) {
    pthread_mutex_lock(&p->lock);
    bool has = first_for(p, w) != NULL;
    pthread_mutex_unlock(&p->lock);
    return has;
}

void wg_job_drop(struct wg_job *job) {
    if (atomic_fetch_sub_explicit(&job->refs, 1, memory_order_acq_rel) == 1) job->kind->release(job);
}

struct wg_pace wg_pace_of(const struct wg_job *job) {
    return (struct wg_pace){.longest = job->longest, .least = 1};
}

void wg_pace_learn(struct wg_pace *pace, const struct wg_job *job, uint64_t units, uint64_t ns) {
    if (ns < LONG_NS && units >= pace->longest && pace->longest < job->longest_quick) pace->longest *= 2;
    pace->least = units * SOON_NS / (ns ? ns : 1);
    if (pace->least > pace->longest) pace->least = pace->longest;
}

bool wg_job_claim(struct wg_pool *p, struct wg_job *job, const struct wg_pace *pace, uint64_t most,
                  uint64_t *begin, uint64_t *end) {
    uint64_t next = atomic_load_explicit(&job->next, memory_order_relaxed), n;
    do {
        if (next >= job->units) return false;
        uint64_t each = (job->units - next) / p->nworkers;
        n = each / FEWEST_SHARES < pace->least ? each / FEWEST_SHARES : pace->least;
        if (n < each / SHARES) n = each / SHARES;
        if (n > pace->longest) n = pace->longest;
        if (n > most) n = most;
        if (n == 0) n = 1;
        if (job->row && n > job->row) n -= n % job->row;
    } while (!atomic_compare_exchange_weak_explicit(&job->next, &next, next + n, memory_order_relaxed,
                                                    memory_order_relaxed));
    *begin = next;
    *end = next + n;
    /* Each worker that finds more than it takes wakes one other: nobody has to wake them all. */
    if (*end < job->units && atomic_load(&p->idle)) wg_unpark(&p->epoch, 1);
    return true;
}

void wg_job_finished(struct wg_pool *p, struct wg_job *job, uint64_t units) {
    if (atomic_fetch_add_explicit(&job->finished, units, memory_order_acq_rel) + units < job->units) return;
    pthread_mutex_lock(&p->lock);
    unlist(p, job);
    pthread_mutex_unlock(&p->lock);
    job->kind->done(job);
    wg_job_drop(job);
}

void wg_pool_kick(struct wg_pool *p) {
    pthread_mutex_lock(&p->lock);
    for (uint32_t i = 0; i < p->nstarted; i++) wg_trap_kick(&p->workers[i]);
    pthread_mutex_unlock(&p->lock);
}

void wg_pool_close(struct wg_pool *p) {
    atomic_store(&p->stopping, true);
    atomic_fetch_add(&p->epoch, 1);
    wg_unpark(&p->epoch, INT_MAX);
    for (uint32_t i = 0; i < p->nstarted; i++) wg_worker_end(&p->workers[i]);
    free(p->workers);
    pthread_mutex_destroy(&p->lock);
}
