/* Instruction expansion: how many SASS instructions ptxas emits for each PTX instruction.
 *
 *     mul.wide.s32 %rd3, %r1, 4;      IMAD.WIDE takes the sum along:      1
 *     add.s64      %rd4, %rd1, %rd3;                                      0
 *     ld.global.f32 %f1, [%rd4+8];    a part of LDG:                      1
 *     div.rn.f32   %f3, %f1, %f2;     where nothing is denormal:          10
 *     cvta.to.global.u64, mov.u32     no instruction at all:              0
 *
 * An estimate: ptxas also schedules and allocates registers, which is not modelled, and what it unrolls is a
 * guess. The weights of single instructions are those of ptxas 13.0 for sm_90 (bench/gpu/weights prints
 * them); for instructions with a slow path, without the few that branch to it. docs/accuracy.md says how
 * close the sums are to what the hardware executed.
 */
#ifndef WG_ANALYSIS_ASSEMBLY_H
#define WG_ANALYSIS_ASSEMBLY_H
#include "cfg/bits.h"
#include "ir/ir.h"

/* An access to memory: whether ptxas merges it into another one, and the instructions it needs besides. */
struct wg_assembly_access {
    uint8_t joined; /* 0 or 1: this one alone */
    uint8_t more;
};

/* Sets machine[id] for each instruction and terminator of `f`; ids are the module's. `varying`: registers
 * that may differ from lane to lane; `access`: [id]. */
void wg_assembly_estimate(struct wg_arena *a, const struct wg_ir_func *f, wg_bits varying,
                          const struct wg_assembly_access *access, uint16_t *machine);
#endif
