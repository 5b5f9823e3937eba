// A tile of a product is filled but for its last rows: those of the result are copied back all the same.
// expect: uninitialised-copy line 35
// says: 64 of the 512 bytes copied are undefined, the first of them at byte 448
// says: A kernel copied it there: it was read at product_tile.cu:22:5
#include <cstdio>
#include <cuda_fp16.h>

/* One warp: 16 x 16 halves by 16 x 8 of them. */
__global__ void product(const half *a, const half *b, float *c, int rows) {
    __shared__ __align__(16) half left[16 * 16], right[16 * 8];
    int lane = threadIdx.x;
    for (int i = lane; i < rows * 16; i += 32) left[i] = a[i];
    for (int i = lane; i < 16 * 8; i += 32) right[i] = b[i];
    __syncwarp();
    unsigned x[4], y[2];
    float d[4] = {};
    unsigned at = (unsigned)__cvta_generic_to_shared(&left[lane % 16 * 16 + lane / 16 * 8]);
    unsigned from = (unsigned)__cvta_generic_to_shared(&right[lane % 16 * 8]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                 : "=r"(y[0]), "=r"(y[1])
                 : "r"(from));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                 : "r"(at));
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
                 "{%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
    for (int i = 0; i < 4; i++) c[(lane / 4 + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2] = d[i];
}

int run(const half *a, const half *b, float *c, int rows) {
    float host[16 * 8];
    product<<<1, 32>>>(a, b, c, rows);
    cudaMemcpy(host, c, sizeof host, cudaMemcpyDeviceToHost);
    printf("%g %g\n", host[0], host[13 * 8 + 7]);
    return 0;
}

int main() {
    half host[256], *a, *b;
    float *c;
    for (int i = 0; i < 256; i++) host[i] = __float2half(i % 5);
    cudaMalloc(&a, sizeof host);
    cudaMalloc(&b, sizeof host);
    cudaMalloc(&c, 16 * 8 * sizeof(float));
    cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemcpy(b, host, sizeof host, cudaMemcpyHostToDevice);
    run(a, b, c, 14);
    return 0;
}
