/* Livelock detection: threads that poll memory or an mbarrier (check/instrument/spin.h) for ever.
 *
 * A thread begins an iteration of a loop with the same state as before, having read the same from memory and
 * changed nothing: it will repeat this until somebody changes what it polls. In nested loops, all iterations
 * between two equal ones have to be unchanged. This does not depend on the schedule: from a state in which no
 * other thread is left, no schedule makes progress. That is so
 *
 *   - of a unit, when all its threads that do not wait at a barrier poll only its own shared memory:
 *     whatever other units do, nobody will change that;
 *   - of a launch, when it is so of every thread that does not wait otherwise, and nobody else is at work who
 *     could change memory: no other launch that is not stuck itself, no copy, no thread of the program. A
 *     launch with threads that may poll such memory is run by one worker.
 *
 * `epoch` counts what may have changed something: a thread whose iteration differed from the one before, or
 * that left its loop, a store that changed memory, a warp that ended or reached a barrier. Only what threads
 * have done since then counts. What a thread does outside of such loops is not reported; so the conclusion is
 * drawn from two epochs, the second of which begins when all threads that run are in such loops: whatever
 * they did before, all of them have polled since.
 */
#ifndef WG_MACHINE_CHECK_ROUND_H
#define WG_MACHINE_CHECK_ROUND_H
#include "machine/grid.h"

struct wg_work;

enum { WG_ROUND_LOOPS = 4 };

/* A thread. */
struct wg_round_lane {
    uint64_t now; /* what it has read in this iteration so far */
    struct wg_round_loop {
        uint64_t met; /* when it came there last */
        uint32_t id;
    } loop[WG_ROUND_LOOPS]; /* nested loops that it iterates, the latest first */
    uint32_t first;         /* the loop that counts: `same` counts its iterations */
    uint64_t at, found;     /* the current access: its address, and the value read */
    uint64_t next_on, on;   /* the address that it polls: in this iteration so far; in the previous one */
    uint32_t next_site, site;
    uint32_t epoch, same; /* since `epoch`, `same` iterations were equal, with all nested loops */
    bool next_others,
        others; /* it polls memory of other units: in this iteration so far; in the previous one */
};
/* Of a block, once one of its threads has reported something. */
struct wg_round_block {
    uint32_t meets[WG_MAX_WARPS]; /* lanes that wait for others of their warp, and where */
    uint32_t site[WG_MAX_WARPS];
    struct wg_round_lane lane[][32];
};

/* The last reported change of memory. */
struct wg_round_change {
    uint64_t address, value; /* what it was then */
    uint64_t unit;           /* plus one; 0: no entry */
    uint32_t block[3], thread, site, bytes;
};
enum { WG_ROUND_CHANGES = 1 << 14 };

/* Of a launch's units that one worker has. */
struct wg_round_worker {
    uint32_t epoch;
    uint32_t doubted; /* the epoch that began when all threads of a unit were found spinning in vain */
    bool forgets;     /* there was no room for a change */
    uint32_t nchanges;
    struct wg_round_change change[WG_ROUND_CHANGES];
};

/* Of a launch. */
struct wg_check_rounds {
    bool of_one_worker; /* threads may poll memory that other units change */
    uint32_t seen;      /* its worker's epoch at the last check of the launch */
    uint32_t quiet;     /* checks since then that found no change */
    uint64_t shape;     /* which threads lived and waited then */
    bool stuck;         /* under the device's lock: it can make no progress by itself... */
    uint32_t shown;     /* ...as seen when the device's `happened` had this value */
    bool sure;          /* and was so again since then */
    uint32_t nworkers;
    struct wg_round_worker *worker[]; /* NULL: nothing reported so far */
};

void wg_check_round_begin(struct wg_grid *g);
void wg_check_round_end(struct wg_grid *g);
/* Blocks begin. A warp of the unit has ended, reached a barrier, or was released from one. */
void wg_check_round_unit_begin(struct wg_unit *u);
void wg_check_round_moved(const struct wg_unit *u);
/* Events of code: id and source are the event's. */
void wg_check_round_event(struct wg_warp *w, uint32_t lanes, uint32_t id, uint32_t event,
                          const uint64_t *source);
/* The worker has only units that make no progress: checks whether one of their launches is in a deadlock. */
void wg_check_round_idle(struct wg_worker *w);
/* Whether every running thread of the unit spins in vain. */
bool wg_check_round_in_vain(const struct wg_unit *u);
/* After a pass over all warps of the unit: whether it is in a deadlock by itself, which then becomes its
 * fault. */
bool wg_check_round_ends(struct wg_unit *u);

/* check_round_told.c: the launch is in a deadlock, by what these units (of a list that may have others', too)
 * wait for: who waits where, for what; becomes its fault. only: of one unit. */
void wg_check_round_told(struct wg_grid *g, struct wg_unit *first, bool only);
const struct wg_round_change *wg_check_round_change_of(const struct wg_unit *u, uint64_t address);
bool wg_check_round_tests_phase(const struct wg_ir_instr *in); /* of an mbarrier; NULL: none */
/* The lanes of a warp that wait at barriers; for others of their warp. */
uint32_t wg_check_round_waiting(const struct wg_warp *w);
uint32_t wg_check_round_meeting(const struct wg_cta *c, const struct wg_warp *w);
#endif
