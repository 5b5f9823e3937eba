/* Between memory.c, copy.c and pool.c. */
#ifndef WG_DRIVER_MEMORY_H
#define WG_DRIVER_MEMORY_H
#include "driver/driver.h"

/* Allocates in the current context. */
CUresult wg_alloc(enum wg_mem_kind kind, size_t bytes, unsigned flags, void **out);
/* Takes an allocation out of its pool's account, when it is in one. */
void wg_pool_forget(struct CUctx_st *ctx, const void *p);
/* The pool an allocation came from, or NULL. */
CUmemoryPool wg_pool_of(struct CUctx_st *ctx, const void *p);
/* Does a module's __managed__ variable lie there? (module.c) */
bool wg_managed_variable(CUdeviceptr p);
#endif
