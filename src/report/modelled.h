/* The modelled time of a kernel on the real chip, summed over its launches, and its occupancy, as sentences that always
 * say that they come from a model.
 *
 *     "Modelled on an H200: 101 us; the path to L1 and shared memory is busy."
 *     "2 blocks on an SM at once (64 of 64 warps, limited by warps), 62.1 waves."
 */
#ifndef WG_REPORT_MODELLED_H
#define WG_REPORT_MODELLED_H
#include "report/estimate.h"
#include "report/summary.h"

struct wg_modelled {
    struct wg_estimate first;     /* launch */
    double seconds;               /* of all launches */
    const char *reason;           /* what bounds the first launch */
    const char *time, *occupancy; /* the sentences above */
};
/* False for a chip that is not known. */
bool wg_model_kernel(struct wg_arena *a, const struct wg_summary *s, struct wg_modelled *out);
#endif
