/* What each instruction becomes in the code of a warp: see README.md. */
#ifndef WG_JIT_INSTR_H
#define WG_JIT_INSTR_H
#include "jit/access/access.h"

/* instr.c */
void wg_emit_instr(struct wg_emit *e, const struct wg_ir_instr *in);

/* block_span.c */
/* Widens an index that is the same function of the thread in all of a block, where the block runs as a whole:
 * true if the check is made for the block, *done if the result is set, too. */
bool wg_emit_block_span(struct wg_emit *e, const struct wg_ir_instr *in, bool *done);

/* check.c: instructions of our own */
void wg_emit_check(struct wg_emit *e, const struct wg_ir_instr *in);
/* A field of the instruction's struct wg_check_window. */
LLVMValueRef wg_check_window_field(struct wg_emit *e, const struct wg_ir_instr *in, size_t field,
                                   const char *name);

/* shadow.c: those of the check of initialisation */
void wg_emit_shadow(struct wg_emit *e, const struct wg_ir_instr *in);

/* lines.c: to where not all that the access touches is known to be defined; gives the block that goes on, and
 * is gone to else. NULL, and nothing emitted: its memory has no lines. */
LLVMBasicBlockRef wg_unless_whole(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef mask);
/* To `go` where all of the block's shared memory is known to be defined; the builder stands in the other way.
 */
void wg_unless_shared_whole(struct wg_emit *e, LLVMBasicBlockRef go);
/* What the access touches is defined: of lines that are so as a whole it is noted. */
void wg_mark_lines(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef mask);

/* thread_lanes.c: the lanes in which a predicate holds, i32, out of a table; NULL: it is not known of the
 * thread alone. And the instruction that makes one; false: nothing was emitted. */
LLVMValueRef wg_thread_lanes(struct wg_emit *e, uint32_t reg);
bool wg_look_up_lanes(struct wg_emit *e, const struct wg_ir_instr *in);

/* narrow.c: the same as wg_lower_pure, in lanes of half the width; false, and nothing emitted: it does not
 * fit.
 */
bool wg_narrow(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef *src, LLVMValueRef *dst);

/* rows.c: an instruction that needs a row check; and a scalar remainder that is mostly one subtraction, or
 * false and nothing emitted. */
void wg_divide_row(struct wg_emit *e, const struct wg_ir_instr *in);
bool wg_wrap_scalar(struct wg_emit *e, const struct wg_ir_instr *in);

/* lane_atomics.c */
struct wg_lane_loop {
    LLVMBasicBlockRef loop, done;
    LLVMValueRef left, lane; /* lane: i64 */
};
/* What is emitted between the two is done for each lane of the i32 mask, lowest first. */
void wg_lane_loop_begin(struct wg_emit *e, LLVMValueRef mask, struct wg_lane_loop *l);
void wg_lane_loop_end(struct wg_emit *e, struct wg_lane_loop *l);
bool wg_is_in_place(const struct wg_ir_instr *in); /* the operation is one of those below */
/* An unordered operation that mostly changes nothing: most operands of a maximum are below it. */
bool wg_only_grows(const struct wg_ir_instr *in);
/* What an atomic leaves: of one lane, or of integers of all. */
LLVMValueRef wg_atomic_result(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef old,
                              LLVMValueRef b, LLVMValueRef c);
/* The sum of two floats as shared memory adds them: of their types. */
LLVMValueRef wg_add_floats(struct wg_emit *e, LLVMValueRef a, LLVMValueRef b);
/* arrays of 32 x i64: addresses, operands, second operands, old values (NULL: nobody wants them). */
void wg_emit_in_place(struct wg_emit *e, const struct wg_ir_instr *in, const LLVMValueRef *arrays,
                      LLVMValueRef mask);

/* lane_adds.c: all lanes add, at places that are theirs alone. */
struct wg_lane_adds {
    uint32_t bits;       /* of an element: 32 or 64 */
    LLVMValueRef at;     /* <32 x i32>, unsigned, in steps from `from`; or <32 x i64>, in bytes from it */
    LLVMValueRef from;   /* a pointer */
    uint32_t step;       /* bytes */
    LLVMValueRef addend; /* a scalar, or one for each lane */
    bool late;           /* may be made at the next turn of the loop */
    bool real;           /* floats, one after the other */
};
/* Nobody looks at the sums in the innermost loop around the block. */
bool wg_may_add_late(const struct wg_emit *e);
void wg_emit_lane_adds(struct wg_emit *e, const struct wg_lane_adds *x);

/* atomics.c, warpops.c */
void wg_emit_atomic(struct wg_emit *e, const struct wg_ir_instr *in);
/* What the lanes of the mask make of what is at `a`; the old value is not wanted. */
void wg_emit_unread_atomic(struct wg_emit *e, const struct wg_ir_instr *in, struct wg_value *a,
                           struct wg_value *b, LLVMValueRef mask);
void wg_emit_warp_op(struct wg_emit *e, const struct wg_ir_instr *in);
/* What each lane gets of a shuffle's first source, the lane it is from, and whether that is the one asked
 * for.
 */
LLVMValueRef wg_shuffled(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef *from,
                         LLVMValueRef *valid);
void wg_emit_cvta(struct wg_emit *e, const struct wg_ir_instr *in);
void wg_emit_builtin(struct wg_emit *e, const struct wg_ir_instr *in);

/* matrix.c: an area with a slot of 256 bytes for each register of the warp; operands put into it, results
 * taken. */
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
