/* See copies.h. */
#include "analysis/copies.h"
#include "analysis/places.h"
#include "count/copies.h"

enum { SECTOR = 32, WAVEFRONT = 128, WARPS_OF_A_GROUP = 4 };

static struct wg_access_seen seen(const struct wg_warp *w, uint32_t site, uint32_t lanes) {
    const struct wg_site *s = &w->tally->of->v[site];
    return (struct wg_access_seen){.block = wg_block_index(w->block),
                                   .warp = w->id,
                                   .mask = lanes,
                                   .class = s->class,
                                   .bytes = s->bytes,
                                   .order = ++w->tally->order};
}

static uint64_t in_block(const struct wg_warp *w, uint64_t to) { return to - w->block->shared_offset; }

void wg_count_async(const struct wg_warp *w, uint32_t id, const uint64_t from[32], const uint64_t to[32],
                    uint32_t lanes, uint32_t reads, bool bypass) {
    uint32_t load = w->tally->of->memory[id], store = load + 1;
    struct wg_access_seen a = seen(w, store, lanes), b = seen(w, load, reads);
    if (!lanes) return;
    for (int l = 0; l < WG_LANES; l++) a.address[l] = in_block(w, to[l]), b.address[l] = from[l];
    struct wg_async_cost c = wg_async_cost(b.address, a.address, lanes, reads, a.bytes, bypass);
    struct wg_counts written = {.v = {[WG_C_requests] = 1,
                                      [WG_C_bytes_asked] = (uint64_t)__builtin_popcount(lanes) * a.bytes,
                                      [WG_C_wavefronts] = c.wavefronts,
                                      [WG_C_ideal_wavefronts] = c.ideal_wavefronts}};
    written.v[WG_C_ways] = (c.wavefronts + c.ideal_wavefronts - 1) / c.ideal_wavefronts;
    struct wg_counts read = {.v = {[WG_C_requests] = 1,
                                   [WG_C_bytes_asked] = (uint64_t)__builtin_popcount(reads) * b.bytes,
                                   [WG_C_sectors] = c.sectors,
                                   [WG_C_l1_sectors] = c.l1_sectors,
                                   [WG_C_ideal_sectors] = c.ideal_sectors,
                                   [WG_C_tags] = c.lines}};
    if (reads) wg_tally_counted(w->tally, load, &b, &read);
    wg_tally_counted(w->tally, store, &a, &written);
}

static void count_engine(const struct wg_warp *w, uint32_t id, uint32_t lane, uint64_t address,
                         uint64_t bytes, uint64_t sectors, uint32_t blocks) {
    uint32_t site = w->tally->of->memory[id];
    struct wg_access_seen a = seen(w, site, 1u << lane);
    a.address[lane] = address;
    struct wg_counts c = {.v = {[WG_C_requests] = 1,
                                [WG_C_bytes_asked] = bytes * blocks,
                                [WG_C_sectors] = sectors * blocks,
                                [WG_C_ideal_sectors] = (bytes + SECTOR - 1) / SECTOR * blocks}};
    wg_tally_counted(w->tally, site, &a, &c);
}

static uint32_t piece(uint32_t multicast) { return multicast ? WG_ENGINE_PIECE / 2 : WG_ENGINE_PIECE; }

void wg_count_bulk(const struct wg_warp *w, uint32_t id, uint32_t lane, uint64_t address, uint64_t bytes,
                   uint32_t blocks) {
    uint32_t n = (uint32_t)__builtin_popcount(blocks);
    count_engine(w, id, lane, address, bytes, wg_engine_sectors(address, bytes, piece(n > 1)), n);
}

bool wg_box_row(const struct wg_tensor_map *map, const int32_t *first, uint32_t index, uint64_t *at) {
    *at = map->base;
    for (uint32_t d = 1; d < map->rank; d++) {
        uint32_t count = (map->box[d] + map->step[d] - 1u) / map->step[d];
        int64_t c = (int64_t)first[d] + (int64_t)(index % count) * map->step[d];
        index /= count;
        if (c < 0 || c > map->last[d]) return false;
        *at += (uint64_t)c * map->stride[d - 1];
    }
    return true;
}

void wg_count_box(const struct wg_warp *w, uint32_t id, uint32_t lane, const struct wg_tensor_map *map,
                  const int32_t first[WG_TENSOR_DIMS], bool loads, uint32_t blocks, bool multicast) {
    uint32_t size = wg_type_bits((enum wg_type)map->type) / 8, rows = 1, columns = map->box[0];
    int64_t low = first[0] < 0 ? -(int64_t)first[0] : 0, high = (int64_t)map->last[0] + 1 - first[0];
    uint64_t bytes = 0, sectors = 0, begin = 0, at;
    if (high > columns) high = columns;
    for (uint32_t d = 1; d < map->rank; d++) rows *= (map->box[d] + map->step[d] - 1u) / map->step[d];
    for (uint32_t r = 0; r < rows; r++) {
        uint64_t inside = 0;
        if (wg_box_row(map, first, r, &at) && high > low) {
            at += (uint64_t)((first[0] + low) * size);
            inside = (uint64_t)(high - low) * size;
            if (!begin) begin = at;
            sectors += wg_engine_sectors(at, inside, piece(multicast));
        }
        /* Elements outside are written to shared memory as zeros, over the same path. */
        if (loads) sectors += ((uint64_t)columns * size - inside + SECTOR - 1) / SECTOR;
        bytes += inside;
    }
    count_engine(w, id, lane, begin, bytes, sectors, (uint32_t)__builtin_popcount(blocks));
}

void wg_count_operands(const struct wg_warp *w, uint32_t id, uint32_t bytes) {
    uint32_t site = w->tally->of->memory[id], share = bytes / WARPS_OF_A_GROUP;
    struct wg_access_seen a = seen(w, site, UINT32_MAX);
    uint32_t rounds = (share + WAVEFRONT - 1) / WAVEFRONT;
    struct wg_counts c = {.v = {[WG_C_requests] = 1,
                                [WG_C_bytes_asked] = share,
                                [WG_C_wavefronts] = rounds,
                                [WG_C_ideal_wavefronts] = rounds,
                                [WG_C_ways] = 1}};
    wg_tally_counted(w->tally, site, &a, &c);
}
