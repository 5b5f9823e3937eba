/* What the tests of cuBLAS' functions share: a handle, alpha and beta of the host's or the device's, and the cases. */
#ifndef WG_TESTS_BLAS_CALL_H
#define WG_TESTS_BLAS_CALL_H
#include "tests/blas/dense.h"
#include <cuda_runtime_api.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static const cudaDataType types[] = {CUDA_R_32F, CUDA_R_64F, CUDA_C_32F, CUDA_C_64F};
static cublasHandle_t handle;
/* Each case in another way: numbers of the host's, or the device's. */
static unsigned turn;
static char *numbers_on_device;

#define GOOD(CALL)                                                                                           \
    do {                                                                                                     \
        cublasStatus_t status_ = (CALL);                                                                     \
        if (status_) fail_msg("%s: %s", what, cublasGetStatusName(status_));                                 \
        assert_int_equal(cudaDeviceSynchronize(), cudaSuccess);                                              \
    } while (0)

static int begin(void **state) {
    void *at;
    if (cudaMallocManaged(&at, 4096, cudaMemAttachGlobal)) return 1;
    numbers_on_device = at;
    return cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS;
}
static int end(void **state) {
    cudaFree(numbers_on_device);
    return cublasDestroy(handle) != CUBLAS_STATUS_SUCCESS;
}

/* A number that a call is given; `which` keeps those of one call apart. */
static inline void *scalar(unsigned which, cudaDataType type, number x) {
    static char on_host[4096];
    bool device = turn % 2;
    assert_int_equal(
        cublasSetPointerMode(handle, device ? CUBLAS_POINTER_MODE_DEVICE : CUBLAS_POINTER_MODE_HOST), 0);
    char *p = (device ? numbers_on_device : on_host) + 64 * which;
    element_put(p, type, x);
    return p;
}
static inline cudaDataType real_of(cudaDataType t) {
    return t == CUDA_C_32F ? CUDA_R_32F : t == CUDA_C_64F ? CUDA_R_64F : t;
}
static inline const char *type_name(cudaDataType t) {
    return t == CUDA_R_32F   ? "S"
           : t == CUDA_R_64F ? "D"
           : t == CUDA_C_32F ? "C"
           : t == CUDA_C_64F ? "Z"
                             : "?";
}
/* Of several that are tried. */
static inline number factor(unsigned which, cudaDataType type) {
    static const double real[] = {1, 0, -0.75, 2.5}, imaginary[] = {0, 0, 0.5, -1};
    number x = real[which % 4];
    if (type_is_complex(type)) __imag__ x = imaginary[which % 4];
    return x;
}
#define EACH_TYPE(T)                                                                                         \
    for (unsigned t_ = 0; t_ < 4; t_++)                                                                      \
        for (cudaDataType T = types[t_], *once_ = &T; once_; once_ = NULL)
#endif
