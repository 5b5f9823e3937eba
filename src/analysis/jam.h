/* Warps side by side: which phases of a kernel run several warps of a block instruction by instruction, and
 * what they then share.
 *
 *     row = blockIdx.y * 8 + threadIdx.y             of four warps, four rows
 *     for (k ...) sum += a[row * n + k] * b[k * n + column];
 *
 * `k`, the address of b and what is loaded from there are the same for all four: worked out once, in a
 * register of the host, and used four times. `sum` and the address of a are each warp's own.
 *
 * Warps side by side go one way, and have all their lanes or, behind a branch that the thread's index decides
 * part of, those that it names. Where they do not, or where a check fails, the phase begins again for each of
 * them alone: nothing that it did up to there may make a difference when it is done twice (`redo`).
 */
#ifndef WG_ANALYSIS_JAM_H
#define WG_ANALYSIS_JAM_H
#include "analysis/analysis.h"

enum {
    WG_JAM_MOST = 16,
    WG_JAM_PIECE = 32 * 64, /* bytes of columns at a time, of all rows: more are slow to come by at once */
};

struct wg_jam {
    uint32_t warps;    /* side by side; groups begin at multiples of it */
    bool is_long;      /* a phase is only there because of long_too */
    wg_bits begins;    /* blocks that a phase begins with that is run like this */
    wg_bits same;      /* registers that hold the same in all warps of a group, lane by lane */
    uint8_t **columns; /* [block][instruction] loads and stores of elements of memory whose lanes lie in so
                        * many rows, a warp's elements behind those of the one before it; 0: others */
    bool **windows;    /* [block][instruction] sums over windows (window.h) whose rows a warp goes on along,
                        * where the one before it ends */
    uint32_t *redo; /* [block] instructions from its start before which the phase may begin again: UINT32_MAX,
                     * all of them and the branch */
};

/* An index divided by what is the same for all: a warp's row, which is one for all warps of the group as
 * often as not. It counts as the same, and is compared as the code runs. Where rows were dealt side by side
 * (bands.h) it is the column instead. */
bool wg_jam_compares(const struct wg_analysis *an, const struct wg_jam *jam, const struct wg_ir_instr *in);

/* How much a register grows from a warp to the next, as far as no number wraps round; false: not known. */
bool wg_jam_step(const struct wg_analysis *an, const struct wg_jam *jam, uint32_t reg, int64_t *step);

/* For vectors of so many bits, of which the host has `registers`; in `a`. long_too: also phases with many
 * instructions in a row, which keep much alive if they do not stay in this order. NULL: no phase gains. */
struct wg_jam *wg_find_jam(const struct wg_analysis *an, struct wg_arena *a, uint32_t bits,
                           uint32_t registers, bool long_too);
#endif
