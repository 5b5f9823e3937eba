/* The optimisation pipeline: LLVM's IR passes over a kernel's code, before code generation. */
#ifndef WG_JIT_OPTIMISE_H
#define WG_JIT_OPTIMISE_H
#include "jit/emit/emit.h"

#include <llvm-c/Error.h>
#include <llvm-c/TargetMachine.h>

/* quick: with little compile time. */
LLVMErrorRef wg_optimise(struct wg_emit *e, LLVMTargetMachineRef tm, bool quick);
/* LLVM's code generation level. */
LLVMCodeGenOptLevel wg_code_level(uint8_t opt_level);
/* small_masks.c: after that. */
void wg_split_small_masks(struct wg_emit *e);
/* split_masks.c: after that. */
void wg_split_masks(struct wg_emit *e);
/* Copies a function's attribute to another one that is to be compiled alike. */
void wg_copy_attribute(LLVMValueRef to, LLVMValueRef from, const char *key);
/* store_runs.c: after that. */
void wg_part_store_runs(struct wg_emit *e);
/* mask_logic.c: after that. */
void wg_hide_mask_logic(struct wg_emit *e);
/* spread_masks.c: after that. */
void wg_spread_masks(struct wg_emit *e);

/* bit_select.c: after the optimiser, before code generation */
void wg_emit_set_bit_selects_apart(struct wg_emit *e);
#endif
