/* First-touch accesses of a launch: a warp that accesses a sector again finds it in L1.
 *
 *     struct wg_touched t = wg_touched_find(k, l);
 *     t.of[s]                  of l->sites[s], how many sectors no earlier site touched, and which allocation it goes to
 *     wg_touched_free(&t);
 *
 * The first recorded access of each site represents all of them, and the time is proportional to the number of sites.
 */
#ifndef WG_REPORT_TOUCHED_H
#define WG_REPORT_TOUCHED_H
#include "report/profile.h"

/* Of device memory; WG_TOUCHES_NOTHING: of no or of other memory. */
enum wg_touching { WG_TOUCHES_LOADS, WG_TOUCHES_STORES, WG_TOUCHES_ATOMICS, WG_TOUCHES_NOTHING };

enum wg_touching wg_touching(enum wg_class class);

struct wg_touched {
    struct wg_touched_site {
        enum wg_touching sort;
        uint32_t allocation; /* its number; 0: not known */
        double sectors;
    } *of;
};

struct wg_touched wg_touched_find(const struct wg_profile_kernel *k, const struct wg_launch *l);
void wg_touched_free(struct wg_touched *t);
#endif
