/* A launch on the real chip, as model/ estimates it from a result file: its occupancy, waves, time and bottleneck.
 *
 * The file has every counter, and the allocation that each site accesses. From these:
 *   - bytes touched: the sectors moved, but no more than the allocations' size
 *   - how often a warp waits: loads that are adjacent in the PTX and ran equally often overlap
 */
#ifndef WG_REPORT_ESTIMATE_H
#define WG_REPORT_ESTIMATE_H
#include "base/arena.h"
#include "model/advice.h"
#include "model/bound.h"
#include "report/links.h"
#include "report/profile.h"

struct wg_estimate {
    const struct wg_chip *chip;
    struct wg_occupancy occupancy;
    struct wg_waves waves;
    struct wg_bound_input input;
    struct wg_bound bound; /* bound.time has the time and its parts */
    struct wg_links links; /* to memory of other devices */
};
/* False when the result is of a chip that is not known. Launches that are alike are estimated once: nothing of the result
 * may change afterwards. */
bool wg_estimate_launch(const struct wg_profile *p, const struct wg_profile_kernel *k,
                        const struct wg_launch *l, struct wg_estimate *out);
/* The launch as it would be after a change of the program: its counters by site, each times a factor. */
enum wg_changing {
    WG_CHANGE_SECTORS,    /* of 32 bytes */
    WG_CHANGE_LINES,      /* of 128 bytes: tag requests */
    WG_CHANGE_WAVEFRONTS, /* of shared memory, also another block's */
    WG_CHANGE_REQUESTS,   /* the same bytes by fewer accesses */
    WG_CHANGE_STAGED,     /* so much is still loaded from global memory; the rest finds it in shared memory */
    WG_CHANGE_TURNS,      /* wavefronts of such an access to shared memory */
    WG_CHANGING
};
struct wg_alteration {
    double *of[WG_CHANGING]; /* by site; 1: as it is */
    double instructions;     /* of all instructions, in the same way */
    double warps;            /* as many as now times this, each with more of its lanes in use */
    uint64_t blocks;         /* 0: as many as now */
    uint32_t registers, threads;
    uint64_t shared; /* at most so many, where not 0 */
};
struct wg_alteration *wg_change_none(struct wg_arena *a, const struct wg_profile_kernel *k);
bool wg_estimate_changed(const struct wg_profile *p, const struct wg_profile_kernel *k,
                         const struct wg_launch *l, const struct wg_alteration *change,
                         struct wg_estimate *out);
/* As if it executed so many more instructions: its model alone. */
void wg_estimate_more(struct wg_estimate *e, double instructions);
/* The same launch on so many times as many blocks, each of which does what they do now: its model alone. */
void wg_estimate_grow(struct wg_estimate *e, double times);
/* The shape that occupancy is computed of. */
struct wg_occupancy_kernel wg_launch_shape(const struct wg_profile_kernel *k, const struct wg_launch *l);
#endif
