// Lanes exchange with lanes that are there.
#include <cstdio>

__global__ void sums(const float *in, float *out) {
    __shared__ float of_warp[2];
    float v = in[threadIdx.x], w = v + __shfl_xor_sync(~0u, v, 8);
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = w;
    __syncthreads();
    if (threadIdx.x < 2) out[threadIdx.x] = of_warp[threadIdx.x];
}

int main() {
    float host[48], *in, *out;
    for (int i = 0; i < 48; i++) host[i] = i;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, 2 * sizeof(float));
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    sums<<<1, 48>>>(in, out);
    float result[2];

    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    printf("%g %g\n", result[0], result[1]);
    cudaFree(in);
    cudaFree(out);
}
