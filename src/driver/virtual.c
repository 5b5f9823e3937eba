/* Virtual memory management: cuMemAddressReserve, cuMemCreate, cuMemMap and the like, and memory that goes to other
 * processes as a file descriptor. */
#include "driver/memory.h"
#include "machine/mapping.h"
#include <fcntl.h>
#include <stdlib.h>

/* As on hardware: a large page. */
enum { GRANULE = 2 << 20, HOST_PAGE = 4096 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* What a CUmemGenericAllocationHandle stands for. */
struct allocation {
    struct wg_physical *physical;
    uint32_t times, place; /* how often it is to be released; among `allocations` */
};
static WG_VEC(struct allocation *) allocations;

/* Takes the reference. Memory that still has a handle gets the same one again. */
static CUresult give_handle(struct wg_physical *p, CUmemGenericAllocationHandle *out) {
    struct allocation *a = NULL;
    pthread_mutex_lock(&lock);
    for (uint32_t i = 0; i < allocations.n && !a; i++)
        if (allocations.v[i]->physical == p) a = allocations.v[i];
    bool known = a != NULL;
    if (known) {
        a->times++;
    } else {
        a = wg_xmalloc(sizeof *a);
        *a = (struct allocation){p, 1, allocations.n};
        *WG_PUSH(&allocations) = a;
        wg_handle_add(a, WG_H_PHYSICAL);
    }
    pthread_mutex_unlock(&lock);
    if (known) wg_physical_drop(p);
    *out = (CUmemGenericAllocationHandle)(uintptr_t)a;
    return CUDA_SUCCESS;
}

static struct wg_physical *physical_of(CUmemGenericAllocationHandle handle) {
    struct allocation *a = (struct allocation *)(uintptr_t)handle;
    return wg_handle_is(a, WG_H_PHYSICAL) ? a->physical : NULL;
}

/* These calls need a device, and no context: they take the thread's, or else that of device 0. */
static CUresult any_context(struct CUctx_st **ctx) {
    CUresult r = wg_initialized();
    if (r) return r;
    return wg_current(ctx) ? wg_context_on(0, ctx) : CUDA_SUCCESS;
}

/* ---- Addresses ---------------------------------------------------------------------------------- */

/* Reservations are the process's, and outlive the context that they were made in, whose end unmaps all that was
 * mapped to them: after that they can still be unmapped, and freed. */
struct reservation {
    uint64_t at, size;
    const struct CUctx_st *ctx;
    unsigned generation;
};
static WG_VEC(struct reservation) reservations;

static void note_reservation(const struct CUctx_st *ctx, uint64_t at, uint64_t size) {
    struct CUctx_st *owner = wg_context_of(wg_map_owner(ctx->dev, at));
    pthread_mutex_lock(&lock);
    *WG_PUSH(&reservations) =
        (struct reservation){at, size, owner ? owner : ctx, owner ? owner->generation : ctx->generation};
    pthread_mutex_unlock(&lock);
}

/* Whether the context of the reservation around [at, at + size) has ended. `whole`: it must be just that. */
static bool is_left_over(uint64_t at, uint64_t size, bool whole) {
    bool left = false;
    pthread_mutex_lock(&lock);
    for (uint32_t i = reservations.n; i-- > 0;) {
        const struct reservation *r = &reservations.v[i];
        if (whole ? at != r->at || size != r->size : at < r->at || size > r->at + r->size - at) continue;
        left = !r->ctx->dev || r->ctx->generation != r->generation;
        break;
    }
    pthread_mutex_unlock(&lock);
    return left;
}

static void forget_reservation(uint64_t at, uint64_t size) {
    pthread_mutex_lock(&lock);
    for (uint32_t i = reservations.n; i-- > 0;)
        if (reservations.v[i].at == at && reservations.v[i].size == size) {
            reservations.v[i] = reservations.v[--reservations.n];
            break;
        }
    pthread_mutex_unlock(&lock);
}

CUresult cuMemAddressReserve(CUdeviceptr *pointer, size_t size, size_t alignment, CUdeviceptr address,
                             unsigned long long flags) {
    struct CUctx_st *ctx;
    uint64_t at = 0;
    CUresult r = any_context(&ctx);
    if (r) return r;
    if (!pointer || !size || size % HOST_PAGE || address % HOST_PAGE || flags ||
        (alignment & (alignment - 1)))
        return CUDA_ERROR_INVALID_VALUE;
    size_t align = alignment < GRANULE ? GRANULE : alignment;
    r = wg_done(ctx, wg_map_reserve(ctx->dev, size, align, address, &at));
    if (r) return r;
    note_reservation(ctx, at, size);
    *pointer = at;
    return CUDA_SUCCESS;
}

CUresult cuMemAddressFree(CUdeviceptr pointer, size_t size) {
    struct CUctx_st *ctx;
    CUresult r = any_context(&ctx);
    if (!r && !is_left_over(pointer, size, true)) r = wg_done(ctx, wg_map_unreserve(ctx->dev, pointer, size));
    if (!r) forget_reservation(pointer, size);
    return r;
}

/* ---- Memory ------------------------------------------------------------------------------------- */

static CUresult check_properties(const CUmemAllocationProp *p) {
    if (!p || p->type != CU_MEM_ALLOCATION_TYPE_PINNED) return CUDA_ERROR_INVALID_VALUE;
    switch (p->location.type) {
    case CU_MEM_LOCATION_TYPE_DEVICE: break;
    case CU_MEM_LOCATION_TYPE_HOST_NUMA:
    case CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT: return wg_not_supported("cuMemCreate of host memory");
    default: return CUDA_ERROR_INVALID_VALUE;
    }
    if (p->requestedHandleTypes & ~(unsigned)CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
        return wg_not_supported("cuMemCreate with handles other than file descriptors");
    return wg_check_device(p->location.id);
}

CUresult cuMemGetAllocationGranularity(size_t *granularity, const CUmemAllocationProp *prop,
                                       CUmemAllocationGranularity_flags option) {
    CUresult r = wg_initialized();
    if (r) return r;
    if (!granularity || (unsigned)option > CU_MEM_ALLOC_GRANULARITY_RECOMMENDED)
        return CUDA_ERROR_INVALID_VALUE;
    if ((r = check_properties(prop))) return r;
    *granularity = GRANULE;
    return CUDA_SUCCESS;
}

CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t size, const CUmemAllocationProp *prop,
                     unsigned long long flags) {
    struct CUctx_st *ctx;
    struct wg_physical *p;
    CUresult r = wg_initialized();
    if (r) return r;
    if (!handle || !size || size % GRANULE || flags) return CUDA_ERROR_INVALID_VALUE;
    if ((r = check_properties(prop)) || (r = wg_context_on(prop->location.id, &ctx))) return r;
    r = wg_done(ctx, wg_map_new(ctx->dev, size, prop->requestedHandleTypes != 0, &p));
    return r ? r : give_handle(p, handle);
}

CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
    CUresult r = wg_initialized();
    if (r) return r;
    struct allocation *a = (struct allocation *)(uintptr_t)handle;
    pthread_mutex_lock(&lock);
    bool known = wg_handle_is(a, WG_H_PHYSICAL), last = known && --a->times == 0;
    if (last) {
        wg_handle_remove(a, WG_H_PHYSICAL);
        allocations.v[a->place] = allocations.v[--allocations.n];
        allocations.v[a->place]->place = a->place;
    }
    pthread_mutex_unlock(&lock);
    if (last) {
        wg_physical_drop(a->physical);
        free(a);
    }
    return known ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *prop,
                                                CUmemGenericAllocationHandle handle) {
    CUresult r = wg_initialized();
    const struct wg_physical *p = r ? NULL : physical_of(handle);
    if (r || !p || !prop) return r ? r : CUDA_ERROR_INVALID_VALUE;
    *prop =
        (CUmemAllocationProp){.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                              .requestedHandleTypes = p->exportable ? CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR
                                                                    : CU_MEM_HANDLE_TYPE_NONE,
                              .location = {CU_MEM_LOCATION_TYPE_DEVICE, (int)p->ordinal}};
    return CUDA_SUCCESS;
}

/* ---- Mappings ----------------------------------------------------------------------------------- */

CUresult cuMemMap(CUdeviceptr pointer, size_t size, size_t offset, CUmemGenericAllocationHandle handle,
                  unsigned long long flags) {
    struct CUctx_st *ctx;
    CUresult r = any_context(&ctx);
    if (r) return r;
    struct wg_physical *p = physical_of(handle);
    if (!p || !size || pointer % GRANULE || size % GRANULE || flags) return CUDA_ERROR_INVALID_VALUE;
    if (offset || size != p->bytes)
        return CUDA_ERROR_NOT_SUPPORTED; /* as on hardware: all of it, or nothing */
    return wg_done(ctx, wg_map_put(ctx->dev, pointer, size, p));
}

CUresult cuMemUnmap(CUdeviceptr pointer, size_t size) {
    struct CUctx_st *ctx;
    WG_CHECK_CALLER();
    CUresult r = any_context(&ctx);
    if (r || is_left_over(pointer, size, false)) return r;
    return wg_done(ctx, wg_map_remove(ctx->dev, pointer, size, wg_check_call_at()));
}

static CUresult check_access(const CUmemAccessDesc *a, CUdevice owner) {
    int can = 0;
    if (a->location.type != CU_MEM_LOCATION_TYPE_DEVICE) return CUDA_ERROR_INVALID_VALUE;
    if (a->flags != CU_MEM_ACCESS_FLAGS_PROT_NONE && a->flags != CU_MEM_ACCESS_FLAGS_PROT_READ &&
        a->flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult r = wg_check_device(a->location.id);
    if (!r && a->location.id != owner) r = cuDeviceCanAccessPeer(&can, a->location.id, owner);
    return r || a->location.id == owner || can ? r : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuMemSetAccess(CUdeviceptr pointer, size_t size, const CUmemAccessDesc *desc, size_t count) {
    struct CUctx_st *ctx;
    struct wg_access old, access = {0};
    uint32_t whose = 0;
    WG_CHECK_CALLER();
    CUresult r = any_context(&ctx);
    if (r) return r;
    struct wg_physical *p = desc && count && size ? wg_map_get(ctx->dev, pointer, &old) : NULL;
    if (!p) return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < count && !r; i++) {
        uint32_t bit = 1u << (desc[i].location.id & 31);
        if ((r = check_access(&desc[i], (CUdevice)p->ordinal))) break;
        whose |= bit;
        access.read = (access.read & ~bit) | (desc[i].flags & CU_MEM_ACCESS_FLAGS_PROT_READ ? bit : 0);
        access.write =
            (access.write & ~bit) | (desc[i].flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE ? bit : 0);
    }
    wg_physical_drop(p);
    if (!r) r = wg_done(ctx, wg_map_allow(ctx->dev, pointer, size, whose, access));
    if (!r) wg_check_made(wg_owner_of(ctx, (void *)(uintptr_t)pointer)->dev, (void *)(uintptr_t)pointer);
    return r;
}

CUresult cuMemGetAccess(unsigned long long *flags, const CUmemLocation *location, CUdeviceptr pointer) {
    struct CUctx_st *ctx;
    struct wg_access access;
    CUresult r = any_context(&ctx);
    if (r) return r;
    if (!flags || !location || location->type != CU_MEM_LOCATION_TYPE_DEVICE) return CUDA_ERROR_INVALID_VALUE;
    if ((r = wg_check_device(location->id))) return r;
    struct wg_physical *p = wg_map_get(ctx->dev, pointer, &access);
    if (!p) return CUDA_ERROR_INVALID_VALUE;
    wg_physical_drop(p);
    uint32_t bit = 1u << location->id;
    *flags = access.write & bit  ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE
             : access.read & bit ? CU_MEM_ACCESS_FLAGS_PROT_READ
                                 : CU_MEM_ACCESS_FLAGS_PROT_NONE;
    return CUDA_SUCCESS;
}

CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *handle, void *address) {
    struct CUctx_st *ctx;
    struct wg_access access;
    CUresult r = any_context(&ctx);
    if (r) return r;
    struct wg_physical *p = handle ? wg_map_get(ctx->dev, (uintptr_t)address, &access) : NULL;
    return p ? give_handle(p, handle) : CUDA_ERROR_INVALID_VALUE;
}

/* ---- Other processes ---------------------------------------------------------------------------- */

CUresult cuMemExportToShareableHandle(void *shareable, CUmemGenericAllocationHandle handle,
                                      CUmemAllocationHandleType type, unsigned long long flags) {
    CUresult r = wg_initialized();
    if (r) return r;
    struct wg_physical *p = physical_of(handle);
    if (!p || !shareable || flags || type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR || !p->exportable)
        return CUDA_ERROR_INVALID_VALUE;
    int file = wg_physical_export(p);
    if (file < 0) return CUDA_ERROR_OUT_OF_MEMORY;
    *(int *)shareable = file;
    return CUDA_SUCCESS;
}

CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *handle, void *shareable,
                                        CUmemAllocationHandleType type) {
    struct CUctx_st *ctx;
    CUresult r = any_context(&ctx);
    if (r) return r;
    if (!handle || type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) return CUDA_ERROR_INVALID_VALUE;
    int file = (int)(intptr_t)shareable;
    if (fcntl(file, F_GETFD) < 0) return CUDA_ERROR_UNKNOWN;
    struct wg_physical *p = wg_physical_import(file);
    return p ? give_handle(p, handle) : CUDA_ERROR_INVALID_VALUE;
}
