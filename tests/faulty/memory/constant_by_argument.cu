// A function changes the array that it is given, and is given constants.
// expect: read-only line 9
// says: a write of 4 bytes by block (0,0,0), thread (0,0,0)
// says: at byte 0 of constant 'weights' (16 bytes)
#include <cstdio>

__constant__ float weights[4] = {1, 2, 3, 4};
__device__ void normalise(float *w) {
    for (int i = 0; i < 4; i++) w[i] /= 10;
}

__global__ void use(float *out) {
    if (threadIdx.x == 0) normalise((float *)weights);
    __syncthreads();
    out[threadIdx.x] = weights[threadIdx.x];
}

int main() {
    float host[4], *out;
    cudaMalloc(&out, sizeof host);
    use<<<1, 4>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%g\n", host[1]);
    cudaFree(out);
}
