/* Instruction mix: the class of an instruction and, for floating-point additions and multiplications, the
 * operation, as counters of active lanes (count/counters.def).
 *
 *     fma.rn.f32       op_fp32, ffma
 *     setp.lt.s32      op_integer
 *     ld.global.u32    op_memory
 *     fma.rn.f16x2     op_fp16, hfma twice: a lane does two
 */
#ifndef WG_ANALYSIS_OPERATIONS_H
#define WG_ANALYSIS_OPERATIONS_H
#include "count/counters.h"
#include "ir/ir.h"

struct wg_operation {
    uint8_t class;     /* enum wg_counter; 0: none */
    uint8_t operation; /* enum wg_counter; 0: none */
    uint8_t each;      /* operations per lane */
};
struct wg_operation wg_operation_of(const struct wg_ir_instr *in);
/* Of a branch that ends a block. */
struct wg_operation wg_operation_of_branch(void);
/* `times` instructions of as many lanes in all. */
static inline void wg_operation_add(struct wg_operation o, uint64_t lanes, struct wg_counts *to) {
    if (o.class) to->v[o.class] += lanes;
    if (o.operation) to->v[o.operation] += lanes * o.each;
}
#endif
