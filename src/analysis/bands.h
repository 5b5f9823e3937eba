/* Block remapping (bands): regroups threads of rows of blocks into blocks of our own, in which threads that
 * read the same data run side by side (jam.h).
 *
 *     product<<<dim3(columns / 256, rows), 256>>>        each block reads 256 columns of b, all of them
 *
 * The block below reads the same columns. Threads that do not communicate need not run in the program's
 * blocks: a block of ours has 32 x 8 x n threads, x and z along the program's row, y down eight rows. So each
 * word of b that is loaded serves eight rows.
 *
 * Rows are blocks one below the other; or, in a grid of one row whose kernel divides its index by the width
 * of a matrix, blocks whose distance is a whole number of the matrix's rows.
 */
#ifndef WG_ANALYSIS_BANDS_H
#define WG_ANALYSIS_BANDS_H
#include "warp/warp.h"

enum { WG_BAND_ROWS = 8 };

enum wg_band_kind {
    WG_BANDS_NONE,  /* not profitable, or threads communicate */
    WG_BANDS_DOWN,  /* blocks with the same %ctaid.x */
    WG_BANDS_ALONG, /* blocks a number of the matrix's rows apart in %ctaid.x */
};

/* Whether threads of the kernel may run in other blocks than the program's: they do not communicate, and ask
 * for nothing but indices. */
bool wg_may_be_dealt(const struct wg_ir_func *f);

/* Whether remapping the kernel's blocks, of one row of threads, is legal and profitable. ALONG: *width_at is
 * the offset of the matrix's width, 32 bits, among the parameters. */
enum wg_band_kind wg_find_bands(const struct wg_ir_module *m, const struct wg_ir_func *f, uint32_t *width_at);

/* The kernel for remapped blocks, in the arena; the function itself where o->dealt says that there are none.
 */
const struct wg_ir_func *wg_deal_threads(struct wg_arena *a, const struct wg_ir_func *f,
                                         const struct wg_code_opts *o);

/* Whether it computes the column of an index into a matrix: the remainder of a division by a parameter. */
bool wg_is_column(const struct wg_ir_func *f, const struct wg_ir_instr *in);
#endif
