/* The size of a kernel, which predicts its compile time. */
#ifndef WG_JIT_KERNEL_SIZE_H
#define WG_JIT_KERNEL_SIZE_H
#include "ir/ir.h"

/* Its instructions, with those of the functions that it may call, each once. */
uint32_t wg_kernel_size(const struct wg_ir_module *m, uint32_t func);
/* LLVM's optimisers take minutes and gigabytes for it. */
bool wg_kernel_is_huge(const struct wg_ir_module *m, uint32_t func);
/* About how long LLVM takes for its better code. */
uint64_t wg_kernel_cost_ns(const struct wg_ir_module *m, uint32_t func);
#endif
