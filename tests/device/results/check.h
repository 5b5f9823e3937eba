/* check.h: for programs that run kernels and look at what came out: CHECK counts, finish() ends main. */
#ifndef WARPGLASS_TESTS_DEVICE_CHECK_H
#define WARPGLASS_TESTS_DEVICE_CHECK_H

#include <cstdio>

static int failures;

#define CHECK(CONDITION)                                                                                     \
    do {                                                                                                     \
        if (!(CONDITION)) printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #CONDITION), failures++;         \
    } while (0)

/* Managed arrays: kernels write them and main reads them. */
template <class T> T *array(size_t n) {
    T *p = nullptr;
    CHECK(cudaMallocManaged(&p, n * sizeof(T)) == cudaSuccess);
    for (size_t i = 0; p && i < n; i++) p[i] = T();
    return p;
}
static inline void wait() {
    cudaError_t e = cudaDeviceSynchronize();
    if (e != cudaSuccess) printf("%s\n", cudaGetErrorString(e)), failures++;
}
static inline int finish() {
    if (failures) printf("%d checks failed\n", failures);
    return failures != 0;
}

#endif
