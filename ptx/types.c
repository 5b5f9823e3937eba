/* The fundamental types' properties: see types.h. */
#include "ptx/types.h"

#include <string.h>

static const struct {
    const char *name;
    uint8_t bits, kind;
} types[WG_T_COUNT] = {[WG_T_NONE] = {"", 0, WG_K_B},
#define X(id, spelled, bits, kind) [WG_T_##id] = {spelled, bits, WG_K_##kind},
                       WG_PTX_TYPES(X)
#undef X
};

uint32_t wg_type_bits(enum wg_type t) { return types[t].bits; }
enum wg_type_kind wg_type_kind(enum wg_type t) { return types[t].kind; }
const char *wg_type_name(enum wg_type t) { return types[t].name; }

enum wg_type wg_type_find(const char *s, uint32_t len) {
    for (int t = WG_T_NONE + 1; t < WG_T_COUNT; t++)
        if (strlen(types[t].name) == len && memcmp(types[t].name, s, len) == 0) return (enum wg_type)t;
    return WG_T_NONE;
}
