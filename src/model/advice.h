/* Occupancy limiters of a kernel, and what to change so that one more block fits into the SM.
 *
 *     sm_90, 256 threads, 40 registers, 48 KB of shared memory -> 4 blocks, limited by shared memory
 *     next: 5 blocks with at most 45568 bytes of shared memory per block
 *
 * Where several limits are equally low, all of them must be raised for the next block. The number of warps
 * and of blocks is the SM's own: against these only another block size helps.
 */
#ifndef WG_MODEL_ADVICE_H
#define WG_MODEL_ADVICE_H
#include "model/occupancy.h"

/* X(id, name) */
/* clang-format off */
#define WG_OCCUPANCY_LIMITS(X) \
    X(WARPS, "warps") X(BLOCKS, "blocks") X(REGISTERS, "registers") X(SHARED, "shared memory") X(BARRIERS, "barriers")
/* clang-format on */
enum wg_occupancy_limit {
#define X(id, name) WG_LIMIT_##id,
    WG_OCCUPANCY_LIMITS(X)
#undef X
        WG_LIMITS
};
extern const char *const wg_occupancy_limit_names[WG_LIMITS];
/* The blocks that this limit alone allows; UINT32_MAX when it does not apply. */
uint32_t wg_occupancy_limit_blocks(const struct wg_occupancy *o, enum wg_occupancy_limit limit);
/* The limiters, which allow no more than the blocks that fit: bits 1 << WG_LIMIT_... */
unsigned wg_occupancy_limiters(const struct wg_occupancy *o);

struct wg_occupancy_next {
    uint32_t blocks;    /* one more than now, or 0: impossible at this block size */
    unsigned change;    /* limits that must be raised for it */
    uint32_t registers; /* maximum per thread, if REGISTERS is one of these; the greatest that suffices */
    uint64_t shared;    /* maximum bytes per block, if SHARED is one of these */
    uint32_t barriers;  /* maximum per block, if BARRIERS is one of these */
    /* The block size with the most active warps, where there are more than now; of several the nearest to the
     * one now. 0: none. */
    uint32_t other_threads, other_blocks, other_warps;
};
struct wg_occupancy_next wg_occupancy_next(const struct wg_limits *l, const struct wg_occupancy_kernel *k);

/* How a launch fills the chip, if all blocks take the same time: a model. */
struct wg_waves {
    uint32_t at_once;    /* blocks resident on the chip at once */
    double waves;        /* blocks / at_once: launch__waves_per_multiprocessor, where there are no clusters */
    uint64_t rounds;     /* waves rounded up */
    uint64_t last;       /* blocks of the last wave */
    double idle;         /* fraction of the chip's block slots that are empty, over all waves */
    double warps_per_sm; /* on average over the waves */
};
struct wg_waves wg_occupancy_waves(const struct wg_chip *c, const struct wg_occupancy_kernel *k,
                                   uint64_t blocks, uint32_t cluster);
#endif
