/* Bottleneck analysis of a launch, in figures and one sentence: from its counters and the time model.
 *
 *     transpose, one thread an element, columns read: 4.2 M sectors asked for, 18.9 M moved,
 *     l1 the longest part
 *     "memory-bound: 78 % of the sectors moved were not asked for"
 *
 *     64 warps an SM, each waiting for one 4-byte load a thread: 8 KB under way,
 *     and 14 KB would keep memory busy
 *     "waiting for memory: 8.2 KB of loads are under way in each SM, and 14.6 KB would keep the chip's memory
 *     busy"
 */
#ifndef WG_MODEL_BOUND_H
#define WG_MODEL_BOUND_H
#include "base/strbuf.h"
#include "model/time.h"

/* The time model's input, and what the accesses requested. */
struct wg_bound_input {
    struct wg_time_input time;
    double sectors, ideal_sectors; /* of all global and local accesses */
    double requests;
    double bytes_asked;
    double ideal_wavefronts; /* of shared memory */
};

struct wg_bound {
    struct wg_time time;
    double unasked;   /* fraction of the sectors moved that were not requested, 0 to 1 */
    double conflicts; /* fraction of shared memory's wavefronts that are bank conflicts */
    double sectors_per_request, ideal_per_request;
    double bandwidth;         /* bytes per second that the accesses request, in the modelled time */
    double peak;              /* the chip's */
    double under_way, needed; /* bytes of loads in flight in each SM; how many would saturate memory */
    double
        instructions_per_byte; /* warp instructions times 32, over the bytes that move between L2 and SMs */
    double balance;            /* machine balance: where schedulers and memory are equally busy */
};
struct wg_bound wg_bound(const struct wg_chip *c, const struct wg_bound_input *in);
/* The sentence, without a full stop, and what would help. */
void wg_bound_statement(const struct wg_bound *b, const struct wg_bound_input *in, struct wg_strbuf *out);
#endif
