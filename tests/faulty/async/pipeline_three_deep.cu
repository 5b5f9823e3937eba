// A pipeline of three steps waits until as many are left as there are: the oldest, which it reads, may be one of them.
// expect: copy-pending line 20 other 13
// expect: copy-pending line 20 other 23
// causes: 1
// options: --only race

#include <cuda_pipeline.h>

__global__ void sums(const int *data, int *out, int n) {
    __shared__ int part[3][32];
    const int i = threadIdx.x;
    for (int step = 0; step < 3; step++) {
        __pipeline_memcpy_async(&part[step][i], &data[step * 32 + i], sizeof(int));
        __pipeline_commit();
    }
    int sum = 0;
    for (int step = 0; step < n; step++) {
        __pipeline_wait_prior(3);
        __syncwarp();
        sum += part[step % 3][31 - i];
        __syncwarp();
        if (step + 3 < n)
            __pipeline_memcpy_async(&part[step % 3][i], &data[(step + 3) * 32 + i], sizeof(int));
        __pipeline_commit();
    }
    out[i] = sum;
}

int main() {
    int *data, *out;
    if (cudaMalloc(&data, 8 * 128) != cudaSuccess || cudaMalloc(&out, 128) != cudaSuccess) return 1;
    if (cudaMemset(data, 0, 8 * 128) != cudaSuccess) return 1;
    sums<<<1, 32>>>(data, out, 8);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    if (cudaFree(data) != cudaSuccess || cudaFree(out) != cudaSuccess) return 1;
    return 0;
}
