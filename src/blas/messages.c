/* What libcublas and libcublasLt share besides computing: handles, messages, the log, names of statuses. */
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

static const char *type_name(cudaDataType t) {
#define NAME(TYPE) [TYPE] = #TYPE
    static const char *const names[] = {
        NAME(CUDA_R_32F),     NAME(CUDA_R_64F),     NAME(CUDA_R_16F),      NAME(CUDA_R_8I),
        NAME(CUDA_C_32F),     NAME(CUDA_C_64F),     NAME(CUDA_C_16F),      NAME(CUDA_C_8I),
        NAME(CUDA_R_8U),      NAME(CUDA_C_8U),      NAME(CUDA_R_32I),      NAME(CUDA_C_32I),
        NAME(CUDA_R_32U),     NAME(CUDA_C_32U),     NAME(CUDA_R_16BF),     NAME(CUDA_C_16BF),
        NAME(CUDA_R_4I),      NAME(CUDA_C_4I),      NAME(CUDA_R_4U),       NAME(CUDA_C_4U),
        NAME(CUDA_R_16I),     NAME(CUDA_C_16I),     NAME(CUDA_R_16U),      NAME(CUDA_C_16U),
        NAME(CUDA_R_64I),     NAME(CUDA_C_64I),     NAME(CUDA_R_64U),      NAME(CUDA_C_64U),
        NAME(CUDA_R_8F_E4M3), NAME(CUDA_R_8F_E5M2), NAME(CUDA_R_8F_UE8M0), NAME(CUDA_R_6F_E2M3),
        NAME(CUDA_R_6F_E3M2), NAME(CUDA_R_4F_E2M1)};
#undef NAME
    const char *name = (unsigned)t < sizeof names / sizeof *names ? names[t] : NULL;
    return name ? name : "a type that is not known";
}

cublasStatus_t wg_blas_missing_types(const struct wg_blas_call *c, bool matrices) {
    char what[256];
    if (matrices)
        snprintf(what, sizeof what, "%s with A of %s, B of %s, C of %s and compute type %d", c->function,
                 type_name(c->Atype),
                 type_name(c->op == WG_BLAS_syrk || c->op == WG_BLAS_herk ? c->Atype : c->Btype),
                 type_name(c->Ctype), c->compute);
    else
        snprintf(what, sizeof what, "%s with vectors of %s", c->function, type_name(c->xtype));
    return wg_blas_missing(what);
}

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

/* ---- the log, as cuBLAS' environment variables have it ---- */

static pthread_once_t log_once = PTHREAD_ONCE_INIT;
static struct wg_blas_log logging;

static void open_log(void) {
    const char *on = getenv("CUBLAS_LOGINFO_DBG"), *to = getenv("CUBLAS_LOGDEST_DBG");
    if (!on || strcmp(on, "1") != 0) return;
    logging.file = !to || !strcmp(to, "stdout") ? stdout : !strcmp(to, "stderr") ? stderr : fopen(to, "we");
}

struct wg_blas_log *wg_blas_logging(void) {
    pthread_once(&log_once, open_log);
    return &logging;
}

void wg_blas_log(const struct wg_blas_call *c) {
    const struct wg_blas_log *to = wg_blas_logging();
    char text[256];
    if (!to->file && !to->callback) return;
    snprintf(text, sizeof text, "%s: m=%lld n=%lld k=%lld batchCount=%lld stream=%p", c->function,
             (long long)c->m, (long long)c->n, (long long)c->k, (long long)c->batchCount, (void *)c->stream);
    if (to->file) fprintf(to->file, "%s\n", text), fflush(to->file);
    if (to->callback) to->callback(text);
}

/* ---- statuses ---- */

#define STATUSES(X)                                                                                          \
    X(SUCCESS, "success")                                                                                    \
    X(NOT_INITIALIZED, "the handle was not created, or the host has no BLAS library")                        \
    X(ALLOC_FAILED, "out of memory")                                                                         \
    X(INVALID_VALUE, "an argument is invalid")                                                               \
    X(ARCH_MISMATCH, "the device does not have the requested feature")                                       \
    X(MAPPING_ERROR, "memory cannot be accessed")                                                            \
    X(EXECUTION_FAILED, "the device has failed")                                                             \
    X(INTERNAL_ERROR, "internal error")                                                                      \
    X(NOT_SUPPORTED, "not supported")                                                                        \
    X(LICENSE_ERROR, "no licence")

const char *wg_blas_status_name(cublasStatus_t status) {
    switch (status) {
#define X(NAME, TEXT)                                                                                        \
    case CUBLAS_STATUS_##NAME: return "CUBLAS_STATUS_" #NAME;
        STATUSES(X)
#undef X
    }
    return "CUBLAS_STATUS_UNKNOWN";
}
const char *wg_blas_status_text(cublasStatus_t status) {
    switch (status) {
#define X(NAME, TEXT)                                                                                        \
    case CUBLAS_STATUS_##NAME: return TEXT;
        STATUSES(X)
#undef X
    }
    return "not a status";
}

/* ---- handles ---- */

cublasStatus_t wg_blas_handle_new(struct wg_blas_handle **out) {
    if (!out) return CUBLAS_STATUS_INVALID_VALUE;
    if (wg_use_primary() != CUDA_SUCCESS || !wg_blas_library()) return CUBLAS_STATUS_NOT_INITIALIZED;
    struct wg_blas_handle *h = calloc(1, sizeof *h);
    if (!h) return CUBLAS_STATUS_ALLOC_FAILED;
    h->magic = MAGIC;
    *out = h;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t wg_blas_handle_free(struct wg_blas_handle *h) {
    if (!h) return CUBLAS_STATUS_NOT_INITIALIZED;
    h->magic = 0;
    free(h);
    return CUBLAS_STATUS_SUCCESS;
}
