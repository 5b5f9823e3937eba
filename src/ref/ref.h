/* The reference interpreter: runs the IR one lane at a time, without LLVM. Slow, simple, and the oracle that
 * generated code is compared with. Keeps the contract of warp/warp.h. */
#ifndef WG_REF_REF_H
#define WG_REF_REF_H
#include "warp/warp.h"

struct wg_code *wg_ref_compile(const struct wg_ir_module *m, uint32_t func, const struct wg_code_opts *opts,
                               struct wg_diag *d);
#endif
