/* Which lanes of a warp run next, the same in generated code and in the reference.
 *
 * Lanes at the same block run together. Of several blocks where lanes can run the lowest is next, which
 * brings lanes together again as early as can be. Lanes cannot run
 *   - where they meet others that have yet to come (F_SYNC rows), until they are there or have exited;
 *   - while the machine holds them at a barrier;
 *   - when they spin (analysis/spins.h) and give up their turn: they rest at their loop's header until no
 *     others can run. Lanes that come there take them along.
 * A round is over when none can run. Where lanes rest, all of them go on with the next one; after some rounds
 * the warp yields, so that other warps have their turn.
 *
 *     spin:  ld.volatile.global.u32 %r1, [flag];  @!p bra spin;      lanes 0..30
 *     set:   st.global.u32 [flag], 1;                                lane 31
 *
 * Lanes 0..30 go round twice, and rest; lane 31 stores and exits; the round is over, and they see it.
 *
 * Lanes that go back to the header of such a loop make no progress if just the same went back last. SOON:
 * they rest at once if there are others, else the warp yields after a while. LATE: they rest, or the warp
 * yields, after a long while.
 */
#ifndef WG_WARP_TURNS_H
#define WG_WARP_TURNS_H
#include "warp/warp.h"

enum {
    WG_TURNS_SOON = 8, /* without progress */
    WG_TURNS_LATE = 512,
    WG_ROUNDS = 32,      /* before the warp yields... */
    WG_SAME_ROUND = 8,   /* ...of which one in which the same lanes rest as before counts for so many */
    WG_IN_VAIN = 1 << 30 /* wg_warp.spent: as if all turns were */
};

/* `lanes` go back to the header of a loop that spins, which yields SOON or LATE. True: they give up their
 * turn; if they are all that live, the warp yields. */
static inline bool wg_turn_is_over(struct wg_warp *w, uint32_t lanes, bool soon) {
    bool same = w->spun == lanes;
    uint32_t spent = same || w->spent >= WG_IN_VAIN ? w->spent + 1 : 0;
    bool over = spent >= (soon ? WG_TURNS_SOON : WG_TURNS_LATE) || (soon && same && lanes != w->live);
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
