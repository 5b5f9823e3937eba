/* runs_of_lanes: rows of bytes, 16-bit words and words that are loaded and stored by some of a warp's lanes: each run
 * of lanes, several runs, every other lane; at the end of an allocation and across pages; and by lanes that are
 * known while compiling. What no lane stores to stays what it was.
 */
#include "program.h"

/* Warp w moves its row from `in + shift` to `out + shift`, by the lanes of mask[w]. */
template <typename T> __global__ void some(const T *in, T *out, const unsigned *mask, int n, int shift) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (mask[i / 32] >> threadIdx.x % 32 & 1 && i + shift < n) out[i + shift] = T(in[i + shift] + 1);
}

/* A lane that is off has what it had before. */
template <typename T> __global__ void chosen(const T *in, T *out, const unsigned *mask) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    T x = T(7);
    if (mask[i / 32] >> threadIdx.x % 32 & 1) x = in[i];
    out[i] = x;
}

/* Lanes are known. */
template <typename T> __global__ void known(T *out) {
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (t % 2 == 0) out[i] = T(out[i] + 1);
    if (t % 8 >= 3) out[i] = T(out[i] * 3);
    if (t % 16 == 5 || t % 16 == 11) out[i] = T(out[i] - 1);
    if (t >= 1 && t < 63) out[i] = T(out[i] ^ 9);
    if (t % 4 == 1 || t % 4 == 2) out[i] = T(out[i] + 5);
}

enum { WARPS = 1024, N = WARPS * 32 };

template <typename T> static void run(const char *name, const unsigned *mask) {
    T *in, *out;
    /* The rows end where the allocation does. */
    CALL(cudaMallocManaged(&in, N * sizeof(T)));
    CALL(cudaMallocManaged(&out, N * sizeof(T)));
    unsigned long long sum[3] = {0};
    for (int shift = 0; shift < 64; shift += 7) {
        for (int i = 0; i < N; i++) in[i] = T(i * 2654435761u >> 7), out[i] = T(i);
        some<<<N / 128, 128>>>(in, out, mask, N, shift);
        CALL(cudaDeviceSynchronize());
        for (int i = 0; i < N; i++) {
            const int from = i - shift;
            const bool moved = from >= 0 && mask[from / 32] >> from % 32 & 1;
            if (out[i] != (moved ? T(in[i] + 1) : T(i))) printf("%s: %d moved by %d\n", name, i, shift);
            sum[0] = sum[0] * 31 + (unsigned long long)out[i];
        }
    }
    chosen<<<N / 128, 128>>>(in, out, mask);
    CALL(cudaDeviceSynchronize());
    for (int i = 0; i < N; i++) sum[1] = sum[1] * 31 + (unsigned long long)out[i];
    known<<<N / 64, 64>>>(out);
    CALL(cudaDeviceSynchronize());
    for (int i = 0; i < N; i++) sum[2] = sum[2] * 31 + (unsigned long long)out[i];
    printf("%s: %016llx %016llx %016llx\n", name, sum[0], sum[1], sum[2]);
    CALL(cudaFree(in));
    CALL(cudaFree(out));
}

int main() {
    unsigned *mask, x = 1;
    int n = 0;
    CALL(cudaMallocManaged(&mask, WARPS * sizeof *mask));
    for (int first = 0; first < 32; first++)
        for (int lanes = 1; first + lanes <= 32; lanes++)
            mask[n++] = (lanes < 32 ? (1u << lanes) - 1 : ~0u) << first;
    for (; n < WARPS; n++) {
        x = x * 1664525 + 1013904223;
        mask[n] = n % 3 ? x : x & x >> 3 & x >> 9;
    }
    run<unsigned char>("bytes", mask);
    run<short>("halves", mask);
    run<int>("words", mask);
    run<long long>("pairs", mask);
    return 0;
}
