/* Devices: what they are called and what they can do.
 *
 * Limits and sizes are those of the chip that is modelled (model/chip.h). An ability is 1 only when Warpglass
 * has it: a program that asks before it uses virtual memory management, IPC or peer access then takes its
 * other path.
 */
#include "driver/devices.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Each device is the only one, 0, of a bus of domain 0. */
enum { FIRST_BUS = 1, MAX_PITCH = 0x7fffffff };
static unsigned bus_of(CUdevice device) { return FIRST_BUS + wg_known_device(device)->number; }

CUresult cuDriverGetVersion(int *version) {
    if (!version) return CUDA_ERROR_INVALID_VALUE;
    *version = CUDA_VERSION;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal) {
    CUresult r = wg_initialized();
    if (r) return r;
    if (!device) return CUDA_ERROR_INVALID_VALUE;
    if ((r = wg_check_device(ordinal))) return r;
    *device = ordinal;
    return CUDA_SUCCESS;
}
CUresult cuDeviceGetCount(int *count) {
    CUresult r = wg_initialized();
    if (r) return r;
    if (!count) return CUDA_ERROR_INVALID_VALUE;
    *count = (int)wg_device_count();
    return CUDA_SUCCESS;
}
CUresult cuDeviceGetName(char *name, int length, CUdevice device) {
    CUresult r = wg_check_device(device);
    if (r) return r;
    if (!name || length <= 0) return CUDA_ERROR_INVALID_VALUE;
    snprintf(name, (size_t)length, "%s", wg_chip_of(device)->name);
    return CUDA_SUCCESS;
}
CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device) {
    CUresult r = wg_check_device(device);
    if (r) return r;
    if (!bytes) return CUDA_ERROR_INVALID_VALUE;
    *bytes = wg_chip_of(device)->memory_bytes;
    return CUDA_SUCCESS;
}
/* "warpglas", the arch, and which one of them it is. */
CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device) {
    CUresult r = wg_check_device(device);
    if (r) return r;
    if (!uuid) return CUDA_ERROR_INVALID_VALUE;
    wg_uuid_of(device, uuid);
    return CUDA_SUCCESS;
}
CUresult cuDeviceGetLuid(char *luid, unsigned int *node_mask, CUdevice device) {
    CUresult r = wg_check_device(device);
    return r ? r : CUDA_ERROR_NOT_SUPPORTED; /* only Windows has them */
}
CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device) {
    CUresult r = wg_check_device(device);
    if (r) return r;
    if (!major || !minor) return CUDA_ERROR_INVALID_VALUE;
    *major = wg_chip_of(device)->limits->cc / 10;
    *minor = wg_chip_of(device)->limits->cc % 10;
    return CUDA_SUCCESS;
}
CUresult cuDeviceGetPCIBusId(char *out, int length, CUdevice device) {
    CUresult r = wg_check_device(device);
    if (r) return r;
    if (!out || length < (int)sizeof "0000:01:00.0") return CUDA_ERROR_INVALID_VALUE;
    snprintf(out, (size_t)length, "0000:%02X:00.0", bus_of(device));
    return CUDA_SUCCESS;
}
CUresult cuDeviceGetByPCIBusId(CUdevice *device, const char *id) {
    unsigned domain = 0, bus, dev, fn = 0;
    CUresult r = wg_initialized();
    if (r) return r;
    if (!device || !id) return CUDA_ERROR_INVALID_VALUE;
    if (sscanf(id, "%x:%x:%x.%x", &domain, &bus, &dev, &fn) != 4) {
        domain = 0;
        if (sscanf(id, "%x:%x.%x", &bus, &dev, &fn) != 3) return CUDA_ERROR_INVALID_VALUE;
    }
    for (unsigned i = 0; i < wg_device_count() && !domain && !dev && !fn; i++)
        if (bus_of((CUdevice)i) == bus) {
            *device = (CUdevice)i;
            return CUDA_SUCCESS;
        }
    return CUDA_ERROR_INVALID_DEVICE;
}

/* ---- Attributes --------------------------------------------------------------------------------- */

/* What does not depend on the chip. X(attribute, value) */
/* clang-format off */
#define FIXED(X) \
    X(MAX_THREADS_PER_BLOCK, WG_CHIP_BLOCK_THREADS) \
    X(MAX_BLOCK_DIM_X, WG_CHIP_BLOCK_X) X(MAX_BLOCK_DIM_Y, WG_CHIP_BLOCK_Y) X(MAX_BLOCK_DIM_Z, WG_CHIP_BLOCK_Z) \
    X(MAX_GRID_DIM_X, WG_CHIP_GRID_X) X(MAX_GRID_DIM_Y, WG_CHIP_GRID_Y) X(MAX_GRID_DIM_Z, WG_CHIP_GRID_Z) \
    X(TOTAL_CONSTANT_MEMORY, WG_CHIP_CONST_BYTES) X(WARP_SIZE, WG_CHIP_WARP) X(MAX_PITCH, MAX_PITCH) \
    X(TEXTURE_ALIGNMENT, 512) X(GPU_OVERLAP, 1) X(KERNEL_EXEC_TIMEOUT, 0) X(INTEGRATED, 0) X(CAN_MAP_HOST_MEMORY, 1) \
    X(COMPUTE_MODE, CU_COMPUTEMODE_DEFAULT) X(SURFACE_ALIGNMENT, 512) X(CONCURRENT_KERNELS, 1) \
    X(PCI_DEVICE_ID, 0) X(PCI_DOMAIN_ID, 0) X(TCC_DRIVER, 0) X(UNIFIED_ADDRESSING, 1) \
    X(TEXTURE_PITCH_ALIGNMENT, 32) X(CAN_TEX2D_GATHER, 1) X(STREAM_PRIORITIES_SUPPORTED, 1) \
    X(GLOBAL_L1_CACHE_SUPPORTED, 1) X(LOCAL_L1_CACHE_SUPPORTED, 1) X(MANAGED_MEMORY, 1) X(MULTI_GPU_BOARD, 0) \
    X(HOST_NATIVE_ATOMIC_SUPPORTED, 0) X(PAGEABLE_MEMORY_ACCESS, 0) \
    X(CONCURRENT_MANAGED_ACCESS, 1) X(COMPUTE_PREEMPTION_SUPPORTED, 1) X(CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM, 1) \
    X(CAN_USE_STREAM_MEM_OPS_V1, 0) X(CAN_USE_64_BIT_STREAM_MEM_OPS_V1, 0) X(CAN_USE_STREAM_WAIT_VALUE_NOR_V1, 0) \
    X(COOPERATIVE_LAUNCH, 1) X(COOPERATIVE_MULTI_DEVICE_LAUNCH, 0) X(CAN_FLUSH_REMOTE_WRITES, 0) \
    X(HOST_REGISTER_SUPPORTED, 1) X(PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES, 0) \
    X(DIRECT_MANAGED_MEM_ACCESS_FROM_HOST, 0) X(VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 1) \
    X(HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED, 1) X(HANDLE_TYPE_WIN32_HANDLE_SUPPORTED, 0) \
    X(HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED, 0) X(GENERIC_COMPRESSION_SUPPORTED, 0) \
    X(GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED, 0) X(SPARSE_CUDA_ARRAY_SUPPORTED, 0) \
    X(READ_ONLY_HOST_REGISTER_SUPPORTED, 1) X(TIMELINE_SEMAPHORE_INTEROP_SUPPORTED, 0) X(MEMORY_POOLS_SUPPORTED, 1) \
    X(GPU_DIRECT_RDMA_SUPPORTED, 0) X(GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS, 0) X(GPU_DIRECT_RDMA_WRITES_ORDERING, 0) \
    X(MEMPOOL_SUPPORTED_HANDLE_TYPES, 1) X(DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED, 0) \
    X(CAN_USE_64_BIT_STREAM_MEM_OPS, 1) X(CAN_USE_STREAM_WAIT_VALUE_NOR, 1) X(DMA_BUF_SUPPORTED, 0) \
    X(IPC_EVENT_SUPPORTED, 1) X(TENSOR_MAP_ACCESS_SUPPORTED, 0) X(HANDLE_TYPE_FABRIC_SUPPORTED, 0) \
    X(UNIFIED_FUNCTION_POINTERS, 0) X(NUMA_CONFIG, 0) X(NUMA_ID, -1) X(MULTICAST_SUPPORTED, 0) X(MPS_ENABLED, 0) \
    X(HOST_NUMA_ID, 0) X(D3D12_CIG_SUPPORTED, 0) X(MEM_DECOMPRESS_ALGORITHM_MASK, 0) X(MEM_DECOMPRESS_MAXIMUM_LENGTH, 0) \
    X(VULKAN_CIG_SUPPORTED, 0) X(GPU_PCI_SUBSYSTEM_ID, 0) X(HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0) \
    X(HOST_NUMA_MEMORY_POOLS_SUPPORTED, 0) X(HOST_NUMA_MULTINODE_IPC_SUPPORTED, 0) X(HOST_MEMORY_POOLS_SUPPORTED, 0) \
    X(HOST_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0) X(HOST_ALLOC_DMA_BUF_SUPPORTED, 0) \
    X(ONLY_PARTIAL_HOST_NATIVE_ATOMIC_SUPPORTED, 0) \
    /* Extents of textures and surfaces, the same from compute capability 6.0 on. */ \
    X(MAXIMUM_TEXTURE1D_WIDTH, 131072) X(MAXIMUM_TEXTURE2D_WIDTH, 131072) X(MAXIMUM_TEXTURE2D_HEIGHT, 65536) \
    X(MAXIMUM_TEXTURE3D_WIDTH, 16384) X(MAXIMUM_TEXTURE3D_HEIGHT, 16384) X(MAXIMUM_TEXTURE3D_DEPTH, 16384) \
    X(MAXIMUM_TEXTURE2D_LAYERED_WIDTH, 32768) X(MAXIMUM_TEXTURE2D_LAYERED_HEIGHT, 32768) \
    X(MAXIMUM_TEXTURE2D_LAYERED_LAYERS, 2048) X(MAXIMUM_TEXTURE1D_LAYERED_WIDTH, 32768) \
    X(MAXIMUM_TEXTURE1D_LAYERED_LAYERS, 2048) X(MAXIMUM_TEXTURE2D_GATHER_WIDTH, 32768) \
    X(MAXIMUM_TEXTURE2D_GATHER_HEIGHT, 32768) X(MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE, 8192) \
    X(MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE, 8192) X(MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE, 32768) \
    X(MAXIMUM_TEXTURECUBEMAP_WIDTH, 32768) X(MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH, 32768) \
    X(MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS, 2046) X(MAXIMUM_SURFACE1D_WIDTH, 32768) X(MAXIMUM_SURFACE2D_WIDTH, 131072) \
    X(MAXIMUM_SURFACE2D_HEIGHT, 65536) X(MAXIMUM_SURFACE3D_WIDTH, 16384) X(MAXIMUM_SURFACE3D_HEIGHT, 16384) \
    X(MAXIMUM_SURFACE3D_DEPTH, 16384) X(MAXIMUM_SURFACE1D_LAYERED_WIDTH, 32768) \
    X(MAXIMUM_SURFACE1D_LAYERED_LAYERS, 2048) X(MAXIMUM_SURFACE2D_LAYERED_WIDTH, 32768) \
    X(MAXIMUM_SURFACE2D_LAYERED_HEIGHT, 32768) X(MAXIMUM_SURFACE2D_LAYERED_LAYERS, 2048) \
    X(MAXIMUM_SURFACECUBEMAP_WIDTH, 32768) X(MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH, 32768) \
    X(MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS, 2046) X(MAXIMUM_TEXTURE1D_LINEAR_WIDTH, 268435456) \
    X(MAXIMUM_TEXTURE2D_LINEAR_WIDTH, 131072) X(MAXIMUM_TEXTURE2D_LINEAR_HEIGHT, 65000) \
    X(MAXIMUM_TEXTURE2D_LINEAR_PITCH, 2097120) X(MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH, 32768) \
    X(MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT, 32768) X(MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH, 32768)
/* What does. X(attribute, expression of `c`, the chip, `l`, its limits, and `device`) */
#define OF_CHIP(X) \
    X(PCI_BUS_ID, bus_of(device)) X(MULTI_GPU_BOARD_GROUP_ID, wg_known_device(device)->number) \
    X(MAX_SHARED_MEMORY_PER_BLOCK, l->shared_per_block) X(MAX_REGISTERS_PER_BLOCK, l->regs_per_block) \
    X(CLOCK_RATE, c->clock_khz) X(MULTIPROCESSOR_COUNT, c->sms) X(ECC_ENABLED, c->ecc) \
    X(MEMORY_CLOCK_RATE, c->memory_clock_khz) X(GLOBAL_MEMORY_BUS_WIDTH, c->bus_bits) X(L2_CACHE_SIZE, c->l2_bytes) \
    X(MAX_THREADS_PER_MULTIPROCESSOR, l->warps_per_sm * WG_CHIP_WARP) X(ASYNC_ENGINE_COUNT, c->copy_engines) \
    X(COMPUTE_CAPABILITY_MAJOR, l->cc / 10) X(COMPUTE_CAPABILITY_MINOR, l->cc % 10) \
    X(MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, l->shared_per_sm) X(MAX_REGISTERS_PER_MULTIPROCESSOR, l->regs_per_sm) \
    X(SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO, l->fp64_ratio) X(MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, l->shared_optin) \
    X(MAX_BLOCKS_PER_MULTIPROCESSOR, l->blocks_per_sm) X(MAX_PERSISTING_L2_CACHE_SIZE, c->l2_persisting_bytes) \
    X(MAX_ACCESS_POLICY_WINDOW_SIZE, c->l2_persisting_bytes ? 128 << 20 : 0) \
    X(RESERVED_SHARED_MEMORY_PER_BLOCK, l->shared_reserved) X(CLUSTER_LAUNCH, l->cluster_max > 0) \
    X(MEM_SYNC_DOMAIN_COUNT, l->cc >= 90 ? 4 : 1) X(GPU_PCI_DEVICE_ID, c->pci_device << 16 | 0x10de)
/* clang-format on */

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
    if (!value) return CUDA_ERROR_INVALID_VALUE;
    CUresult r = wg_check_device(device);
    if (r) return r;
    const struct wg_chip *c = wg_chip_of(device);
    const struct wg_limits *l = c->limits;
    switch (attribute) {
#define X(NAME, VALUE)                                                                                       \
    case CU_DEVICE_ATTRIBUTE_##NAME: *value = (int)(VALUE); return CUDA_SUCCESS;
        FIXED(X)
        OF_CHIP(X)
#undef X
    default: return CUDA_ERROR_INVALID_VALUE;
    }
}

CUresult cuDeviceGetProperties(CUdevprop *properties, CUdevice device) {
    CUresult r = wg_check_device(device);
    if (r) return r;
    if (!properties) return CUDA_ERROR_INVALID_VALUE;
    const struct wg_chip *c = wg_chip_of(device);
    *properties = (CUdevprop){.maxThreadsPerBlock = WG_CHIP_BLOCK_THREADS,
                              .maxThreadsDim = {WG_CHIP_BLOCK_X, WG_CHIP_BLOCK_Y, WG_CHIP_BLOCK_Z},
                              .maxGridSize = {WG_CHIP_GRID_X, WG_CHIP_GRID_Y, WG_CHIP_GRID_Z},
                              .sharedMemPerBlock = (int)c->limits->shared_per_block,
                              .totalConstantMemory = WG_CHIP_CONST_BYTES,
                              .SIMDWidth = WG_CHIP_WARP,
                              .memPitch = MAX_PITCH,
                              .regsPerBlock = (int)c->limits->regs_per_block,
                              .clockRate = (int)c->clock_khz,
                              .textureAlign = 512};
    return CUDA_SUCCESS;
}

/* ---- Other devices ------------------------------------------------------------------------------ */

/* As CUDA has it: of the same major compute capability. */
static bool may_be_peers(CUdevice a, CUdevice b) {
    return a != b && wg_chip_of(a)->limits->cc / 10 == wg_chip_of(b)->limits->cc / 10;
}

CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer) {
    CUresult r = wg_check_device(device);
    if (r || (r = wg_check_device(peer))) return r;
    if (!can) return CUDA_ERROR_INVALID_VALUE;
    *can = may_be_peers(device, peer);
    return CUDA_SUCCESS;
}
CUresult cuDeviceGetP2PAttribute(int *value, CUdevice_P2PAttribute attribute, CUdevice source,
                                 CUdevice destination) {
    CUresult r = wg_check_device(source);
    if (r || (r = wg_check_device(destination))) return r;
    if (!value) return CUDA_ERROR_INVALID_VALUE;
    if (source == destination) return CUDA_ERROR_INVALID_DEVICE;
    switch (attribute) {
    case CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK: *value = 0; return CUDA_SUCCESS;
    case CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED:
    case CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED:
    case CU_DEVICE_P2P_ATTRIBUTE_CUDA_ARRAY_ACCESS_SUPPORTED:
        *value = may_be_peers(source, destination);
        return CUDA_SUCCESS;
    default: return CUDA_ERROR_INVALID_VALUE;
    }
}

/* The two contexts of a call about peers. */
static CUresult find_peers(CUcontext peer, struct CUctx_st **ctx) {
    CUresult r = wg_current(ctx);
    if (r) return r;
    return wg_is_context(peer) && peer->dev ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}
CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned int flags) {
    struct CUctx_st *ctx;
    CUresult r = find_peers(peer, &ctx);
    if (r) return r;
    if (flags) return CUDA_ERROR_INVALID_VALUE;
    if (!may_be_peers(ctx->device, peer->device)) return CUDA_ERROR_PEER_ACCESS_UNSUPPORTED;
    if (wg_device_reaches(ctx->dev, peer->dev)) return CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
    wg_device_let(ctx->dev, peer->dev, true);
    return CUDA_SUCCESS;
}
CUresult cuCtxDisablePeerAccess(CUcontext peer) {
    struct CUctx_st *ctx;
    CUresult r = find_peers(peer, &ctx);
    if (r) return r;
    if (!wg_device_reaches(ctx->dev, peer->dev)) return CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
    wg_device_sync(ctx->dev); /* kernels that use it have it to their end */
    wg_device_let(ctx->dev, peer->dev, false);
    return CUDA_SUCCESS;
}
CUresult cuDeviceGetExecAffinitySupport(int *support, CUexecAffinityType type, CUdevice device) {
    CUresult r = wg_check_device(device);
    if (r) return r;
    if (!support) return CUDA_ERROR_INVALID_VALUE;
    *support = 0;
    return CUDA_SUCCESS;
}

/* ---- A context's settings ----------------------------------------------------------------------- */

/* What a limit is until it is set, and what it is set to: 0 for those kept in machine/. */
static size_t default_limit(const struct wg_chip *c, CUlimit limit) {
    switch (limit) {
    case CU_LIMIT_MAX_L2_FETCH_GRANULARITY: return 64;
    case CU_LIMIT_SHMEM_SIZE: return c->limits->shared_optin;
    default: return 0;
    }
}
static int machine_limit(CUlimit limit) {
    switch (limit) {
    case CU_LIMIT_STACK_SIZE: return WG_LIMIT_STACK;
    case CU_LIMIT_PRINTF_FIFO_SIZE: return WG_LIMIT_PRINTF_BUFFER;
    case CU_LIMIT_MALLOC_HEAP_SIZE: return WG_LIMIT_MALLOC_HEAP;
    case CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT: return WG_LIMIT_PENDING_LAUNCHES;
    default: return -1;
    }
}

CUresult cuCtxGetLimit(size_t *value, CUlimit limit) {
    struct CUctx_st *ctx;
    CUresult r = wg_current(&ctx);
    if (r) return r;
    if (!value || (unsigned)limit >= CU_LIMIT_MAX) return CUDA_ERROR_INVALID_VALUE;
    int which = machine_limit(limit);
    if (which >= 0) return wg_done(ctx, wg_limit_get(ctx->dev, (enum wg_limit)which, value));
    if (limit == CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH || limit == CU_LIMIT_CIG_SHMEM_FALLBACK_ENABLED)
        return CUDA_ERROR_UNSUPPORTED_LIMIT;
    *value = ctx->limits[limit] ? ctx->limits[limit] : default_limit(wg_device_chip(ctx->dev), limit);
    return CUDA_SUCCESS;
}
CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
    struct CUctx_st *ctx;
    CUresult r = wg_current(&ctx);
    if (r) return r;
    if ((unsigned)limit >= CU_LIMIT_MAX) return CUDA_ERROR_INVALID_VALUE;
    int which = machine_limit(limit);
    if (limit == CU_LIMIT_STACK_SIZE && value <= SIZE_MAX - 15) value = (value + 15) / 16 * 16;
    if (which >= 0) return wg_done(ctx, wg_limit_set(ctx->dev, (enum wg_limit)which, value));
    if (limit != CU_LIMIT_MAX_L2_FETCH_GRANULARITY && limit != CU_LIMIT_PERSISTING_L2_CACHE_SIZE)
        return CUDA_ERROR_UNSUPPORTED_LIMIT;
    ctx->limits[limit] = value;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetCacheConfig(CUfunc_cache *config) {
    struct CUctx_st *ctx;
    CUresult r = wg_current(&ctx);
    if (r) return r;
    if (!config) return CUDA_ERROR_INVALID_VALUE;
    *config = ctx->cache;
    return CUDA_SUCCESS;
}
CUresult cuCtxSetCacheConfig(CUfunc_cache config) {
    struct CUctx_st *ctx;
    CUresult r = wg_current(&ctx);
    if (r) return r;
    if ((unsigned)config > CU_FUNC_CACHE_PREFER_EQUAL) return CUDA_ERROR_INVALID_VALUE;
    ctx->cache = config;
    return CUDA_SUCCESS;
}
CUresult cuCtxGetSharedMemConfig(CUsharedconfig *config) {
    struct CUctx_st *ctx;
    CUresult r = wg_current(&ctx);
    if (r) return r;
    if (!config) return CUDA_ERROR_INVALID_VALUE;
    *config = CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE; /* the only one since Maxwell */
    return CUDA_SUCCESS;
}
CUresult cuCtxSetSharedMemConfig(CUsharedconfig config) {
    struct CUctx_st *ctx;
    CUresult r = wg_current(&ctx);
    if (r) return r;
    return (unsigned)config <= CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE ? CUDA_SUCCESS
                                                                         : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuCtxResetPersistingL2Cache(void) {
    struct CUctx_st *ctx;
    return wg_current(&ctx);
}
/* Launches behind a stop are not counted, until the next start. */
CUresult cuProfilerStart(void) {
    CUresult r = wg_initialized();
    if (r == CUDA_SUCCESS) wg_profile_counts(true);
    return r;
}
CUresult cuProfilerStop(void) {
    CUresult r = wg_initialized();
    if (r == CUDA_SUCCESS) wg_profile_counts(false);
    return r;
}
