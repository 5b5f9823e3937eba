/* Memory: allocation, registration, and what a pointer points to. */
#include "driver/graph.h"
#include "driver/memory.h"
#include "machine/mapping.h"
#include "driver/readable.h"
#include <string.h>

/* Rows of cuMemAllocPitch begin at multiples of this, as on every chip so far. */
enum { PITCH = 512 };

CUresult wg_alloc(enum wg_mem_kind kind, size_t bytes, unsigned flags, void **out) {
    struct CUctx_st *ctx;
    CUresult r = wg_current(&ctx) ?: wg_capture_forbids_all(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    if (r) return r;
    r = wg_done(ctx, wg_mem_alloc_flags(ctx->dev, kind, bytes, flags, out));
    if (!r) wg_check_made(ctx->dev, *out);
    return r;
}

static CUresult device_alloc(CUdeviceptr *pointer, enum wg_mem_kind kind, size_t bytes, unsigned flags) {
    void *p = NULL;
    if (!pointer) return CUDA_ERROR_INVALID_VALUE;
    if (!bytes) {
        *pointer = 0;
        return CUDA_ERROR_INVALID_VALUE;
    }
    CUresult r = wg_alloc(kind, bytes, flags, &p);
    *pointer = r ? 0 : (CUdeviceptr)(uintptr_t)p;
    return r;
}

CUresult cuMemAlloc(CUdeviceptr *pointer, size_t bytes) {
    WG_CHECK_CALLER();
    return device_alloc(pointer, WG_MEM_DEVICE, bytes, 0);
}

CUresult cuMemAllocPitch(CUdeviceptr *pointer, size_t *pitch, size_t width, size_t height,
                         unsigned int element_size) {
    if (!pointer || !pitch || !width || !height) return CUDA_ERROR_INVALID_VALUE;
    if (element_size != 4 && element_size != 8 && element_size != 16) return CUDA_ERROR_INVALID_VALUE;
    size_t row = (width + PITCH - 1) / PITCH * PITCH, bytes;
    if (row < width || __builtin_mul_overflow(row, height, &bytes)) return CUDA_ERROR_OUT_OF_MEMORY;
    CUresult r = cuMemAlloc(pointer, bytes);
    if (!r) *pitch = row;
    return r;
}

CUresult cuMemAllocManaged(CUdeviceptr *pointer, size_t bytes, unsigned int flags) {
    WG_CHECK_CALLER();
    if (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST) return CUDA_ERROR_INVALID_VALUE;
    return device_alloc(pointer, WG_MEM_MANAGED, bytes, flags);
}

CUresult cuMemFree(CUdeviceptr pointer) {
    struct CUctx_st *ctx;
    WG_CHECK_CALLER();
    CUresult r = wg_current(&ctx);
    if (r || (r = wg_done(ctx, wg_device_status(ctx->dev)))) return r;
    void *p = (void *)(uintptr_t)pointer;
    if (!p) return CUDA_SUCCESS;
    CUresult of_graph;
    if (wg_graph_memory_free(pointer, &of_graph)) {
        r = wg_done(ctx, wg_device_sync(ctx->dev));
        return of_graph ? of_graph : r;
    }
    ctx = wg_owner_of(ctx, p);
    bool import = wg_pool_of(ctx, p) && wg_mem_query(ctx->dev, p).imported;
    wg_pool_forget(ctx, p);
    wg_check_freeing(ctx->dev, 1u << WG_MEM_DEVICE | 1u << WG_MEM_MANAGED, p);
    if (import) return wg_done(ctx, wg_mem_close_import(ctx->dev, p));
    return wg_done(ctx, wg_mem_free(ctx->dev, WG_MEM_DEVICE, p));
}

CUresult cuMemGetInfo(size_t *free_bytes, size_t *total_bytes) {
    struct CUctx_st *ctx;
    size_t f = 0, t = 0;
    CUresult r = wg_current(&ctx);
    if (r || (r = wg_done(ctx, wg_device_status(ctx->dev)))) return r;
    if ((r = wg_done(ctx, wg_mem_totals(ctx->dev, &f, &t)))) return r;
    if (free_bytes) *free_bytes = f;
    if (total_bytes) *total_bytes = t;
    return CUDA_SUCCESS;
}

/* ---- Host memory -------------------------------------------------------------------------------- */

enum { HOST_FLAGS = CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_WRITECOMBINED };

CUresult cuMemHostAlloc(void **pointer, size_t bytes, unsigned int flags) {
    struct CUctx_st *ctx;
    WG_CHECK_CALLER();
    CUresult r = wg_current(&ctx);
    if (r) return r;
    if (!pointer || (flags & ~(unsigned)HOST_FLAGS)) return CUDA_ERROR_INVALID_VALUE;
    *pointer = NULL;
    if (!bytes) return CUDA_SUCCESS;
    /* With one address space all pinned memory is mapped, and the flags say so. */
    return wg_alloc(WG_MEM_PINNED, bytes, flags | CU_MEMHOSTALLOC_DEVICEMAP, pointer);
}
CUresult cuMemAllocHost(void **pointer, size_t bytes) { return cuMemHostAlloc(pointer, bytes, 0); }

CUresult cuMemFreeHost(void *pointer) {
    struct CUctx_st *ctx;
    WG_CHECK_CALLER();
    CUresult r = wg_current(&ctx);
    if (r || (r = wg_done(ctx, wg_device_status(ctx->dev)))) return r;
    if (!pointer) return CUDA_SUCCESS;
    ctx = wg_owner_of(ctx, pointer);
    wg_check_freeing(ctx->dev, 1u << WG_MEM_PINNED, pointer);
    return wg_done(ctx, wg_mem_free(ctx->dev, WG_MEM_PINNED, pointer));
}

CUresult cuMemHostRegister(void *pointer, size_t bytes, unsigned int flags) {
    struct CUctx_st *ctx;
    CUresult r = wg_current(&ctx);
    if (r) return r;
    if (!pointer || !bytes || (flags & ~0xfu)) return CUDA_ERROR_INVALID_VALUE;
    if (flags & CU_MEMHOSTREGISTER_IOMEMORY) return CUDA_ERROR_NOT_PERMITTED;
    struct wg_mem_info i = wg_mem_query(ctx->dev, pointer);
    if (i.kind != WG_MEM_NONE && i.kind != WG_MEM_REGISTERED) return CUDA_ERROR_INVALID_VALUE;
    if (i.kind == WG_MEM_REGISTERED) return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
    if (wg_readable(pointer, bytes) < bytes) return CUDA_ERROR_INVALID_VALUE;
    return wg_done(ctx, wg_mem_register(ctx->dev, pointer, bytes, flags | CU_MEMHOSTREGISTER_DEVICEMAP));
}

CUresult cuMemHostUnregister(void *pointer) {
    struct CUctx_st *ctx;
    CUresult r = wg_current(&ctx);
    if (r) return r;
    if (!pointer) return CUDA_ERROR_INVALID_VALUE;
    struct wg_mem_info i = wg_mem_query(ctx->dev, pointer);
    if (i.kind == WG_MEM_NONE) return CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
    if (i.kind != WG_MEM_REGISTERED || i.base != pointer) return CUDA_ERROR_INVALID_VALUE;
    ctx = wg_owner_of(ctx, pointer);
    return wg_done(ctx, wg_mem_unregister(ctx->dev, pointer));
}

static bool is_host(const struct wg_mem_info *i) {
    return i->kind == WG_MEM_PINNED || i->kind == WG_MEM_REGISTERED;
}

CUresult cuMemHostGetDevicePointer(CUdeviceptr *device_pointer, void *host_pointer, unsigned int flags) {
    struct CUctx_st *ctx;
    CUresult r = wg_current(&ctx);
    if (r) return r;
    if (!device_pointer || !host_pointer || flags) return CUDA_ERROR_INVALID_VALUE;
    struct wg_mem_info i = wg_mem_query(ctx->dev, host_pointer);
    if (!is_host(&i)) return CUDA_ERROR_INVALID_VALUE;
    *device_pointer = (CUdeviceptr)(uintptr_t)host_pointer;
    return CUDA_SUCCESS;
}

CUresult cuMemHostGetFlags(unsigned int *flags, void *host_pointer) {
    struct CUctx_st *ctx;
    CUresult r = wg_current(&ctx);
    if (r) return r;
    if (!flags || !host_pointer) return CUDA_ERROR_INVALID_VALUE;
    struct wg_mem_info i = wg_mem_query(ctx->dev, host_pointer);
    if (!is_host(&i) && i.kind != WG_MEM_MANAGED) return CUDA_ERROR_INVALID_VALUE;
    *flags = i.flags;
    return CUDA_SUCCESS;
}

/* ---- What a pointer points to ------------------------------------------------------------------- */

/* What a pointer that wg_mem_query knows is in: an allocation, or one mapping of a reservation. For wg_mem_query
 * mappings side by side are one. */
static struct wg_reserved_at place_of(struct CUctx_st *ctx, CUdeviceptr pointer,
                                      const struct wg_mem_info *i) {
    uint64_t base = (uintptr_t)i->base;
    struct wg_reserved_at at = {.base = base, .size = i->size, .piece = base, .piece_size = i->size};
    wg_map_find(ctx->dev, pointer, &at);
    return at;
}

CUresult cuMemGetAddressRange(CUdeviceptr *base, size_t *bytes, CUdeviceptr pointer) {
    struct CUctx_st *ctx;
    CUresult r = wg_current(&ctx);
    if (r) return r;
    struct wg_mem_info i = wg_mem_query(ctx->dev, (void *)(uintptr_t)pointer);
    if (i.kind == WG_MEM_NONE || i.kind == WG_MEM_SCRATCH) return CUDA_ERROR_NOT_FOUND;
    struct wg_reserved_at at = place_of(ctx, pointer, &i);
    if (base) *base = at.piece;
    if (bytes) *bytes = at.piece_size;
    return CUDA_SUCCESS;
}

static CUresult pointer_attribute(struct CUctx_st *ctx, void *value, CUpointer_attribute a,
                                  CUdeviceptr pointer) {
    struct wg_mem_info i = wg_mem_query(ctx->dev, (void *)(uintptr_t)pointer);
    ctx = wg_owner_of(ctx, (void *)(uintptr_t)pointer);
    bool managed = i.kind == WG_MEM_MANAGED || wg_managed_variable(pointer), host = is_host(&i);
    if (i.kind == WG_MEM_NONE || i.kind == WG_MEM_SCRATCH) return CUDA_ERROR_INVALID_VALUE;
    struct wg_reserved_at at = place_of(ctx, pointer, &i);
    switch (a) {
    case CU_POINTER_ATTRIBUTE_CONTEXT: *(CUcontext *)value = ctx; return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        *(unsigned *)value = host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER: *(CUdeviceptr *)value = pointer; return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        if (!host && !managed) return CUDA_ERROR_INVALID_VALUE;
        *(void **)value = (void *)(uintptr_t)pointer;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS: *(unsigned *)value = !host; return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_BUFFER_ID: *(unsigned long long *)value = i.id; return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED: *(unsigned *)value = managed; return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: *(int *)value = ctx->device; return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR: *(CUdeviceptr *)value = at.base; return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE: *(size_t *)value = at.size; return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_MAPPED: *(unsigned *)value = 1; return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS: *(unsigned *)value = 3; return CUDA_SUCCESS; /* read and write */
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
        *(CUmemoryPool *)value = wg_pool_of(ctx, i.base);
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_MAPPING_SIZE: *(size_t *)value = at.piece_size; return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR: *(CUdeviceptr *)value = at.piece; return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID: *(unsigned long long *)value = i.id; return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
        *(unsigned *)value = i.kind == WG_MEM_DEVICE && !i.imported && !wg_pool_of(ctx, i.base);
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
    case CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE: *(unsigned *)value = 0; return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES: *(unsigned long long *)value = 0; return CUDA_SUCCESS;
    default: return CUDA_ERROR_INVALID_VALUE;
    }
}

/* Bytes that an attribute's value has; 0: there is no such attribute. */
static size_t attribute_bytes(CUpointer_attribute a) {
    switch (a) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
    case CU_POINTER_ATTRIBUTE_MAPPING_SIZE:
    case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR:
    case CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID: return 8;
    case CU_POINTER_ATTRIBUTE_P2P_TOKENS: return 0;
    default: return (unsigned)a <= CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE && a ? 4 : 0;
    }
}

CUresult cuPointerGetAttribute(void *value, CUpointer_attribute attribute, CUdeviceptr pointer) {
    struct CUctx_st *ctx;
    CUresult r = wg_initialized();
    if (r) return r;
    if (!value || wg_current(&ctx)) return CUDA_ERROR_INVALID_VALUE;
    return pointer_attribute(ctx, value, attribute, pointer);
}

/* Unlike the single form, answers zeros for what a pointer does not have. */
CUresult cuPointerGetAttributes(unsigned int count, CUpointer_attribute *attributes, void **values,
                                CUdeviceptr pointer) {
    struct CUctx_st *ctx;
    CUresult r = wg_current(&ctx);
    if (r) return r;
    if (!count || !attributes || !values) return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < count; i++) {
        size_t n = attribute_bytes(attributes[i]);
        if (!n || !values[i]) return CUDA_ERROR_INVALID_VALUE;
        if (!pointer_attribute(ctx, values[i], attributes[i], pointer)) continue;
        memset(values[i], 0, n);
        if (attributes[i] == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL) *(int *)values[i] = CU_DEVICE_INVALID;
    }
    return CUDA_SUCCESS;
}

CUresult cuPointerSetAttribute(const void *value, CUpointer_attribute attribute, CUdeviceptr pointer) {
    struct CUctx_st *ctx;
    unsigned long long now;
    CUresult r = wg_current(&ctx);
    if (r) return r;
    if (!value || attribute != CU_POINTER_ATTRIBUTE_SYNC_MEMOPS) return CUDA_ERROR_INVALID_VALUE;
    return pointer_attribute(ctx, &now, attribute, pointer); /* every operation waits already */
}

/* ---- Managed memory: where its pages should be -------------------------------------------------- */

/* Is [p, p + n) inside one managed allocation? */
static bool managed_range(struct CUctx_st *ctx, CUdeviceptr p, size_t n) {
    struct wg_mem_info i = wg_mem_query(ctx->dev, (void *)(uintptr_t)p);
    if (!n || (i.kind != WG_MEM_MANAGED && !wg_managed_variable(p))) return false;
    uintptr_t end = ((uintptr_t)i.base + i.size + 4095) & ~(uintptr_t)4095; /* pages are whole */
    return p + n >= p && p + n <= end;
}

static CUresult check_location(CUmemLocation l) {
    switch (l.type) {
    case CU_MEM_LOCATION_TYPE_DEVICE: return wg_check_device(l.id);
    case CU_MEM_LOCATION_TYPE_HOST:
    case CU_MEM_LOCATION_TYPE_HOST_NUMA:
    case CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT: return CUDA_SUCCESS;
    default: return CUDA_ERROR_INVALID_VALUE;
    }
}

CUresult cuMemPrefetchAsync(CUdeviceptr pointer, size_t bytes, CUmemLocation location, unsigned int flags,
                            CUstream stream) {
    struct CUctx_st *ctx;
    struct wg_stream *s;
    CUresult r = wg_stream_of(stream, &ctx, &s);
    if (r) return r;
    if (flags || !managed_range(ctx, pointer, bytes)) return CUDA_ERROR_INVALID_VALUE;
    if ((r = check_location(location))) return r;
    return wg_done(ctx, wg_device_status(ctx->dev)); /* it is where all devices reach it */
}

/* The advice kept for each managed allocation: what cuMemRangeGetAttribute gives back. */
struct advice {
    uint64_t id;
    bool read_mostly;
    int preferred, accessed_by;
};
static pthread_mutex_t advice_lock = PTHREAD_MUTEX_INITIALIZER;
static WG_VEC(struct advice) advices;

static struct advice *advice_for(uint64_t id) {
    for (uint32_t i = 0; i < advices.n; i++)
        if (advices.v[i].id == id) return &advices.v[i];
    struct advice *a = WG_PUSH(&advices);
    *a = (struct advice){id, false, CU_DEVICE_INVALID, CU_DEVICE_INVALID};
    return a;
}

CUresult cuMemAdvise(CUdeviceptr pointer, size_t bytes, CUmem_advise advice, CUmemLocation location) {
    struct CUctx_st *ctx;
    CUresult r = wg_current(&ctx);
    if (r) return r;
    if (advice < CU_MEM_ADVISE_SET_READ_MOSTLY || advice > CU_MEM_ADVISE_UNSET_ACCESSED_BY ||
        !managed_range(ctx, pointer, bytes))
        return CUDA_ERROR_INVALID_VALUE;
    bool located = advice == CU_MEM_ADVISE_SET_PREFERRED_LOCATION || advice >= CU_MEM_ADVISE_SET_ACCESSED_BY;
    if (located && (r = check_location(location))) return r;
    int where = location.type == CU_MEM_LOCATION_TYPE_DEVICE ? location.id : CU_DEVICE_CPU;
    pthread_mutex_lock(&advice_lock);
    struct advice *a = advice_for(wg_mem_query(ctx->dev, (void *)(uintptr_t)pointer).id);
    switch (advice) {
    case CU_MEM_ADVISE_SET_READ_MOSTLY: a->read_mostly = true; break;
    case CU_MEM_ADVISE_UNSET_READ_MOSTLY: a->read_mostly = false; break;
    case CU_MEM_ADVISE_SET_PREFERRED_LOCATION: a->preferred = where; break;
    case CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION: a->preferred = CU_DEVICE_INVALID; break;
    case CU_MEM_ADVISE_SET_ACCESSED_BY: a->accessed_by = where; break;
    case CU_MEM_ADVISE_UNSET_ACCESSED_BY: a->accessed_by = CU_DEVICE_INVALID; break;
    }
    pthread_mutex_unlock(&advice_lock);
    return CUDA_SUCCESS;
}

CUresult cuMemRangeGetAttribute(void *data, size_t data_size, CUmem_range_attribute attribute,
                                CUdeviceptr pointer, size_t bytes) {
    struct CUctx_st *ctx;
    CUresult r = wg_current(&ctx);
    if (r) return r;
    if (!data || data_size < 4 || data_size % 4 || !managed_range(ctx, pointer, bytes))
        return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&advice_lock);
    struct advice a = *advice_for(wg_mem_query(ctx->dev, (void *)(uintptr_t)pointer).id);
    pthread_mutex_unlock(&advice_lock);
    int *out = data;
    switch (attribute) {
    case CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY: out[0] = a.read_mostly; break;
    case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION: out[0] = a.preferred; break;
    case CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY:
        for (size_t i = 0; i < data_size / 4; i++) out[i] = i ? CU_DEVICE_INVALID : a.accessed_by;
        break;
    case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION: out[0] = CU_DEVICE_INVALID; break;
    default: return wg_not_supported("cuMemRangeGetAttribute with a location's type or id");
    }
    return CUDA_SUCCESS;
}

CUresult cuMemRangeGetAttributes(void **data, size_t *sizes, CUmem_range_attribute *attributes, size_t n,
                                 CUdeviceptr pointer, size_t bytes) {
    CUresult r = wg_initialized();
    if (r) return r;
    if (!data || !sizes || !attributes || !n) return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < n && !r; i++)
        r = cuMemRangeGetAttribute(data[i], sizes[i], attributes[i], pointer, bytes);
    return r;
}

CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr pointer, size_t length, unsigned int flags) {
    struct CUctx_st *ctx;
    struct wg_stream *s;
    CUresult r = wg_stream_of(stream, &ctx, &s);
    if (r) return r;
    if (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST && flags != CU_MEM_ATTACH_SINGLE)
        return CUDA_ERROR_INVALID_VALUE;
    bool default_stream = (uintptr_t)stream <= 2;
    if (flags == CU_MEM_ATTACH_SINGLE && default_stream) return CUDA_ERROR_INVALID_VALUE;
    return managed_range(ctx, pointer, 1) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
