/* The JIT compiler: IR to LLVM IR to machine code, one warp at a time, 32 lanes wide. Keeps the contract of
 * warp/warp.h. */
#ifndef WG_JIT_JIT_H
#define WG_JIT_JIT_H
#include "warp/warp.h"

struct wg_code *wg_jit_compile(const struct wg_ir_module *m, uint32_t func, const struct wg_code_opts *opts,
                               struct wg_diag *d);
/* False for what has no generated form (calls nested beyond all reason): the reference runs it. *recursive:
 * calls may come back. */
bool wg_jit_can(const struct wg_ir_module *m, uint32_t func, bool *recursive);
/* Does the host program's code after a call ignore the returned value? See host_code.h for how it is known.
 * False also where the code generator is not available. */
bool wg_jit_host_drops_result(uint64_t at, uint64_t end);
#endif
