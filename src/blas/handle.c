/* libcublas' handles, what they are set to, and what this library says of itself. */
#include "blas/call.h"
#include "driver/entry.h"
#include <stdio.h>

/* ---- the log, as calls have it ---- */

WG_BLAS_EXPORT cublasStatus_t cublasLoggerConfigure(int on, int to_stdout, int to_stderr, const char *file) {
    struct wg_blas_log *log = wg_blas_logging();
    log->file = !on ? NULL : to_stdout ? stdout : to_stderr ? stderr : file ? fopen(file, "we") : NULL;
    return on && file && !log->file ? CUBLAS_STATUS_INVALID_VALUE : CUBLAS_STATUS_SUCCESS;
}
WG_BLAS_EXPORT cublasStatus_t cublasSetLoggerCallback(cublasLogCallback callback) {
    wg_blas_logging()->callback = callback;
    return CUBLAS_STATUS_SUCCESS;
}
WG_BLAS_EXPORT cublasStatus_t cublasGetLoggerCallback(cublasLogCallback *callback) {
    if (!callback) return CUBLAS_STATUS_INVALID_VALUE;
    *callback = wg_blas_logging()->callback;
    return CUBLAS_STATUS_SUCCESS;
}

/* ---- handles ---- */

WG_BLAS_EXPORT const char *cublasGetStatusName(cublasStatus_t status) { return wg_blas_status_name(status); }
WG_BLAS_EXPORT const char *cublasGetStatusString(cublasStatus_t status) {
    return wg_blas_status_text(status);
}
WG_BLAS_EXPORT cublasStatus_t cublasCreate_v2(cublasHandle_t *handle) {
    return wg_blas_handle_new((struct wg_blas_handle **)handle);
}
WG_BLAS_EXPORT cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
    return wg_blas_handle_free(wg_blas_handle_of(handle));
}

/* A member of the handle that is only kept: how it is set and asked for. */
#define MEMBER(SET, GET, TYPE, NAME, GOOD)                                                                   \
    WG_BLAS_EXPORT cublasStatus_t SET(cublasHandle_t handle, TYPE value) {                                   \
        struct wg_blas_handle *h = wg_blas_handle_of(handle);                                                \
        if (!h) return CUBLAS_STATUS_NOT_INITIALIZED;                                                        \
        if (!(GOOD)) return CUBLAS_STATUS_INVALID_VALUE;                                                     \
        h->NAME = value;                                                                                     \
        return CUBLAS_STATUS_SUCCESS;                                                                        \
    }                                                                                                        \
    WG_BLAS_EXPORT cublasStatus_t GET(cublasHandle_t handle, TYPE *value) {                                  \
        struct wg_blas_handle *h = wg_blas_handle_of(handle);                                                \
        if (!h) return CUBLAS_STATUS_NOT_INITIALIZED;                                                        \
        if (!value) return CUBLAS_STATUS_INVALID_VALUE;                                                      \
        *value = h->NAME;                                                                                    \
        return CUBLAS_STATUS_SUCCESS;                                                                        \
    }
MEMBER(cublasSetStream_v2, cublasGetStream_v2, cudaStream_t, stream, true)
MEMBER(cublasSetPointerMode_v2, cublasGetPointerMode_v2, cublasPointerMode_t, pointers,
       value <= CUBLAS_POINTER_MODE_DEVICE)
MEMBER(cublasSetAtomicsMode, cublasGetAtomicsMode, cublasAtomicsMode_t, atomics,
       value <= CUBLAS_ATOMICS_ALLOWED)
MEMBER(cublasSetMathMode, cublasGetMathMode, cublasMath_t, math,
       (value & ~CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION) <= CUBLAS_FP64_EMULATED_FIXEDPOINT_MATH)
MEMBER(cublasSetSmCountTarget, cublasGetSmCountTarget, int, sms, value >= 0)

/* None is needed; where the device could not use it, cuBLAS says so. */
WG_BLAS_EXPORT cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void *workspace, size_t bytes) {
    struct wg_blas_handle *h = wg_blas_handle_of(handle);
    if (!h) return CUBLAS_STATUS_NOT_INITIALIZED;
    if ((!workspace && bytes) || (uintptr_t)workspace % 256) return CUBLAS_STATUS_INVALID_VALUE;
    h->workspace = workspace;
    h->workspace_bytes = bytes;
    return CUBLAS_STATUS_SUCCESS;
}

WG_BLAS_EXPORT cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int *version) {
    (void)handle; /* any will do, as with cuBLAS */
    if (!version) return CUBLAS_STATUS_INVALID_VALUE;
    *version = CUBLAS_VERSION;
    return CUBLAS_STATUS_SUCCESS;
}
WG_BLAS_EXPORT cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value) {
    static const int parts[] = {CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH};
    if (!value || (unsigned)type > PATCH_LEVEL) return CUBLAS_STATUS_INVALID_VALUE;
    *value = parts[type];
    return CUBLAS_STATUS_SUCCESS;
}
WG_BLAS_EXPORT size_t cublasGetCudartVersion(void) { return 13000; }
WG_BLAS_EXPORT void cublasXerbla(const char *name, int info) {
    wg_say("%s: argument %d is invalid", name, info);
}
