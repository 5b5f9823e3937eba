/* Bands: rows of blocks whose threads are dealt into blocks of our own, where those that read the same run
 * side by side (jam.h).
 *
 *     product<<<dim3(columns / 256, rows), 256>>>        each block reads 256 columns of b, all of them
 *
 * The block below reads the same columns. Threads that know nothing of each other need not run in the blocks
 * that the program put them into: a block of ours has 32 x 8 x n threads, x and z along the program's row, y
 * down eight of them. So each word of b that is loaded serves eight rows.
 *
 * Rows are blocks one below the other; or, in a grid of one row whose kernel divides its index by the width
 * of a matrix, blocks so far apart that this is a whole number of the matrix's rows.
 */
#ifndef WG_ANALYSIS_BANDS_H
#define WG_ANALYSIS_BANDS_H
#include "warp/warp.h"

enum { WG_BAND_ROWS = 8 };

enum wg_band_kind {
    WG_BANDS_NONE,  /* nothing is gained, or threads do know of each other */
    WG_BANDS_DOWN,  /* blocks with the same %ctaid.x */
    WG_BANDS_ALONG, /* blocks a number of the matrix's rows apart in %ctaid.x */
};

/* Whether the kernel's blocks, of one row of threads, may be dealt anew, and should. ALONG: where the
 * matrix's width, 32 bits, lies among the parameters. */
enum wg_band_kind wg_find_bands(const struct wg_ir_module *m, const struct wg_ir_func *f, uint32_t *width_at);

/* The kernel for blocks of ours, in the arena; the function itself where o->dealt says that there are none.
 */
const struct wg_ir_func *wg_deal_threads(struct wg_arena *a, const struct wg_ir_func *f,
                                         const struct wg_code_opts *o);

/* Whether it gives the column of an index into a matrix: what is left of it when it is divided by a
 * parameter. */
bool wg_is_column(const struct wg_ir_func *f, const struct wg_ir_instr *in);
#endif
