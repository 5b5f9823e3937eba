/* A device's internal state. Everything here is reached through a handle; the only static data are the signal
 * handlers (trap.c) and the count of forks (device_state.c). */
#ifndef WG_MACHINE_DEVICE_H
#define WG_MACHINE_DEVICE_H
#include "machine/fleet.h"
#include "machine/grid.h"
#include "machine/memory/memory.h"
#include "machine/status.h"

struct wg_work;
struct wg_waiter;
struct wg_race;

struct wg_device {
    const struct wg_chip *chip;
    struct wg_options options;
    uint32_t fork_count; /* when it was opened: threads do not survive a fork */
    struct wg_memory memory;
    struct wg_origins *origins; /* origin.h; NULL: initialisation is not checked */
    struct wg_check_left *left; /* watch/check_init_host.c; NULL: there is nothing */
    struct wg_pool pool;
    struct wg_worker *here; /* here.c: of the thread that launches; NULL: none yet */
    _Atomic bool here_taken;

    struct wg_fleet *fleet;
    bool own_fleet; /* there are no other devices */
    uint32_t ordinal;
    struct wg_device *sibling;        /* the next of the fleet */
    WG_VEC(struct wg_device *) peers; /* whose memory kernels may touch; under the fleet's `members` */
    pthread_mutex_t *lock; /* the fleet's, for the graph of work and its handles: work.c, stream.c, event.c */
    struct wg_stream *streams;
    struct wg_stream *legacy;
    pthread_key_t thread_stream;
    struct wg_work *spare_work;
    uint32_t nwork; /* pieces of work in use */
    uint32_t nlent; /* pieces of other devices' work that are about memory of this one */
    struct wg_grid *spare_grids, *running;
    wg_word ngrids;            /* launches between wg_launch and their end */
    _Atomic uint32_t unlooked; /* launches since the last wait or copy: launch.c */
    struct wg_event *events;
    uint64_t next_stream_id, next_grid_id;
    /* spent on compiling while the device was otherwise idle: not part of the device's time */
    _Atomic uint64_t compiled_ns;
    _Atomic uint64_t compiling_since; /* 0: no compilation that counts there is under way */
    const char *_Atomic compiling;    /* a kernel's name; NULL: none. Read by handlers of signals alone */
    _Atomic uint64_t latest_ns;       /* the greatest value that wg_device_now returned */

    /* Host callbacks: one thread, created by the first one. */
    pthread_t caller;
    bool caller_started, caller_stopping;
    pthread_cond_t caller_wakes;
    struct wg_work *calls, *calls_last;

    /* Children of launches (children.h): one thread, created by the first of them. */
    pthread_t families_thread;
    bool families_started, families_stopping;
    pthread_cond_t families_wake;
    struct wg_family *families;
    WG_VEC(struct wg_stream *) child_streams; /* of that thread's: those that are free */
    /* Work that is put together in steps (stepped.c): the same. */
    pthread_t steps_thread;
    bool steps_started, steps_stopping;
    pthread_cond_t steps_wake;
    struct wg_stepped *stepped;
    WG_VEC(struct wg_stream *) step_streams;
    struct wg_condition *conditions; /* conditions.c; under the lock */
    uint32_t next_condition;
    atomic_bool told_pending;             /* children.c: that a kernel launched too many */
    struct wg_child_memory *child_memory; /* under heap_lock */

    struct wg_race *race;                    /* check_race.c; NULL: none yet */
    struct wg_check_streams *check_streams;  /* the fleet's; NULL: the race check is off */
    const struct wg_work_observer *observer; /* of all its work; NULL: nobody */
    bool in_order;           /* work begins in the order in which it was enqueued, across streams: work.c */
    struct wg_work *calling; /* a function of the host's that runs... */
    uint64_t calling_since;  /* ...since then */
    const struct wg_listener *_Atomic listener; /* profile.h; NULL: nobody listens */

    /* The first fault. */
    _Atomic uint32_t status; /* enum wg_status */
    _Atomic uint32_t interrupted;
    struct wg_fault_record *_Atomic fault;
    _Atomic uint32_t value_waits; /* threads of value_wait.c */
    struct wg_arena fault_arena;

    pthread_mutex_t modules_lock;
    struct wg_module *modules;

    /* Limits, printf, malloc of kernels. */
    size_t limit_stack, limit_printf, limit_heap;
    size_t limit_pending; /* how deep kernels launch each other */
    pthread_mutex_t print_lock;
    struct wg_strbuf printed; /* by launches that have ended; not on stdout yet */
    _Atomic bool has_printed;
    struct wg_heap *heap;
    pthread_mutex_t heap_lock;
};

/* A bit for each enum wg_check_id; 0: nothing is checked. Under --strict memory is, and there are no findings
 * (watch/strict.c). */
uint32_t wg_checks(const struct wg_device *dev);
/* Whether each launch runs in two orders, which are compared (verify_order.c). */
static inline bool wg_device_has_orders(const struct wg_device *dev) {
    return dev->options.findings && dev->options.schedule.kind != WG_SCHEDULE_NONE;
}
/* Detects forks from now on; whether this is the process that opened the device; the status if it is not. */
void wg_device_note_forks(struct wg_device *dev);
bool wg_device_is_here(const struct wg_device *dev);
enum wg_status wg_device_not_here(void);
/* WG_OK, the sticky status, or NOT_INITIALIZED after a fork. */
enum wg_status wg_device_usable(struct wg_device *dev);
/* The device's own time, for events: nanoseconds. */
uint64_t wg_device_now(struct wg_device *dev);
/* Whether nothing runs, and the number of launches so far. */
bool wg_device_idle(struct wg_device *dev, uint64_t *launches);
/* The device goes into its error state; the first record wins. */
void wg_device_fail(struct wg_device *dev, enum wg_status status, struct wg_fault_record *record);

/* host_memory.c: from open to close, what the host program accesses of the device's memory is looked for. */
void wg_host_memory_open(struct wg_device *dev);
void wg_host_memory_close(struct wg_device *dev);

/* service.c, print.c, heap.c */
/* quiet: services for replays; dry: for grids with `dry` set. */
extern const struct wg_services wg_machine_services, wg_quiet_services, wg_dry_services;
uint32_t wg_print(struct wg_warp *w, uint64_t format,
                  uint64_t buffer); /* number of arguments; UINT32_MAX: no format */
/* What a printf would read: the values in its buffer, numbered from 1, and where strings begin. */
struct wg_print_reader {
    void *user;
    void (*argument)(void *user, uint32_t number, uint64_t at, uint32_t bytes);
    void (*string)(void *user, uint32_t number, uint64_t at);
};
void wg_print_read(uint64_t format, uint64_t buffer, const struct wg_print_reader *r);
/* count_calls.c: the system call `id`, where the launch is counted; in services */
void wg_count_printf(const struct wg_warp *w, uint32_t id, uint32_t lanes, const uint64_t format[32],
                     const uint64_t buffer[32]);
void wg_count_malloc(const struct wg_warp *w, uint32_t id, uint32_t lanes);
void wg_count_free(const struct wg_warp *w, uint32_t id, uint32_t lanes);
void wg_print_take(struct wg_grid *g); /* a launch's output, in the order of its blocks, to the device's */
void wg_print_flush(struct wg_device *dev);                                   /* the device's to stdout */
uint64_t wg_heap_alloc(struct wg_device *dev, uint64_t size);                 /* 0: none left */
uint64_t wg_heap_alloc_at(struct wg_device *dev, uint64_t at, uint64_t size); /* there, or 0 */
bool wg_heap_free(struct wg_device *dev, uint64_t p);
void wg_heap_close(struct wg_device *dev);
void wg_heap_open(struct wg_device *dev);                            /* before a kernel asks */
uint64_t wg_heap_range(const struct wg_device *dev, uint64_t *base); /* bytes; 0: there is none */
/* Live blocks, by address. */
void wg_heap_each_live(struct wg_device *dev, void (*fn)(void *user, uint64_t from, uint64_t to), void *user);
/* Saves the heap's bookkeeping outside its memory, and restores it. */
struct wg_heap_state;
struct wg_heap_state *wg_heap_keep(const struct wg_device *dev);
void wg_heap_put(struct wg_device *dev, const struct wg_heap_state *s);
void wg_heap_drop(struct wg_heap_state *s);
/* With the memory check on, the heap records its blocks, and quarantines freed ones as long as it has
 * room. */
struct wg_heap_block {
    uint64_t base, size; /* as asked for */
    bool freed;
    const char *made_by; /* "malloc at list.cu:8:17 in push(int)"; as long as the heap */
};
/* The last block that begins at or before `a`, or the first of all. False: no blocks. */
bool wg_heap_find(struct wg_device *dev, uint64_t a, struct wg_heap_block *out);
/* The block at p was made by this call. */
void wg_heap_made(struct wg_device *dev, uint64_t p, const char *by);
/* Leaked blocks, grouped by the call that allocated them: the number, and the smallest one. */
void wg_heap_each_left(struct wg_device *dev,
                       void (*fn)(void *user, const struct wg_heap_block *least, uint64_t count), void *user);

/* fault_report.c: the record of a launch that failed; NULL when it did not. */
struct wg_fault_record *wg_fault_report(struct wg_grid *g);
/* replay.c: runs the faulting unit of a launch again to find the thread. Fills in fault, fault_rank,
 * fault_warp and fault_block of the grid; false: the fault did not recur. On a worker. */
bool wg_replay_find(struct wg_grid *g);
/* Where the stopped unit of a launch is after a while of running again: a loc, or 0. */
uint32_t wg_replay_where(struct wg_grid *g);
#endif
