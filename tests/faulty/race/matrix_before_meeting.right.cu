// With one.
#include <cstdio>

__global__ void load(const unsigned short *in, unsigned *out) {
    __shared__ __align__(16) unsigned short tile[32 * 8];
    for (int i = threadIdx.x; i < 32 * 8; i += 32) tile[i] = in[i];
    __syncwarp();
    unsigned a, b, c, d, at = (unsigned)__cvta_generic_to_shared(tile + threadIdx.x * 8);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                 : "r"(at)
                 : "memory");
    out[threadIdx.x] = a + b + c + d;
}

int main() {
    unsigned short *in;
    unsigned *out;
    cudaMallocManaged(&in, 32 * 8 * sizeof(short));
    cudaMallocManaged(&out, 32 * sizeof(unsigned));
    for (int i = 0; i < 32 * 8; i++) in[i] = i;
    load<<<1, 32>>>(in, out);
    cudaDeviceSynchronize();
    printf("%u\n", out[3]);
    return 0;
}
