/* Cost model of asynchronous copies: those of a warp to shared memory (cp.async), and those of the copy
 * engine (bulk and tensor). The rules give what an H200 counted for every launch of bench/gpu/engines.cu.
 *
 *     32 lanes copy 4 bytes each, side by side:                 4 sectors, 1 wavefront
 *     the same, all from one word:                              1 sector, 32 wavefronts (one word to one
 *                                                               bank in each wavefront)
 *     the engine copies 1024 bytes from an address on 128:      32 sectors; 16 bytes beyond it: 40
 */
#ifndef WG_COUNT_COPIES_H
#define WG_COUNT_COPIES_H
#include <stdbool.h>
#include <stdint.h>

struct wg_async_cost {
    uint32_t sectors; /* requested from L2 */
    uint32_t l1_sectors, ideal_sectors, lines;
    uint32_t wavefronts, ideal_wavefronts;
};
/* cp.async of `bytes` (4, 8 or 16) by each of `lanes`. The lanes of `reads` read; the others' bytes become
 * zero. `to`: offsets in shared memory. `bypass`: .cg, which bypasses L1. */
struct wg_async_cost wg_async_cost(const uint64_t from[32], const uint64_t to[32], uint32_t lanes,
                                   uint32_t reads, uint32_t bytes, bool bypass);

/* The engine requests contiguous ranges in pieces of so many bytes, from the start of the range; of half as
 * many where several blocks get the data (multicast). */
enum { WG_ENGINE_PIECE = 128 };
/* Sectors of a contiguous range of global memory. */
uint64_t wg_engine_sectors(uint64_t address, uint64_t bytes, uint32_t piece);
#endif
