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

/* ipc.c: what a handle for other processes has in it. */
enum { WG_HANDLE_MEMORY = 0x4d435057, WG_HANDLE_EVENT = 0x45435057, WG_HANDLE_POOLED = 0x50435057 };
struct wg_process_handle {
    uint32_t what;
    int32_t pid, fd;
    uint32_t unused;
    uint64_t device, inode; /* the file's */
    uint64_t bytes;         /* of the allocation */
    uint64_t pool;          /* WG_HANDLE_POOLED: the number of its pool's file */
};
_Static_assert(sizeof(struct wg_process_handle) <= CU_IPC_HANDLE_SIZE, "fits");
/* `out`: CU_IPC_HANDLE_SIZE bytes. */
CUresult wg_process_handle_make(void *out, uint32_t what, int fd, uint64_t bytes, uint64_t pool);
/* Reads one, of any process. */
CUresult wg_process_handle_check(const void *from, uint32_t what, struct wg_process_handle *h);
CUresult wg_process_handle_open(const struct wg_process_handle *h, int *fd);
#endif
