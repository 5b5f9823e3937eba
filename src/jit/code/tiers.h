/* Tiered compilation: a large kernel begins in code that is compiled quickly, and gets optimised code once it
 * has run for a while, in this process or in those before it.
 *
 *     jit.c makes quick code ── wg_tiers_add ──> launches run for a while ──> make: better code, published
 *                                                     └──> ran: how long, for the next process
 *
 * A thread samples, some times a second, which of the kernels with quick code run. It compiles their
 * optimised code concurrently with the launches, which continue in it from the next block or barrier. The
 * thread does not exist before the first large kernel.
 */
#ifndef WG_JIT_TIERS_H
#define WG_JIT_TIERS_H
#include <stdbool.h>
#include <stdint.h>

/* About what better code costs: launches that took as long in quick code were worth it. */
enum { WG_TIER_WORTH_IT_NS = 500000000 };

struct wg_tier {
    const uint32_t *running;              /* launches that are under way: changed atomically */
    uint32_t waiting;                     /* warps that wait for a compilation: changed atomically */
    void (*make)(void *user);             /* called once, by the thread */
    void (*ran)(void *user, uint64_t ns); /* called by the thread, until it is cost_ns; may be NULL */
    void *user;
    uint64_t before_ns; /* in earlier processes; 0 once better code was made */
    uint64_t cost_ns;   /* once it ran so long in all, the next process begins in better code */
    uint64_t due_ns;    /* once it ran so long in this process, better code is compiled beside its launches */
    bool unwanted;      /* it is being removed: changed atomically, for `make` to end soon */
    /* The thread's own. */
    struct wg_tier *next;
    uint64_t ran_ns, told_ns; /* with before_ns */
    bool listed, making;
};

/* Starts sampling it, if it is not sampled yet. */
void wg_tiers_add(struct wg_tier *t);
/* Stops. Waits for a compilation that is running, which then ends soon. */
void wg_tiers_remove(struct wg_tier *t);
#endif
