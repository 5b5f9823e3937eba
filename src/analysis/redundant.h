/* Redundant load elimination by ptxas: loads whose value is in a register already, so that the machine has none.
 *
 *     ld.global.u8 %r1, [%rd3+3];          loaded
 *     @%p1 bra $L2;
 *     st.shared.u32 [%r9], %r1;            no store to global memory
 *     ld.global.u8 %r2, [%rd3+3];          %r1
 *     st.shared.v2.u32 [tile], {%r3, %r4};
 *     ld.shared.u32 %r5, [tile+4];         %r4
 *
 * The rules are those of ptxas 13.0 for sm_90, found by assembling small kernels (tests/count/redundant.ptx):
 *   - the same address is the same register plus the same constant, loaded as the same number of bytes; less than 32 bits
 *     with the same sign;
 *   - it was loaded or stored, plainly and under no guard, on every path that leads here;
 *   - since then nothing was stored to that memory by any instruction, whatever its address: the assembler has one state
 *     of each memory. A store to a generic address goes to all of them, an atomic to its own;
 *   - nor was there a barrier (a warp's, too), a fence, a call, or a division or root with a slow path. Shuffles and votes
 *     are none of these, nor are loads, volatile ones included;
 *   - ld.global.nc is read-only memory: nothing changes it, and plain loads are other ones.
 */
#ifndef WG_ANALYSIS_REDUNDANT_H
#define WG_ANALYSIS_REDUNDANT_H
#include "cfg/cfg.h"

/* Ids of such loads, a bit each, from id `first` on. NULL: too many accesses to look at. `wanted`: wanted.h. */
wg_bits wg_redundant_loads(struct wg_arena *a, const struct wg_ir_module *m, const struct wg_ir_func *f,
                           const uint64_t *wanted, uint32_t first, uint32_t n);
/* Whether the instruction leaves another state of the memory (WG_S_GLOBAL, _SHARED or _LOCAL). */
bool wg_changes_memory(const struct wg_ir_module *m, const struct wg_ir_instr *in, enum wg_space space);
/* What the assembler keeps no value of memory across, and moves no access across. */
bool wg_is_wall(const struct wg_ir_module *m, const struct wg_ir_instr *in);
#endif
