/* Chains of dependent instructions: how long a warp takes for its own instructions, apart from what it waits for loads from
 * memory, and how long each pipe of an SM is busy with them.
 *
 *     struct wg_chain c = wg_chain_find(k, l, warps, &slowest);
 *     c.cycles, c.pipes
 *
 * Within a basic block an instruction begins when the registers that it reads are there: after as many cycles as a chain of
 * its kind was measured to take (docs/results/h200-chains.tsv). The longest path is what the block takes a warp. Loads of
 * global memory are none of it: report/trips.h has them.
 */
#ifndef WG_REPORT_CHAIN_H
#define WG_REPORT_CHAIN_H
#include "report/profile.h"
#include "report/slowest.h"

struct wg_chain {
    double cycles;  /* summed over warps; 0: not known, because the file has no text of the PTX */
    double pipes;   /* cycles that the busiest pipe is busy, summed over SMs */
    double slowest; /* cycles of the slowest warp, over the mean one's */
};
struct wg_chain wg_chain_find(const struct wg_profile_kernel *k, const struct wg_launch *l, double warps,
                              const struct wg_slowest *slowest);
#endif
