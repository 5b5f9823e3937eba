/* Loads and stores of a warp: the interface for the folders above. See README.md. access_plan.h is the
 * interface for planning and emitting the forms of one access. */
#ifndef WG_JIT_ACCESS_H
#define WG_JIT_ACCESS_H
#include "jit/emit/emit.h"

/* memory.c */
/* An access of which nothing is wanted but its count (wg_code_opts.dry): loads give zeros. */
void wg_emit_count_alone(struct wg_emit *e, const struct wg_ir_instr *in);
void wg_emit_load(struct wg_emit *e, const struct wg_ir_instr *in);
void wg_emit_store(struct wg_emit *e, const struct wg_ir_instr *in);
/* The elements of a load, <32 x iN> or, for a uniform address, iN; or a store of elements. `in` may be an
 * instruction that is not in the kernel: its id selects the counters of the instruction that it is a part
 * of. */
void wg_load_elements(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef mask, LLVMValueRef *x);
void wg_store_elements(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef mask,
                       struct wg_value *v);
/* The address of a memory instruction, 64 bits, offset included, with the checks that opts select. */
struct wg_value wg_address(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef mask);
/* Joins two 64-bit values to one of 128 bits, and splits it; scalars or vectors. */
LLVMValueRef wg_join_halves(struct wg_emit *e, LLVMValueRef low, LLVMValueRef high);
void wg_take_halves(struct wg_emit *e, struct wg_value *v, struct wg_value *halves);
struct wg_value wg_unchecked_address(struct wg_emit *e, const struct wg_ir_instr *in);

/* touch.c: the part of wg_address that faults where the kernel may not access the address, if the current
 * instruction is to be tested (analysis/touch.h). `in` gives address space and width; `mask` are its
 * active lanes. The second tests the address of one lane. */
void wg_check_touch(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *a,
                    LLVMValueRef mask);
/* Combined with the test of `low`, which is wg_misaligned's, for all lanes alike. False, and nothing
 * emitted: the test is not of a single scalar. */
bool wg_check_touch_and_low(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *a,
                            LLVMValueRef low, LLVMValueRef mask);
void wg_check_touch_of_lane(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef at,
                            LLVMValueRef lane);
/* The low bits of an access's address, non-zero where it is misaligned: one i64 for all lanes or,
 * *by_lane, one per lane; NULL: it is always aligned. lasts: a misaligned access ends execution, so
 * nothing after the test runs. */
LLVMValueRef wg_misaligned(struct wg_emit *e, const struct wg_ir_instr *in, struct wg_value *a, bool lasts,
                           bool *by_lane);

/* refused.c */
/* Mask of the lanes in which the block's last CHECK_ACCESS refused the access `in`: i32; NULL: none. */
LLVMValueRef wg_check_refused(const struct wg_emit *e, const struct wg_ir_instr *in);
LLVMValueRef wg_check_mask(struct wg_emit *e, const struct wg_ir_instr *in,
                           LLVMValueRef mask); /* without the refused lanes */
/* A load's result, with zeros in the refused lanes. */
LLVMValueRef wg_check_zeros(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef x);

/* gather.c */
/* A gather of `bits` per lane (8 to 64) where the i32 mask is on; undefined elsewhere (zero if the mask
 * may be off). */
LLVMValueRef wg_gather(struct wg_emit *e, struct wg_value *a, uint32_t bits, uint32_t align,
                       LLVMValueRef mask);
void wg_scatter(struct wg_emit *e, struct wg_value *a, LLVMValueRef x, uint32_t bits, LLVMValueRef mask);

/* structures.c: interleaved accesses, where lanes' structures are contiguous. False: handle it as any
 * other access. An accepted store may be issued with a later one of the block. */
bool wg_structure_load(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *a,
                       LLVMValueRef mask, LLVMValueRef *x);
bool wg_structure_store(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *a,
                        LLVMValueRef mask, const LLVMValueRef *x);

/* shared_lines.c */
/* Whether the address modulo 64 bytes of what lane 0 loads from shared memory is known: *words is the
 * offset in words. */
bool wg_shared_line_begin(const struct wg_emit *e, const struct wg_ir_instr *in, uint32_t *words);
/* Bits of an element of such a line: 32, or fewer in a tile. */
uint32_t wg_line_bits(const struct wg_emit *e);
/* The 16 words of a line from `at` on; mask: <16 x i1>, or NULL for all. Then: 16 words out of consecutive
 * lines; 32 of them. */
LLVMValueRef wg_load_line(struct wg_emit *e, LLVMValueRef at, uint32_t line, LLVMValueRef mask);
LLVMValueRef wg_words_of_lines(struct wg_emit *e, LLVMValueRef *line, uint32_t first);
LLVMValueRef wg_join_lines(struct wg_emit *e, LLVMValueRef low, LLVMValueRef high);

/* tile.c */
bool wg_in_tile(const struct wg_emit *e, const struct wg_ir_instr *in);
/* Maps the address of a word of shared memory to that of its element. */
void wg_tile_address(struct wg_emit *e, const struct wg_ir_instr *in, struct wg_value *a);

/* stream.c: whether the store may be non-temporal. */
bool wg_may_stream(struct wg_emit *e, const struct wg_ir_instr *in, uint32_t block);
/* `at`; or, where the store of `block` is non-temporal, an address that is cached anyway: for prefetches. */
LLVMValueRef wg_unless_streamed(struct wg_emit *e, const struct wg_ir_instr *in, uint32_t block,
                                LLVMValueRef at);
/* For rows of whole cache lines, `step` bytes apart: i32, whether stores to them are non-temporal; NULL:
 * never. */
LLVMValueRef wg_streams_rows(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef at,
                             LLVMValueRef step, uint32_t rows, uint32_t bytes);
/* Emits the non-temporal path for n vectors of `bytes` bytes each, the same number contiguously at each of
 * the places. The builder then is on the other path, which must end with a branch to the returned block.
 * NULL, and nothing emitted: these are not whole lines. */
LLVMBasicBlockRef wg_emit_stream(struct wg_emit *e, const LLVMValueRef *at, uint32_t places,
                                 const LLVMValueRef *x, uint32_t n, uint32_t bytes, LLVMValueRef mask);

/* window.c */
/* At a load, with its lanes' address: records it. */
void wg_window_note(struct wg_emit *e, const struct wg_value *at);
/* At an addition, after its result is set: replaces the result with an equal value, if it is the root of a
 * sliding-window sum. */
void wg_window_sum(struct wg_emit *e, const struct wg_ir_instr *in);

/* prefetch.c */
/* At the kernel's start: prefetches the lines that the next thread block's warp will access. */
void wg_emit_block_prefetches(struct wg_emit *e);
/* The distance from where a lane of this thread block accesses memory to where it does in the next block;
 * NULL: not a function of the block's number. */
LLVMValueRef wg_emit_blocks_apart(struct wg_emit *e, uint32_t block, uint32_t instr);
/* At an access to global memory. */
void wg_emit_prefetch_ahead(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *a);
/* At a load in a loop: prefetches the next iteration's line, if its address has a known stride that
 * hardware prefetchers do not follow. */
void wg_emit_loop_prefetch(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *a);

/* combine.c */
bool wg_result_is_unused(const struct wg_emit *e, const struct wg_ir_instr *in);
/* An integer addition whose old value is unused: nvcc writes atom where it means red. */
bool wg_is_plain_add(const struct wg_emit *e, const struct wg_ir_instr *in);
void wg_combine_plan(struct wg_emit *e);
/* The number of an addition's combiner; WG_NO_REG: none. */
uint32_t wg_combiner_of(const struct wg_emit *e, const struct wg_ir_instr *in);
LLVMValueRef wg_combiner(struct wg_emit *e, uint32_t which);
/* Publishes pending sums where the instruction, or the access of a load or store, must not be reordered
 * with additions. */
void wg_combine_before(struct wg_emit *e, const struct wg_ir_instr *in);
void wg_combine_before_access(struct wg_emit *e, const struct wg_ir_instr *in, struct wg_value *a,
                              LLVMValueRef mask, bool invariant);
#endif
