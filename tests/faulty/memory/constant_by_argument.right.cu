// A function changes an array that it is given: a copy of constants.
#include <cstdio>

__constant__ float weights[4] = {1, 2, 3, 4};
__device__ void normalise(float *w) {
    for (int i = 0; i < 4; i++) w[i] /= 10;
}

__global__ void use(float *out) {
    float mine[4];
    for (int i = 0; i < 4; i++) mine[i] = weights[i];
    normalise(mine);
    out[threadIdx.x] = mine[threadIdx.x];
}

int main() {
    float host[4], *out;
    cudaMalloc(&out, sizeof host);
    use<<<1, 4>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%g\n", host[1]);
    cudaFree(out);
}
