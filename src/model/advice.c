/* See advice.h. */
#include "model/advice.h"

const char *const wg_occupancy_limit_names[WG_LIMITS] = {
#define X(id, name) name,
    WG_OCCUPANCY_LIMITS(X)
#undef X
};

uint32_t wg_occupancy_limit_blocks(const struct wg_occupancy *o, enum wg_occupancy_limit limit) {
    switch (limit) {
    case WG_LIMIT_WARPS: return o->by_warps;
    case WG_LIMIT_BLOCKS: return o->by_blocks;
    case WG_LIMIT_REGISTERS: return o->by_registers;
    case WG_LIMIT_SHARED: return o->by_shared;
    case WG_LIMIT_BARRIERS: return o->by_barriers;
    case WG_LIMITS: break;
    }
    return UINT32_MAX;
}

static unsigned limits_below(const struct wg_occupancy *o, uint32_t blocks) {
    unsigned low = 0;
    for (int i = 0; i < WG_LIMITS; i++)
        if (wg_occupancy_limit_blocks(o, (enum wg_occupancy_limit)i) < blocks) low |= 1u << i;
    return low;
}

unsigned wg_occupancy_limiters(const struct wg_occupancy *o) { return limits_below(o, o->blocks + 1); }

/* The greatest value from `most` down to `least` at which `limit` allows so many blocks, or 0 - 1. */
static int64_t greatest(const struct wg_limits *l, const struct wg_occupancy_kernel *k,
                        enum wg_occupancy_limit limit, uint32_t blocks, uint32_t least, uint32_t most) {
    int64_t found = -1;
    while (least <= most) {
        uint32_t middle = least + (most - least) / 2;
        struct wg_occupancy_kernel one = *k;
        if (limit == WG_LIMIT_REGISTERS) one.registers = middle;
        if (limit == WG_LIMIT_SHARED) one.shared = middle;
        if (limit == WG_LIMIT_BARRIERS) one.barriers = middle;
        struct wg_occupancy o = wg_occupancy(l, &one);
        if (wg_occupancy_limit_blocks(&o, limit) >= blocks) {
            found = middle;
            least = middle + 1;
        } else {
            if (middle == 0) break;
            most = middle - 1;
        }
    }
    return found;
}

/* False when no value of the limit allows so many. */
static bool give_way(const struct wg_limits *l, const struct wg_occupancy_kernel *k,
                     enum wg_occupancy_limit limit, struct wg_occupancy_next *n) {
    uint32_t shared = k->shared > l->shared_optin ? l->shared_optin : (uint32_t)k->shared;
    int64_t to = -1;
    if (limit == WG_LIMIT_REGISTERS) to = greatest(l, k, limit, n->blocks, 1, k->registers);
    if (limit == WG_LIMIT_SHARED) to = greatest(l, k, limit, n->blocks, 0, shared);
    if (limit == WG_LIMIT_BARRIERS) to = greatest(l, k, limit, n->blocks, 1, k->barriers);
    if (to < 0) return false;
    if (limit == WG_LIMIT_REGISTERS) n->registers = (uint32_t)to;
    if (limit == WG_LIMIT_SHARED) n->shared = (uint64_t)to;
    if (limit == WG_LIMIT_BARRIERS) n->barriers = (uint32_t)to;
    return true;
}

static uint32_t apart(uint32_t a, uint32_t b) { return a < b ? b - a : a - b; }

static void other_size(const struct wg_limits *l, const struct wg_occupancy_kernel *k, uint32_t warps,
                       struct wg_occupancy_next *n) {
    for (uint32_t threads = WG_CHIP_WARP; threads <= WG_CHIP_BLOCK_THREADS; threads += WG_CHIP_WARP) {
        struct wg_occupancy_kernel one = *k;
        one.threads = threads;
        struct wg_occupancy o = wg_occupancy(l, &one);
        if (o.warps <= warps || o.warps < n->other_warps) continue;
        if (o.warps == n->other_warps && apart(threads, k->threads) >= apart(n->other_threads, k->threads))
            continue;
        n->other_threads = threads;
        n->other_blocks = o.blocks;
        n->other_warps = o.warps;
    }
}

struct wg_occupancy_next wg_occupancy_next(const struct wg_limits *l, const struct wg_occupancy_kernel *k) {
    struct wg_occupancy o = wg_occupancy(l, k);
    struct wg_occupancy_next n = {0}, none = {0};
    other_size(l, k, o.warps, &n);
    none.other_threads = n.other_threads;
    none.other_blocks = n.other_blocks;
    none.other_warps = n.other_warps;
    if (k->threads == 0 || k->threads > WG_CHIP_BLOCK_THREADS) return none;
    n.blocks = o.blocks + 1;
    n.change = limits_below(&o, n.blocks);
    for (int i = 0; i < WG_LIMITS; i++)
        if ((n.change >> i & 1) && !give_way(l, k, (enum wg_occupancy_limit)i, &n)) return none;
    return n;
}

struct wg_waves wg_occupancy_waves(const struct wg_chip *c, const struct wg_occupancy_kernel *k,
                                   uint64_t blocks, uint32_t cluster) {
    struct wg_waves w = {0};
    struct wg_occupancy o = wg_occupancy(c->limits, k);
    w.at_once = o.blocks * (uint32_t)c->sms;
    if (cluster > 1) w.at_once = wg_occupancy_clusters(c, k, cluster) * cluster;
    if (!w.at_once || !blocks) return w;
    w.waves = (double)blocks / w.at_once;
    w.rounds = (blocks + w.at_once - 1) / w.at_once;
    w.last = blocks - (w.rounds - 1) * w.at_once;
    double filled = (double)blocks / ((double)w.rounds * w.at_once);
    w.idle = 1 - filled;
    w.warps_per_sm = filled * o.warps;
    return w;
}
