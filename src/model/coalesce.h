/* Coalescing model: sectors of 32 bytes and lines of 128 bytes of one warp's access to global memory.
 *
 *     32 lanes read 4 bytes each, side by side:         4 sectors, 1 line   (ideal: 4)
 *     the same with 128 bytes from lane to lane:       32 sectors, 32 lines (ideal: 4)
 *     all lanes read the same word:                     1 sector            (ideal: 1)
 *
 * Accesses are aligned to their size, as kernels' are, so each is within one sector. The rules give what an
 * H200 counted for every row of tests/model/data/access.tsv.
 */
#ifndef WG_MODEL_COALESCE_H
#define WG_MODEL_COALESCE_H
#include <stdint.h>

struct wg_global_cost {
    uint32_t sectors;       /* distinct sectors: memory_l2_theoretical_sectors_global */
    uint32_t ideal_sectors; /* the minimum for this number of bytes: ..._ideal */
    uint32_t lines;         /* distinct lines: memory_l1_tag_requests_global */
};
/* `bytes` of a lane: 1, 2, 4, 8 or 16. Addresses of lanes that are not in `lanes` are ignored. */
struct wg_global_cost wg_coalesce(const uint64_t address[32], uint32_t lanes, uint32_t bytes);

/* Sectors that the hardware's l1tex counters give for an atomic or a reduction: lanes on the same word are
 * serialized, and each round counts its own sectors. */
uint32_t wg_coalesce_rounds(const uint64_t address[32], uint32_t lanes);
#endif
