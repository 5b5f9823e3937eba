/* The fundamental types' properties: see types.h. */
#include "ptx/types.h"

#include <string.h>

const struct wg_type_facts wg_types[WG_T_COUNT] = {[WG_T_NONE] = {"", 0, WG_K_B},
#define X(id, spelled, bits, kind) [WG_T_##id] = {spelled, bits, WG_K_##kind},
                                                   WG_PTX_TYPES(X)
#undef X
};

enum wg_type wg_type_find(const char *s, uint32_t len) {
    for (int t = WG_T_NONE + 1; t < WG_T_COUNT; t++)
        if (strlen(wg_types[t].name) == len && memcmp(wg_types[t].name, s, len) == 0) return (enum wg_type)t;
    return WG_T_NONE;
}
