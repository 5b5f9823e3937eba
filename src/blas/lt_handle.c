/* libcublasLt's handles, which are libcublas', and what it says of itself. */
#include "blas/lt.h"

WG_BLAS_EXPORT cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle) {
    return wg_blas_handle_new((struct wg_blas_handle **)handle);
}
WG_BLAS_EXPORT cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
    return wg_blas_handle_free(wg_blas_handle_of((cublasHandle_t)handle));
}
WG_BLAS_EXPORT const char *cublasLtGetStatusName(cublasStatus_t status) {
    return wg_blas_status_name(status);
}
WG_BLAS_EXPORT const char *cublasLtGetStatusString(cublasStatus_t status) {
    return wg_blas_status_text(status);
}
WG_BLAS_EXPORT size_t cublasLtGetVersion(void) { return CUBLAS_VERSION; }
WG_BLAS_EXPORT size_t cublasLtGetCudartVersion(void) { return 13000; }
WG_BLAS_EXPORT cublasStatus_t cublasLtGetProperty(libraryPropertyType type, int *value) {
    static const int parts[] = {CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH};
    if (!value || (unsigned)type > PATCH_LEVEL) return CUBLAS_STATUS_INVALID_VALUE;
    *value = parts[type];
    return CUBLAS_STATUS_SUCCESS;
}

/* There is nothing to remember, as there is one way to do it. */
WG_BLAS_EXPORT cublasStatus_t cublasLtHeuristicsCacheGetCapacity(size_t *capacity) {
    if (!capacity) return CUBLAS_STATUS_INVALID_VALUE;
    *capacity = 0;
    return CUBLAS_STATUS_SUCCESS;
}
WG_BLAS_EXPORT cublasStatus_t cublasLtHeuristicsCacheSetCapacity(size_t capacity) {
    return CUBLAS_STATUS_SUCCESS;
}

/* ---- the log ---- */

WG_BLAS_EXPORT cublasStatus_t cublasLtLoggerSetFile(FILE *file) {
    wg_blas_logging()->file = file;
    return CUBLAS_STATUS_SUCCESS;
}
WG_BLAS_EXPORT cublasStatus_t cublasLtLoggerOpenFile(const char *file) {
    FILE *f = file ? fopen(file, "we") : NULL;
    if (f) wg_blas_logging()->file = f;
    return f ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}
WG_BLAS_EXPORT cublasStatus_t cublasLtLoggerForceDisable(void) {
    *wg_blas_logging() = (struct wg_blas_log){0};
    return CUBLAS_STATUS_SUCCESS;
}
/* Each call is one line, whatever the level. */
WG_BLAS_EXPORT cublasStatus_t cublasLtLoggerSetLevel(int level) { return CUBLAS_STATUS_SUCCESS; }
WG_BLAS_EXPORT cublasStatus_t cublasLtLoggerSetMask(int mask) { return CUBLAS_STATUS_SUCCESS; }
WG_BLAS_EXPORT cublasStatus_t cublasLtLoggerSetCallback(cublasLtLoggerCallback_t callback) {
    return callback ? wg_blas_missing("cublasLtLoggerSetCallback") : CUBLAS_STATUS_SUCCESS;
}

/* ---- what is not there yet ---- */

#define MISSING(NAME)                                                                                        \
    WG_BLAS_EXPORT cublasStatus_t NAME(void);                                                                \
    WG_BLAS_EXPORT cublasStatus_t NAME(void) { return wg_blas_missing(#NAME); }
#include "blas/lt_names.def"
