/* Memory and events shared with other processes of this host: cuIpc...
 *
 * A handle says which process made it, and which of its files has the memory or event (machine/memory/shared.h,
 * machine/shared_event.h). The other process opens that file as /proc/PID/fd/N, and compares the file's number
 * with the handle's: a handle of a process that is gone opens nothing else.
 */
#include "driver/memory.h"
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* `out`: CU_IPC_HANDLE_SIZE bytes. */
CUresult wg_process_handle_make(void *out, uint32_t what, int fd, uint64_t bytes, uint64_t pool) {
    struct stat s;
    if (fstat(fd, &s) != 0) return CUDA_ERROR_OUT_OF_MEMORY;
    struct wg_process_handle h = {
        what, (int32_t)getpid(), fd, 0, (uint64_t)s.st_dev, (uint64_t)s.st_ino, bytes, pool};
    memset(out, 0, CU_IPC_HANDLE_SIZE);
    memcpy(out, &h, sizeof h);
    return CUDA_SUCCESS;
}

CUresult wg_process_handle_check(const void *from, uint32_t what, struct wg_process_handle *h) {
    memcpy(h, from, sizeof *h);
    return h->what != what || h->pid <= 0 || h->fd < 0 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

/* A process cannot open the memory and events that it exported itself: as on hardware. */
static CUresult check_of_other(const void *from, uint32_t what, struct wg_process_handle *h) {
    CUresult r = wg_process_handle_check(from, what, h);
    return !r && h->pid == getpid() ? CUDA_ERROR_INVALID_CONTEXT : r;
}

CUresult wg_process_handle_open(const struct wg_process_handle *h, int *fd) {
    char path[64];
    struct stat s;
    snprintf(path, sizeof path, "/proc/%d/fd/%d", h->pid, h->fd);
    *fd = open(path, O_RDWR | O_CLOEXEC);
    bool same =
        *fd >= 0 && fstat(*fd, &s) == 0 && (uint64_t)s.st_dev == h->device && (uint64_t)s.st_ino == h->inode;
    if (same) return CUDA_SUCCESS;
    if (*fd >= 0) close(*fd);
    snprintf(path, sizeof path, "/proc/%d", h->pid);
    bool there = access(path, F_OK) == 0;
    wg_say_verbose(1, "process %d, which exported the handle, %s", h->pid,
                   there ? "has freed what it stands for" : "is not there any more");
    return there ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_MAP_FAILED;
}

/* ---- Memory ------------------------------------------------------------------------------------- */

/* What is open. */
struct opened {
    const struct CUctx_st *ctx;
    unsigned generation;
    uint64_t device, inode;
    void *p;
    unsigned times;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static WG_VEC(struct opened) opened;

/* Under the lock. `h` or `p`: which. NULL: not open in this context. */
static struct opened *find(const struct CUctx_st *ctx, const struct wg_process_handle *h, const void *p) {
    for (uint32_t i = 0; i < opened.n; i++) {
        struct opened *o = &opened.v[i];
        bool same = h ? o->device == h->device && o->inode == h->inode : o->p == p;
        if (o->ctx == ctx && o->generation == ctx->generation && same) return o;
    }
    return NULL;
}

CUresult cuIpcGetMemHandle(CUipcMemHandle *handle, CUdeviceptr pointer) {
    struct CUctx_st *ctx;
    struct wg_mem_info i;
    int fd;
    CUresult r = wg_current(&ctx);
    if (r) return r;
    if (!handle || !pointer) return CUDA_ERROR_INVALID_VALUE;
    void *p = (void *)(uintptr_t)pointer;
    ctx = wg_owner_of(ctx, p);
    if (wg_pool_of(ctx, wg_mem_query(ctx->dev, p).base)) return CUDA_ERROR_INVALID_VALUE;
    if ((r = wg_done(ctx, wg_mem_export(ctx->dev, p, &fd, &i)))) return r;
    return wg_process_handle_make(handle, WG_HANDLE_MEMORY, fd, i.size, 0);
}

/* Under the lock. */
static CUresult open_memory(struct CUctx_st *ctx, const struct wg_process_handle *h, void **p) {
    int fd;
    CUresult r = wg_process_handle_open(h, &fd);
    if (r) return r;
    r = wg_done(ctx, wg_mem_import(ctx->dev, fd, h->bytes, p));
    if (r) {
        close(fd);
        return r;
    }
    wg_check_made(ctx->dev, *p);
    *WG_PUSH(&opened) = (struct opened){ctx, ctx->generation, h->device, h->inode, *p, 1};
    return CUDA_SUCCESS;
}

CUresult cuIpcOpenMemHandle(CUdeviceptr *pointer, CUipcMemHandle handle, unsigned int flags) {
    struct CUctx_st *ctx;
    struct wg_process_handle h;
    void *p = NULL;
    WG_CHECK_CALLER();
    CUresult r = wg_current(&ctx);
    if (r) return r;
    if (!pointer || flags != CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS) return CUDA_ERROR_INVALID_VALUE;
    if ((r = check_of_other(&handle, WG_HANDLE_MEMORY, &h))) return r;
    pthread_mutex_lock(&lock);
    struct opened *o = find(ctx, &h, NULL);
    if (o) {
        o->times++;
        p = o->p;
    } else {
        r = open_memory(ctx, &h, &p);
    }
    pthread_mutex_unlock(&lock);
    *pointer = (CUdeviceptr)(uintptr_t)p;
    return r;
}

CUresult cuIpcCloseMemHandle(CUdeviceptr pointer) {
    struct CUctx_st *ctx;
    void *p = (void *)(uintptr_t)pointer;
    WG_CHECK_CALLER();
    CUresult r = wg_current(&ctx);
    if (r) return r;
    ctx = wg_owner_of(ctx, p);
    pthread_mutex_lock(&lock);
    struct opened *o = find(ctx, NULL, p);
    bool known = o != NULL, last = o && --o->times == 0;
    if (last) *o = opened.v[--opened.n];
    pthread_mutex_unlock(&lock);
    if (known && !last) return CUDA_SUCCESS;
    wg_check_freeing(ctx->dev, known ? 1u << WG_MEM_DEVICE : 0, p);
    return known ? wg_done(ctx, wg_mem_close_import(ctx->dev, p)) : CUDA_ERROR_INVALID_VALUE;
}

/* ---- Events ------------------------------------------------------------------------------------- */

CUresult cuIpcGetEventHandle(CUipcEventHandle *handle, CUevent event) {
    struct wg_event *e;
    CUresult r = wg_event_of(event, &e);
    if (r) return r;
    if (!handle) return CUDA_ERROR_INVALID_VALUE;
    int fd = wg_event_file(e);
    return fd < 0 ? CUDA_ERROR_INVALID_HANDLE : wg_process_handle_make(handle, WG_HANDLE_EVENT, fd, 0, 0);
}

CUresult cuIpcOpenEventHandle(CUevent *event, CUipcEventHandle handle) {
    struct CUctx_st *ctx;
    struct wg_event *e;
    struct wg_process_handle h;
    int fd;
    CUresult r = wg_current(&ctx);
    if (r) return r;
    if (!event) return CUDA_ERROR_INVALID_VALUE;
    if ((r = check_of_other(&handle, WG_HANDLE_EVENT, &h)) || (r = wg_process_handle_open(&h, &fd))) return r;
    r = wg_done(ctx, wg_event_open(ctx->dev, fd, &e));
    if (r)
        close(fd);
    else
        *event = wg_event_handle(ctx, e);
    return r;
}
