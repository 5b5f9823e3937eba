/* Launches as CUDA 2 and 3 have them: a function keeps its block's shape and its arguments, which are set one by one at
 * their offsets, until the next cuLaunch.
 */
#include "driver/driver.h"
#include <stdlib.h>
#include <string.h>

enum { ARGUMENT_BYTES = 32764 }; /* what a kernel may have, since CUDA 12.1 */

struct wg_old_launch {
    unsigned block[3], shared_bytes;
    uint32_t bytes; /* of the arguments, as cuParamSetSize says */
    uint8_t arguments[ARGUMENT_BYTES];
};

/* What the function keeps. */
static CUresult kept(CUfunction f, struct wg_old_launch **out) {
    CUresult r = wg_initialized();
    if (r) return r;
    if (!wg_handle_is(f, WG_H_FUNCTION)) return CUDA_ERROR_INVALID_HANDLE;
    pthread_mutex_lock(&f->module->lock);
    if (!f->old) {
        f->old = wg_xcalloc(1, sizeof *f->old);
        for (int i = 0; i < 3; i++) f->old->block[i] = 1;
    }
    *out = f->old;
    pthread_mutex_unlock(&f->module->lock);
    return CUDA_SUCCESS;
}

CUresult cuFuncSetBlockShape(CUfunction f, int x, int y, int z) {
    struct wg_old_launch *old;
    CUresult r = kept(f, &old);
    if (r) return r;
    const int64_t most = wg_func_max_threads(f->f);
    if (x < 1 || y < 1 || z < 1 || x > most || y > most || z > most || (int64_t)x * y * z > most)
        return CUDA_ERROR_INVALID_VALUE;
    const unsigned shape[3] = {(unsigned)x, (unsigned)y, (unsigned)z};
    memcpy(old->block, shape, sizeof shape);
    return CUDA_SUCCESS;
}
CUresult cuFuncSetSharedSize(CUfunction f, unsigned int bytes) {
    struct wg_old_launch *old;
    struct wg_func_info info;
    CUresult r = kept(f, &old);
    if (r) return r;
    wg_func_info(f->f, &info);
    if (bytes > info.dynamic_shared_max) return CUDA_ERROR_INVALID_VALUE;
    old->shared_bytes = bytes;
    return CUDA_SUCCESS;
}

CUresult cuParamSetSize(CUfunction f, unsigned int bytes) {
    struct wg_old_launch *old;
    CUresult r = kept(f, &old);
    if (r) return r;
    if (bytes > ARGUMENT_BYTES) return CUDA_ERROR_INVALID_VALUE;
    old->bytes = bytes;
    return CUDA_SUCCESS;
}
CUresult cuParamSetv(CUfunction f, int offset, void *p, unsigned int bytes) {
    struct wg_old_launch *old;
    CUresult r = kept(f, &old);
    if (r) return r;
    if (!p || offset < 0 || offset > ARGUMENT_BYTES || bytes > (unsigned)(ARGUMENT_BYTES - offset))
        return CUDA_ERROR_INVALID_VALUE;
    memcpy(old->arguments + offset, p, bytes);
    return CUDA_SUCCESS;
}
CUresult cuParamSeti(CUfunction f, int offset, unsigned int value) {
    return cuParamSetv(f, offset, &value, sizeof value);
}
CUresult cuParamSetf(CUfunction f, int offset, float value) {
    return cuParamSetv(f, offset, &value, sizeof value);
}
/* A module's kernels read its references, whatever is said. */
CUresult cuParamSetTexRef(CUfunction f, int unit, CUtexref reference) {
    struct wg_old_launch *old;
    (void)unit;
    CUresult r = kept(f, &old);
    if (r) return r;
    return wg_handle_is(reference, WG_H_TEXTURE_REFERENCE) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

static CUresult launch(CUfunction f, int width, int height, CUstream stream) {
    struct wg_old_launch *old;
    CUresult r = kept(f, &old);
    if (r) return r;
    if (width < 1 || height < 1) return CUDA_ERROR_INVALID_VALUE;
    size_t bytes = old->bytes;
    void *arguments[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, old->arguments, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                         CU_LAUNCH_PARAM_END};
    return cuLaunchKernel(f, (unsigned)width, (unsigned)height, 1, old->block[0], old->block[1],
                          old->block[2], old->shared_bytes, stream, NULL, arguments);
}

#define LAUNCH(NAME, PARAMETERS, WIDTH, HEIGHT, STREAM)                                                      \
    CUresult NAME PARAMETERS {                                                                               \
        struct wg_call call = WG_CALL_BEGIN();                                                               \
        CUresult r = launch(f, WIDTH, HEIGHT, STREAM);                                                       \
        wg_call_end(&call, #NAME, r);                                                                        \
        return r;                                                                                            \
    }
LAUNCH(cuLaunch, (CUfunction f), 1, 1, NULL)
LAUNCH(cuLaunchGrid, (CUfunction f, int width, int height), width, height, NULL)
LAUNCH(cuLaunchGridAsync, (CUfunction f, int width, int height, CUstream stream), width, height, stream)
