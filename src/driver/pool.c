/* Stream-ordered allocation: cuMemAllocAsync and its pools.
 *
 * A pool is an account: who allocated how much through it. The memory itself is machine/'s, and given back to
 * it as soon as the stream gets to the free, so a pool holds no reserve of its own.
 */
#include "driver/graph.h"
#include "driver/memory.h"
#include <stdlib.h>

struct CUmemPoolHandle_st {
    struct CUctx_st *ctx;
    bool is_default;
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
    free(pool);
}

static struct CUmemPoolHandle_st *make_pool(struct CUctx_st *ctx, bool is_default) {
    struct CUmemPoolHandle_st *p = wg_xcalloc(1, sizeof *p);
    *p = (struct CUmemPoolHandle_st){.ctx = ctx, .is_default = is_default, .reuse = {1, 1, 1}};
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

/* A pool of another device than the stream's gives that one's memory. */
static CUresult alloc_from(CUdeviceptr *pointer, size_t bytes, struct CUmemPoolHandle_st *pool,
                           struct CUctx_st *ctx, struct wg_stream *s) {
    void *p = NULL;
    if (pool->ctx != ctx) s = wg_device_stream(pool->ctx->dev, WG_STREAM_LEGACY);
    CUresult r = wg_done(ctx, wg_mem_alloc_async(s, bytes, &p));
    *pointer = r ? 0 : (CUdeviceptr)(uintptr_t)p;
    if (r) return r;
    wg_check_made(pool->ctx->dev, p);
    pthread_mutex_lock(&lock);
    if (wg_device_count() > 1) wg_mem_show_to(pool->ctx->dev, p, pool->shown_to);
    add_account((struct account){.p = p, .pool = pool, .bytes = bytes});
    pool->used += bytes;
    if (pool->used > pool->used_high) pool->used_high = pool->used;
    pthread_mutex_unlock(&lock);
    return CUDA_SUCCESS;
}

/* Graphs have no nodes that allocate or free. */
static CUresult may_allocate(CUstream stream) {
    if (!wg_handle_is(stream, WG_H_STREAM) || !wg_captured(stream)) return CUDA_SUCCESS;
    wg_capture_forbids(stream);
    return wg_not_supported("allocating and freeing in a stream that is captured");
}

CUresult cuMemAllocAsync(CUdeviceptr *pointer, size_t bytes, CUstream stream) {
    struct CUctx_st *ctx;
    WG_CHECK_CALLER();
    struct wg_stream *s;
    CUresult r = may_allocate(stream) ?: wg_stream_of(stream, &ctx, &s);
    if (r) return r;
    if (!pointer || !bytes) return CUDA_ERROR_INVALID_VALUE;
    return alloc_from(pointer, bytes, current_pool(ctx), ctx, s);
}
CUresult cuMemAllocFromPoolAsync(CUdeviceptr *pointer, size_t bytes, CUmemoryPool pool, CUstream stream) {
    struct CUctx_st *ctx;
    struct wg_stream *s;
    CUresult r = may_allocate(stream) ?: wg_stream_of(stream, &ctx, &s);
    if (r) return r;
    if (!pointer || !bytes || !wg_handle_is(pool, WG_H_POOL)) return CUDA_ERROR_INVALID_VALUE;
    return alloc_from(pointer, bytes, pool, ctx, s);
}

CUresult cuMemFreeAsync(CUdeviceptr pointer, CUstream stream) {
    struct CUctx_st *ctx;
    WG_CHECK_CALLER();
    struct wg_stream *s;
    CUresult r = may_allocate(stream) ?: wg_stream_of(stream, &ctx, &s);
    if (r) return r;
    void *p = (void *)(uintptr_t)pointer;
    if (!p) return CUDA_ERROR_INVALID_VALUE;
    struct CUctx_st *owner = wg_owner_of(ctx, p);
    wg_check_freeing(owner->dev, 1u << WG_MEM_DEVICE | 1u << WG_MEM_MANAGED, p);
    enum wg_status status = wg_mem_free_async(s, p);
    if (status == WG_OK) wg_pool_forget(owner, p);
    return wg_done(ctx, status);
}

/* ---- Pools -------------------------------------------------------------------------------------- */

CUresult cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *p) {
    struct CUctx_st *ctx;
    CUresult r = wg_current(&ctx);
    if (r) return r;
    if (!pool || !p || p->allocType != CU_MEM_ALLOCATION_TYPE_PINNED ||
        p->location.type != CU_MEM_LOCATION_TYPE_DEVICE || wg_check_device(p->location.id))
        return CUDA_ERROR_INVALID_VALUE;
    if (p->handleTypes) return wg_not_supported("a memory pool shared between processes");
    if ((r = wg_context_on(p->location.id, &ctx))) return r;
    *pool = make_pool(ctx, false);
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
