/* What launches need of libraries; and what the runtime does with those it registered. */
#ifndef WG_DRIVER_LIBRARY_H
#define WG_DRIVER_LIBRARY_H
#include "driver/entry.h"

/* A kernel's function in the current context, loading the library there when it is not yet. */
CUresult wg_kernel_function(CUkernel k, CUfunction *out);
CUresult wg_kernel_function_in(CUkernel k, struct CUctx_st *ctx, CUfunction *out);
#endif
