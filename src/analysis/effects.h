/* Side effects of instructions, as other threads may observe them: the one place that defines them. Code that
 * moves, merges, delays or repeats accesses queries here what one of them touches, and memory.h for which two
 * must keep their order.
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

/* Disjoint memories. Read-only memory (parameters, constants) is none of them. */
enum { WG_GLOBAL_MEMORY = 1, WG_SHARED_MEMORY = 2, WG_LOCAL_MEMORY = 4, WG_ALL_MEMORY = 7 };

struct wg_effects {
    uint8_t reads, writes; /* memories */
    bool once;             /* not idempotent: a repetition might return or store something else */
    bool ordered;          /* threads of other blocks may synchronize by it: fences, ordered and volatile
                   * accesses, atomics except those of shared memory alone */
    bool meets; /* threads of its block may: also what waits, counts arrivals, or goes from lane to lane */
};
struct wg_effects wg_effects_of(const struct wg_ir_instr *in);
/* The memories that an address of this space (enum wg_space) may be in. */
uint8_t wg_memories_of(uint32_t space);
/* Whether it loads what is the same for a whole launch, from an address that the text names: a parameter or constant memory. */
static inline bool wg_loads_for_launch(const struct wg_ir_instr *in) {
    return in->op == WG_OP_LD && (in->space == WG_S_PARAM || in->space == WG_S_CONST) &&
           in->src[0].kind == WG_O_SYM;
}
/* Whether others must observe what precedes the instruction before what follows it. */
static inline bool wg_is_fence(const struct wg_ir_instr *in) { return wg_op_is(in->op, WG_IS_FENCE); }
/* Whether it arrives at a barrier of the block or the cluster without waiting there. */
static inline bool wg_only_arrives(const struct wg_ir_instr *in) {
    return wg_op_is(in->op, WG_IS_BARRIER) && !(wg_op_flags(in->op) & WG_F_WAIT);
}
/* Whether atomics of this kind commute. Sums of floats do not: rounding depends on the order. */
bool wg_atomic_commutes(const struct wg_ir_instr *in);

/* Idempotence of code that has run from its beginning up to some point and may have to restart. The restart
 * stores the same values again, unless a later store changed what a load has read, or something happens only
 * once. */
struct wg_replay {
    uint8_t read; /* memories */
    bool spoilt;  /* it may not be run again */
};
void wg_replay_past(struct wg_replay *r, const struct wg_ir_instr *in);
/* Joins two paths: *r may have been reached by x as well. True if *r changed. */
bool wg_replay_join(struct wg_replay *r, const struct wg_replay *x);
#endif
