/* Functions: attributes, parameters, occupancy. */
#include "driver/driver.h"
#include "driver/library.h"
#include <string.h>

CUresult wg_function_of(CUfunction function, struct CUctx_st **ctx, struct wg_func **f) {
    CUresult r = wg_initialized();
    if (r) return r;
    if (wg_handle_is(function, WG_H_KERNEL) &&
        (r = wg_kernel_function((CUkernel)(void *)function, &function)))
        return r;
    if (!wg_handle_is(function, WG_H_FUNCTION)) return CUDA_ERROR_INVALID_HANDLE;
    *ctx = function->module->ctx;
    *f = function->f;
    return wg_function_refused(*f);
}

static CUresult attribute_value(struct wg_func *f, const struct wg_func_info *i, const struct wg_chip *chip,
                                CUfunction_attribute a, int *value) {
    switch (a) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = (int)wg_func_max_threads(f); return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: *value = (int)i->shared_static; return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES: *value = (int)i->const_bytes; return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: *value = (int)i->local_bytes; return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_NUM_REGS: *value = (int)wg_func_registers(f).n; return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION: *value = i->sm; return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION: *value = chip->limits->cc; return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA: *value = 0; return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        *value = (int)i->dynamic_shared_max;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: *value = i->carveout; return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET:
        *value = i->cluster_required && !i->cluster[0];
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH: *value = (int)i->cluster[0]; return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT: *value = (int)i->cluster[1]; return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH: *value = (int)i->cluster[2]; return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
        *value = i->nonportable_cluster;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE: *value = 0; return CUDA_SUCCESS;
    default: return CUDA_ERROR_INVALID_VALUE;
    }
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function) {
    struct CUctx_st *ctx;
    struct wg_func *f;
    struct wg_func_info info;
    if (!value) return CUDA_ERROR_INVALID_VALUE;
    CUresult r = wg_function_of(function, &ctx, &f);
    if (r || (r = wg_done(ctx, wg_device_status(ctx->dev)))) return r;
    wg_func_info(f, &info);
    return attribute_value(f, &info, wg_device_chip(ctx->dev), attribute, value);
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
    struct CUctx_st *ctx;
    struct wg_func *f;
    CUresult r = wg_function_of(function, &ctx, &f);
    if (r) return r;
    switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        return wg_done(ctx, wg_func_set(f, WG_FUNC_DYNAMIC_SHARED, value));
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        return wg_done(ctx, wg_func_set(f, WG_FUNC_CARVEOUT, value));
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
        return wg_done(ctx, wg_func_set(f, WG_FUNC_NONPORTABLE_CLUSTER, value));
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
        return wg_done(ctx, wg_func_set(f, WG_FUNC_CLUSTER_X, value));
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
        return wg_done(ctx, wg_func_set(f, WG_FUNC_CLUSTER_Y, value));
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
        return wg_done(ctx, wg_func_set(f, WG_FUNC_CLUSTER_Z, value));
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
        return value >= 0 && value <= CU_CLUSTER_SCHEDULING_POLICY_LOAD_BALANCING ? CUDA_SUCCESS
                                                                                  : CUDA_ERROR_INVALID_VALUE;
    default: return CUDA_ERROR_INVALID_VALUE;
    }
}

CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config) {
    struct CUctx_st *ctx;
    struct wg_func *f;
    CUresult r = wg_function_of(function, &ctx, &f);
    if (r) return r;
    return (unsigned)config <= CU_FUNC_CACHE_PREFER_EQUAL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuFuncSetSharedMemConfig(CUfunction function, CUsharedconfig config) {
    struct CUctx_st *ctx;
    struct wg_func *f;
    CUresult r = wg_function_of(function, &ctx, &f);
    if (r) return r;
    return (unsigned)config <= CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE ? CUDA_SUCCESS
                                                                         : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuFuncGetModule(CUmodule *module, CUfunction function) {
    CUresult r = wg_initialized();
    if (r) return r;
    if (!module) return CUDA_ERROR_INVALID_VALUE;
    if (!wg_handle_is(function, WG_H_FUNCTION)) return CUDA_ERROR_INVALID_HANDLE;
    *module = function->module;
    return CUDA_SUCCESS;
}
CUresult cuFuncGetName(const char **name, CUfunction function) {
    struct CUctx_st *ctx;
    struct wg_func *f = NULL;
    struct wg_func_info info;
    CUresult r = wg_function_of(function, &ctx, &f);
    if (r && !f) return r; /* a function that is refused has a name, too */
    if (!name) return CUDA_ERROR_INVALID_VALUE;
    wg_func_info(f, &info);
    *name = info.name;
    return CUDA_SUCCESS;
}
CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t *offset, size_t *size) {
    struct CUctx_st *ctx;
    struct wg_func *f;
    struct wg_func_info info;
    CUresult r = wg_function_of(function, &ctx, &f);
    if (r) return r;
    wg_func_info(f, &info);
    if (!offset || index >= info.nparams) return CUDA_ERROR_INVALID_VALUE;
    *offset = info.params[index].offset;
    if (size) *size = info.params[index].size;
    return CUDA_SUCCESS;
}
CUresult cuFuncIsLoaded(CUfunctionLoadingState *state, CUfunction function) {
    struct CUctx_st *ctx;
    struct wg_func *f;
    if (!state) return CUDA_ERROR_INVALID_VALUE;
    CUresult r = wg_function_of(function, &ctx, &f);
    if (!r) *state = CU_FUNCTION_LOADING_STATE_LOADED;
    return r;
}
CUresult cuFuncLoad(CUfunction function) {
    struct CUctx_st *ctx;
    struct wg_func *f;
    return wg_function_of(function, &ctx, &f);
}

/* ---- Occupancy ---------------------------------------------------------------------------------- */

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, CUfunction function,
                                                              int block_size, size_t dynamic_shared_bytes,
                                                              unsigned int flags) {
    struct CUctx_st *ctx;
    struct wg_func *f;
    struct wg_func_info info;
    uint32_t n = 0;
    if (!blocks || block_size <= 0 || flags > CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult r = wg_function_of(function, &ctx, &f);
    if (r) return r;
    wg_func_info(f, &info);
    if (dynamic_shared_bytes > info.dynamic_shared_max) { /* it could not be launched so */
        *blocks = 0;
        return CUDA_SUCCESS;
    }
    enum wg_status s = wg_func_occupancy(f, (uint32_t)block_size, dynamic_shared_bytes, &n);
    if (s == WG_OK) *blocks = (int)n;
    return wg_done(ctx, s);
}
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int block_size,
                                                     size_t dynamic_shared_bytes) {
    return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, block_size,
                                                                dynamic_shared_bytes, 0);
}

static size_t shared_of_block(void *user, uint32_t threads) {
    return ((CUoccupancyB2DSize)user)((int)threads);
}

CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int *min_grid_size, int *block_size, CUfunction function,
                                                   CUoccupancyB2DSize shared_bytes_of_block,
                                                   size_t dynamic_shared_bytes, int block_size_limit,
                                                   unsigned int flags) {
    struct CUctx_st *ctx;
    struct wg_func *f;
    uint32_t grid = 0, block = 0;
    if (!min_grid_size || !block_size || block_size_limit < 0 ||
        flags > CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult r = wg_function_of(function, &ctx, &f);
    if (r) return r;
    enum wg_status s =
        wg_func_best_block(f, shared_bytes_of_block ? shared_of_block : NULL, (void *)shared_bytes_of_block,
                           dynamic_shared_bytes, (uint32_t)block_size_limit, &grid, &block);
    if (s == WG_OK) {
        *min_grid_size = (int)grid;
        *block_size = (int)block;
    }
    return wg_done(ctx, s);
}
CUresult cuOccupancyMaxPotentialBlockSize(int *min_grid_size, int *block_size, CUfunction function,
                                          CUoccupancyB2DSize shared_bytes_of_block,
                                          size_t dynamic_shared_bytes, int block_size_limit) {
    return cuOccupancyMaxPotentialBlockSizeWithFlags(min_grid_size, block_size, function,
                                                     shared_bytes_of_block, dynamic_shared_bytes,
                                                     block_size_limit, 0);
}

CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, CUfunction function, int blocks,
                                                 int block_size) {
    struct CUctx_st *ctx;
    struct wg_func *f;
    if (!bytes || blocks <= 0 || block_size <= 0) return CUDA_ERROR_INVALID_VALUE;
    CUresult r = wg_function_of(function, &ctx, &f);
    if (r) return r;
    struct wg_func_info info;
    uint32_t most = 0;
    size_t n = 0;
    enum wg_status s = wg_func_occupancy(f, (uint32_t)block_size, 0, &most);
    if (s == WG_OK && (uint32_t)blocks > most) s = WG_INVALID_VALUE;
    if (s == WG_OK) s = wg_func_shared_for(f, (uint32_t)blocks, (uint32_t)block_size, &n);
    wg_func_info(f, &info);
    if (s == WG_OK) *bytes = n < info.dynamic_shared_max ? n : info.dynamic_shared_max;
    return wg_done(ctx, s);
}
