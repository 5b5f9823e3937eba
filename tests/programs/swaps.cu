/* swaps.cu: compare-and-swap by thousands of threads at once. One that fails gives what is there and changes
 * nothing; of those that succeed each has another value to show, without a gap.
 */
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

const unsigned blocks = 24, threads = 96, counters = 7;

/* Each thread adds one to a counter by swapping, and keeps what it found when it succeeded. */
template <class T> __global__ void count(T *counter, T *found) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    T *mine = &counter[i % counters], was = *mine, seen;
    while ((seen = atomicCAS(mine, was, static_cast<T>(was + 1))) != was) was = seen;
    found[i] = seen;
}

/* What no cell ever holds is compared: even cells hold 3, odd ones 5. */
template <class T> __global__ void fail(T *cell, T *found) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    found[i] = atomicCAS(&cell[i % counters], static_cast<T>(i % 2 ? 4 : 6), static_cast<T>(9));
}

/* Half of a warp's lanes bring the right value for one cell, half of them a wrong one: one lane succeeds, the
 * others find what was there before or what it put there. */
template <class T> __global__ void some(T *cell, T *found) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    found[i] = atomicCAS(&cell[i / 32], static_cast<T>(threadIdx.x % 2 ? 1 : 2), static_cast<T>(7));
}

template <class T> static void test(const char *type) {
    const unsigned n = blocks * threads;
    T *cell, *found;
    cudaMallocManaged(&cell, n * sizeof(T));
    cudaMallocManaged(&found, n * sizeof(T));

    std::fill(cell, cell + counters, T(0));
    count<T><<<blocks, threads>>>(cell, found);
    bool right = cudaDeviceSynchronize() == cudaSuccess;
    for (unsigned c = 0; c < counters; c++) {
        std::vector<T> olds;
        for (unsigned i = c; i < n; i += counters) olds.push_back(found[i]);
        std::sort(olds.begin(), olds.end());
        right &= cell[c] == olds.size();
        for (unsigned k = 0; k < olds.size(); k++) right &= olds[k] == k;
    }
    printf("%s: counting %s", type, right ? "right" : "wrong");

    for (unsigned c = 0; c < counters; c++) cell[c] = c % 2 ? 5 : 3;
    fail<T><<<blocks, threads>>>(cell, found);
    right = cudaDeviceSynchronize() == cudaSuccess;
    for (unsigned c = 0; c < counters; c++) right &= cell[c] == (c % 2 ? 5 : 3);
    for (unsigned i = 0; i < n; i++) right &= found[i] == (i % counters % 2 ? 5 : 3);
    printf(", failing %s", right ? "right" : "wrong");

    std::fill(cell, cell + n / 32, T(1));
    some<T><<<blocks, threads>>>(cell, found);
    right = cudaDeviceSynchronize() == cudaSuccess;
    for (unsigned w = 0; w < n / 32; w++) {
        unsigned ones = 0, successes = 0;
        for (unsigned i = w * 32; i < w * 32 + 32; i++) {
            ones += found[i] == 1;
            successes += found[i] == 1 && i % 2;
            right &= found[i] == 1 || found[i] == 7;
        }
        right &= cell[w] == 7 && successes == 1 && ones >= 1;
    }
    printf(", some %s\n", right ? "right" : "wrong");
    cudaFree(cell);
    cudaFree(found);
}

int main() {
    test<unsigned short>("16 bits");
    test<unsigned>("32 bits");
    test<unsigned long long>("64 bits");
    return 0;
}
