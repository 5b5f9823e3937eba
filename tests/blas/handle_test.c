/* cuBLAS' handles, what is refused, copies, streams, graphs, and a faulty operand: the device fails, and the host lives. */
#include "tests/blas/call.h"
#include <math.h>

static void test_handles(void **state) {
    cublasHandle_t h = NULL;
    int version = 0, value = 0;
    cudaStream_t stream, got;
    cublasPointerMode_t mode;
    cublasMath_t math;
    assert_int_equal(cublasCreate(NULL), CUBLAS_STATUS_INVALID_VALUE);
    assert_int_equal(cublasDestroy(NULL), CUBLAS_STATUS_NOT_INITIALIZED);
    assert_int_equal(cublasCreate(&h), 0);
    assert_int_equal(cublasGetVersion(h, &version), 0);
    assert_int_equal(version, CUBLAS_VERSION);
    assert_int_equal(cublasGetProperty(MAJOR_VERSION, &value), 0);
    assert_int_equal(value, CUBLAS_VER_MAJOR);
    assert_int_equal(cudaStreamCreate(&stream), 0);
    assert_int_equal(cublasSetStream(h, stream), 0);
    assert_int_equal(cublasGetStream(h, &got), 0);
    assert_ptr_equal(got, stream);
    assert_int_equal(cublasGetPointerMode(h, &mode), 0);
    assert_int_equal(mode, CUBLAS_POINTER_MODE_HOST);
    assert_int_equal(cublasSetPointerMode(h, (cublasPointerMode_t)2), CUBLAS_STATUS_INVALID_VALUE);
    assert_int_equal(cublasSetMathMode(h, CUBLAS_TF32_TENSOR_OP_MATH), 0);
    assert_int_equal(cublasGetMathMode(h, &math), 0);
    assert_int_equal(math, CUBLAS_TF32_TENSOR_OP_MATH);
    assert_int_equal(cublasSetWorkspace(h, NULL, 0), 0);
    assert_int_equal(cublasSetWorkspace(h, numbers_on_device + 1, 16), CUBLAS_STATUS_INVALID_VALUE);
    assert_string_equal(cublasGetStatusName(CUBLAS_STATUS_NOT_SUPPORTED), "CUBLAS_STATUS_NOT_SUPPORTED");
    assert_int_equal(cublasDestroy(h), 0);
    assert_int_equal(cudaStreamDestroy(stream), 0);
}

static void test_refusals(void **state) {
    float one = 1, *p = (float *)numbers_on_device;
    cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST);
#define GEMM(H, TA, M, N, K, ALPHA, LDA, LDB, LDC)                                                           \
    cublasSgemm(H, TA, CUBLAS_OP_N, M, N, K, ALPHA, p, LDA, p, LDB, &one, p, LDC)
    assert_int_equal(GEMM(NULL, CUBLAS_OP_N, 1, 1, 1, &one, 1, 1, 1), CUBLAS_STATUS_NOT_INITIALIZED);
    assert_int_equal(GEMM(handle, CUBLAS_OP_N, -1, 1, 1, &one, 1, 1, 1), CUBLAS_STATUS_INVALID_VALUE);
    assert_int_equal(GEMM(handle, CUBLAS_OP_N, 1, 1, -1, &one, 1, 1, 1), CUBLAS_STATUS_INVALID_VALUE);
    assert_int_equal(GEMM(handle, CUBLAS_OP_N, 2, 1, 1, &one, 1, 1, 2), CUBLAS_STATUS_INVALID_VALUE);
    assert_int_equal(GEMM(handle, CUBLAS_OP_T, 2, 1, 3, &one, 2, 3, 2), CUBLAS_STATUS_INVALID_VALUE);
    assert_int_equal(GEMM(handle, CUBLAS_OP_N, 2, 1, 3, &one, 2, 2, 2), CUBLAS_STATUS_INVALID_VALUE);
    assert_int_equal(GEMM(handle, CUBLAS_OP_N, 2, 1, 1, &one, 2, 1, 1), CUBLAS_STATUS_INVALID_VALUE);
    assert_int_equal(GEMM(handle, (cublasOperation_t)7, 1, 1, 1, &one, 1, 1, 1), CUBLAS_STATUS_INVALID_VALUE);
    assert_int_equal(GEMM(handle, CUBLAS_OP_N, 1, 1, 1, NULL, 1, 1, 1), CUBLAS_STATUS_INVALID_VALUE);
    assert_int_equal(GEMM(handle, CUBLAS_OP_CONJG, 1, 1, 1, &one, 1, 1, 1), CUBLAS_STATUS_NOT_SUPPORTED);
    assert_int_equal(cublasSgemv(handle, CUBLAS_OP_N, 1, 1, &one, p, 1, p, 0, &one, p, 1),
                     CUBLAS_STATUS_INVALID_VALUE);
    assert_int_equal(cublasSdot(handle, 1, p, 1, p, 1, NULL), CUBLAS_STATUS_INVALID_VALUE);
    assert_int_equal(cublasStrsm(handle, (cublasSideMode_t)3, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
                                 CUBLAS_DIAG_UNIT, 1, 1, &one, p, 1, p, 1),
                     CUBLAS_STATUS_INVALID_VALUE);
    assert_int_equal(cublasCherk(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T, 1, 1, &one, (void *)p, 1, &one,
                                 (void *)p, 1),
                     CUBLAS_STATUS_INVALID_VALUE);
    assert_int_equal(cublasSgemm_64(handle, CUBLAS_OP_N, CUBLAS_OP_N, INT64_C(1) << 32, 1, 1, &one, p,
                                    INT64_C(1) << 32, p, 1, &one, p, INT64_C(1) << 32),
                     CUBLAS_STATUS_NOT_SUPPORTED);
}

static void test_copies(void **state) {
    float host[12], back[12] = {0}, *device;
    for (int i = 0; i < 12; i++) host[i] = (float)i;
    assert_int_equal(cudaMalloc((void **)&device, sizeof host * 2), 0);
    assert_int_equal(cublasSetVector(4, 4, host, 3, device, 2), 0);
    assert_int_equal(cublasGetVector(4, 4, device, 2, back, 1), 0);
    for (int i = 0; i < 4; i++) assert_true(back[i] == (float)(3 * i));
    assert_int_equal(cublasSetVector(12, 4, host, 1, device, 1), 0);
    assert_int_equal(cublasGetVectorAsync(12, 4, device, 1, back, 1, NULL), 0);
    cudaDeviceSynchronize();
    assert_memory_equal(host, back, sizeof host);
    assert_int_equal(cublasSetMatrix(2, 4, 4, host, 3, device, 5), 0);
    memset(back, 0, sizeof back);
    assert_int_equal(cublasGetMatrix(2, 4, 4, device, 5, back, 2), 0);
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < 2; i++) assert_true(back[i + 2 * j] == host[i + 3 * j]);
    assert_int_equal(cublasSetMatrix(3, 1, 4, host, 2, device, 5), CUBLAS_STATUS_INVALID_VALUE);
    assert_int_equal(cublasSetVector(1, 4, host, 0, device, 1), CUBLAS_STATUS_INVALID_VALUE);
    cudaFree(device);
}

static void wait_a_little(void *flag) {
    for (volatile int i = 0; i < 30000000; i++) continue;
    *(volatile float *)flag = 3;
}

/* What is in the stream before has ended; what a graph has kept runs each time. */
static void test_order(void **state) {
    const char *what = "order";
    float two = 2, *x;
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    assert_int_equal(cudaMallocManaged((void **)&x, 8, cudaMemAttachGlobal), 0);
    assert_int_equal(cudaStreamCreate(&stream), 0);
    assert_int_equal(cublasSetStream(handle, stream), 0);
    cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST);
    x[0] = 1;
    assert_int_equal(cudaLaunchHostFunc(stream, wait_a_little, x), 0);
    GOOD(cublasSscal(handle, 1, &two, x, 1));
    assert_true(x[0] == 6);
    assert_int_equal(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), 0);
    assert_int_equal(cublasSscal(handle, 1, &two, x, 1), 0);
    assert_int_equal(cublasSasum(handle, 1, x, 1, &two), CUBLAS_STATUS_NOT_SUPPORTED);
    assert_int_equal(cudaStreamEndCapture(stream, &graph), 0);
    assert_true(x[0] == 6);
    assert_int_equal(cudaGraphInstantiate(&exec, graph, 0), 0);
    for (int i = 0; i < 3; i++) assert_int_equal(cudaGraphLaunch(exec, stream), 0);
    assert_int_equal(cudaStreamSynchronize(stream), 0);
    assert_true(x[0] == 48);
    assert_int_equal(cublasSetStream(handle, NULL), 0);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
    cudaFree(x);
}

/* Last: the device does not work any more. */
static void test_fault(void **state) {
    float one = 1, on_host[64] = {0}, *x;
    assert_int_equal(cudaMalloc((void **)&x, 64 * 64 * 4), 0);
    cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST);
    assert_int_equal(
        cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 64, 64, 64, &one, x, 64, x, 64, &one, x + 1, 64), 0);
    assert_int_equal(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    assert_int_equal(
        cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 8, 8, 8, &one, on_host, 8, x, 8, &one, x, 8),
        CUBLAS_STATUS_EXECUTION_FAILED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_handles), cmocka_unit_test(test_refusals), cmocka_unit_test(test_copies),
        cmocka_unit_test(test_order),   cmocka_unit_test(test_fault),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
