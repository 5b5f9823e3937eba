/* See occupancy.h. */
#include "model/occupancy.h"
#include <stdbool.h>

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
 * the driver goes up to the greatest when that allows more blocks, so only the greatest matters here. */
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

/* An SM has as many barriers as blocks, or twice as many; before 9.0 they limit no kernel. */
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

/* ---- What an SM is set to ---- */

enum { KB = 1024, GENEROUS = 132 * KB };

/* Sizes of shared memory, ascending; those above the capability's own most are not there. */
static uint32_t least_config(const struct wg_limits *l, uint64_t bytes) {
    static const uint16_t sizes[] = {8, 16, 32, 64, 96, 100, 132, 164, 196};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        bool exists = (sizes[i] == 96) == (l->cc / 10 == 7) || sizes[i] < 96;
        if (l->cc == 75 && sizes[i] < 32) exists = false;
        if (exists && (uint32_t)sizes[i] * KB >= bytes && (uint32_t)sizes[i] * KB < l->shared_per_sm)
            return (uint32_t)sizes[i] * KB;
    }
    return l->shared_per_sm;
}

/* Blocks that the driver makes room for: twice those that can be active. Seen otherwise: blocks of 32 warps
 * and those that are alone on the SM get no more than they need, blocks of 4 warps 28. */
static uint32_t blocks_with_room(const struct wg_limits *l, uint32_t active, uint32_t warps) {
    enum { LARGE = 32, SMALL = 4, OF_SMALL = 28 };
    uint32_t room = active == 1 || warps == LARGE ? active : 2 * active;
    if (warps == SMALL && room > OF_SMALL) room = OF_SMALL;
    return least(room, l->blocks_per_sm);
}

uint32_t wg_occupancy_shared_config(const struct wg_limits *l, const struct wg_occupancy_kernel *k) {
    struct wg_occupancy_kernel without = *k;
    without.shared = 0;
    struct wg_occupancy o = wg_occupancy(l, &without);
    uint32_t warps = (uint32_t)(round_up(k->threads, WG_CHIP_WARP) / WG_CHIP_WARP);
    uint64_t each = wg_occupancy_block_shared(l, k->shared ? k->shared : 1), most_without = 32 * KB;
    if (l->cc < 70 || o.blocks == 0) return l->shared_per_sm;
    uint32_t active = least(o.blocks, least(o.by_warps, (uint32_t)(l->shared_per_sm / each)));
    uint64_t wanted = each * blocks_with_room(l, least(o.blocks, o.by_warps), warps);
    if (!k->shared) return least_config(l, wanted < most_without ? wanted : most_without);
    if (wanted <= GENEROUS) return least_config(l, wanted);
    uint32_t needed = least_config(l, each * active), generous = least_config(l, GENEROUS);
    return needed > generous ? needed : generous;
}

uint32_t wg_occupancy_shared_limit(const struct wg_limits *l, const struct wg_occupancy_kernel *k) {
    uint64_t each = wg_occupancy_block_shared(l, k->shared);
    return each ? (uint32_t)(wg_occupancy_shared_config(l, k) / each) : l->blocks_per_sm;
}

uint32_t wg_occupancy_launch_registers(uint32_t registers) { return registers < 16 ? 16 : registers; }

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
    enum { MOST_A_SM = 8 }; /* what the driver of an H200 reckons with, also where an SM holds more */
    if (size == 0 || size > c->limits->cluster_max) return 0;
    uint32_t blocks = wg_occupancy(c->limits, k).blocks, clusters = 0;
    if (!c->groups) return blocks * c->sms / size;
    if (blocks > MOST_A_SM) blocks = MOST_A_SM;
    for (const struct wg_sm_groups *g = c->groups; g->count; g++)
        if (g->sms >= size) clusters += g->count * (blocks * g->sms / size);
    return clusters;
}
