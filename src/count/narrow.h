/* SIMD counting where the lanes lie close together, as numbers of 16 bits: for fast.c. Accesses are put into a batch, and
 * the costs of a whole batch are found side by side: an element of each vector is one access's.
 *
 *     narrow_256.c, narrow_512.c      numbers of 32 lanes, and vectors of 256 and of 512 bits
 *     narrow_costs.h                  the costs of a batch: included by both
 */
#ifndef WG_COUNT_NARROW_H
#define WG_COUNT_NARROW_H
#include "count/lanes.h"

enum { WG_BATCH = 32 };

/* What the lanes' numbers are. */
enum wg_numbers {
    WG_NUMBERS_SECTORS, /* of global memory */
    WG_NUMBERS_LOCAL,   /* row * 4 + lane / 8: the sectors of local memory's layout */
    WG_NUMBERS_WORDS,   /* of global memory: lanes on one word take turns */
    WG_NUMBERS_ROWS,    /* bank * 2048 + row of a word in shared memory, which counts once */
    WG_NUMBERS_BANKS,   /* banks of shared memory: each lane counts */
    WG_NUMBERS_KINDS
};

/* Accesses of one kind of number. */
struct wg_batch {
    _Alignas(64) uint16_t number[WG_BATCH][32];
    _Alignas(64) uint32_t low[WG_BATCH][32]; /* the address from `from` on; local memory: in the lane's own */
    uint64_t from[WG_BATCH];
    uint16_t off[WG_BATCH]; /* how many lanes are off */
    uint32_t n;
};
struct wg_batch_costs {
    uint16_t sectors[WG_BATCH], lines[WG_BATCH], turns[WG_BATCH]; /* as in wg_lanes_global */
    uint16_t wavefronts[WG_BATCH];                                /* of shared memory, alone */
};

/* The first three fill in the batch's element n, and do not count it. False: the lanes lie too far apart, or elsewhere;
 * then lanes.h has to do. */
struct wg_narrow {
    /* Sectors within 2 MiB, or with `words` words within 256 KiB. */
    bool (*global)(const struct wg_lanes *a, bool words, struct wg_batch *b);
    /* Lanes in their own local memory, of `bytes` each from `base` on. */
    bool (*local)(const struct wg_lanes *a, uint64_t base, uint64_t bytes, struct wg_batch *b);
    /* Offsets, which are (address - minus) & bits: with `merge` each word counts once. */
    bool (*shared)(const struct wg_lanes *a, uint32_t bits, bool merge, struct wg_batch *b);
    /* Of all elements; those from n on are of no use. */
    void (*costs)(const struct wg_batch *b, enum wg_numbers kind, struct wg_batch_costs *c);
};

extern const struct wg_narrow wg_narrow_256, wg_narrow_512;
/* The one for vectors of so many bits; NULL: none that this CPU has. */
const struct wg_narrow *wg_narrow_for(uint32_t vector_bits);
#endif
