/* Counting in generated code: hooks for the emitting files, and what its units mean. See count.c. */
#ifndef WG_JIT_COUNT_H
#define WG_JIT_COUNT_H
#include "jit/emit.h"

struct wg_count_plan;

/* At the start of e->block, when its lanes are known. */
void wg_count_block(struct wg_emit *e);
/* Where a branch has found that its lanes part. */
void wg_count_parted(struct wg_emit *e);
/* At a memory instruction, before it happens. */
void wg_count_memory(struct wg_emit *e, const struct wg_ir_instr *in, struct wg_value *a, LLVMValueRef mask);

/* How a finished tally becomes rows: `f` is the kernel with its calls put in place. */
struct wg_count_plan *wg_count_plan_new(const struct wg_ir_func *f, const struct wg_sites *s);
void wg_count_plan_free(struct wg_count_plan *p);
uint32_t wg_jit_count_units(const struct wg_ir_func *f);
void wg_count_collect(const struct wg_count_plan *p, const struct wg_tally *t, struct wg_counts *rows);
#endif
