/* The size of a kernel, which predicts its compile time. */
#ifndef WG_JIT_KERNEL_SIZE_H
#define WG_JIT_KERNEL_SIZE_H
#include "ir/ir.h"

/* Whether it has more instructions than these, with those of the functions that it may call, each once. */
bool wg_kernel_is_larger(const struct wg_ir_module *m, uint32_t func, uint32_t instrs);
#endif
