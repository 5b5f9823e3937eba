/* Stream-ordered allocation: cuMemAllocAsync and its pools.
 *
 * A pool is an account: who allocated how much through it. The memory itself is machine/'s, and given back to
 * it as soon as the stream gets to the free, so a pool holds no reserve of its own.
 */
#include "driver/graph.h"
#include "driver/memory.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct CUmemPoolHandle_st {
    struct CUctx_st *ctx;
    bool is_default;
    int file;      /* for other processes, which know it by its number; less than 0: they get nothing of it */
    uint64_t id;   /* that number */
    bool imported; /* it is another process's, and gives out nothing */
    uint32_t shown_to; /* which other devices reach what is allocated here: a bit each */
    uint64_t used, used_high, threshold;
    int reuse[3]; /* by attribute, CU_MEMPOOL_ATTR_REUSE_... in order: kept only */
};

/* Live allocations of all pools, in chains by their address. */
struct account {
    struct account *next;
    const void *p;
    struct CUmemPoolHandle_st *pool;
    size_t bytes;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct account **chains;
static uint32_t nchains, naccounts; /* chains: a power of two, no fewer than accounts */

static struct account **chain_of(const void *p) {
    return &chains[(uint32_t)((uintptr_t)p >> 12) * 0x9e3779b1u & (nchains - 1)];
}

static void add_account(struct account a) {
    if (naccounts == nchains) {
        struct account **old = chains;
        uint32_t n = nchains;
        nchains = n ? 2 * n : 64;
        chains = wg_xcalloc(nchains, sizeof *chains);
        for (uint32_t i = 0; i < n; i++)
            for (struct account *x = old[i], *next; x; x = next) {
                next = x->next;
                x->next = *chain_of(x->p);
                *chain_of(x->p) = x;
            }
        free(old);
    }
    struct account *x = wg_xmalloc(sizeof *x);
    *x = a;
    x->next = *chain_of(a.p);
    *chain_of(a.p) = x;
    naccounts++;
}

static void remove_account(struct account **at) {
    struct account *x = *at;
    *at = x->next;
    free(x);
    naccounts--;
}

/* Its handle is none any more. */
static void end(void *handle) {
    struct CUmemPoolHandle_st *pool = handle;
    pthread_mutex_lock(&lock);
    for (uint32_t i = 0; i < nchains; i++)
        for (struct account **at = &chains[i]; *at;)
            if ((*at)->pool == pool)
                remove_account(at);
            else
                at = &(*at)->next;
    pthread_mutex_unlock(&lock);
    if (pool->file >= 0) close(pool->file);
    free(pool);
}

static struct CUmemPoolHandle_st *make_pool(struct CUctx_st *ctx, bool is_default) {
    struct CUmemPoolHandle_st *p = wg_xcalloc(1, sizeof *p);
    *p = (struct CUmemPoolHandle_st){.ctx = ctx, .is_default = is_default, .file = -1, .reuse = {1, 1, 1}};
    wg_handle_add_in(ctx, p, WG_H_POOL, end);
    return p;
}

/* The pool that cuMemAllocAsync draws on. */
static struct CUmemPoolHandle_st *current_pool(struct CUctx_st *ctx) {
    pthread_mutex_lock(&lock);
    if (!ctx->default_pool) ctx->default_pool = make_pool(ctx, true);
    if (!ctx->pool) ctx->pool = ctx->default_pool;
    struct CUmemPoolHandle_st *p = ctx->pool;
    pthread_mutex_unlock(&lock);
    return p;
}

/* Under the lock: the place of the account in its chain; NULL when there is none. */
static struct account **account_of(const struct CUctx_st *ctx, const void *p) {
    if (!naccounts) return NULL;
    for (struct account **at = chain_of(p); *at; at = &(*at)->next)
        if ((*at)->p == p && (*at)->pool->ctx == ctx) return at;
    return NULL;
}
void wg_pool_forget(struct CUctx_st *ctx, const void *p) {
    pthread_mutex_lock(&lock);
    struct account **a = account_of(ctx, p);
    if (a) {
        (*a)->pool->used -= (*a)->bytes;
        remove_account(a);
    }
    pthread_mutex_unlock(&lock);
}
CUmemoryPool wg_pool_of(struct CUctx_st *ctx, const void *p) {
    pthread_mutex_lock(&lock);
    struct account **a = account_of(ctx, p);
    CUmemoryPool pool = a ? (*a)->pool : NULL;
    pthread_mutex_unlock(&lock);
    return pool;
}

static void note_allocation(struct CUmemPoolHandle_st *pool, void *p, size_t bytes) {
    wg_check_made(pool->ctx->dev, p);
    pthread_mutex_lock(&lock);
    if (wg_device_count() > 1) wg_mem_show_to(pool->ctx->dev, p, pool->shown_to);
    add_account((struct account){.p = p, .pool = pool, .bytes = bytes});
    pool->used += bytes;
    if (pool->used > pool->used_high) pool->used_high = pool->used;
    pthread_mutex_unlock(&lock);
}

/* A pool of another device than the stream's gives that one's memory, in the stream's order. */
static CUresult alloc_from(CUdeviceptr *pointer, size_t bytes, struct CUmemPoolHandle_st *pool,
                           struct CUctx_st *ctx, struct wg_stream *s) {
    void *p = NULL;
    CUresult r = wg_done(ctx, wg_mem_alloc_async(pool->ctx->dev, s, bytes, &p));
    *pointer = r ? 0 : (CUdeviceptr)(uintptr_t)p;
    if (r) return r;
    note_allocation(pool, p, bytes);
    return CUDA_SUCCESS;
}

static bool is_captured(CUstream stream) { return wg_handle_is(stream, WG_H_STREAM) && wg_captured(stream); }

CUresult cuMemAllocAsync(CUdeviceptr *pointer, size_t bytes, CUstream stream) {
    struct CUctx_st *ctx;
    WG_CHECK_CALLER();
    struct wg_stream *s;
    CUresult r = wg_stream_of(stream, &ctx, &s);
    if (r) return r;
    if (!pointer || !bytes) return CUDA_ERROR_INVALID_VALUE;
    if (is_captured(stream)) return wg_capture_alloc(ctx, pointer, bytes, stream);
    return alloc_from(pointer, bytes, current_pool(ctx), ctx, s);
}
CUresult cuMemAllocFromPoolAsync(CUdeviceptr *pointer, size_t bytes, CUmemoryPool pool, CUstream stream) {
    struct CUctx_st *ctx;
    struct wg_stream *s;
    CUresult r = wg_stream_of(stream, &ctx, &s);
    if (r) return r;
    if (is_captured(stream)) {
        wg_capture_fails(stream);
        return wg_not_supported("allocating from a pool in a stream that is captured");
    }
    if (!pointer || !bytes || !wg_handle_is(pool, WG_H_POOL) || pool->imported)
        return CUDA_ERROR_INVALID_VALUE;
    return alloc_from(pointer, bytes, pool, ctx, s);
}

CUresult cuMemFreeAsync(CUdeviceptr pointer, CUstream stream) {
    struct CUctx_st *ctx;
    WG_CHECK_CALLER();
    struct wg_stream *s;
    CUresult r = wg_stream_of(stream, &ctx, &s), of_graph;
    if (r) return r;
    void *p = (void *)(uintptr_t)pointer;
    if (!p) return CUDA_ERROR_INVALID_VALUE;
    if (is_captured(stream)) return wg_capture_free(pointer, stream);
    if (wg_graph_memory_free(pointer, &of_graph)) return of_graph;
    struct CUctx_st *owner = wg_owner_of(ctx, p);
    struct wg_mem_info i = wg_mem_query(owner->dev, p);
    if (i.mapped || (i.imported && !wg_pool_of(owner, p))) return CUDA_ERROR_INVALID_VALUE;
    wg_check_freeing(owner->dev, 1u << WG_MEM_DEVICE | 1u << WG_MEM_MANAGED, p);
    enum wg_status status = wg_mem_free_async(s, p);
    if (status == WG_OK) wg_pool_forget(owner, p);
    return wg_done(ctx, status);
}

/* ---- Pools -------------------------------------------------------------------------------------- */

/* The descriptor that other processes get is one of an empty file, whose name says of which device the pool is. The
 * memory goes by its pointers. */
#define POOL_NAME "warpglass pool of device "

static int make_file(CUdevice device, struct stat *of) {
    char name[64];
    snprintf(name, sizeof name, POOL_NAME "%d", device);
    int file = memfd_create(name, MFD_CLOEXEC);
    if (file < 0 || fstat(file, of) == 0) return file;
    close(file);
    return -1;
}

CUresult cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *p) {
    struct CUctx_st *ctx;
    CUresult r = wg_current(&ctx);
    if (r) return r;
    if (!pool || !p || p->allocType != CU_MEM_ALLOCATION_TYPE_PINNED ||
        p->location.type != CU_MEM_LOCATION_TYPE_DEVICE || wg_check_device(p->location.id))
        return CUDA_ERROR_INVALID_VALUE;
    if (p->handleTypes & ~(unsigned)CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
        return wg_not_supported("a memory pool with handles other than file descriptors");
    if ((r = wg_context_on(p->location.id, &ctx))) return r;
    struct stat of = {0};
    int file = p->handleTypes ? make_file(p->location.id, &of) : -1;
    if (p->handleTypes && file < 0) return CUDA_ERROR_OUT_OF_MEMORY;
    *pool = make_pool(ctx, false);
    (*pool)->file = file;
    (*pool)->id = (uint64_t)of.st_ino;
    return CUDA_SUCCESS;
}

CUresult cuMemPoolDestroy(CUmemoryPool pool) {
    CUresult r = wg_initialized();
    if (r) return r;
    if (!wg_handle_is(pool, WG_H_POOL) || pool->is_default) return CUDA_ERROR_INVALID_VALUE;
    wg_handle_remove(pool, WG_H_POOL);
    pthread_mutex_lock(&lock);
    if (pool->ctx->pool == pool) pool->ctx->pool = pool->ctx->default_pool;
    pthread_mutex_unlock(&lock);
    end(pool);
    return CUDA_SUCCESS;
}

CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t bytes_to_keep) {
    CUresult r = wg_initialized();
    if (r) return r;
    return wg_handle_is(pool, WG_H_POOL) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static bool is_reuse(CUmemPool_attribute a) {
    return a >= CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES &&
           a <= CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES;
}

CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value) {
    CUresult r = wg_initialized();
    if (r) return r;
    if (!value || !wg_handle_is(pool, WG_H_POOL)) return CUDA_ERROR_INVALID_VALUE;
    if (is_reuse(attribute)) {
        pool->reuse[attribute - CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES] = *(int *)value != 0;
        return CUDA_SUCCESS;
    }
    uint64_t v = *(uint64_t *)value;
    switch (attribute) {
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD: pool->threshold = v; return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
    case CU_MEMPOOL_ATTR_USED_MEM_HIGH: /* 0 begins the high-water mark anew */
        if (v) return CUDA_ERROR_INVALID_VALUE;
        pool->used_high = pool->used;
        return CUDA_SUCCESS;
    default: return CUDA_ERROR_INVALID_VALUE;
    }
}

CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value) {
    CUresult r = wg_initialized();
    if (r) return r;
    if (!value || !wg_handle_is(pool, WG_H_POOL)) return CUDA_ERROR_INVALID_VALUE;
    if (is_reuse(attribute)) {
        *(int *)value = pool->reuse[attribute - CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES];
        return CUDA_SUCCESS;
    }
    uint64_t *v = value;
    switch (attribute) {
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD: *v = pool->threshold; return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT:
    case CU_MEMPOOL_ATTR_USED_MEM_CURRENT: *v = pool->used; return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
    case CU_MEMPOOL_ATTR_USED_MEM_HIGH: *v = pool->used_high; return CUDA_SUCCESS;
    default: return CUDA_ERROR_INVALID_VALUE;
    }
}

/* ---- Other processes ---- */

CUresult cuMemPoolExportToShareableHandle(void *handle, CUmemoryPool pool, CUmemAllocationHandleType type,
                                          unsigned long long flags) {
    CUresult r = wg_initialized();
    if (r) return r;
    if (!handle || flags || type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR ||
        !wg_handle_is(pool, WG_H_POOL) || pool->file < 0)
        return CUDA_ERROR_INVALID_VALUE;
    int fd = fcntl(pool->file, F_DUPFD_CLOEXEC, 0);
    if (fd < 0) return CUDA_ERROR_OUT_OF_MEMORY;
    *(int *)handle = fd;
    return CUDA_SUCCESS;
}

CUresult cuMemPoolImportFromShareableHandle(CUmemoryPool *pool, void *handle, CUmemAllocationHandleType type,
                                            unsigned long long flags) {
    static const char before[] = "/memfd:" POOL_NAME;
    char path[64], name[128] = {0};
    struct CUctx_st *ctx;
    struct stat of;
    CUresult r = wg_current(&ctx);
    if (r) return r;
    if (!pool || flags || type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) return CUDA_ERROR_INVALID_VALUE;
    snprintf(path, sizeof path, "/proc/self/fd/%d", (int)(intptr_t)handle);
    if (readlink(path, name, sizeof name - 1) < 0 || strncmp(name, before, sizeof before - 1) != 0 ||
        fstat((int)(intptr_t)handle, &of) != 0)
        return CUDA_ERROR_INVALID_VALUE;
    CUdevice device = (CUdevice)strtol(name + sizeof before - 1, NULL, 10);
    if (device < (CUdevice)wg_device_count() && (r = wg_context_on(device, &ctx))) return r;
    *pool = make_pool(ctx, false);
    (*pool)->imported = true;
    (*pool)->id = (uint64_t)of.st_ino;
    return CUDA_SUCCESS;
}

CUresult cuMemPoolExportPointer(CUmemPoolPtrExportData *data, CUdeviceptr pointer) {
    struct CUctx_st *ctx;
    struct wg_mem_info i;
    void *p = (void *)(uintptr_t)pointer;
    int fd;
    CUresult r = wg_current(&ctx);
    if (r) return r;
    if (!data || !p) return CUDA_ERROR_INVALID_VALUE;
    ctx = wg_owner_of(ctx, p);
    CUmemoryPool pool = wg_pool_of(ctx, wg_mem_query(ctx->dev, p).base);
    if (!pool || pool->file < 0) return CUDA_ERROR_INVALID_VALUE;
    r = wg_done(ctx, wg_mem_export(ctx->dev, p, &fd, &i));
    return r ? r : wg_process_handle_make(data, WG_HANDLE_POOLED, fd, i.size, pool->id);
}

CUresult cuMemPoolImportPointer(CUdeviceptr *pointer, CUmemoryPool pool, CUmemPoolPtrExportData *data) {
    struct wg_process_handle h;
    void *p = NULL;
    int fd;
    WG_CHECK_CALLER();
    CUresult r = wg_initialized();
    if (r) return r;
    if (!pointer || !data || !wg_handle_is(pool, WG_H_POOL) || !pool->imported)
        return CUDA_ERROR_INVALID_VALUE;
    if ((r = wg_process_handle_check(data, WG_HANDLE_POOLED, &h))) return r;
    if (h.pool != pool->id) return CUDA_ERROR_INVALID_VALUE; /* of another pool */
    if ((r = wg_process_handle_open(&h, &fd))) return r;
    r = wg_done(pool->ctx, wg_mem_import(pool->ctx->dev, fd, h.bytes, &p));
    if (r) {
        close(fd);
        return r;
    }
    note_allocation(pool, p, h.bytes);
    *pointer = (CUdeviceptr)(uintptr_t)p;
    return CUDA_SUCCESS;
}

/* ---- Which devices reach a pool's memory ---- */

/* Of all that the pool has given out; under the lock. */
static void show_all(const struct CUmemPoolHandle_st *pool) {
    for (uint32_t i = 0; i < nchains; i++)
        for (const struct account *a = chains[i]; a; a = a->next)
            if (a->pool == pool) wg_mem_show_to(pool->ctx->dev, a->p, pool->shown_to);
}

static CUresult check_access(const struct CUmemPoolHandle_st *pool, const CUmemAccessDesc *a) {
    CUdevice own = pool->ctx->device;
    int can = 0;
    if (a->location.type != CU_MEM_LOCATION_TYPE_DEVICE) return CUDA_ERROR_INVALID_VALUE;
    if (a->flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE &&
        (a->flags != CU_MEM_ACCESS_FLAGS_PROT_NONE || a->location.id == own))
        return CUDA_ERROR_INVALID_VALUE; /* its own device always reaches it, and none reads alone */
    CUresult r = cuDeviceCanAccessPeer(&can, a->location.id, own);
    return r || a->location.id == own || can ? r : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc *map, size_t count) {
    CUresult r = wg_initialized();
    if (r) return r;
    if (!map || !wg_handle_is(pool, WG_H_POOL)) return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < count; i++)
        if ((r = check_access(pool, &map[i]))) return r;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < count; i++) {
        uint32_t bit = 1u << map[i].location.id;
        if (map[i].location.id == pool->ctx->device) continue;
        if (map[i].flags == CU_MEM_ACCESS_FLAGS_PROT_NONE)
            pool->shown_to &= ~bit;
        else
            pool->shown_to |= bit;
    }
    if (wg_device_count() > 1) show_all(pool);
    pthread_mutex_unlock(&lock);
    return CUDA_SUCCESS;
}
CUresult cuMemPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool pool, CUmemLocation *location) {
    CUresult r = wg_initialized();
    if (r) return r;
    if (!flags || !location || !wg_handle_is(pool, WG_H_POOL)) return CUDA_ERROR_INVALID_VALUE;
    if (location->type != CU_MEM_LOCATION_TYPE_DEVICE) return CUDA_ERROR_INVALID_DEVICE;
    if ((r = wg_check_device(location->id))) return r;
    bool reached = location->id == pool->ctx->device || pool->shown_to >> location->id & 1;
    *flags = reached ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE : CU_MEM_ACCESS_FLAGS_PROT_NONE;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device) {
    struct CUctx_st *ctx;
    CUresult r = wg_context_on(device, &ctx);
    if (r) return r;
    if (!pool) return CUDA_ERROR_INVALID_VALUE;
    current_pool(ctx);
    *pool = ctx->default_pool;
    return CUDA_SUCCESS;
}
CUresult cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice device) {
    struct CUctx_st *ctx;
    CUresult r = wg_context_on(device, &ctx);
    if (r) return r;
    if (!pool) return CUDA_ERROR_INVALID_VALUE;
    *pool = current_pool(ctx);
    return CUDA_SUCCESS;
}
CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool) {
    struct CUctx_st *ctx;
    CUresult r = wg_context_on(device, &ctx);
    if (r) return r;
    if (!wg_handle_is(pool, WG_H_POOL) || pool->ctx != ctx) return CUDA_ERROR_INVALID_VALUE;
    current_pool(ctx);
    ctx->pool = pool;
    return CUDA_SUCCESS;
}

/* ---- Pools of places ---------------------------------------------------------------------------- */

/* The device of a place whose pools are asked for. */
static CUresult pool_device(const CUmemLocation *place, CUmemAllocationType type, CUdevice *device) {
    CUresult r = wg_initialized();
    if (r) return r;
    if (!place || type != CU_MEM_ALLOCATION_TYPE_PINNED) return CUDA_ERROR_INVALID_VALUE;
    if (place->type != CU_MEM_LOCATION_TYPE_DEVICE)
        return wg_not_supported("a memory pool of the host's memory");
    if (wg_check_device(place->id)) return CUDA_ERROR_INVALID_VALUE;
    *device = place->id;
    return CUDA_SUCCESS;
}
CUresult cuMemGetDefaultMemPool(CUmemoryPool *pool, CUmemLocation *place, CUmemAllocationType type) {
    CUdevice device = 0;
    return pool_device(place, type, &device) ?: cuDeviceGetDefaultMemPool(pool, device);
}
CUresult cuMemGetMemPool(CUmemoryPool *pool, CUmemLocation *place, CUmemAllocationType type) {
    CUdevice device = 0;
    return pool_device(place, type, &device) ?: cuDeviceGetMemPool(pool, device);
}
CUresult cuMemSetMemPool(CUmemLocation *place, CUmemAllocationType type, CUmemoryPool pool) {
    CUdevice device = 0;
    return pool_device(place, type, &device) ?: cuDeviceSetMemPool(device, pool);
}
