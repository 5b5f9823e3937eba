/* Blocks that are alike: they execute the same instructions in the same lanes, and each of their accesses costs the same.
 *
 * Two blocks are alike if each branch, guard and address is worked out from the thread, parameters and the block's index
 * alone, and the block's index makes no difference but one that costs the same: addresses are multiples of 128 bytes
 * apart, which moves neither sectors nor banks, and comparisons come out the same for all threads of both. Counting one
 * of them then counts all.
 *
 *     i = ctaid.x * 256 + tid.x                 0 .. 255, and 256 for each block along x
 *     i < n = 1000                              true in blocks 0 to 2, not the same for all threads in block 3
 *     x[i], of 4 bytes                          1024 for each block: 0 modulo 128
 *     -> two classes: blocks 0 to 2, and block 3
 *
 * A value that the block's index is in is kept as what each step along an axis adds to it, modulo 2^width, and the range
 * of the rest, where that is known. Where a least or greatest, a quotient or its rest is not the same sum in all blocks,
 * the grid is cut into boxes of blocks in which it is, each looked at by itself; a box is every n-th block along an axis.
 *
 *     max(ctaid.x * 16 + tid.x - 1, 0)          block 0, where its range is 0 .. 14, and the others, where it is the sum
 *     (ctaid.x * 256 + tid.x) / 1024            blocks 0, 4, 8, ..: 1 for each; 1, 5, 9, ..; and so on
 *
 * It is assumed that no address wraps around 32 bits between two lanes of one access:
 * what the access reaches would be 4 GiB apart.
 */
#ifndef WG_ANALYSIS_ALIKE_H
#define WG_ANALYSIS_ALIKE_H
#include "ir/ir.h"

/* Blocks first, first + apart, first + 2 * apart, .. along each axis. */
struct wg_alike_box {
    uint32_t first[3], apart[3], blocks[3];
};
/* Where a box is to be cut in order to go on: before its block `at` along an axis, or into so many, every n-th. */
struct wg_alike_cut {
    bool wanted;
    uint8_t axis;
    uint32_t at, every;
};

struct wg_alike_pairs;
struct wg_alike_launch {
    const struct wg_ir_module *module;
    const struct wg_ir_func *func;
    const uint8_t *params;
    uint32_t ntid[3], nctaid[3];
    struct wg_alike_box box;  /* that is looked at; wg_alike_classes sets these three */
    struct wg_alike_cut *cut; /* what has to be done to it */
    struct wg_alike_pairs *pairs;
};

/* Blocks that are alike: the lowest, and how many there are. */
struct wg_alike_class {
    uint32_t block[3];
    uint64_t blocks;
};
enum { WG_ALIKE_CLASSES = 256 };

/* Sorts the launch's blocks into classes. 0: they cannot be sorted, or it would gain
 * nothing. */
uint32_t wg_alike_classes(const struct wg_alike_launch *l, struct wg_alike_class out[WG_ALIKE_CLASSES]);
#endif
