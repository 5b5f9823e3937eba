/* libcudart.so.12, as a program built by nvcc 12 sees it: its own struct of properties, advice by device
 * number. The declarations are CUDA 12's; nothing of cuda_runtime_api.h, which is CUDA 13's, is used. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

typedef struct CUstream_st *cudaStream_t;
int cudaGetDeviceProperties_v2(void *properties, int device);
int cudaMemAdvise(const void *p, size_t n, int advice, int device);
int cudaMemPrefetchAsync(const void *p, size_t n, int device, cudaStream_t stream);
int cudaMemRangeGetAttribute(void *data, size_t data_size, int attribute, const void *p, size_t n);
int cudaMallocManaged(void **p, size_t n, unsigned flags);
int cudaPointerGetAttributes(void *attributes, const void *p);
int cudaThreadSynchronize(void);
int cudaRuntimeGetVersion(int *version);
int cudaFree(void *p);

static int word(const char *properties, size_t offset) {
    int v;
    memcpy(&v, properties + offset, sizeof v);
    return v;
}

static void properties(void **state) {
    enum { SIZE = 1032 };
    int version = 0;
    assert_int_equal(cudaRuntimeGetVersion(&version), 0);
    assert_int_equal(version, 12090);
    char p[SIZE + 64];
    memset(p, 0x5a, sizeof p);
    assert_int_equal(cudaGetDeviceProperties_v2(p, 0), 0);
    assert_string_equal(p, "NVIDIA H200");
    assert_int_equal(word(p, 348), 1980000); /* clockRate */
    assert_int_equal(word(p, 360), 9);       /* major */
    assert_int_equal(word(p, 388), 132);     /* multiProcessorCount */
    assert_int_equal(word(p, 772), 1);       /* clusterLaunch */
    for (int i = SIZE; i < SIZE + 64; i++) assert_int_equal(p[i], 0x5a);
    assert_int_equal(cudaGetDeviceProperties_v2(p, 5), 101);
    assert_int_equal(cudaGetDeviceProperties_v2(NULL, 0), 1);
}

static void managed_memory(void **state) {
    void *p;
    int where = 77;
    assert_int_equal(cudaMallocManaged(&p, 8192, 1), 0);
    assert_int_equal(cudaMemAdvise(p, 8192, 3, -1), 0); /* preferred location: the host */
    assert_int_equal(cudaMemRangeGetAttribute(&where, 4, 2, p, 8192), 0);
    assert_int_equal(where, -1);
    assert_int_equal(cudaMemPrefetchAsync(p, 8192, 0, NULL), 0);
    assert_int_equal(cudaMemPrefetchAsync(p, 8192, 5, NULL), 101);
    struct {
        int type, device;
        void *device_pointer, *host_pointer;
        char guard[64];
    } a;
    memset(&a, 0x5a, sizeof a);
    assert_int_equal(cudaPointerGetAttributes(&a, p), 0);
    assert_int_equal(a.type, 3);
    assert_ptr_equal(a.device_pointer, p);
    for (int i = 0; i < 64; i++) assert_int_equal(a.guard[i], 0x5a);
    assert_int_equal(cudaThreadSynchronize(), 0);
    assert_int_equal(cudaFree(p), 0);
}

static int set_arch(void **state) { return setenv("WARPGLASS_ARCH", "sm_90", 1); }
int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(properties), cmocka_unit_test(managed_memory)};
    return cmocka_run_group_tests(tests, set_arch, NULL);
}
