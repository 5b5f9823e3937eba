/* SIMD counting where the lanes lie close together, as numbers of 16 bits: for fast.c.
 *
 *     narrow_256.c, narrow_512.c      the numbers of 32 lanes, sorted, in vectors of 256 and of 512 bits
 *     narrow_costs.h                  what follows from sorted numbers: included by both
 */
#ifndef WG_COUNT_NARROW_H
#define WG_COUNT_NARROW_H
#include "count/lanes.h"

/* Each function is false where the lanes lie too far apart: then lanes.h has to do. */
struct wg_narrow {
    /* Sectors within 2 MiB; with `turns`, words within 256 KiB. */
    bool (*global)(const struct wg_lanes *a, bool turns, struct wg_lanes_global *out);
    /* Lanes in their own local memory, of `bytes` each from `base` on: what they cost in the hardware's layout. */
    bool (*local)(const struct wg_lanes *a, uint64_t base, uint64_t bytes, struct wg_lanes_global *out);
    /* The most words in one bank, each counted once; an offset is (address - minus) & bits. */
    bool (*wavefronts)(const struct wg_lanes *a, uint32_t bits, uint32_t *out);
};

extern const struct wg_narrow wg_narrow_256, wg_narrow_512;
/* The one for vectors of so many bits; NULL: none that this CPU has. */
const struct wg_narrow *wg_narrow_for(uint32_t vector_bits);
#endif
