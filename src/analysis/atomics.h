/* What the assembler makes of atomics: of the PTX's own instructions, what the hardware executes and counts.
 *
 *     atom.global.add.u32 %r1, [%rd1], %r2;    nobody reads %r1: a reduction (REDG)
 *     red.global.max.u32 [%rd1], %r2;          %rd1 the same in all lanes: a warp finds its maximum by itself,
 *                                              and one lane does the rest
 *     atom.shared.add.f32 %f1, [%r3], %f2;     a loop of a load and a compare-and-swap (LDS, ATOMS.CAST.SPIN)
 *     atom.shared.cas.b32 %r1, [%r3], ...      two passes through the banks a turn
 *
 * The rules are those of ptxas 13.0 for sm_90, read from the machine code of some 130 kernels of one atomic each, and held
 * to what an H100 counts of bench/gpu/rules.cu. Whether a register is the same in all lanes is asked of this function
 * alone: the assembler follows no calls.
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
    bool used;     /* somebody reads what it gives back */
    bool reduces;  /* where it goes to global memory: as a reduction */
    bool one_lane; /* one lane of a warp acts for all that are on */
    uint8_t way;   /* enum wg_shared_way, where it goes to shared memory */
};

struct wg_atomics wg_atomics_find(struct wg_arena *a, const struct wg_ir_func *f, const uint64_t *wanted);
/* `in` is an ATOM or a RED of that function. */
struct wg_atomic_made wg_atomic_made(const struct wg_atomics *x, const struct wg_ir_instr *in);
#endif
