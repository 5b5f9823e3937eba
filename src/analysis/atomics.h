/* Lowering of atomics by ptxas: which SASS instructions the hardware executes and counts for each.
 *
 *     atom.global.add.u32 %r1, [%rd1], %r2;    %r1 is dead: a reduction (REDG)
 *     red.global.max.u32 [%rd1], %r2;          %rd1 is uniform: a warp reduces its maximum by itself,
 *                                              and one lane does the rest
 *     atom.shared.add.f32 %f1, [%r3], %f2;     a loop of a load and a compare-and-swap (LDS, ATOMS.CAST.SPIN)
 *     atom.shared.cas.b32 %r1, [%r3], ...      two passes through the banks per iteration
 *
 * The rules are those of ptxas 13.0 for sm_90, read from the machine code of some 130 kernels of one atomic
 * each, and compared with what an H100 counts for bench/gpu/rules.cu. Whether a register is uniform is
 * decided within the function alone: ptxas follows no calls.
 */
#ifndef WG_ANALYSIS_ATOMICS_H
#define WG_ANALYSIS_ATOMICS_H
#include "cfg/bits.h"
#include "ir/ir.h"

struct wg_atomics {
    const struct wg_ir_func *f;
    const uint64_t *wanted; /* wanted.h */
    wg_bits varying;        /* registers that may differ from lane to lane */
};

enum wg_shared_way { WG_SHARED_WAY_NATIVE, WG_SHARED_WAY_SWAP, WG_SHARED_WAY_LOOP };

struct wg_atomic_made {
    bool used;     /* its result is read */
    bool reduces;  /* global memory: it becomes a reduction */
    bool one_lane; /* one lane of a warp acts for all active ones */
    uint8_t way;   /* shared memory: enum wg_shared_way */
};

struct wg_atomics wg_atomics_find(struct wg_arena *a, const struct wg_ir_func *f, const uint64_t *wanted);
/* `in` is an ATOM or a RED of that function. */
struct wg_atomic_made wg_atomic_made(const struct wg_atomics *x, const struct wg_ir_instr *in);
#endif
