// The right twin: without the fault.
#include "async.h"
#include <cuda_fp16.h>

/* 64 x 16 halves by 8 columns of them, in cores of 8 rows of 16 bytes. */
__device__ unsigned long long matrix(const void *p) {
    return (AT(p) & 0x3ffff) >> 4 | 8ull << 16 | 16ull << 32;
}
#define PRODUCT(d, a, b)                                                                                     \
    asm volatile(                                                                                            \
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"         \
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])                                                     \
        : "l"(matrix(a)), "l"(matrix(b))                                                                     \
        : "memory")
#define PRODUCT_FENCE()  asm volatile("wgmma.fence.sync.aligned;" ::: "memory")
#define PRODUCT_COMMIT() asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory")
#define PRODUCT_WAIT(n)  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(n) : "memory")

__global__ void products(const half *in, float *out) {
    __shared__ __align__(128) half a[64 * 16], b[8 * 16];
    float d[4] = {};
    for (int t = 0; t < 2; t++) {
        for (int i = threadIdx.x; i < 64 * 16; i += 128) a[i] = in[t * 1024 + i];
        for (int i = threadIdx.x; i < 8 * 16; i += 128) b[i] = in[i];
        PROXY_FENCE();
        __syncthreads();
        PRODUCT_FENCE();
        PRODUCT(d, a, b);
        PRODUCT_COMMIT();
        PRODUCT_WAIT(0);
        __syncthreads();
    }
    out[threadIdx.x] = d[0];
}

int main() {
    half *in;
    float *out;
    cudaMallocManaged(&in, 4096 * sizeof(half));
    cudaMallocManaged(&out, 128 * sizeof(float));
    for (int i = 0; i < 4096; i++) in[i] = __float2half(i % 3);
    for (int i = 0; i < 128; i++) out[i] = 0;
    products<<<1, 128>>>(in, out);
    cudaDeviceSynchronize();
    printf("%g\n", out[5]);
    return 0;
}
