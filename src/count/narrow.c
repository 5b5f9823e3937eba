/* See narrow.h. */
#include "count/narrow.h"
#include <stddef.h>

#if defined(__x86_64__)
const struct wg_narrow *wg_narrow_for(uint32_t vector_bits) {
    if (!wg_lanes_usable()) return NULL;
    return vector_bits >= 512 ? &wg_narrow_512 : vector_bits >= 256 ? &wg_narrow_256 : NULL;
}
#else
const struct wg_narrow *wg_narrow_for(uint32_t vector_bits) { return NULL; }
#endif
