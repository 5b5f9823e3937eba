/* Differential verification: launches run both in generated code and in the reference, and are compared
 * (docs/verify.md).
 *
 *     wg_launch             -> wg_verify_begin   the same launch once more, for the reference
 *     its stream is there   -> wg_verify_submit  one job, of one unit, that does it all:
 *         the reference runs                     its stores land in an overlay (ref/replay.h)
 *         a snapshot is taken                    so that what generated code writes is known (snapshot.h)
 *         generated code runs                    on the same worker, its blocks in the same order
 *         each byte is compared                  what the reference wrote; and that nothing else was written
 *     where they differ     -> verify_find.c     who wrote it; verify_forms.c: what of the compiler makes it
 *
 * In long programs only some blocks of each launch are compared: verify_sample.c.
 *
 * Memory stays as generated code leaves it, whatever the comparison finds: the program continues as it does
 * without.
 *
 * One launch at a time: work of all streams begins in the order in which it was enqueued (work.c), and
 * wg_launch waits a while for the launch to end, so that the host program does not change what both read.
 * A kernel's clock counts the number of its reads, in both, so that they agree.
 */
#ifndef WG_MACHINE_VERIFY_VERIFY_H
#define WG_MACHINE_VERIFY_VERIFY_H
#include "machine/module.h"
#include "machine/memory/snapshot.h"
#include "machine/verified.h"
#include "ref/replay.h"

/* The functions below do nothing when launches are not compared. */
void wg_verify_begin(struct wg_grid *g, const struct wg_launch_order *o);
void wg_verify_forget(struct wg_grid *g);
void wg_verify_wait(struct wg_work *w); /* for a launch, a while */
/* A launch with sampled blocks has ended. */
void wg_verify_sampled(struct wg_grid *g);
/* The job that does it all, of a grid that has a wg_verify. */
struct wg_job *wg_verify_job(struct wg_grid *g);

/* ---- for verify*.c ---- */

enum { WG_VERIFY_LINE = 64, WG_VERIFY_WORD = 4 };

struct wg_verify_heap;
struct wg_verify_sample {
    uint64_t unit;
    struct wg_replay *overlay;
    bool depends;                    /* it may depend on other blocks */
    const struct wg_ir_instr *asked; /* verify_sample.c's own */
    bool told;
};
struct wg_verify {
    struct wg_job job;     /* the pool's */
    _Atomic uint32_t refs; /* the job's, and the grid's */
    struct wg_grid *g;
    struct wg_launch_order order;
    uint8_t *params;
    struct wg_grid *ref;       /* the same launch for the reference */
    struct wg_code code;       /* the reference's, run under an overlay */
    struct wg_worker *worker;  /* that does it */
    struct wg_replay *overlay; /* the memory as the reference left it */
    bool orders;               /* it runs in two orders instead: verify_order.c */
    struct wg_replay *running; /* the overlay that it currently runs under */
    struct wg_replay *marks;   /* verify_find.c: marked are bytes that anything but a float atomic wrote */
    struct wg_snapshot *snapshot;
    struct wg_verify_heap *heap;
    struct wg_verify_sample *samples,
        *sample; /* sample: the current one; NULL: the whole launch is compared */
    uint32_t nsamples;
    uint64_t asked, began, tell_at; /* nanoseconds */
    bool host_ran;                  /* the host program did not wait for its end */
    bool was_alone;                 /* job.alone of the launch, if it were not compared */
    bool handed_on;                 /* it has become a job of the pool's */
};

/* What differs. */
struct wg_verify_difference {
    uint64_t words;     /* that differ */
    uint64_t by_order;  /* of these, those that only float atomics wrote */
    uint64_t strays;    /* of these, those that the reference does not write */
    bool order_is_open; /* the kernel uses what atomics return, and that depends on who was first */
    uint64_t at;        /* one of them: the first that the reference writes to; else the lowest stray */
    uint32_t size;      /* of what was written there last, or of a word */
    uint8_t generated[16], reference[16];
    /* Who wrote it last in the reference; instr NULL: nobody. */
    const struct wg_ir_instr *instr;
    uint32_t block[3], thread[3];
};

/* verify_totals.c. */
void wg_verify_lock(void); /* a process has one snapshot at a time */
void wg_verify_unlock(void);
void wg_verify_leave_out(const struct wg_verify *v, const char *why);
enum wg_verdict { WG_VERIFY_EQUAL, WG_VERIFY_MAY_DIFFER, WG_VERIFY_DIFFERS };
void wg_verify_count(const struct wg_verify *v, enum wg_verdict verdict, uint64_t bytes, uint64_t by_order,
                     bool in_part);
/* Whether a difference is to be reported: only the first at its place in the source. */
bool wg_verify_is_new(const struct wg_verify *v, const struct wg_verify_difference *d);
/* Whether the order dependence of this kernel is to be reported: only the first time. */
bool wg_verify_is_new_order(const struct wg_verify *v);

/* verify_run.c. The same launch for the reference, as the program's own blocks, in their order or in that of --schedule: v->ref.
 * False: the reference cannot run it. */
bool wg_verify_prepare_reference(struct wg_verify *v, bool in_order);
/* Prepares a grid of this launch for comparison. */
void wg_verify_like(struct wg_verify *v, struct wg_grid *g);
/* The reference, into an overlay, from memory as it is. */
void wg_verify_run_reference(struct wg_verify *v, struct wg_replay *overlay);
/* Runs a grid of this launch from the launch's beginning; the reference, into an overlay of its own. */
void wg_verify_run(struct wg_verify *v, struct wg_grid *g);
struct wg_replay *wg_verify_replay(struct wg_verify *v, wg_replay_allow allow, void *user);
/* All units of a grid of this launch, or the sampled block, on the current memory. */
void wg_verify_run_units(struct wg_verify *v, struct wg_grid *g);

/* verify_compare.c. Calls `each` for each word of memory that differs from what the reference left, until it
 * says that it is enough.
 */
typedef bool (*wg_verify_each)(void *user, uint64_t word, bool stray);
void wg_verify_compare(const struct wg_verify *v, wg_verify_each each, void *user);
/* Ignores differences by the order of float atomics, once verify_find.c knows them. */
bool wg_verify_is_equal(const struct wg_verify *v);
bool wg_verify_is_by_order(const struct wg_verify *v, uint64_t word);
/* A byte as the reference left it, of memory that generated code wrote or should have written. */
void wg_verify_expected(const struct wg_verify *v, uint64_t address, uint8_t *byte);
uint64_t wg_verify_bytes_written(const struct wg_replay *overlay);

/* verify_order.c: runs it in two orders. False, it has not run. */
bool wg_verify_orders(struct wg_verify *v);

/* verify_find.c: whether it is an atomic addition to a float; whether the kernel uses what the atomic returns. */
bool wg_verify_adds_floats(const struct wg_access *a);
bool wg_verify_uses_old_value(const struct wg_ir_module *m, const struct wg_ir_instr *in);

/* verify_counts.c: says where. */
bool wg_verify_counts_differ(struct wg_verify *v);

/* verify_sample.c. False, the launch is to be compared whole. */
bool wg_verify_sample(struct wg_verify *v);
void wg_verify_sample_free(struct wg_verify *v);

/* verify_heap.c. */
struct wg_verify_heap *wg_verify_heap_new(struct wg_verify *v);
void wg_verify_heap_free(struct wg_verify_heap *h);
uint64_t wg_verify_malloc(struct wg_verify *v, const struct wg_warp *w, uint32_t lane, uint64_t bytes);
void wg_verify_heap_begin(struct wg_verify *v, bool reference); /* of a run */
void wg_verify_heap_keep(struct wg_verify *v);                  /* the reference has run */
/* A thread of generated code got another address than the reference's. */
bool wg_verify_heap_moved(const struct wg_verify *v);
/* Which of 64 bytes are outside of the heap, or in live blocks. */
uint64_t wg_verify_heap_lives(const struct wg_verify *v, uint64_t line);

/* verify_find.c: false, all that differs is the order of float atomics. `now`: memory as generated code left
 * it, which is there. */
bool wg_verify_find(struct wg_verify *v, const struct wg_snapshot_state *now, struct wg_verify_difference *d);
/* verify_forms.c: whether it does so when the launch, or the block, runs once more. */
bool wg_verify_differs_again(struct wg_verify *v);
/* The optimisations to turn off so that generated code agrees: a sentence, to be freed. */
char *wg_verify_blame(struct wg_verify *v);
/* verify_text.c */
void wg_verify_say_difference(struct wg_verify *v, const struct wg_verify_difference *d, const char *blame);
void wg_verify_say_fault(struct wg_verify *v);
#endif
