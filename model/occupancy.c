/* See occupancy.h. */
#include "model/occupancy.h"

/* A block's warps are given registers in groups of this many, also on chips with fewer quarters. */
enum { WARPS_TOGETHER = 4 };

static uint64_t round_up(uint64_t n, uint64_t unit) { return (n + unit - 1) / unit * unit; }
static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

static uint64_t warp_registers(const struct wg_limits *l, uint32_t registers) {
    return round_up((uint64_t)registers * WG_CHIP_WARP, l->reg_unit);
}

uint32_t wg_occupancy_block_registers(const struct wg_limits *l, const struct wg_occupancy_kernel *k) {
    return (uint32_t)(warp_registers(l, k->registers) * (round_up(k->threads, WG_CHIP_WARP) / WG_CHIP_WARP));
}

uint64_t wg_occupancy_block_shared(const struct wg_limits *l, uint64_t bytes) {
    return round_up(bytes + l->shared_reserved, l->shared_unit);
}

/* Shared memory an SM can be configured for; a block's size picks the smallest of these that holds it, but
 * the driver goes up to the greatest when that lets more blocks in, so only the greatest matters here. */
static uint32_t by_shared(const struct wg_limits *l, uint64_t bytes) {
    uint64_t each = wg_occupancy_block_shared(l, bytes);
    if (bytes > l->shared_optin) return 0;
    return each ? (uint32_t)(l->shared_per_sm / each) : UINT32_MAX;
}

static uint32_t by_registers(const struct wg_limits *l, uint32_t registers, uint32_t warps) {
    if (registers > l->regs_per_thread) return 0;
    if (!registers) return UINT32_MAX;
    uint64_t of_warp = warp_registers(l, registers);
    uint64_t of_block = of_warp * round_up(warps, WARPS_TOGETHER);
    if (of_block > l->regs_per_block) return 0;
    uint64_t warps_of_quarter = l->regs_per_sm / l->subpartitions / of_warp;
    return (uint32_t)(warps_of_quarter * l->subpartitions / warps);
}

/* An SM has as many barriers as blocks, or twice as many; before 9.0 no kernel is held back by them. */
static uint32_t by_barriers(const struct wg_limits *l, uint32_t barriers) {
    if (l->cc < 90) return UINT32_MAX;
    uint32_t each = l->blocks_per_sm >= 32 ? 2 : 1;
    return each * l->blocks_per_sm / (barriers ? barriers : 1);
}

struct wg_occupancy wg_occupancy(const struct wg_limits *l, const struct wg_occupancy_kernel *k) {
    struct wg_occupancy o = {0};
    uint32_t warps = (uint32_t)(round_up(k->threads, WG_CHIP_WARP) / WG_CHIP_WARP);
    if (k->threads == 0 || k->threads > WG_CHIP_BLOCK_THREADS) return o;
    o.by_blocks = l->blocks_per_sm;
    o.by_warps = l->warps_per_sm / warps;
    o.by_registers = by_registers(l, k->registers, warps);
    o.by_shared = by_shared(l, k->shared);
    o.by_barriers = by_barriers(l, k->barriers);
    o.blocks = least(least(o.by_blocks, o.by_warps), least(o.by_registers, o.by_shared));
    o.blocks = least(o.blocks, o.by_barriers);
    o.warps = o.blocks * warps;
    return o;
}

uint32_t wg_occupancy_best_block(const struct wg_limits *l, const struct wg_occupancy_kernel *k,
                                 uint32_t limit, uint64_t (*shared_of)(void *user, uint32_t threads),
                                 void *user, uint32_t *blocks_per_sm) {
    uint32_t best = 0, best_threads = 0, most = l->warps_per_sm * WG_CHIP_WARP;
    *blocks_per_sm = 0;
    if (limit == 0 || limit > WG_CHIP_BLOCK_THREADS) limit = WG_CHIP_BLOCK_THREADS;
    /* From the greatest size down, in whole warps but for the limit itself, so a tie goes to the larger. */
    for (uint32_t top = (uint32_t)round_up(limit, WG_CHIP_WARP); top; top -= WG_CHIP_WARP) {
        struct wg_occupancy_kernel one = *k;
        one.threads = least(top, limit);
        one.shared += shared_of ? shared_of(user, one.threads) : 0;
        uint32_t blocks = wg_occupancy(l, &one).blocks;
        if (blocks * one.threads > best_threads) {
            best = one.threads;
            best_threads = blocks * one.threads;
            *blocks_per_sm = blocks;
        }
        if (best_threads == most) break;
    }
    return best;
}

uint64_t wg_occupancy_shared_for(const struct wg_limits *l, const struct wg_occupancy_kernel *k,
                                 uint32_t blocks) {
    struct wg_occupancy_kernel one = *k;
    one.shared = 0;
    if (blocks == 0 || blocks > wg_occupancy(l, &one).blocks) return 0;
    uint64_t each = l->shared_per_sm / blocks / l->shared_unit * l->shared_unit;
    if (each > l->shared_optin) each = l->shared_optin;
    return each > k->shared ? each - k->shared : 0;
}

uint32_t wg_occupancy_clusters(const struct wg_chip *c, const struct wg_occupancy_kernel *k, uint32_t size) {
    if (size == 0 || size > c->limits->cluster_max) return 0;
    return wg_occupancy(c->limits, k).blocks * (uint32_t)c->sms / size;
}
