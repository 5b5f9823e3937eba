/* Unroll-and-jam over warps: which phases of a kernel run several warps of a block side by side, instruction
 * by instruction, and what the warps then share.
 *
 *     row = blockIdx.y * 8 + threadIdx.y             of four warps, four rows
 *     for (k ...) sum += a[row * n + k] * b[k * n + column];
 *
 * `k`, the address of b and the value loaded from it are the same for all four warps: they are computed once,
 * into one host register, and used four times. `sum` and the address of a are each warp's own.
 *
 * Jammed warps take the same path, with all their lanes active or, after a branch that partly depends on the
 * thread's index, with the lanes of its mask. Where they do not, or where a check fails, the phase restarts
 * for each warp alone: everything that it did up to there must be idempotent (`redo`).
 */
#ifndef WG_ANALYSIS_JAM_H
#define WG_ANALYSIS_JAM_H
#include "analysis/analysis.h"

enum {
    WG_JAM_MOST = 16,
    WG_JAM_PIECE = 32 * 64, /* bytes of columns at a time, of all rows: more are slow to load at once */
};

struct wg_jam {
    uint32_t warps;    /* side by side; groups begin at multiples of it */
    bool is_long;      /* a phase is only there because of long_too */
    wg_bits begins;    /* entry blocks of jammed phases */
    wg_bits ahead;     /* those before which the block's checks are tested: wg_jam_ahead */
    wg_bits same;      /* registers that hold the same in all warps of a group, lane by lane */
    uint8_t **columns; /* [block][instruction] number of rows of memory that the lanes of a load or store are
                        * in; consecutive warps access consecutive elements of the rows; 0: other accesses */
    bool **windows;    /* [block][instruction] sums over windows (window.h) whose rows each warp continues,
                        * where the one before it ends */
    uint32_t *redo; /* [block] number of leading instructions before which the phase may restart: UINT32_MAX,
                     * all of them and the branch */
};

/* An index divided by what is the same for all: a warp's row, which is often the same for all warps of the
 * group. It is speculated to be the same, and compared at run time. Where blocks were remapped (bands.h) it
 * is the column instead. */
bool wg_jam_compares(const struct wg_analysis *an, const struct wg_jam *jam, const struct wg_ir_instr *in);

/* A register's stride from a warp to the next, provided nothing wraps; false: not known. */
bool wg_jam_step(const struct wg_analysis *an, const struct wg_jam *jam, uint32_t reg, int64_t *step);

/* For vectors of so many bits; the host has `registers` of them. The result is in `a`. long_too: also phases
 * with long straight-line code, in which many values are live unless the order is kept. NULL: profitable for
 * no phase.
 *
 * ahead: whether the wrap check of an instruction, which would be too late where the phase may not restart, is
 * among those made when the block begins. */
typedef bool (*wg_jam_ahead)(void *user, uint32_t block, uint32_t instr);
struct wg_jam *wg_find_jam(const struct wg_analysis *an, struct wg_arena *a, uint32_t bits,
                           uint32_t registers, bool long_too, wg_jam_ahead ahead, void *user);
#endif
