/* The warp scheduler within a warp: which of its diverged lanes run next, the same in generated code and in
 * the reference.
 *
 * Lanes at the same basic block run together. Of several blocks with runnable lanes the lowest is next
 * (thread frontiers), which reconverges lanes as early as possible. Lanes cannot run
 *   - where they wait for others at a reconvergence point (F_SYNC rows), until they are there or have exited;
 *   - while the machine holds them at a barrier;
 *   - when they spin (analysis/spins.h) and give up their time slice: they rest at their loop's header until
 *     no others can run. Lanes that arrive there take them along.
 * A round is over when none can run. Where lanes rest, all of them continue with the next one; after some
 * rounds the warp yields, so that other warps get their time slice.
 *
 *     spin:  ld.volatile.global.u32 %r1, [flag];  @!p bra spin;      lanes 0..30
 *     set:   st.global.u32 [flag], 1;                                lane 31
 *
 * Lanes 0..30 run two iterations, and rest; lane 31 stores and exits; the round is over, and they see it.
 *
 * Lanes that take the back edge of such a loop make no progress if just the same lanes took it last. SOON:
 * they rest at once if there are others, else the warp yields after a while. LATE: they rest, or the warp
 * yields, after a long while.
 */
#ifndef WG_WARP_SLICES_H
#define WG_WARP_SLICES_H
#include "warp/warp.h"

enum {
    WG_SLICE_SOON = 8, /* without progress */
    WG_SLICE_LATE = 512,
    WG_ROUNDS = 32,      /* before the warp yields... */
    WG_SAME_ROUND = 8,   /* ...where a round with the same resting lanes as before counts as so many */
    WG_IN_VAIN = 1 << 30 /* wg_warp.spent: as if all iterations had made no progress */
};

/* `lanes` take the back edge of a spin loop, which yields SOON or LATE. True: they give up their time slice;
 * if they are all the live lanes, the warp yields. */
static inline bool wg_slice_is_over(struct wg_warp *w, uint32_t lanes, bool soon) {
    bool same = w->spun == lanes;
    uint32_t spent = same || w->spent >= WG_IN_VAIN ? w->spent + 1 : 0;
    bool over = spent >= (soon ? WG_SLICE_SOON : WG_SLICE_LATE) || (soon && same && lanes != w->live);
    w->spun = lanes;
    w->spent = over ? 0 : spent;
    return over;
}

/* A round is over in which `lanes` rest. True: the warp yields before the next one. */
static inline bool wg_round_is_last(struct wg_warp *w, uint32_t lanes) {
    w->rounds += w->rested == lanes ? WG_SAME_ROUND : 1;
    w->rested = lanes;
    if (w->rounds < WG_ROUNDS) return false;
    w->rounds = 0;
    return true;
}
#endif
