/* A worker thread: the memory it keeps for blocks, the blocks it has put aside, and its recovery from kernel
 * code that faults (siglongjmp). */
#ifndef WG_MACHINE_WORKER_H
#define WG_MACHINE_WORKER_H
#include "machine/combine.h"
#include "machine/grid.h"
#include <setjmp.h>

struct wg_worker {
    struct wg_pool *pool;
    uint32_t index;
    pthread_t thread;
    void *signal_stack;
    /* Kernel code runs while `warp` is set: a page fault is then the kernel's, and jumps to `escape`. */
    struct wg_warp *_Atomic warp;
    sigjmp_buf escape;
    sigjmp_buf *guard; /* in a service: the jump target of a fault while reading the kernel's memory */
    bool in_service;   /* the machine's own code, called by the kernel */
    bool kicked;       /* `escape` was taken because the launch is to end, not for a fault */
    uint64_t fault_address;
    bool fault_address_known;
    struct wg_fault refused; /* `escape` was taken for this (watch/strict.c); no kind: for a page fault */
    struct wg_unit *slots;   /* memory of units that ended, for the next ones */
    uint32_t nslots;
    struct wg_unit *aside, *aside_last; /* units put aside, oldest first */
    uint32_t naside;
    struct wg_grid *alone; /* launches that only this worker runs; each has its own list of units put aside */
    uint64_t gave_way;     /* when it last yielded the processor, because all of these spin */
    struct wg_sums sums;
    struct wg_sum_claim *claim; /* the claim whose blocks it runs: later_sums.h; NULL: none */
    uint64_t held;              /* units of the job at hand that have ended; their additions may be pending */
};

/* What a worker's thread runs until the pool's `stopping`. */
void *wg_worker_main(void *worker);
/* Runs of jobs: units [begin, end) of the launch whose job it is; the launch whose `alone` it is becomes one that this
 * worker runs by itself. */
void wg_worker_run_units(struct wg_worker *w, struct wg_job *job, uint64_t begin, uint64_t end);
void wg_worker_take_over(struct wg_worker *w, struct wg_job *alone, uint64_t begin, uint64_t end);

/* wg_unit_run; a page fault in kernel code ends it, recorded in the grid. When the unit is done, the
 * following ones run in its place, up to `last`: u->index is the last one that ran. The result is that
 * one's. */
enum wg_unit_end wg_worker_run(struct wg_worker *w, struct wg_unit *u, uint64_t last);

/* Runs units [begin, end) of a launch that is no job of the pool's: for a job that is run by this worker,
 * which has no other units. */
void wg_worker_run_grid(struct wg_worker *w, struct wg_grid *g, uint64_t begin, uint64_t end);

/* trap.c: installs the process's signal handlers; again after somebody replaced them. */
void wg_trap_install(void);
/* How often that was called: at least once, where there is a device. */
uint64_t wg_trap_looks(void);
/* From now on faults of kernels on the calling thread are caught. */
void wg_trap_enter(struct wg_worker *w);
void wg_trap_leave(struct wg_worker *w);
/* The same for a thread of the program, which keeps its signal stack; NULL: no longer. */
void wg_trap_lend(struct wg_worker *w);
struct wg_worker *wg_trap_self(void); /* NULL: not a worker */
/* memcpy from an address of the kernel's; false: it cannot be read, or a kernel may not. On workers, in
 * services. */
bool wg_trap_read(void *to, uint64_t from, size_t n);
/* Calls fn, which takes no locks; false: a page fault ended it. On a thread that is no worker nothing is caught. */
bool wg_trap_try(void (*fn)(void *arg), void *arg);
/* Gets the worker out of kernel code whose launch is to end. Safe in a signal handler. */
void wg_trap_kick(struct wg_worker *w);
/* A copy of a string of the kernel's, cut off at `most` bytes; NULL: it cannot be read. To be freed. */
char *wg_trap_string(uint64_t from, size_t most);
#endif
