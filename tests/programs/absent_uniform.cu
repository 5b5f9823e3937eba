/* absent_uniform: shuffles of what is the same in all threads, from lanes that are not there: they give 0
 * also then. (NVIDIA's assembler puts the value itself in such a shuffle's place, so this has no truth of a
 * GPU.) */
#include "program.h"

enum { MOST = 128 };

__global__ void of_all(const int *in, int scale, int *out) {
    int v = in[0], x = 1, s = scale * 3;
    int sum = 1000 * __shfl_down_sync(~0u, v, 9) + 100000 * __shfl_xor_sync(~0u, s, 16);
    for (int o = 16; o; o >>= 1) x = x + __shfl_down_sync(~0u, x, o);
    out[threadIdx.x] = sum + x;
}
__global__ void one(int *out) {
    int x = 1;
    for (int o = 16; o; o >>= 1) x += __shfl_xor_sync(~0u, x, o);
    if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = x;
}
/* The threads that are left of the block. */
__global__ void left(int n, int *out) {
    if (threadIdx.x >= n) return;
    int x = 1;
    for (int o = 16; o; o >>= 1) x += __shfl_xor_sync(~0u, x, o);
    out[threadIdx.x] = x;
}

int main() {
    Array<int> in(1), out(MOST);
    in[0] = 5;
    for (int n : {1, 6, 7, 8, 16, 17, 24, 31, 32, 33, 45, 64, 100}) {
        int wrong = 0;
        of_all<<<1, n>>>(in, 2, out);
        CALL(cudaDeviceSynchronize());
        for (int t = 0; t < n; t++) {
            int lane = t % 32, there = n - t + lane < 32 ? n - t + lane : 32, x[64] = {};
            for (int l = 0; l < there; l++) x[l] = 1;
            for (int o = 16; o; o /= 2)
                for (int l = 0; l < there; l++) x[l] += l + o < 32 ? x[l + o] : x[l];
            int v = lane + 9 >= 32 || lane + 9 < there ? 5 : 0, s = (lane ^ 16) < there ? 6 : 0;
            wrong += out[t] != 1000 * v + 100000 * s + x[lane];
        }
        one<<<1, n>>>(out);
        CALL(cudaDeviceSynchronize());
        for (int w = 0; w * 32 < n; w++) wrong += out[w] != (n - w * 32 < 32 ? n - w * 32 : 32);
        left<<<1, n>>>(n * 3 / 4, out);
        CALL(cudaDeviceSynchronize());
        if (n < 32) wrong += n > 1 && out[0] != n * 3 / 4;
        printf("%d: %s\n", n, wrong ? "WRONG" : "right");
    }
    return 0;
}
