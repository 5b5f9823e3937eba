/* The race check of launches: passes the accesses and synchronisation of kernel code to check/race/race.h,
 * and reports the races with their places. Everything here does nothing where the race check is off. */
#ifndef WG_MACHINE_CHECK_RACE_H
#define WG_MACHINE_CHECK_RACE_H
#include "check/instrument/instrument.h"
#include "check/prove/apart.h"
#include "machine/grid.h"
#include "warp/warp.h"

struct wg_race;
struct wg_race_site;
struct wg_race_grid;
/* Allocations that the accesses of a launch may be of. */
struct wg_check_range {
    uint64_t base, end;
};
struct wg_check_reach {
    bool anywhere;
    bool sure; /* of one access: all of it lies there */
    WG_VEC(struct wg_check_range) ranges;
};
/* Of an allocation that the launch writes: accesses, by number, that cannot race there, and those whose
 * footprint no other block touches. */
struct wg_check_proof {
    uint64_t base;
    uint64_t *quiet, *own;
};
struct wg_forms;
struct wg_form_extent;
/* A list: the footprint of a quiet access, in what the launch writes or others may use meanwhile. */
struct wg_check_shown {
    struct wg_form_extent *extent;
    uint32_t id;
    uint8_t access; /* enum wg_race_access_kind */
    bool of_device; /* an atomic that only its device sees as such */
    struct wg_check_shown *next;
};
void wg_check_shown_free(struct wg_check_shown *s);
/* Of a launch. */
struct wg_check_races {
    struct wg_race_grid *grid;  /* NULL: the race check is off */
    struct wg_race_site *sites; /* [nids] */
    /* check_written.c: what is written, and what is touched by others than atomics. */
    struct wg_check_reach written, plain;
    struct wg_check_formed *formed; /* check_forms.c's own */
    WG_VEC(struct wg_check_proof) proofs;
    struct wg_check_shown *shown;
    bool loose;                  /* work of other streams may access meanwhile what the launch uses */
    bool host;                   /* ...and the host program what is not the device's alone */
    struct wg_check_seen **seen; /* [nids] check_seen.c's own; NULL: none */
    bool vague;                  /* it may make further accesses that are not reported */
    bool silent;                 /* no access is reported at all: blocks need no state */
    bool no_global;              /* no access to global memory is reported */
    bool engines;                /* it may start asynchronous operations, or initialise mbarriers */
    bool asks;                   /* a volatile load polls a flag */
    bool takes;                  /* an exchange may take a lock */
    bool apart;            /* no block touches what another one writes, as long as accesses stay in their
                            * pointers' allocations */
    bool orders;           /* by fences and atomics: each of these is reported */
    atomic_bool surprised; /* an access left its pointer's allocation */
    uint64_t *quiet;       /* private to check_shared.c: accesses found to be quiet, by number; NULL */
    struct wg_check_alike *alike; /* check_alike.c's own */
};

/* check_forms.c. Forms of the addresses of a launch of this shape, kept from an earlier one or made, which are the caller's
 * alone until it gives them back; and answers of which are apart. */
struct wg_check_formed *wg_check_forms_take(struct wg_grid *g, const uint32_t ntid[3],
                                            const uint32_t nctaid[3]);
void wg_check_forms_give(struct wg_grid *g, struct wg_check_formed *x);
struct wg_forms *wg_check_forms_of(const struct wg_check_formed *x);
struct wg_apart_memo *wg_check_memo_of(struct wg_check_formed *x, enum wg_form_who who);
/* The same of the launch while it is looked at; that has been done; the function's module goes. */
const struct wg_forms *wg_check_forms(struct wg_grid *g);
struct wg_apart_memo *wg_check_memo(struct wg_grid *g, enum wg_form_who who);
void wg_check_forms_end(struct wg_grid *g);
void wg_check_forms_forget(struct wg_func *f);

/* check_shared.c: finds the accesses to shared memory that cannot race; whether the access is one of these;
 * marks them in a worker's windows. */
void wg_check_shared_begin(struct wg_grid *g);
void wg_check_shared_end(struct wg_grid *g);
bool wg_check_shared_quiet(const struct wg_grid *g, uint32_t id);
void wg_check_shared_windows(const struct wg_grid *g, struct wg_check_window *w);
/* check_alike.c: the function's module goes; sorts the launch's blocks (`silent`: but for shared memory nothing is told); something was found; whether
 * blocks that begin now cannot race in shared memory; a block begins (true: it needs no state), and has ended. */
void wg_check_alike_forget(struct wg_func *f);
void wg_check_alike_begin(struct wg_grid *g, bool silent);
void wg_check_alike_end(struct wg_grid *g);
void wg_check_alike_found(const struct wg_grid *g);
bool wg_check_alike_proven(const struct wg_grid *g);
bool wg_check_alike_unit_begin(struct wg_unit *u);
void wg_check_alike_unit_end(struct wg_unit *u);
/* check_proof.c: the one allocation that contains the instruction's whole footprint (false: not known); given
 * the reach of all accesses, by number, finds those that cannot race; whether the access is one of these. */
struct wg_span;
bool wg_check_proof_span(struct wg_grid *g, uint32_t id, struct wg_span *out);
void wg_check_proof_find(struct wg_grid *g, const struct wg_check_reach *of);
bool wg_check_proof_quiet(const struct wg_check_races *r, uint32_t id, uint64_t base);
/* Whether no other block touches its footprint. */
bool wg_check_proof_own(const struct wg_check_races *r, uint32_t id, uint64_t base);
void wg_check_proof_free(struct wg_check_races *r);

/* check_seen.c: all that a weak access touches in this allocation is kept, and no more, if it can be; lanes come
 * there (false: not only there); the launch has ended. */
struct wg_check_seen;
void wg_check_seen_add(struct wg_grid *g, uint32_t id, const struct wg_check_range *span);
bool wg_check_seen(struct wg_check_seen *s, uint32_t lanes, const struct wg_check_ask *a, uint32_t bytes);
void wg_check_seen_end(struct wg_grid *g);

/* check_written.c: what the launch does to which allocations, from its parameters. Reads of what no thread
 * writes race with nothing, nor do atomics of what nothing else touches. */
void wg_check_written_begin(struct wg_grid *g);
void wg_check_written_end(struct wg_grid *g);
/* Whether others than the launch may use memory of this kind meanwhile: its accesses there need not be reported if all of
 * their footprint is known. */
bool wg_check_written_shared(const struct wg_check_races *r, uint32_t mem_kind);
/* Whether the instruction's accesses inside of the window need not be reported. One that should not be there
 * is recorded. */
bool wg_check_written_quiet(const struct wg_grid *g, uint32_t id, const struct wg_check_window *w);

/* check_race_site.c. What is known of an access before it is made. */
struct wg_race_site {
    uint8_t access, order, scope, bytes, space; /* access 0: none that others see */
};
struct wg_race_site wg_check_race_site(const struct wg_ir_instr *in);
bool wg_check_is_load(const struct wg_ir_instr *in);
/* An atomic for all of the grid, which orders nothing by itself. */
bool wg_check_race_is_relaxed(const struct wg_grid *g, uint32_t id);

/* Whether it is an access that other threads may see. */
bool wg_check_race_is_told(const struct wg_grid *g, uint32_t id);
/* Whether it orders nothing, and no other thread may use it as a flag. */
bool wg_check_race_is_weak(const struct wg_grid *g, uint32_t id);

/* Whether a block may be ordered after what other blocks have done so far. */
bool wg_check_race_heard_others(const struct wg_cta *c);
/* Whether what a block reads may depend on when others run. Ignores accesses that leave the
 * allocation of their pointer for one that the launch writes. */
bool wg_check_race_may_matter(const struct wg_grid *g);
/* Whether the kernel's blocks may synchronise with each other; then one worker runs them. */
bool wg_check_race_orders(const struct wg_grid *g);
void wg_check_race_begin(struct wg_grid *g);
void wg_check_race_end(struct wg_grid *g);
void wg_check_race_unit_begin(struct wg_unit *u);
void wg_check_race_unit_end(struct wg_unit *u);
/* check_copy.c: an asynchronous copy is issued, with the access's lanes and addresses; its thread commits
 * those so far as a group; waits for all groups but the last `open`, or for all (open NULL); accesses shared
 * memory while copies are in flight. */
struct wg_race_access;
void wg_check_copy_begins(const struct wg_warp *w, const struct wg_race_access *a);
void wg_check_copies_commit(const struct wg_warp *w, uint32_t lanes);
void wg_check_copies_wait(const struct wg_warp *w, uint32_t lanes, const uint64_t *open);
void wg_check_copies_touch(const struct wg_warp *w, const struct wg_race_access *a);
/* The block ends. */
void wg_check_copies_end(struct wg_cta *c);
/* Events of code. */
void wg_check_race_access(const struct wg_warp *w, uint32_t lanes, const struct wg_check_ask *a);
void wg_check_race_fence(const struct wg_warp *w, uint32_t lanes, uint32_t id);
/* mbarriers, by lane as the instruction's operand has them. operand: its second one, NULL for none. over: bit
 * 0: whether the phase asked about is over. */
void wg_check_race_mbarrier_arrive(const struct wg_warp *w, uint32_t lanes, uint32_t id, const uint64_t *at,
                                   const uint64_t *operand);
void wg_check_race_mbarrier_passed(const struct wg_warp *w, uint32_t lanes, uint32_t id, const uint64_t *over,
                                   const uint64_t *at);
void wg_check_race_mbarrier_begins(const struct wg_warp *w, uint32_t lanes, uint32_t id, const uint64_t *at);
/* check_arrival.c. Lanes arrive at mbarriers: places in the cluster's shared memory. in: the instruction that counts them
 * there, with its second operand; NULL: nothing is counted. */
void wg_check_race_arrival(const struct wg_warp *w, uint32_t lanes, const uint64_t *place,
                           const struct wg_ir_instr *in, const uint64_t *operand);
/* Lanes have seen the end of a phase. */
void wg_check_race_passage(const struct wg_warp *w, uint32_t lanes, const uint64_t *place);
/* members: NULL: each names all lanes. */
void wg_check_race_meeting(const struct wg_warp *w, uint32_t lanes, const uint64_t *members);
/* Barriers. All threads of the block have reached __syncthreads(), or ended; barrier `id` is complete, its
 * lanes not yet released; lanes arrive without waiting; a barrier of the cluster, or under the grid's lock
 * one of the grid, is complete. */
void wg_check_race_plain_barrier(const struct wg_cta *c);
void wg_check_race_barrier(const struct wg_cta *c, uint32_t id);
void wg_check_race_arrive(const struct wg_warp *w, uint32_t lanes, uint32_t id);
void wg_check_race_cluster_arrive(const struct wg_warp *w,
                                  uint32_t lanes); /* and continues before it waits */
void wg_check_race_cluster_barrier(const struct wg_unit *u);
void wg_check_race_grid_barrier(const struct wg_grid *g);
/* The device is closed. */
void wg_check_race_close(struct wg_device *dev);
#endif
