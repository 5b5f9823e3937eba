/* Instruction emitters: one entry point per kind of PTX instruction, and their specialised forms. See
 * README.md. */
#ifndef WG_JIT_INSTR_H
#define WG_JIT_INSTR_H
#include "jit/access/access.h"

/* instr.c */
void wg_emit_instr(struct wg_emit *e, const struct wg_ir_instr *in);

/* block_span.c */
/* Widens an index that is one affine function of the thread over the whole thread block, where the block
 * runs as a whole. True if the block's check covers it; *done if the result is set, too. */
bool wg_emit_block_span(struct wg_emit *e, const struct wg_ir_instr *in, bool *done);
/* Whether the block's check covers the index that the instruction at e->block and e->instr widens. Once it has
 * been true, the second one is an i1: whether all indices that the check covers fit. */
bool wg_block_span_covers(struct wg_emit *e, const struct wg_ir_instr *in);
LLVMValueRef wg_block_spans_fit(struct wg_emit *e);

/* check.c: our own check instructions */
void wg_emit_check(struct wg_emit *e, const struct wg_ir_instr *in);
/* A field of the struct wg_check_window of the instruction. */
LLVMValueRef wg_check_window_field(struct wg_emit *e, const struct wg_ir_instr *in, size_t field,
                                   const char *name);

/* shadow.c: the instructions of the initialisation check */
void wg_emit_shadow(struct wg_emit *e, const struct wg_ir_instr *in);

/* lines.c: branches to where not everything that the access touches is known to be defined. Returns the
 * block that continues, which is also the target otherwise. NULL, and nothing emitted: its memory has no
 * lines. */
LLVMBasicBlockRef wg_unless_whole(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef mask);
/* Branches to `go` if all of the block's shared memory is known to be defined; the builder then is on the
 * other path. */
void wg_unless_shared_whole(struct wg_emit *e, LLVMBasicBlockRef go);
/* The bytes that the access writes become defined: marks lines that thereby are as a whole. */
void wg_mark_lines(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef mask);

/* thread_lanes.c: the mask of lanes in which a predicate holds, i32, from a table; NULL: it does not
 * depend on the thread alone. And the instruction that defines one; false: nothing was emitted. */
LLVMValueRef wg_thread_lanes(struct wg_emit *e, uint32_t reg);
bool wg_look_up_lanes(struct wg_emit *e, const struct wg_ir_instr *in);

/* narrow.c: wg_lower_pure in lanes of half the width; false, and nothing emitted: the values may not fit. */
bool wg_narrow(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef *src, LLVMValueRef *dst);

/* rows.c: an instruction that needs a row check; and a scalar remainder that mostly is one subtraction, or
 * false and nothing emitted. */
void wg_divide_row(struct wg_emit *e, const struct wg_ir_instr *in);
bool wg_wrap_scalar(struct wg_emit *e, const struct wg_ir_instr *in);

/* lane_atomics.c */
struct wg_lane_loop {
    LLVMBasicBlockRef loop, done;
    LLVMValueRef left, lane; /* lane: i64 */
};
/* The code emitted between the two runs for each lane of the i32 mask, lowest first. */
void wg_lane_loop_begin(struct wg_emit *e, LLVMValueRef mask, struct wg_lane_loop *l);
void wg_lane_loop_end(struct wg_emit *e, struct wg_lane_loop *l);
bool wg_is_in_place(const struct wg_ir_instr *in); /* the operation is one of those emitted inline */
/* An unordered operation that mostly changes nothing: most operands of a maximum are below it. */
bool wg_only_grows(const struct wg_ir_instr *in);
/* The value that an atomic stores: of one lane, or of integers of all lanes. */
LLVMValueRef wg_atomic_result(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef old,
                              LLVMValueRef b, LLVMValueRef c);
/* The sum of two floats as atomics on shared memory compute it, in their type. */
LLVMValueRef wg_add_floats(struct wg_emit *e, LLVMValueRef a, LLVMValueRef b);
/* Arrays of 32 x i64: addresses, operands, second operands, old values (NULL: unused). */
void wg_emit_in_place(struct wg_emit *e, const struct wg_ir_instr *in, const LLVMValueRef *arrays,
                      LLVMValueRef mask);

/* lane_adds.c: all lanes add, in memory that no other thread changes. */
struct wg_lane_adds {
    uint32_t bits;       /* of an element: 32 or 64 */
    LLVMValueRef at;     /* <32 x i32>, unsigned, in steps from `from`; or <32 x i64>, in bytes from it */
    LLVMValueRef from;   /* a pointer */
    uint32_t step;       /* bytes */
    LLVMValueRef addend; /* a scalar, or a vector of lanes */
    bool late;           /* may be deferred to the next iteration of the loop */
    bool real;           /* floating point: sequential */
};
/* Nothing in the innermost loop around the block reads the sums. */
bool wg_may_add_late(const struct wg_emit *e);
void wg_emit_lane_adds(struct wg_emit *e, const struct wg_lane_adds *x);

/* atomics.c, warpops.c */
void wg_emit_atomic(struct wg_emit *e, const struct wg_ir_instr *in);
/* An atomic whose old value is unused, by the lanes of the mask at address `a`. */
void wg_emit_unread_atomic(struct wg_emit *e, const struct wg_ir_instr *in, struct wg_value *a,
                           struct wg_value *b, LLVMValueRef mask);
void wg_emit_warp_op(struct wg_emit *e, const struct wg_ir_instr *in);
/* For each lane, a shuffle's value from its first source, the source lane, and whether that is the lane
 * asked for. */
LLVMValueRef wg_shuffled(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef *from,
                         LLVMValueRef *valid);
void wg_emit_cvta(struct wg_emit *e, const struct wg_ir_instr *in);
void wg_emit_builtin(struct wg_emit *e, const struct wg_ir_instr *in);

/* matrix.c: a stack area with a slot of 256 bytes for each register of the warp; stores operands there,
 * loads results. */
LLVMValueRef wg_operand_area(struct wg_emit *e, uint32_t slots);
void wg_put_operands(struct wg_emit *e, LLVMValueRef area, uint32_t slot, const struct wg_ir_opd *o,
                     uint32_t n, uint32_t bits);
void wg_take_results(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef area, uint32_t slot,
                     uint32_t bits);
void wg_emit_matrix(struct wg_emit *e, const struct wg_ir_instr *in);

/* bulk.c */
void wg_emit_bulk(struct wg_emit *e, const struct wg_ir_instr *in);

/* async.c */
void wg_emit_async(struct wg_emit *e, const struct wg_ir_instr *in);
#endif
