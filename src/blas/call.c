/* A call of cuBLAS, from its arguments into a stream. */
#include "blas/call.h"
#include "base/arena.h"
#include "driver/entry.h"
#include "driver/host_access.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* ---- what cannot be ---- */

static bool is_general(enum wg_blas_op op) {
    return op == WG_BLAS_gemm || op == WG_BLAS_matmul || op == WG_BLAS_geam || op == WG_BLAS_gemv ||
           op == WG_BLAS_gbmv;
}

static cublasStatus_t check_words(const struct wg_blas_call *c) {
    const struct {
        const char *name;
        int value, most;
    } words[] = {{"uplo", c->uplo, CUBLAS_FILL_MODE_UPPER}, {"side", c->side, CUBLAS_SIDE_RIGHT},
                 {"diag", c->diag, CUBLAS_DIAG_UNIT},       {"trans", c->trans, CUBLAS_OP_CONJG},
                 {"transa", c->transa, CUBLAS_OP_CONJG},    {"transb", c->transb, CUBLAS_OP_CONJG}};
    bool complex = wg_blas_is_complex(c->type);
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i].value < 0 || words[i].value > words[i].most)
            return wg_blas_refuse(c, "%s is %d", words[i].name, words[i].value);
    if (c->trans == CUBLAS_OP_CONJG || c->transa == CUBLAS_OP_CONJG || c->transb == CUBLAS_OP_CONJG)
        return wg_blas_missing("CUBLAS_OP_CONJG");
    bool hermitian = c->op == WG_BLAS_herk || c->op == WG_BLAS_her2k || c->op == WG_BLAS_herkx;
    bool symmetric = c->op == WG_BLAS_syrk || c->op == WG_BLAS_syr2k || c->op == WG_BLAS_syrkx;
    if (hermitian && c->trans == CUBLAS_OP_T) return wg_blas_refuse(c, "trans is CUBLAS_OP_T");
    if (symmetric && complex && c->trans == CUBLAS_OP_C) return wg_blas_refuse(c, "trans is CUBLAS_OP_C");
    return CUBLAS_STATUS_SUCCESS;
}

/* Nothing would be changed. */
static bool is_nothing(const struct wg_blas_call *c) {
    if (wg_blas_gives_number(c)) return false;
    if (!c->batchCount || c->n <= 0) return true;
    bool has_m = is_general(c->op) || c->op == WG_BLAS_geru || c->op == WG_BLAS_gerc ||
                 c->op == WG_BLAS_symm || c->op == WG_BLAS_hemm || c->op == WG_BLAS_trsm ||
                 c->op == WG_BLAS_trmm || c->op == WG_BLAS_dgmm;
    return has_m && !c->m;
}

/* ---- into the stream ---- */

static cublasStatus_t status_of(CUresult r) {
    switch (r) {
    case CUDA_SUCCESS: return CUBLAS_STATUS_SUCCESS;
    case CUDA_ERROR_OUT_OF_MEMORY: return CUBLAS_STATUS_ALLOC_FAILED;
    case CUDA_ERROR_NOT_INITIALIZED:
    case CUDA_ERROR_INVALID_CONTEXT: return CUBLAS_STATUS_NOT_INITIALIZED;
    default: return CUBLAS_STATUS_EXECUTION_FAILED;
    }
}

static void announce(void) { wg_library_function(wg_blas_run); }

/* Calls that graphs captured: any launch of a graph may run them again, until the process ends. */
struct captured {
    struct wg_blas_call *call;
    struct captured *next;
};

static void keep(struct wg_blas_call *call) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static struct captured *first;
    struct captured *one = wg_xmalloc(sizeof *one);
    pthread_mutex_lock(&lock);
    *one = (struct captured){call, first};
    first = one;
    pthread_mutex_unlock(&lock);
}

static cublasStatus_t submit(const struct wg_blas_call *c) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    CUstream stream = (CUstream)c->stream;
    CUstreamCaptureStatus capture = CU_STREAM_CAPTURE_STATUS_NONE;
    bool wait = wg_blas_gives_number(c) && !c->scalars_on_device;
    pthread_once(&once, announce);
    CUresult r = cuStreamIsCapturing(stream, &capture);
    if (r) return status_of(r);
    if (wait && capture != CU_STREAM_CAPTURE_STATUS_NONE)
        return wg_blas_missing("a result in memory of the host, of a call that a graph captures,");
    if (capture == CU_STREAM_CAPTURE_STATUS_NONE && (r = cuStreamQuery(stream)) && r != CUDA_ERROR_NOT_READY)
        return status_of(r);
    struct wg_blas_call *own = wg_xmalloc(sizeof *own);
    *own = *c;
    own->counted = wg_library_is_counted();
    bool kept = own->kept = capture != CU_STREAM_CAPTURE_STATUS_NONE;
    r = cuLaunchHostFunc(stream, wg_blas_run, own);
    if (r) {
        free(own);
        return status_of(r);
    }
    if (kept) keep(own); /* any other may have run, and be gone */
    return wait ? status_of(cuStreamSynchronize(stream)) : CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t check_and_submit(const struct wg_blas_handle *h, struct wg_blas_call *c) {
    c->stream = h->stream;
    c->scalars_on_device = h->pointers == CUBLAS_POINTER_MODE_DEVICE;
    wg_blas_log(c);
    cublasStatus_t s = wg_blas_types(c);
    if (!s) s = check_words(c);
    if (!s) s = wg_blas_check_scalars(c);
    if (!s && !c->scalars_on_device) wg_blas_read_scalars(c);
    if (!s && c->scalars_on_device) memset(&c->b, -1, sizeof c->b); /* not 0, for all that is known */
    if (!s) s = wg_blas_describe(c);
    if (s || is_nothing(c)) return s;
    return submit(c);
}

cublasStatus_t wg_blas_do(cublasHandle_t handle, struct wg_blas_call *c) {
    const struct wg_blas_handle *h = wg_blas_handle_of(handle);
    if (!h) return CUBLAS_STATUS_NOT_INITIALIZED;
    struct wg_call call = wg_call_begin(c->function, (const void *)c->from);
    cublasStatus_t s = check_and_submit(h, c);
    wg_call_end(&call, c->function, CUDA_SUCCESS);
    return s;
}
