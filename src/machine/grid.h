/* A launch in flight, and those of its blocks that are resident.
 *
 *     grid   a launch: its code, its shape, its parameters; a job whose units are
 *     unit   a cluster of blocks (one block when there are no clusters): taken by one worker, run until every
 *            warp is done, or put aside when all it does is wait
 *     cta    a block: what generated code sees of it (struct wg_block), its warps, its barriers
 *
 * The worker keeps a unit's memory (warps, frames, local and shared memory) and reuses it for the next unit
 * of the same shape: starting a block costs a few stores per warp.
 *
 * Faults: the launch reports the fault of the lowest-numbered unit that faults, so that the report does not
 * depend on the number of threads: units below it run on, units above it are dropped.
 */
#ifndef WG_MACHINE_GRID_H
#define WG_MACHINE_GRID_H
#include "base/arena.h"
#include "machine/pool.h"
#include <stddef.h>

enum {
    WG_MAX_WARPS = 32,          /* of a block */
    WG_MAX_CLUSTER = 16,        /* blocks */
    WG_PARAM_BYTES = 32 * 1024, /* the most a kernel can have (CUDA: 32764) */
    WG_FUEL = 1 << 16,          /* back edges that a warp of the reference may take before it yields */
};

/* What units of a launch need: equal shapes share memory. */
struct wg_shape {
    uint32_t nctas, nwarps;
    uint32_t frame_bytes;  /* a warp, multiple of 64 */
    uint32_t window_bytes; /* shared memory a block */
    uint64_t local_stride; /* a lane */
    uint64_t save_bytes;   /* a warp: wg_warp.saves */
};

struct wg_print { /* one call of printf by one lane */
    uint64_t block;
    uint32_t begin, len;
};

/* Machine code that touched a page outside of every allocation, and which unit and block ran it: stray.h. */
struct wg_stray_seen {
    uint64_t code, address, unit;
    uint32_t block[3];
};
enum { WG_STRAYS_KEPT = 8 };

/* A store past the end of a block's shared memory, by one of these units: overrun.h. */
struct wg_overrun {
    bool seen;
    uint64_t first, last; /* units */
    uint64_t shared, at;  /* where the cluster's shared memory was, and the lowest byte */
};
enum { WG_BLOCK_UNKNOWN = UINT32_MAX }; /* the first number of such a block */

/* Units put aside, oldest first. */
struct wg_unit;
struct wg_aside {
    struct wg_unit *first, *last;
    uint32_t n;
};

struct wg_grid;
/* Callbacks of the launcher of a grid: launch.c. Grids that run only for comparison have none. */
struct wg_launcher {
    void (*completed)(struct wg_grid *g);               /* all its units have ended; on a worker */
    void (*released)(struct wg_grid *g);                /* no reference to it is left */
    enum wg_status (*child)(const struct wg_launch *l); /* whether one of its threads may make this launch */
};

struct wg_grid {
    struct wg_job job;
    /* With job.alone one worker runs all units: the pool has this job in place of `job`, and `aside` has the
     * units that are put aside. */
    struct wg_job alone;
    struct wg_aside aside;
    struct wg_grid *alone_next; /* of the worker's */
    bool taken;                 /* one worker has all its units, and distributes them itself */
    const struct wg_launcher *launcher;
    struct wg_device *dev;
    struct wg_func *func;
    struct wg_code *code;
    struct wg_shape shape;
    struct wg_block block; /* as every block begins; ctaid and the like are filled in for each */
    uint32_t clusters[3];  /* the grid in clusters */
    uint32_t last_lanes;   /* live lanes of a block's last warp */
    struct wg_dealt dealt; /* bands.h: blocks are internal ones, not the program's */
    /* blocks were remapped: a fault is in the block it names or in one of so many in all, such a step apart */
    uint32_t band_step, band_blocks;
    bool cooperative;
    uint64_t clock_base; /* ns: a kernel's clock counts its reads, starting here; 0: the real clock */
    /* Limits after which wg_worker_run_grid stops the grid: time slices of the blocks put aside, and
     * nanoseconds of the worker, without progress of any of them. 0: no limit. */
    uint32_t quiet_slices;
    uint64_t quiet_ns;
    uint8_t schedule; /* enum wg_schedule_kind; schedule.h */
    uint64_t schedule_key;
    bool dry;             /* it runs for comparison: its output is discarded */
    bool replayed;        /* by replay.c: the device's interrupt does not stop it */
    uint32_t residents;   /* most units that a worker puts aside before it begins no more */
    struct wg_work *work; /* what the stream waits for */
    const char *asked_by; /* the host program's call, and its address; NULL: not known */
    uint64_t asked_at;
    struct wg_grid *next, *prev; /* of the device's that run */
    /* In device memory: WG_PARAM_BYTES, read-only for kernels, followed by WG_WORKSPACE_BYTES. `written`: a
     * writable mapping of the parameters. */
    void *params, *written;
    struct wg_later_sums *later;   /* later_sums.h; NULL: no deferred sums */
    struct wg_profile *profile;    /* what is counted: profile.c; NULL: nothing */
    struct wg_check_launch *check; /* check.c; NULL: nothing is checked */
    struct wg_verify *verify;      /* verify.h; NULL: it is not compared */
    struct wg_children *children;  /* children.h: under the lock below; NULL: nothing was asked for */
    struct wg_check_late *late;    /* check_late.c's own; NULL: nothing */
    uint64_t graph;                /* wg_launch.graph */
    const char *launched_by;       /* a kernel, and where it did; NULL: the host */
    uint32_t depth;                /* 1: launched by the host, 2: by a kernel that the host launched */
    wg_word stop;                  /* read by blocks when they yield; enum wg_stop */
    uint64_t began, ended;         /* nanoseconds */
    _Atomic uint64_t deadline;     /* of WARPGLASS_TIMEOUT; 0: none */
    wg_word making; /* warps that wait for code to be compiled; the deadline is suspended meanwhile */
    uint64_t making_since;

    /* Grid barrier. */
    pthread_mutex_t lock; /* of all below */
    wg_word phase;
    uint64_t arrived, exited; /* blocks */
    /* The fault of the lowest unit so far. */
    _Atomic uint64_t limit; /* units from here on need not run */
    struct wg_fault fault;
    uint64_t fault_unit;
    uint32_t fault_rank, fault_warp, fault_block[3];
    uint64_t fault_shared; /* where shared memory of its cluster was */
    bool fault_by_signal;
    bool fault_early; /* it is about an mbarrier that is not initialised, or is invalidated */
    char *fault_detail;
    uint64_t fault_time;
    uint64_t stopped_unit; /* the lowest that was stopped while it ran; UINT64_MAX: none */
    uint32_t stopped_block[3];
    _Atomic bool strayed; /* set by whichever worker strays */
    uint32_t nstrays;
    struct wg_stray_seen strays[WG_STRAYS_KEPT];
    struct wg_overrun overrun; /* by the units that come first */
    /* printf. */
    struct wg_strbuf text;
    WG_VEC(struct wg_print) prints;
};
/* A launch that passed its checks, with its actual cluster size, and the number of blocks that the device
 * holds at once. */
struct wg_launch_order {
    struct wg_launch launch;
    uint32_t cluster[3];
    uint64_t resident;
    int priority;
};

enum wg_stop { WG_STOP_NO, WG_STOP_FAULT, WG_STOP_TIMEOUT, WG_STOP_INTERRUPT, WG_STOP_MEMORY };
/* The first cause stays. */
static inline void wg_grid_stop(struct wg_grid *g, enum wg_stop cause) {
    uint32_t no = WG_STOP_NO;
    atomic_compare_exchange_strong(&g->stop, &no, (uint32_t)cause);
}

enum wg_warp_state { WG_WS_RUN, WG_WS_WAIT, WG_WS_DONE };

struct wg_barrier {
    uint32_t threads; /* the count given; 0: all */
    bool used;
    uint32_t waiting[WG_MAX_WARPS]; /* lanes, by warp */
    uint32_t arrived[WG_MAX_WARPS]; /* lanes that arrived without waiting */
};

struct wg_unit;
struct wg_race_block;
struct wg_check_async;
struct wg_round_block;
struct wg_barrier_watch;
/* What a block has asked of the device runtime so far: device_runtime.c. */
struct wg_runtime_counts {
    uint64_t of; /* the block and the launch */
    uint32_t asked, handles;
};
struct wg_cta {
    struct wg_block block;
    struct wg_unit *unit;
    struct wg_warp *warps;
    uint32_t nwarps, ndone;
    uint32_t rank;               /* in the cluster */
    uint64_t index;              /* in the grid */
    uint8_t state[WG_MAX_WARPS]; /* enum wg_warp_state; only once the unit is `general` */
    uint32_t cluster_arrived[WG_MAX_WARPS];
    uint32_t grid_waiting[WG_MAX_WARPS];
    bool at_grid;                   /* counted in grid->arrived */
    uint32_t grid_phase;            /* when it was counted */
    const char *wrong;              /* invalid use of a barrier: the text for the fault */
    uint32_t used;                  /* barriers in use, a bit each */
    struct wg_barrier_watch *watch; /* check_barrier.c; NULL: barriers are not checked */
    struct wg_round_block *rounds;  /* check_round.c; NULL: nothing reported so far */
    struct wg_race_block *race;     /* check_race.c; NULL: the race check is off */
    struct wg_check_copies *copies; /* check_copy.c; NULL: none so far */
    struct wg_runtime_counts runtime;
    uint32_t shared_known; /* check_init.c: bytes of shared memory that are defined, from the first on */
    struct wg_barrier barriers[WG_BARRIERS + WG_GROUP_BARRIERS];
};

/* In the grid. */
static inline uint64_t wg_block_index(const struct wg_block *b) {
    return b->ctaid[0] + (uint64_t)b->nctaid[0] * (b->ctaid[1] + (uint64_t)b->nctaid[1] * b->ctaid[2]);
}

/* What wg_runtime_counts.of is of a block. */
static inline uint64_t wg_runtime_counts_of(const struct wg_grid *g, uint64_t block) {
    return block ^ g->block.gridid << 40;
}

struct wg_unit {
    struct wg_grid *grid;
    struct wg_worker *worker;
    uint64_t index;
    struct wg_shape shape;
    struct wg_cta *ctas;
    struct wg_warp *warps;
    uint8_t *frames;
    void *local, *shared;       /* scratch of the device's address space */
    uint64_t more;              /* block.more at the time when the unit's indices were up to date */
    bool fresh;                 /* the warps are as before their first time slice */
    bool placed;                /* the blocks have the indices of unit `index`, in this launch */
    bool general;               /* run.c: the fast path does not suffice; `state` of the blocks holds */
    bool dirty;                 /* barriers or counts of the blocks are to be cleared for the next unit */
    bool still;                 /* it has yielded to others, and has made no progress since */
    uint32_t moves;             /* grows with progress */
    uint64_t passes;            /* schedule.c's own */
    struct wg_unit *next;       /* in the worker's lists */
    struct wg_sum_claim *claim; /* later_sums.h; NULL: no deferred sums */
    struct wg_race_block *peers[WG_MAX_CLUSTER]; /* check_race.c: of the blocks */
    struct wg_check_async *async;                /* check_async.c; NULL: no asynchronous operations */
};

enum wg_unit_end {
    WG_UNIT_DONE,
    WG_UNIT_ASIDE,   /* waits for other blocks, or its time slice is over */
    WG_UNIT_GRID,    /* all of it waits at the grid barrier */
    WG_UNIT_FAULT,   /* recorded in the grid */
    WG_UNIT_STOPPED, /* the launch is to end */
};

/* run.c */
void wg_unit_begin(struct wg_unit *u, uint64_t index);
/* Code that runs whole blocks may continue with the following ones, up to `last`; the unit then becomes each
 * in turn: u->index. */
enum wg_unit_end wg_unit_run(struct wg_unit *u, uint64_t last);
void wg_unit_catch_up(struct wg_unit *u); /* updates u->index, when a fault ended such code */
/* Whether the unit can make no progress by itself: true while its grid barrier is not complete. */
static inline bool wg_unit_at_grid(const struct wg_unit *u) {
    bool any = false;
    for (uint32_t k = 0; k < u->shape.nctas; k++) {
        const struct wg_cta *c = &u->ctas[k];
        if (c->ndone == c->nwarps) continue;
        if (!c->at_grid || atomic_load(&u->grid->phase) != c->grid_phase) return false;
        any = true;
    }
    return any;
}

/* barrier.c */
bool wg_barrier_note(struct wg_cta *c, struct wg_warp *w); /* new waits of a warp; false: fault in w->fault */
uint32_t wg_barrier_settle(struct wg_unit *u);             /* releases what is complete; how many waits */
void wg_barrier_arrive(struct wg_cta *c, struct wg_warp *w, uint32_t lanes, uint32_t id, uint32_t threads);
bool wg_barrier_at_grid(struct wg_cta *c); /* the block has reached the grid barrier, and waits there */
void wg_barrier_exit(struct wg_cta *c);    /* a block of a cooperative launch has ended */

/* deadlock.c */
/* No warp of the unit can continue: who waits for whom. */
struct wg_deadlock {
    struct wg_fault fault;
    const struct wg_warp *warp;  /* whose fault it is: the first that waits */
    uint32_t site;               /* where it does */
    const struct wg_warp *other; /* that waits for something else; NULL: none does */
    struct wg_wait wait;         /* the other's */
    struct wg_strbuf text;
};
struct wg_deadlock wg_deadlock(const struct wg_unit *u);

/* Parts of its text: the location of the mbarrier at this place in the cluster's shared memory, as seen from
 * an instruction; what a barrier, or the mbarrier `id`, still waits for; which threads of the block have
 * ended. */
void wg_deadlock_put_mbarrier(struct wg_strbuf *out, const struct wg_cta *c, uint32_t site, uint32_t place);
void wg_deadlock_put_missing(struct wg_strbuf *out, const struct wg_cta *c, enum wg_wait_kind kind,
                             uint32_t id);
void wg_deadlock_put_ended(struct wg_strbuf *out, const struct wg_cta *c);
const char *wg_wait_name(enum wg_wait_kind k); /* "the grid's barrier" */

/* slot.c */
struct wg_unit *wg_slot_get(struct wg_worker *w, struct wg_grid *g); /* NULL: no memory */
void wg_slot_put(struct wg_worker *w, struct wg_unit *u);
void wg_slot_trim(struct wg_worker *w, uint64_t keep); /* so many bytes of them */

/* grid.c */
/* Launches that have not ended (wg_device.ngrids): a program waits at the most, until there are so few again that it
 * is not woken for each. */
enum { WG_MOST_LAUNCHES = 1024, WG_LAUNCHES_AGAIN = 768 };
struct wg_how;
/* The launch's parameters, as the kernel finds them; WG_PARAM_BYTES at the most. */
enum wg_status wg_grid_params(const struct wg_launch *l, const struct wg_ir_func *f, uint8_t *to);
/* `how` NULL: by the options. Returns NULL on failure: *status and wg_last_detail say why. */
struct wg_grid *wg_grid_make(struct wg_device *dev, const struct wg_launch_order *o, const struct wg_how *how,
                             enum wg_status *status);
/* Warps of a block of this shape, and the last one's live lanes. */
uint32_t wg_grid_warps(const uint32_t block[3], uint32_t *last_lanes);
void wg_grid_again(struct wg_grid *g); /* resets it, to run once more */
void wg_grid_release(struct wg_grid *g);

/* The job of the launch's units; and the job that the pool has for it. */
extern const struct wg_job_kind wg_grid_job;
struct wg_job *wg_grid_submits(struct wg_grid *g);
static inline struct wg_grid *wg_grid_of_alone(struct wg_job *alone) {
    return (struct wg_grid *)((char *)alone - offsetof(struct wg_grid, alone));
}

/* A unit that `stop` has ended. */
void wg_grid_stopped(const struct wg_unit *u);
/* running.c */
/* Whether this unit (and all after it) need not run any more. */
bool wg_grid_stops(struct wg_grid *g, uint64_t unit);
/* It begins to run; it has ended. */
void wg_grid_list(struct wg_grid *g);
void wg_grid_unlist(struct wg_grid *g);
void wg_grid_set_deadline(struct wg_grid *g); /* its time begins */
/* Stops launches whose time is over, and gets workers out of kernel code of launches that are to end. Called
 * periodically by threads that wait. */
void wg_grids_watch(struct wg_device *dev);
/* "kernel 'sort(int*)', launch 3: 34 % of 4,096 blocks, 12 s, about 23 s left", of the launch that has run longest. False:
 * none runs. */
bool wg_grids_progress(struct wg_device *dev, struct wg_strbuf *out);

/* one_order.c: may what it computes, or what is counted of it, depend on the order in which its blocks
 * run? */
bool wg_launch_hangs_on_order(struct wg_grid *g, const struct wg_launch *l);
/* And can its floating-point sums be deferred, so that they do not (later_sums.h)? Gives the memory that they
 * go to, and the number of spans; 0: they cannot, or there are none. */
struct wg_later_span;
uint32_t wg_launch_later_sums(struct wg_grid *g, const struct wg_launch *l, struct wg_later_span *spans);

/* fault.c */
/* Keeps the fault if its unit is the lowest so far. `detail`: more lines of the message, or NULL. */
void wg_grid_fault(const struct wg_cta *c, const struct wg_warp *w, const struct wg_fault *f, bool by_signal,
                   const char *detail);
#endif
