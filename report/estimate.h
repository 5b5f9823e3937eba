/* What a launch would be on the real chip: its occupancy, its waves, its time and what bounds it. A model of
 * model/, fed with what a result file says of the launch.
 *
 * The file has every counter, and the allocation that each place touches. From these:
 *   - bytes touched: the sectors moved, and no more than the allocations are large
 *   - times that a warp waits: loads that stand together in the PTX and ran equally often are under way
 *     together
 */
#ifndef WG_REPORT_ESTIMATE_H
#define WG_REPORT_ESTIMATE_H
#include "model/advice.h"
#include "model/bound.h"
#include "report/profile.h"

struct wg_estimate {
    const struct wg_chip *chip;
    struct wg_occupancy occupancy;
    struct wg_waves waves;
    struct wg_bound_input input;
    struct wg_bound bound; /* bound.time has the time and its parts */
};
/* False when the result is of a chip that is not known. */
bool wg_estimate_launch(const struct wg_profile *p, const struct wg_profile_kernel *k,
                        const struct wg_launch *l, struct wg_estimate *out);
/* The shape that occupancy is computed of. */
struct wg_occupancy_kernel wg_launch_shape(const struct wg_profile_kernel *k, const struct wg_launch *l);
#endif
