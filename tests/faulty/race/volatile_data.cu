// Data is volatile and handed over by a flag, which is an atomic one; the fence before it is missing.
// expect: race-volatile line 14 other 7
#include <cstdio>

__global__ void pass(volatile int *data, int *flag, int *out) {
    if (blockIdx.x == 0) {
        data[threadIdx.x] = threadIdx.x + 1;
        __syncthreads();
        if (threadIdx.x == 0) atomicExch(flag, 1);
    } else {
        if (threadIdx.x == 0)
            while (atomicAdd(flag, 0) == 0);
        __syncthreads();
        out[threadIdx.x] = data[threadIdx.x ^ 1];
    }
}

int main() {
    int *data, *flag, *out, host[64];
    cudaMalloc(&data, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMalloc(&flag, sizeof(int));
    cudaMemset(flag, 0, sizeof(int));
    cudaMemset(out, 0, sizeof host);
    pass<<<2, 64>>>(data, flag, out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\n", host[5]);
    cudaFree(data);
    cudaFree(out);
    cudaFree(flag);
}
