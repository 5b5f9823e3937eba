/* Lookups in a result: see profile.h. */
#include "report/profile.h"

const struct wg_profile_allocation *wg_profile_allocation_of(const struct wg_profile *r, uint32_t id) {
    for (uint32_t i = 0; id && i < r->allocation_count; i++)
        if (r->allocations[i].id == id) return &r->allocations[i];
    return NULL;
}
