// Each thread leaves the address of a local variable in shared memory, and its neighbour writes through it.
// expect: local-bounds line 10
#include <cstdio>

__global__ void through(int *x) {
    __shared__ int *places[32];
    int mine = x[threadIdx.x];
    places[threadIdx.x] = &mine;
    __syncthreads();
    *places[threadIdx.x ^ 1] += 100;
    __syncthreads();
    x[threadIdx.x] = mine;
}

int main() {
    int host[32], *x;
    for (int i = 0; i < 32; i++) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    through<<<1, 32>>>(x);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\n", host[0]);
    cudaFree(x);
    return 0;
}
