// Data is volatile and handed over by an atomic flag, behind a fence.
#include <cstdio>

__global__ void pass(volatile int *data, int *flag, int *out) {
    if (blockIdx.x == 0) {
        data[threadIdx.x] = threadIdx.x + 1;
        __threadfence();
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
