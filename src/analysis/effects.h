/* What an instruction does that others could notice: the one place that says so. Whoever moves, joins, holds
 * back or repeats accesses asks here what one of them touches, and in memory.h which two must keep their
 * order.
 *
 *     ld.global.f32          reads GLOBAL
 *     st.f32 (generic)       writes GLOBAL, SHARED and LOCAL
 *     cp.async.shared        reads GLOBAL, writes SHARED, happens once, meets
 *     st.volatile.global     writes GLOBAL, happens once, is ordered
 *     red.global.add         reads and writes GLOBAL, happens once, is ordered
 *     bar.sync               meets
 */
#ifndef WG_ANALYSIS_EFFECTS_H
#define WG_ANALYSIS_EFFECTS_H
#include "ir/ir.h"

/* Memories that have nothing in common. What nobody writes (parameters, constants) is none of them. */
enum { WG_GLOBAL_MEMORY = 1, WG_SHARED_MEMORY = 2, WG_LOCAL_MEMORY = 4, WG_ALL_MEMORY = 7 };

struct wg_effects {
    uint8_t reads, writes; /* memories */
    bool once;             /* done again it might give or store something else */
    bool ordered; /* threads of other blocks may learn of each other by it: fences, ordered and volatile
                   * accesses, atomics but those of shared memory alone */
    bool meets;   /* threads of its block may: what waits, counts arrivals, or goes from lane to lane, too */
};
struct wg_effects wg_effects_of(const struct wg_ir_instr *in);
/* The memories that an address of this space (enum wg_space) may be in. */
uint8_t wg_memories_of(uint32_t space);
/* Whether what stands before the instruction has to be seen by others before what stands behind it. */
static inline bool wg_is_fence(const struct wg_ir_instr *in) { return wg_op_is(in->op, WG_IS_FENCE); }
/* Whether it comes by a barrier of the block or the cluster and does not wait there. */
static inline bool wg_only_arrives(const struct wg_ir_instr *in) {
    return wg_op_is(in->op, WG_IS_BARRIER) && !(wg_op_flags(in->op) & WG_F_WAIT);
}
/* Whether atomics of this kind come to the same in any order. Sums of floats round, each order otherwise. */
bool wg_atomic_commutes(const struct wg_ir_instr *in);

/* Code that has been run from its beginning up to somewhere, and may have to be run again from there. What
 * was stored before is stored again, and is the same, unless a load has read what a store changed behind it,
 * or something happens only once. */
struct wg_replay {
    uint8_t read; /* memories */
    bool spoilt;  /* it may not be run again */
};
void wg_replay_past(struct wg_replay *r, const struct wg_ir_instr *in);
/* Two ways come together: *r may have been reached by x as well. Whether that makes a difference. */
bool wg_replay_join(struct wg_replay *r, const struct wg_replay *x);
#endif
