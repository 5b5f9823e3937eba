/* Counting of fragment loads and stores (wmma.load, wmma.store): each becomes the several accesses that ptxas
 * emits for it. It cuts the tile into blocks of eight rows, as they are in memory:
 *
 *     WORDS      an access per block: lane l takes 4 to 16 bytes of row l / 4, at place l % 4
 *     ELEMENTS   where memory runs across what a lane keeps together: an access for each of a lane's
 *                elements, lane l at place l / 4 of row l % 4 (of two elements a lane: rows 2 * (l % 4) and
 *                the next)
 *     ROWS       a and b in shared memory, of 16 bits or along their rows: ldmatrix, four blocks at a time
 *                (of bytes: two), each 8 rows of 16 bytes
 *
 * bench/gpu/fragments.cu has every form, and what an H200 counted for it is equal (docs/accuracy.md). */
#ifndef WG_ANALYSIS_FRAGMENTS_H
#define WG_ANALYSIS_FRAGMENTS_H
#include "analysis/places.h"

enum wg_fragment_form { WG_FRAGMENT_WORDS, WG_FRAGMENT_ELEMENTS, WG_FRAGMENT_ROWS };
struct wg_fragment {
    uint8_t form;
    uint8_t rows, columns; /* of the tile in its memory layout, in elements */
    uint8_t element;       /* bytes */
    uint8_t each;          /* elements that a lane keeps together */
};

/* Of a wmma.load or wmma.store. */
struct wg_fragment wg_fragment_of(const struct wg_ir_instr *in);
/* Bytes of a lane in each of its accesses. */
uint32_t wg_fragment_bytes(const struct wg_fragment *f);
/* Counts the accesses of instruction `id`: the tile begins at `at` (an address as in wg_count_places), its
 * rows are `stride` elements apart; 0: contiguous rows. */
void wg_count_fragment(const struct wg_warp *w, uint32_t id, enum wg_space space, const struct wg_fragment *f,
                       uint64_t at, uint32_t stride, wg_count_access count);
#endif
