/* The race check of launches: passes the accesses and synchronisation of kernel code to check/race/race.h,
 * and reports the races with their places. Everything here does nothing where the race check is off. */
#ifndef WG_MACHINE_CHECK_RACE_H
#define WG_MACHINE_CHECK_RACE_H
#include "check/instrument/instrument.h"
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
/* Of an allocation that the launch writes: accesses, by number, that can race with nothing there, and those
 * of which no other block's come to the same place. */
struct wg_check_proof {
    uint64_t base;
    uint64_t *quiet, *own;
};
struct wg_forms;
struct wg_form_extent;
/* All that a quiet access touches of what the launch writes: a list. */
struct wg_check_shown {
    struct wg_form_extent *extent;
    uint32_t id;
    bool reads;
    struct wg_check_shown *next;
};
void wg_check_shown_free(struct wg_check_shown *s);
/* Of a launch. */
struct wg_check_races {
    struct wg_race_grid *grid;  /* NULL: races are not looked for */
    struct wg_race_site *sites; /* [nids] */
    /* check_written.c: what is written, and what is touched by others than atomics. */
    struct wg_check_reach written, plain;
    struct wg_forms *forms; /* check_forms.c's own */
    WG_VEC(struct wg_check_proof) proofs;
    struct wg_check_shown *shown;
    bool vague;            /* it may do more that is not told */
    bool silent;           /* nothing is told at all: blocks need not be known */
    bool no_global;        /* nothing is told of global memory */
    bool asks;             /* a volatile load asks after a flag */
    bool apart;            /* blocks have nothing of it in common that is written, as long as accesses stay
                            * where their pointers point */
    bool orders;           /* by fences and atomics: each of these is to be heard of */
    atomic_bool surprised; /* an access went elsewhere */
    uint64_t *quiet;       /* check_shared.c's own: accesses that turned out to be, by number; NULL */
};

/* check_forms.c: forms of the addresses of the launch's accesses, of one that was asked for so, to be freed
 * by the caller; while it is looked at; the function's module goes. */
struct wg_forms *wg_check_forms_new(struct wg_grid *g, const struct wg_launch *l);
const struct wg_forms *wg_check_forms(struct wg_grid *g);
void wg_check_forms_forget(struct wg_func *f);

/* check_shared.c: what of the kernel's accesses to shared memory can race with nothing; whether the access is
 * one of these; a worker's windows are to say so. */
void wg_check_shared_begin(struct wg_grid *g);
void wg_check_shared_end(struct wg_grid *g);
bool wg_check_shared_quiet(const struct wg_grid *g, uint32_t id);
void wg_check_shared_windows(const struct wg_grid *g, struct wg_check_window *w);
/* check_proof.c: into which one allocation all of what the instruction accesses lies (false: that is not
 * known); given where all others reach, by number, it is found which accesses race with nothing; whether the
 * access is one of these. */
struct wg_span;
bool wg_check_proof_span(struct wg_grid *g, uint32_t id, struct wg_span *out);
void wg_check_proof_find(struct wg_grid *g, const struct wg_check_reach *of);
bool wg_check_proof_quiet(const struct wg_check_races *r, uint32_t id, uint64_t base);
/* Whether no other block comes to where it does. */
bool wg_check_proof_own(const struct wg_check_races *r, uint32_t id, uint64_t base);
void wg_check_proof_free(struct wg_check_races *r);

/* check_written.c: what the launch does to which allocations, from its parameters. Reads of what no thread
 * writes race with nothing, nor do atomics of what nothing else touches. */
void wg_check_written_begin(struct wg_grid *g);
void wg_check_written_end(struct wg_grid *g);
/* Whether the instruction's accesses inside of the window need not be told of. One that should not be there
 * is noted. */
bool wg_check_written_quiet(const struct wg_grid *g, uint32_t id, const struct wg_check_window *w);

/* check_race_site.c. What is known of an access before it is made. */
struct wg_race_site {
    uint8_t access, order, scope, bytes, space; /* access 0: none that others see */
};
struct wg_race_site wg_check_race_site(const struct wg_ir_instr *in);
bool wg_check_is_load(const struct wg_ir_instr *in);
/* An atomic for all of the grid, which orders nothing by itself. */
bool wg_check_race_is_relaxed(const struct wg_grid *g, uint32_t id);

/* Whether it is an access that others may see. */
bool wg_check_race_is_told(const struct wg_grid *g, uint32_t id);
/* Whether it orders nothing, and no other thread may take it for a flag. */
bool wg_check_race_is_weak(const struct wg_grid *g, uint32_t id);

/* Whether what a block reads may depend on when others run. An access that leaves the allocation of its
 * pointer for one that the launch writes is not thought of. */
bool wg_check_race_may_matter(const struct wg_grid *g);
/* Whether the kernel's blocks may order each other by themselves, which has them run by one worker. */
bool wg_check_race_orders(const struct wg_grid *g);
void wg_check_race_begin(struct wg_grid *g);
void wg_check_race_end(struct wg_grid *g);
void wg_check_race_unit_begin(struct wg_unit *u);
void wg_check_race_unit_end(struct wg_unit *u);
/* check_copy.c: an asynchronous copy begins, whose lanes and addresses are the access's; its thread makes a
 * group of those so far; waits for all groups but the last, or for all there is (open NULL); touches shared
 * memory while there are any. */
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
void wg_check_race_meeting(const struct wg_warp *w, uint32_t lanes, const uint64_t *members);
/* Barriers. All threads of the block have come to __syncthreads(), or ended; barrier `id`'s lanes are still
 * counted; lanes come by without waiting; a barrier of the cluster, or under the grid's lock one of the grid,
 * is complete. */
void wg_check_race_plain_barrier(const struct wg_cta *c);
void wg_check_race_barrier(const struct wg_cta *c, uint32_t id);
void wg_check_race_arrive(const struct wg_warp *w, uint32_t lanes, uint32_t id);
void wg_check_race_cluster_arrive(const struct wg_warp *w, uint32_t lanes); /* and goes on before it waits */
void wg_check_race_cluster_barrier(const struct wg_unit *u);
void wg_check_race_grid_barrier(const struct wg_grid *g);
/* The device is closed. */
void wg_check_race_close(struct wg_device *dev);
#endif
