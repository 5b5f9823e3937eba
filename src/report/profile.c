/* Lookups in a result: see profile.h. */
#include "report/profile.h"

const struct wg_profile_allocation *wg_profile_allocation_of(const struct wg_profile *r, uint32_t id) {
    for (uint32_t i = 0; id && i < r->allocation_count; i++)
        if (r->allocations[i].id == id) return &r->allocations[i];
    return NULL;
}

uint64_t *wg_profile_executions(const struct wg_profile_kernel *k, const struct wg_launch *l,
                                struct wg_arena *a) {
    uint64_t *executed = WG_NEW_N(a, uint64_t, k->site_count + 1);
    for (uint32_t i = 0; i < l->site_count; i++)
        executed[l->sites[i].site] = l->sites[i].counts.v[WG_C_instructions];
    return executed;
}
