/* Counting of asynchronous copies and matrix operands: copies of a warp to shared memory (cp.async), copies
 * of the copy engine (bulk and tensor), and what matrix instructions read of shared memory (wgmma). For
 * generated code and the reference alike; count/copies.h has the rules. */
#ifndef WG_ANALYSIS_COPIES_H
#define WG_ANALYSIS_COPIES_H
#include "analysis/sites.h"
#include "warp/tensor_map.h"
#include "warp/warp.h"

/* cp.async `id`: its load's site, followed by its store's. `from`: addresses of the process; `to`: offsets
 * from the start of the cluster's shared memory; `reads`: the lanes that read. */
void wg_count_async(const struct wg_warp *w, uint32_t id, const uint64_t from[32], const uint64_t to[32],
                    uint32_t lanes, uint32_t reads, bool bypass);
/* A bulk copy by one lane: `address` in global memory (0: it goes between blocks), `blocks` that get it. */
void wg_count_bulk(const struct wg_warp *w, uint32_t id, uint32_t lane, uint64_t address, uint64_t bytes,
                   uint32_t blocks);
/* A tensor copy: the box at these coordinates. `piece`: count/copies.h. */
void wg_count_box(const struct wg_warp *w, uint32_t id, uint32_t lane, const struct wg_tensor_map *map,
                  const int32_t first[WG_TENSOR_DIMS], bool loads, uint32_t blocks, bool multicast);
/* Row `index` of a box, counted over dimensions 1 and up: the global address of its column 0 of the tensor;
 * false: outside. */
bool wg_box_row(const struct wg_tensor_map *map, const int32_t *first, uint32_t index, uint64_t *at);
/* A wgmma whose operands in shared memory are so many bytes: this warp's quarter of them. */
void wg_count_operands(const struct wg_warp *w, uint32_t id, uint32_t bytes);
#endif
