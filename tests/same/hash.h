// What the programs here have in common: each prints one line that says all it computed, as a hash.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CK(x)                                                                                                \
    do {                                                                                                     \
        cudaError_t e_ = (x);                                                                                \
        if (e_ != cudaSuccess) {                                                                             \
            printf("%s, line %d: %s\n", #x, __LINE__, cudaGetErrorName(e_));                                 \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

inline uint64_t hash_of(const void *p, size_t bytes, uint64_t h = 14695981039346656037u) {
    const unsigned char *b = static_cast<const unsigned char *>(p);
    for (size_t i = 0; i < bytes; i++) h = (h ^ b[i]) * 1099511628211u;
    return h;
}

// `n` elements of zeros on the device.
template <typename T> T *zeros(size_t n) {
    T *p;
    CK(cudaMalloc(&p, n * sizeof(T)));
    CK(cudaMemset(p, 0, n * sizeof(T)));
    return p;
}

template <typename T> void print_hash(const char *what, const T *device, size_t n) {
    std::vector<T> h(n);
    CK(cudaMemcpy(h.data(), device, n * sizeof(T), cudaMemcpyDeviceToHost));
    printf("%s %016llx\n", what, static_cast<unsigned long long>(hash_of(h.data(), n * sizeof(T))));
}
