/* program.h: what the programs of this folder share: results are printed as a hash of all bytes and the first
 * few values, so that an output is short and any wrong bit shows.
 */
#ifndef WARPGLASS_TESTS_PROGRAM_H
#define WARPGLASS_TESTS_PROGRAM_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CALL(x)                                                                                              \
    do {                                                                                                     \
        cudaError_t status_ = (x);                                                                           \
        if (status_ != cudaSuccess) printf("line %d: %s is %s\n", __LINE__, #x, cudaGetErrorName(status_));  \
    } while (0)

/* An array that host and device see. */
template <typename T> struct Array {
    T *p = nullptr;
    size_t n;
    explicit Array(size_t size) : n(size) {
        CALL(cudaMallocManaged(&p, n * sizeof(T)));
        memset((void *)p, 0, n * sizeof(T));
    }
    Array(const Array &) = delete;
    ~Array() { cudaFree(p); }
    T &operator[](size_t i) { return p[i]; }
    operator T *() { return p; }
};

/* FNV-1a. */
inline uint64_t hash_of(const void *data, size_t n) {
    uint64_t h = 14695981039346656037ull;
    for (size_t i = 0; i < n; i++) h = (h ^ ((const unsigned char *)data)[i]) * 1099511628211ull;
    return h;
}

/* Waits for the device, then: "name: hash, first values in hexadecimal". */
template <typename T> void show(const char *name, Array<T> &a, size_t first = 4) {
    CALL(cudaDeviceSynchronize());
    printf("%s: %016llx", name, (unsigned long long)hash_of(a.p, a.n * sizeof(T)));
    for (size_t i = 0; i < first && i < a.n; i++) {
        unsigned long long bits = 0;
        memcpy(&bits, &a.p[i], sizeof(T) < sizeof bits ? sizeof(T) : sizeof bits);
        printf(" %llx", bits);
    }
    printf("\n");
}

/* A generator that host and device share: Numerical Recipes' 32-bit step, its high bits mixed down. */
__host__ __device__ inline uint32_t next_random(uint32_t &state) {
    state = state * 1664525u + 1013904223u;
    uint32_t x = state;
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    return x;
}

#endif
