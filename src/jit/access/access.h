/* Loads and stores of a warp, for the rooms above: see README.md. How one of them is carried out is planned in
 * access_plan.h. */
#ifndef WG_JIT_ACCESS_H
#define WG_JIT_ACCESS_H
#include "jit/emit/emit.h"

/* memory.c */
void wg_emit_load(struct wg_emit *e, const struct wg_ir_instr *in);
void wg_emit_store(struct wg_emit *e, const struct wg_ir_instr *in);
/* The elements of a load, <32 x iN> or, where the address is uniform, iN; a store of elements. `in` may be
 * one that no kernel has: with its id it counts at the site of the instruction that it is a part of. */
void wg_load_elements(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef mask, LLVMValueRef *x);
void wg_store_elements(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef mask,
                       struct wg_value *v);
/* The address of a memory instruction, 64 bits, offset included, checked as opts say. */
struct wg_value wg_address(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef mask);
/* Of 128 bits, two of 64, and back; a scalar or a vector. */
LLVMValueRef wg_join_halves(struct wg_emit *e, LLVMValueRef low, LLVMValueRef high);
void wg_take_halves(struct wg_emit *e, struct wg_value *v, struct wg_value *halves);
struct wg_value wg_unchecked_address(struct wg_emit *e, const struct wg_ir_instr *in);

/* touch.c: the part of wg_address that faults where the kernel may not touch the address, if the instruction
 * at hand is to be tested (analysis/touch.h). `in` has its space, its width, and of its lanes `mask` are on.
 * The same of the address of one lane. */
void wg_check_touch(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *a,
                    LLVMValueRef mask);
/* With the test of `low`, which is wg_misaligned's, of all lanes alike. False: nothing is emitted, for it is
 * not one scalar that is tested. */
bool wg_check_touch_and_low(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *a,
                            LLVMValueRef low, LLVMValueRef mask);
void wg_check_touch_of_lane(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef at,
                            LLVMValueRef lane);
/* The low bits of an access's address that are not 0 where it is misaligned: one i64 for all lanes or,
 * *by_lane, one for each; NULL: none can be. lasts: nothing behind the test runs where it is. */
LLVMValueRef wg_misaligned(struct wg_emit *e, const struct wg_ir_instr *in, struct wg_value *a, bool lasts,
                           bool *by_lane);

/* refused.c */
/* Lanes that the block's last CHECK_ACCESS refused the access `in`: i32; NULL: none can be. */
LLVMValueRef wg_check_refused(const struct wg_emit *e, const struct wg_ir_instr *in);
LLVMValueRef wg_check_mask(struct wg_emit *e, const struct wg_ir_instr *in,
                           LLVMValueRef mask); /* less these */
/* What a load gives, with zeros in these. */
LLVMValueRef wg_check_zeros(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef x);

/* gather.c */
/* `bits` a lane (8 to 64) where the i32 mask is on; elsewhere anything (a mask that may be off: zero). */
LLVMValueRef wg_gather(struct wg_emit *e, struct wg_value *a, uint32_t bits, uint32_t align,
                       LLVMValueRef mask);
void wg_scatter(struct wg_emit *e, struct wg_value *a, LLVMValueRef x, uint32_t bits, LLVMValueRef mask);

/* structures.c: where lanes' structures lie in a row. False: as any other access; a store that is taken may
 * be made by a later one of the block. */
bool wg_structure_load(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *a,
                       LLVMValueRef mask, LLVMValueRef *x);
bool wg_structure_store(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *a,
                        LLVMValueRef mask, const LLVMValueRef *x);

/* shared_lines.c */
/* Whether it is known how many words of a line of 64 bytes lie before what lane 0 loads from shared memory.
 */
bool wg_shared_line_begin(const struct wg_emit *e, const struct wg_ir_instr *in, uint32_t *words);
/* Of an element of such a line: 32, or fewer in a tile. */
uint32_t wg_line_bits(const struct wg_emit *e);
/* The 16 words of a line from `at` on; mask: <16 x i1>, or NULL for all. 16 words of lines that follow each
 * other; 32 of these. */
LLVMValueRef wg_load_line(struct wg_emit *e, LLVMValueRef at, uint32_t line, LLVMValueRef mask);
LLVMValueRef wg_words_of_lines(struct wg_emit *e, LLVMValueRef *line, uint32_t first);
LLVMValueRef wg_join_lines(struct wg_emit *e, LLVMValueRef low, LLVMValueRef high);

/* tile.c */
bool wg_in_tile(const struct wg_emit *e, const struct wg_ir_instr *in);
/* The address of a word of shared memory becomes that of its element. */
void wg_tile_address(struct wg_emit *e, const struct wg_ir_instr *in, struct wg_value *a);

/* stream.c: may the store go past the caches? */
bool wg_may_stream(struct wg_emit *e, const struct wg_ir_instr *in, uint32_t block);
/* `at`, or where the store of `block` goes past the caches, what is cached anyway: for prefetches. */
LLVMValueRef wg_unless_streamed(struct wg_emit *e, const struct wg_ir_instr *in, uint32_t block,
                                LLVMValueRef at);
/* For rows of whole lines, `step` bytes apart: i32, whether they go past the caches; NULL: never. */
LLVMValueRef wg_streams_rows(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef at,
                             LLVMValueRef step, uint32_t rows, uint32_t bytes);
/* Emits the way past the caches for n vectors of `bytes` bytes each, as many one after the other at each of
 * the places; the builder then stands in the other way, which is to end in a branch to the block that is
 * returned. NULL, and nothing emitted: not whole lines. */
LLVMBasicBlockRef wg_emit_stream(struct wg_emit *e, const LLVMValueRef *at, uint32_t places,
                                 const LLVMValueRef *x, uint32_t n, uint32_t bytes, LLVMValueRef mask);

/* window.c */
/* At a load, whose lanes' address this is. */
void wg_window_note(struct wg_emit *e, const struct wg_value *at);
/* At an addition, whose result is there: another one of the same value, if it is a sum over windows. */
void wg_window_sum(struct wg_emit *e, const struct wg_ir_instr *in);

/* prefetch.c */
/* At the kernel's start: the lines that the next block's warp will touch. */
void wg_emit_block_prefetches(struct wg_emit *e);
/* How far it is from where lane 0 of this block touches memory to where it does in the next block; NULL: it
 * does not follow from the block's number. */
LLVMValueRef wg_emit_blocks_apart(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef here);
/* At an access to global memory. */
void wg_emit_prefetch_ahead(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *a);
/* At a load in a loop: the line of the next turn, when its address moves by a known step that hardware
 * prefetchers do not follow. */
void wg_emit_loop_prefetch(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *a);

/* combine.c */
bool wg_result_is_unused(const struct wg_emit *e, const struct wg_ir_instr *in);
/* An integer addition whose old value nobody reads: nvcc writes atom where it means red. */
bool wg_is_plain_add(const struct wg_emit *e, const struct wg_ir_instr *in);
void wg_combine_plan(struct wg_emit *e);
/* The combiner of an addition, by number; WG_NO_REG: none. */
uint32_t wg_combiner_of(const struct wg_emit *e, const struct wg_ir_instr *in);
LLVMValueRef wg_combiner(struct wg_emit *e, uint32_t which);
/* Publishes where the instruction, or the access of a load or store, must not overtake additions. */
void wg_combine_before(struct wg_emit *e, const struct wg_ir_instr *in);
void wg_combine_before_access(struct wg_emit *e, const struct wg_ir_instr *in, struct wg_value *a,
                              LLVMValueRef mask, bool invariant);
#endif
