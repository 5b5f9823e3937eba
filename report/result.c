/* Looking things up in a result: see result.h. */
#include "report/result.h"

const struct wg_allocation_result *wg_result_allocation(const struct wg_result *r, uint32_t id) {
    for (uint32_t i = 0; id && i < r->allocation_count; i++)
        if (r->allocations[i].id == id) return &r->allocations[i];
    return NULL;
}
