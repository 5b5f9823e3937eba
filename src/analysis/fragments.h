/* Counting the loads and stores of whole fragments (wmma.load, wmma.store), which are not one access but what
 * the assembler makes of them. It cuts the tile into blocks of eight rows, as they lie in memory:
 *
 *     WORDS      an access a block: lane l takes 4 to 16 bytes of row l / 4, at place l % 4
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
    uint8_t rows, columns; /* of the tile as it lies in memory, in elements */
    uint8_t element;       /* bytes */
    uint8_t each;          /* elements that a lane keeps together */
};

/* Of a wmma.load or wmma.store. */
struct wg_fragment wg_fragment_of(const struct wg_ir_instr *in);
/* Bytes of a lane in each of its accesses. */
uint32_t wg_fragment_bytes(const struct wg_fragment *f);
/* Counts the accesses of instruction `id`: the tile begins at `at` (as wg_count_places has addresses), its
 * rows are `stride` elements apart; 0: as many as a row has. */
void wg_count_fragment(const struct wg_warp *w, uint32_t id, enum wg_space space, const struct wg_fragment *f,
                       uint64_t at, uint32_t stride, wg_count_access count);
#endif
