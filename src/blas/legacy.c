/* The functions of cublas.h, which have no handles: those of today with one handle for the process, whose errors are kept until the
 * program asks. */
#include "blas/call.h"
#include "driver/entry.h"
#include "warpglass/cublas_legacy.h"
#pragma GCC visibility push(default)
#include <cublas.h>
#pragma GCC visibility pop
#include <pthread.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static cublasHandle_t handle; /* NULL: cublasInit was not called */
static cublasStatus_t error;  /* the first since it was asked for */

static cublasStatus_t remember(cublasStatus_t status) {
    pthread_mutex_lock(&lock);
    if (!error) error = status;
    pthread_mutex_unlock(&lock);
    return status;
}

cublasStatus_t cublasInit(void) {
    pthread_mutex_lock(&lock);
    cublasStatus_t s = handle ? CUBLAS_STATUS_SUCCESS : cublasCreate_v2(&handle);
    pthread_mutex_unlock(&lock);
    return s;
}

static void say_not_initialised(void) {
    wg_say("functions of cublas.h are called before cublasInit, which NVIDIA's documentation asks for: on a "
           "GPU they may "
           "fail with CUBLAS_STATUS_NOT_INITIALIZED");
}

/* Without cublasInit: HeCBench's HPL calls it nowhere, and is said to give the right result on a GPU. */
static cublasHandle_t current(void) {
    static pthread_once_t said = PTHREAD_ONCE_INIT;
    pthread_mutex_lock(&lock);
    bool initialised = handle != NULL;
    pthread_mutex_unlock(&lock);
    if (!initialised) {
        pthread_once(&said, say_not_initialised);
        cublasInit();
    }
    return handle;
}

cublasStatus_t cublasShutdown(void) {
    pthread_mutex_lock(&lock);
    cublasStatus_t s = handle ? cublasDestroy_v2(handle) : CUBLAS_STATUS_NOT_INITIALIZED;
    handle = NULL;
    pthread_mutex_unlock(&lock);
    return s;
}

cublasStatus_t cublasGetError(void) {
    pthread_mutex_lock(&lock);
    cublasStatus_t s = error;
    error = CUBLAS_STATUS_SUCCESS;
    pthread_mutex_unlock(&lock);
    return s;
}

cublasStatus_t cublasGetVersion(int *version) { return cublasGetVersion_v2(current(), version); }
cublasStatus_t cublasSetKernelStream(cudaStream_t stream) {
    return remember(cublasSetStream_v2(current(), stream));
}

cublasStatus_t cublasAlloc(int n, int size, void **pointer) {
    CUdeviceptr at = 0;
    if (!handle) return remember(CUBLAS_STATUS_NOT_INITIALIZED);
    if (n <= 0 || size <= 0 || !pointer) return remember(CUBLAS_STATUS_INVALID_VALUE);
    struct wg_call call = WG_CALL_BEGIN();
    CUresult r = cuMemAlloc(&at, (size_t)n * (size_t)size);
    wg_call_end(&call, __func__, r);
    if (r) return remember(CUBLAS_STATUS_ALLOC_FAILED);
    *pointer = (void *)at;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasFree(void *pointer) {
    if (!handle) return remember(CUBLAS_STATUS_NOT_INITIALIZED);
    if (!pointer) return CUBLAS_STATUS_SUCCESS;
    struct wg_call call = WG_CALL_BEGIN();
    CUresult r = cuMemFree((CUdeviceptr)pointer);
    wg_call_end(&call, __func__, r);
    return remember(r ? CUBLAS_STATUS_INTERNAL_ERROR : CUBLAS_STATUS_SUCCESS);
}

/* ---- Characters, as BLAS has them; -1: none of them, which wg_blas_do refuses. ---- */

static int word(char c, const char *words) {
    for (int i = 0; words[i]; i++)
        if ((c | 0x20) == words[i]) return i;
    return -1;
}
static int fill(char c) { return word(c, "lu"); }
static int op(char c) { return word(c, "ntc"); }
static int side(char c) { return word(c, "lr"); }
static int diag(char c) { return word(c, "nu"); }

#define TYPE_S CUDA_R_32F
#define TYPE_D CUDA_R_64F
#define TYPE_C CUDA_C_32F
#define TYPE_Z CUDA_C_64F

#define FIELD(TYPE, NAME) FIELD_##NAME
#define FIELD_result      , .result = &result
#define FIELD_uplo        , .uplo = fill(__uplo)
#define FIELD_trans       , .trans = op(__trans)
#define FIELD_transa      , .transa = op(__transa)
#define FIELD_transb      , .transb = op(__transb)
#define FIELD_diag        , .diag = diag(__diag)
#define FIELD_side        , .side = side(__side)
#define FIELD_alpha       , .alpha = &__alpha
#define FIELD_beta        , .beta = &__beta
#define FIELD_c           , .c = &__c
#define FIELD_s           , .s = &__s
#define FIELD_n           , .n = __n
#define FIELD_m           , .m = __m
#define FIELD_k           , .k = __k
#define FIELD_kl          , .kl = __kl
#define FIELD_ku          , .ku = __ku
#define FIELD_x           , .x = __x
#define FIELD_incx        , .incx = __incx
#define FIELD_y           , .y = __y
#define FIELD_incy        , .incy = __incy
#define FIELD_param       , .param = __param
#define FIELD_A           , .A = __A
#define FIELD_lda         , .lda = __lda
#define FIELD_AP          , .AP = __AP
#define FIELD_B           , .B = __B
#define FIELD_ldb         , .ldb = __ldb
#define FIELD_C           , .C = __C
#define FIELD_ldc         , .ldc = __ldc

/* A triangle's product lies where B did. */
static void put_in_place(struct wg_blas_call *c) {
    if (c->op != WG_BLAS_trmm) return;
    c->C = c->B;
    c->ldc = c->ldb;
}

#define CALL(NAME, OP, LIST, E, T, R)                                                                        \
    struct wg_blas_call call = {.function = "cublas" #NAME,                                                  \
                                .from = (uint64_t)__builtin_return_address(0),                               \
                                .op = WG_BLAS_##OP,                                                          \
                                .batchCount = 1,                                                             \
                                .type = TYPE_##E LIST(FIELD, int, T, R)};                                    \
    put_in_place(&call);                                                                                     \
    remember(wg_blas_do(current(), &call));

/* A function that returns nothing, or a number: 0 after an error. */
#define DEFINE(R, ...) WG_LEGACY_SECOND(DEFINE_##R, NUMBER)(R, __VA_ARGS__)
#define DEFINE_void    ~, NOTHING
#define NOTHING(RESULT, NAME, OP, LIST, E, T, R)                                                             \
    void cublas##NAME(WG_LEGACY_PARAMETERS(LIST(WG_LEGACY_PARAMETER, int, T, R))) {                          \
        CALL(NAME, OP, LIST, E, T, R)                                                                        \
    }
#define NUMBER(RESULT, NAME, OP, LIST, E, T, R)                                                              \
    RESULT cublas##NAME(WG_LEGACY_PARAMETERS(LIST(WG_LEGACY_PARAMETER, int, T, R))) {                        \
        RESULT result;                                                                                       \
        memset(&result, 0, sizeof result);                                                                   \
        CALL(NAME, OP, LIST, E, T, R)                                                                        \
        return result;                                                                                       \
    }
#define WG_BLAS_ROW(V, NAME, OP, LIST, E, T, R)     V##_DEFINED(NAME, OP, LIST, E, T, R)
#define WG_BLAS_V1_DEFINED(NAME, OP, LIST, E, T, R) /* newer than that */
#define WG_BLAS_V2_DEFINED(NAME, OP, LIST, E, T, R)                                                          \
    DEFINE_EXPANDED(WG_LEGACY_RESULT(LIST, T, R), NAME, OP, WG_LEGACY_LIST(LIST), E, T, R)
#define DEFINE_EXPANDED(RESULT, ...) DEFINE(RESULT, __VA_ARGS__)
#pragma GCC diagnostic ignored "-Wincompatible-pointer-types"
#include "warpglass/cublas_functions.h"

/* ---- Rotations made of two numbers ---- */

#define ROTATIONS(L, T, R)                                                                                   \
    void cublas##L##rotg(T *a, T b, R *c, T *s) { remember(cublas##L##rotg_v2(current(), a, &b, c, s)); }
void cublasSrotg(float *a, float *b, float *c, float *s) { remember(cublasSrotg_v2(current(), a, b, c, s)); }
void cublasDrotg(double *a, double *b, double *c, double *s) {
    remember(cublasDrotg_v2(current(), a, b, c, s));
}
ROTATIONS(C, cuComplex, float)
ROTATIONS(Z, cuDoubleComplex, double)
void cublasSrotmg(float *d1, float *d2, float *x1, const float *y1, float *param) {
    remember(cublasSrotmg_v2(current(), d1, d2, x1, y1, param));
}
void cublasDrotmg(double *d1, double *d2, double *x1, const double *y1, double *param) {
    remember(cublasDrotmg_v2(current(), d1, d2, x1, y1, param));
}
