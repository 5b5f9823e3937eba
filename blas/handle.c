/* Handles, what they are set to, and what this library says of itself. */
#include "blas/call.h"
#include "blas/library.h"
#include "driver/entry.h"
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAGIC = 0x77674231 };

struct wg_blas_handle *wg_blas_handle_of(cublasHandle_t handle) {
    struct wg_blas_handle *h = (struct wg_blas_handle *)handle;
    return h && h->magic == MAGIC ? h : NULL;
}

/* ---- messages ---- */

cublasStatus_t wg_blas_missing(const char *what) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static char *told[256];
    static unsigned n;
    bool known = false;
    pthread_mutex_lock(&lock);
    for (unsigned i = 0; i < n && !known; i++) known = !strcmp(told[i], what);
    if (!known && n < sizeof told / sizeof *told) told[n++] = strdup(what);
    pthread_mutex_unlock(&lock);
    if (!known)
        wg_say("%s is not supported by Warpglass' cuBLAS: the call does nothing and returns "
               "CUBLAS_STATUS_NOT_SUPPORTED",
               what);
    return CUBLAS_STATUS_NOT_SUPPORTED;
}

cublasStatus_t wg_blas_refuse(const struct wg_blas_call *c, const char *fmt, ...) {
    char text[256];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    wg_say("%s: %s (CUBLAS_STATUS_INVALID_VALUE)", c->function, text);
    return CUBLAS_STATUS_INVALID_VALUE;
}

/* ---- the log, as cuBLAS' environment variables and calls have it ---- */

static pthread_once_t log_once = PTHREAD_ONCE_INIT;
static FILE *log_file;
static cublasLogCallback log_callback;

static void open_log(void) {
    const char *on = getenv("CUBLAS_LOGINFO_DBG"), *to = getenv("CUBLAS_LOGDEST_DBG");
    if (!on || strcmp(on, "1") != 0) return;
    log_file = !to || !strcmp(to, "stdout") ? stdout : !strcmp(to, "stderr") ? stderr : fopen(to, "we");
}

void wg_blas_log(const struct wg_blas_call *c) {
    pthread_once(&log_once, open_log);
    if (!log_file && !log_callback) return;
    char text[256];
    snprintf(text, sizeof text, "%s: m=%lld n=%lld k=%lld batchCount=%lld stream=%p", c->function,
             (long long)c->m, (long long)c->n, (long long)c->k, (long long)c->batchCount, (void *)c->stream);
    if (log_file) fprintf(log_file, "%s\n", text), fflush(log_file);
    if (log_callback) log_callback(text);
}

WG_BLAS_EXPORT cublasStatus_t cublasLoggerConfigure(int on, int to_stdout, int to_stderr, const char *file) {
    pthread_once(&log_once, open_log);
    log_file = !on ? NULL : to_stdout ? stdout : to_stderr ? stderr : file ? fopen(file, "we") : NULL;
    return on && file && !log_file ? CUBLAS_STATUS_INVALID_VALUE : CUBLAS_STATUS_SUCCESS;
}
WG_BLAS_EXPORT cublasStatus_t cublasSetLoggerCallback(cublasLogCallback callback) {
    log_callback = callback;
    return CUBLAS_STATUS_SUCCESS;
}
WG_BLAS_EXPORT cublasStatus_t cublasGetLoggerCallback(cublasLogCallback *callback) {
    if (!callback) return CUBLAS_STATUS_INVALID_VALUE;
    *callback = log_callback;
    return CUBLAS_STATUS_SUCCESS;
}

/* ---- statuses ---- */

#define STATUSES(X)                                                                                          \
    X(SUCCESS, "success")                                                                                    \
    X(NOT_INITIALIZED, "the handle was not made, or no BLAS of the host's is there")                         \
    X(ALLOC_FAILED, "out of memory")                                                                         \
    X(INVALID_VALUE, "an argument is not possible")                                                          \
    X(ARCH_MISMATCH, "the device does not have what is asked for")                                           \
    X(MAPPING_ERROR, "memory cannot be accessed")                                                            \
    X(EXECUTION_FAILED, "the device has failed")                                                             \
    X(INTERNAL_ERROR, "internal error")                                                                      \
    X(NOT_SUPPORTED, "not supported")                                                                        \
    X(LICENSE_ERROR, "no licence")

WG_BLAS_EXPORT const char *cublasGetStatusName(cublasStatus_t status) {
    switch (status) {
#define X(NAME, TEXT)                                                                                        \
    case CUBLAS_STATUS_##NAME: return "CUBLAS_STATUS_" #NAME;
        STATUSES(X)
#undef X
    }
    return "CUBLAS_STATUS_UNKNOWN";
}
WG_BLAS_EXPORT const char *cublasGetStatusString(cublasStatus_t status) {
    switch (status) {
#define X(NAME, TEXT)                                                                                        \
    case CUBLAS_STATUS_##NAME: return TEXT;
        STATUSES(X)
#undef X
    }
    return "not a status";
}

/* ---- handles ---- */

WG_BLAS_EXPORT cublasStatus_t cublasCreate_v2(cublasHandle_t *handle) {
    if (!handle) return CUBLAS_STATUS_INVALID_VALUE;
    if (wg_use_primary() != CUDA_SUCCESS || !wg_blas_library()) return CUBLAS_STATUS_NOT_INITIALIZED;
    struct wg_blas_handle *h = calloc(1, sizeof *h);
    if (!h) return CUBLAS_STATUS_ALLOC_FAILED;
    h->magic = MAGIC;
    *handle = (cublasHandle_t)h;
    return CUBLAS_STATUS_SUCCESS;
}

WG_BLAS_EXPORT cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
    struct wg_blas_handle *h = wg_blas_handle_of(handle);
    if (!h) return CUBLAS_STATUS_NOT_INITIALIZED;
    h->magic = 0;
    free(h);
    return CUBLAS_STATUS_SUCCESS;
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
    wg_say("%s: argument %d is not possible", name, info);
}
