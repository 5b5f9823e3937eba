/* last_block: a sum whose last block, found by a ticket, adds up what the others left behind and puts the
 * ticket back for the next launch.
 */
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>
#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        cudaError_t e = (call);                                                                              \
        if (e != cudaSuccess) {                                                                              \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e));                       \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)
__device__ unsigned int ticket = 0;
template <int BS> __global__ void reduceOne(const float *in, volatile float *partial, float *out, int n) {
    __shared__ float s[BS];
    __shared__ bool last;
    int t = threadIdx.x;
    float sum = 0;
    for (int i = blockIdx.x * BS + t; i < n; i += BS * gridDim.x) sum += in[i];
    s[t] = sum;
    __syncthreads();
    for (int k = BS / 2; k > 0; k >>= 1) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0) {
        partial[blockIdx.x] = s[0];
        __threadfence();
        unsigned v = atomicInc(&ticket, gridDim.x);
        last = (v == gridDim.x - 1);
    }
    __syncthreads();
    if (last) {
        float r = 0;
        for (int i = t; i < gridDim.x; i += BS) r += partial[i];
        s[t] = r;
        __syncthreads();
        for (int k = BS / 2; k > 32; k >>= 1) {
            if (t < k) s[t] += s[t + k];
            __syncthreads();
        }
        if (t < 32) {
            float v = s[t] + s[t + 32];
            for (int o = 16; o; o >>= 1) v += __shfl_down_sync(0xffffffff, v, o);
            if (t == 0) {
                *out = v;
                ticket = 0;
            }
        }
    }
}
int main() {
    const int n = 1 << 18;
    std::vector<float> h(n);
    for (int i = 0; i < n; i++) h[i] = i % 8;
    float *in, *part, *out;
    CHECK(cudaMalloc(&in, n * 4));
    CHECK(cudaMalloc(&part, 64 * 4));
    CHECK(cudaMalloc(&out, 4));
    CHECK(cudaMemcpy(in, h.data(), n * 4, cudaMemcpyHostToDevice));
    int bad = 0;
    for (int rep = 0; rep < 3; rep++) {
        reduceOne<256><<<64, 256>>>(in, part, out, n);
        CHECK(cudaGetLastError());
        float r;
        CHECK(cudaMemcpy(&r, out, 4, cudaMemcpyDeviceToHost));
        if (r != 3.5f * n) {
            printf("got %f want %f\n", r, 3.5f * n);
            bad = 1;
        }
    }
    cudaFree(in);
    cudaFree(part);
    cudaFree(out);
    puts(bad ? "FAILED" : "PASSED");
    return bad;
}
