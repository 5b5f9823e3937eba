/* Exact footprints: all bytes that an access touches, where the form of its address (scev/forms.h) is
 * exact. */
#ifndef WG_CHECK_PLACES_H
#define WG_CHECK_PLACES_H
#include "scev/forms.h"

/* Bytes that an access touches, [from, to), and the thread that accesses the first. */
struct wg_form_place {
    uint64_t from, to;
    uint32_t tid[3], ctaid[3];
};
/* An access with an exact footprint: its address depends on the thread alone, and bounds express all
 * conditions before it. */
struct wg_form_extent {
    struct wg_sum at;
    uint32_t bytes, nbounds, nvars;
    struct wg_form_bound *bounds;
    struct wg_form_var *vars;
};
/* NULL: it is not. To be freed with free(). It needs the forms no longer. */
struct wg_form_extent *wg_form_extent_new(const struct wg_forms *x, const struct wg_form_access *a);
/* How many places it is, neighbours together, but for what bounds cut. */
uint64_t wg_form_extent_places(const struct wg_form_extent *e);
/* Calls fn for all of it, neighbours together where that is easy. */
void wg_form_each_place(const struct wg_form_extent *e, void (*fn)(void *user, const struct wg_form_place *p),
                        void *user);
#endif
