/* Progress lines on standard error for operations that take long:
 *
 *     warpglass: compiling kernel 'sort(int*, int)' for blocks of 256 threads: step 3 of 4, optimising, 4 s
 *
 * On a terminal it is one line, rewritten each second and erased at the end; elsewhere, where the user
 * enables it, each report is a line of its own, and the interval doubles. A thread writes it, which ends with
 * the operation; a caller that only waits writes it itself:
 *
 *     struct wg_progress_line l = {.after = 2, .began = wg_now_ns()};
 *     while (waiting) if (wg_progress_is_due(&l)) wg_progress_put(&l, "kernel 'sort', 34 % of its blocks");
 *     wg_progress_over(&l);
 */
#ifndef WG_BASE_PROGRESS_H
#define WG_BASE_PROGRESS_H
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct wg_progress {
    const char *what;
    const char *const *steps; /* what each is called; of none nsteps is 0 */
    uint32_t nsteps;
    _Atomic uint32_t step;
    uint64_t began; /* ns */
    double after;   /* seconds until something is said; 0: nothing is */
    bool started, over;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t ends;
};

/* Of `p` all up to `nsteps`, and `after`, are given. What it points to lasts until the end. */
void wg_progress_begin(struct wg_progress *p);
void wg_progress_end(struct wg_progress *p);
static inline void wg_progress_step(struct wg_progress *p, uint32_t step) {
    atomic_store_explicit(&p->step, step, memory_order_relaxed);
}

struct wg_progress_line {
    double after;         /* seconds until something is said; 0: nothing is */
    uint64_t began, next; /* ns; next: 0 at first */
    bool mine;            /* it has the terminal's line */
};
bool wg_progress_is_due(struct wg_progress_line *l);
void wg_progress_put(struct wg_progress_line *l, const char *text);
void wg_progress_over(struct wg_progress_line *l);

/* Erases the line, if there is one on the terminal: before another is written there. Safe in signal
 * handlers. */
void wg_progress_wipe(void);
#endif
