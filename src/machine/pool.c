/* See pool.h. */
#include "machine/pool.h"
#include "machine/worker.h"
#include <sched.h>
#include <signal.h>
#include <stdlib.h>

enum {
    STACK_BYTES = 32 << 20, /* generated code and the reference recurse on it */
    SHARES = 8,             /* a claim is at most this part of what is left for each worker... */
    FEWEST_SHARES = 2,      /* ...except for claims that would end too soon */
    SOON_NS = 2000,
    LONG_NS = 8000,  /* claims that take less may be longer */
    BRIEF_NS = 2000, /* another worker would take about half of this to begin */
};

/* ---- places ---- */

/* With as many workers as CPUs, the share is chosen by the CPU that a worker runs on, not by its number,
 * because workers migrate. */
static void find_places(struct wg_pool *p) {
    cpu_set_t set;
    uint32_t n = 0;
    if (sched_getaffinity(0, sizeof set, &set) != 0 || (uint32_t)CPU_COUNT(&set) != p->nworkers) return;
    p->ncpus = CPU_SETSIZE;
    p->place = wg_xcalloc(CPU_SETSIZE, sizeof *p->place);
    for (uint32_t i = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET(i, &set)) p->place[i] = n++;
}

uint32_t wg_pool_place(const struct wg_pool *p, const struct wg_worker *w) {
    int cpu = p->place ? sched_getcpu() : -1;
    return cpu >= 0 && (uint32_t)cpu < p->ncpus ? p->place[cpu] : w->index;
}

/* ---- the pool ---- */

void wg_pool_init(struct wg_pool *p, struct wg_device *dev, uint32_t nworkers,
                  void *(*worker_main)(void *worker)) {
    p->dev = dev;
    p->worker_main = worker_main;
    wg_brief_lock_init(&p->lock);
    p->nworkers = nworkers;
    find_places(p);
    p->workers = wg_xcalloc(nworkers, sizeof *p->workers);
    for (uint32_t i = 0; i < nworkers; i++) {
        p->workers[i].pool = p;
        p->workers[i].index = i;
    }
}

static bool start_one(struct wg_worker *w) {
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, STACK_BYTES);
    bool good = pthread_create(&w->thread, &attr, w->pool->worker_main, w) == 0;
    pthread_attr_destroy(&attr);
    if (good) pthread_setname_np(w->thread, "warpglass");
    return good;
}

/* Threads are created by the first job: a program that only queries the device's name pays for none. They
 * block the program's signals. */
static bool start(struct wg_pool *p) {
    sigset_t all, old;
    sigfillset(&all);
    sigdelset(&all, SIGSEGV);
    sigdelset(&all, SIGBUS);
    sigdelset(&all, SIGFPE);
    sigdelset(&all, SIGILL);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    while (p->nstarted < p->nworkers && start_one(&p->workers[p->nstarted])) p->nstarted++;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return p->nstarted > 0;
}

static void unlist(struct wg_pool *p, struct wg_job *job) {
    if (!job->listed) return;
    *(job->before ? &job->before->behind : &p->first) = job->behind;
    *(job->behind ? &job->behind->before : &p->last) = job->before;
    job->listed = false;
}

static void tell(struct wg_pool *p, bool all) {
    atomic_fetch_add(&p->epoch, 1);
    if (atomic_load(&p->idle)) wg_unpark(&p->epoch, all ? INT_MAX : 1);
}

/* Whether this thread takes the job next, and may keep it to itself. Under the lock, when it is listed. */
static bool is_ours(const struct wg_pool *p, const struct wg_job *job) {
    const struct wg_worker *w = wg_trap_self();
    if (!w || w->pool != p || w->naside || w->alone || job->alone) return false;
    return p->first == job && p->last == job && (job->units == 1 || job->brief);
}

bool wg_pool_submit(struct wg_pool *p, struct wg_job *job) {
    bool alone = job->alone; /* once others see the job it may finish, and be reused for another launch */
    wg_job_deal(p, job);
    atomic_store_explicit(&job->finished, 0, memory_order_relaxed);
    atomic_store_explicit(&job->refs, 1, memory_order_relaxed);
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
    bool ours = is_ours(p, job);
    pthread_mutex_unlock(&p->lock);
    if (!ours) tell(p, alone); /* the first one woken may not be able to take it */
    return true;
}

/* ---- shares ---- */

static uint64_t left_of(const struct wg_share *s) {
    uint64_t next = atomic_load_explicit(&s->next, memory_order_relaxed);
    return next < s->end ? s->end - next : 0;
}

uint64_t wg_job_left(const struct wg_job *job) {
    uint64_t n = 0;
    uint32_t nshares = __atomic_load_n(&job->nshares, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < nshares; i++) n += left_of(&job->shares[i]);
    return n;
}

/* The first job with units left for the worker. Under the lock. */
static struct wg_job *first_for(struct wg_pool *p, const struct wg_worker *w) {
    struct wg_job *job = p->first;
    while (job) {
        struct wg_job *behind = job->behind;
        if (!wg_job_left(job))
            unlist(p, job);
        else if (!job->alone || w->index == 0)
            break;
        job = behind;
    }
    return job;
}

struct wg_job *wg_pool_take(struct wg_pool *p, struct wg_worker *w) {
    pthread_mutex_lock(&p->lock);
    struct wg_job *job = first_for(p, w);
    if (job) atomic_fetch_add_explicit(&job->refs, 1, memory_order_relaxed);
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
    if (atomic_fetch_sub_explicit(&job->refs, 1, memory_order_acq_rel) != 1) return;
    if (job->shares != &job->only) free(job->shares);
    job->kind->release(job);
}

/* ---- claims ---- */

/* A worker that runs all units takes one at a time, or always as many: the size of claims must not depend on timing. */
struct wg_pace wg_pace_of(const struct wg_job *job) {
    enum { STEADY = 32 };
    uint64_t longest = job->alone && job->steady ? STEADY : job->alone || job->brief ? 1 : job->longest;
    return (struct wg_pace){.longest = longest, .least = 1};
}

void wg_pace_learn(struct wg_pace *pace, const struct wg_job *job, uint64_t units, uint64_t ns) {
    if (job->alone) return;
    if (ns < LONG_NS && units >= pace->longest && pace->longest < job->longest_quick) pace->longest *= 2;
    pace->least = units * SOON_NS / (ns ? ns : 1);
    if (pace->least > pace->longest) pace->least = pace->longest;
}

bool wg_job_is_brief(uint64_t units, uint64_t ns) { return ns && units <= BRIEF_NS / ns; }

void wg_pool_judge(struct wg_pool *p, struct wg_job *job, struct wg_pace *pace, uint64_t units, uint64_t ns) {
    uint64_t left = wg_job_left(job);
    if (!left) return;
    if (wg_job_is_brief(left, ns / units ?: 1)) {
        pace->longest = pace->least = left;
        return;
    }
    atomic_store_explicit(&job->brief, false, memory_order_relaxed);
    *pace = wg_pace_of(job);
    tell(p, false);
}

void wg_job_deal(const struct wg_pool *p, struct wg_job *job) {
    bool several =
        job->any_order && !job->alone && !job->brief && p->nworkers > 1 && job->units >= 2 * p->nworkers;
    uint64_t row = job->row ? job->row : 1, rows = job->units / row;
    uint32_t n = several ? p->nworkers : 1;
    job->shares = several ? wg_xcalloc(n, sizeof *job->shares) : &job->only;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t each = rows / n, more = rows % n;
        uint64_t begin = (i * each + (i < more ? i : more)) * row;
        if (i) job->shares[i - 1].end = begin;
        atomic_store_explicit(&job->shares[i].next, begin, memory_order_relaxed);
    }
    job->shares[n - 1].end = job->units;
    /* Progress reports may read this at any time. */
    __atomic_store_n(&job->nshares, n, __ATOMIC_RELEASE);
}

/* The share of the place, or if it is empty the one with most left; NULL: all are empty. */
static struct wg_share *share_for(const struct wg_job *job, uint32_t place, uint64_t *left) {
    struct wg_share *best = &job->shares[place % job->nshares];
    if ((*left = left_of(best))) return best;
    for (uint32_t i = 0; i < job->nshares; i++) {
        uint64_t n = left_of(&job->shares[i]);
        if (n <= *left) continue;
        best = &job->shares[i];
        *left = n;
    }
    return *left ? best : NULL;
}

/* The size of a claim from a share. Of its own share a worker takes no more than it would keep if all others
 * helped. */
static uint64_t fair(const struct wg_job *job, const struct wg_pace *pace, uint64_t left, uint32_t workers,
                     bool own) {
    uint64_t each = own ? left : left / workers, most = job->nshares > 1 ? each : each / FEWEST_SHARES;
    uint64_t n = most < pace->least ? most : pace->least;
    uint32_t shares = own && workers < SHARES ? workers : SHARES;
    uint64_t part = each / (job->sweeps ? FEWEST_SHARES : shares);
    if (n < part) n = part;
    if (n > pace->longest) n = pace->longest;
    return n;
}

bool wg_job_claim(struct wg_pool *p, struct wg_job *job, const struct wg_pace *pace, uint32_t place,
                  uint64_t most, uint64_t *begin, uint64_t *end) {
    uint64_t next, n, left;
    struct wg_share *s;
    do {
        if (!(s = share_for(job, place, &left))) return false;
        bool own = job->nshares > 1 && s == &job->shares[place % job->nshares];
        n = job->brief || job->alone ? pace->longest : fair(job, pace, left, p->nworkers, own);
        if (n > most) n = most;
        if (n > left) n = left;
        if (n == 0) n = 1;
        if (job->row && n > job->row) n -= n % job->row;
        next = s->end - left;
    } while (!atomic_compare_exchange_weak_explicit(&s->next, &next, next + n, memory_order_relaxed,
                                                    memory_order_relaxed));
    *begin = next;
    *end = next + n;
    /* Each worker that finds more than it takes wakes one other, so that no thread has to wake them all. */
    if (!job->brief && !job->alone && atomic_load(&p->idle) && wg_job_left(job)) wg_unpark(&p->epoch, 1);
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
    for (uint32_t i = 0; i < p->nstarted; i++) pthread_join(p->workers[i].thread, NULL);
    free(p->workers);
    free(p->place);
    pthread_mutex_destroy(&p->lock);
}
