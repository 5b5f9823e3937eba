/* Loops that the whole grid goes through together, `i += blockDim.x * gridDim.x`: with loads and stores, with
 * stores alone, with nothing but an address of their own, downwards, with 64-bit indices, of elements of 1, 8
 * and 16 bytes, in blocks of one row and of several; and structures of which a warp loads many lines. */
#include <cstdio>
#include <cuda_runtime.h>

#define EACH(i) for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)

struct Wide {
    int first[16], second[16];
};

__global__ void fill(double *out, int n) { EACH(i) out[i] = i; }
__global__ void add(const float4 *a, float4 *out, int n) {
    EACH(i) out[i] = make_float4(a[i].x + 1, a[i].y + 2, a[i].z + 3, a[i].w + 4);
}
__global__ void flip(const unsigned char *a, unsigned char *out, int n) { EACH(i) out[i] = a[i] ^ 1; }
__global__ void backwards(const int *a, int *out, int n) { EACH(i) out[n - 1 - i] += a[i]; }
__global__ void longs(const int *a, int *out, size_t n) {
    const size_t step = (size_t)gridDim.x * blockDim.x;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += step) out[i] = a[i] * 3;
}
__global__ void rows(const int *a, int *out, int width, int height) {
    for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += gridDim.y * blockDim.y)
        for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < width; x += gridDim.x * blockDim.x)
            out[y * width + x] = a[y * width + x] + y;
}
__global__ void wide(const Wide *a, int *out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a[i].first[1] + a[i].first[3] + a[i].second[15];
}
__global__ void wide_backwards(const Wide *a, int *out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a[n - 1 - i].first[0] - a[n - 1 - i].first[8];
}

enum { N = 10007, BYTES = N * 128 };

/* What came out, as one number; the memory is as it was at first again. */
static unsigned take(char *out, char *a) {
    static unsigned char host[BYTES];
    unsigned hash = 1;
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (size_t i = 0; i < sizeof host; i++) hash = hash * 31 + host[i];
    cudaMemcpy(out, a, sizeof host, cudaMemcpyDeviceToDevice);
    return hash;
}

int main() {
    static int host[BYTES / 4];
    for (int i = 0; i < BYTES / 4; i++) host[i] = i % 1001;
    char *a, *out;
    cudaMalloc(&a, BYTES);
    cudaMalloc(&out, BYTES);
    cudaMemcpy(a, host, BYTES, cudaMemcpyHostToDevice);
    take(out, a);
    for (int blocks = 1; blocks < 40; blocks += 19) {
        fill<<<blocks, 128>>>((double *)out, N);
        printf("%2d blocks: fill %08x", blocks, take(out, a));
        add<<<blocks, 256>>>((float4 *)a, (float4 *)out, N);
        printf(", add %08x", take(out, a));
        flip<<<blocks, 100>>>((unsigned char *)a, (unsigned char *)out, N);
        printf(", flip %08x", take(out, a));
        backwards<<<blocks, 128>>>((int *)a, (int *)out, N);
        printf(", backwards %08x", take(out, a));
        longs<<<blocks, 512>>>((int *)a, (int *)out, N);
        printf(", longs %08x", take(out, a));
        rows<<<dim3(2, blocks), dim3(32, 4)>>>((int *)a, (int *)out, 99, 101);
        printf(", rows %08x\n", take(out, a));
    }
    for (int block = 64; block <= 256; block += 96) {
        wide<<<(N + block - 1) / block, block>>>((Wide *)a, (int *)out, N);
        printf("blocks of %d: wide %08x", block, take(out, a));
        wide_backwards<<<(N + block - 1) / block, block>>>((Wide *)a, (int *)out, N);
        printf(", backwards %08x\n", take(out, a));
    }
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
