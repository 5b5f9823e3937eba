// What is written over a part of them is defined, too.
// options: --only memory,init
#include <cstdio>

const int N = 3 * 256;

__global__ void tiles(const int *source, int *out) {
    __shared__ int part[256];
    const int t = threadIdx.x, i = blockIdx.x * 256 + t;
    part[t] = i;
    __syncthreads();
    int sum = part[255 - t] + part[t / 2];
    __syncthreads();
    if (blockIdx.x == 1 && t == 77) part[t] = source[5];
    __syncthreads();
    out[i] = sum;
    if (part[(t + 1) % 256] > 5) out[i] += 1;
}

__global__ void arrays(int *values, const int *source, int *out) {
    const int t = threadIdx.x, i = blockIdx.x * 256 + t;
    int sum = 0;
    for (int k = 0; k < 256; k++) sum += values[blockIdx.x * 256 + (t + k) % 256];
    out[i] = sum;
    __syncthreads();
    if (blockIdx.x == 1 && t == 45) values[i] = source[i];
    __syncthreads();
    if (values[i ^ 1] > 0) out[i] += 1;
}

/* The same array in the next launch. */
__global__ void next(const int *values, int *out) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (values[i] > 0) out[i] += 1;
}

/* Behind a copy over a part of it. */
__global__ void copied(const int *values, int *out) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (values[i] > 0) out[i] += 1;
}

int main() {
    int *values, *source, *out, result[N];
    cudaMalloc(&values, sizeof result);
    cudaMalloc(&source, sizeof result);
    cudaMalloc(&out, sizeof result);
    cudaMemset(values, 0, sizeof result);
    cudaMemset(out, 0, sizeof result);
    cudaMemset(source, 0, sizeof result);
    next<<<3, 256>>>(values, out);
    tiles<<<3, 256>>>(source, out);
    arrays<<<3, 256>>>(values, source, out);
    next<<<3, 256>>>(values, out);
    cudaMemset(values, 0, sizeof result);
    copied<<<3, 256>>>(values, out);
    cudaMemcpy(values + 100, source, 16 * sizeof(int), cudaMemcpyDeviceToDevice);
    copied<<<3, 256>>>(values, out);
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    printf("%d\n", result[300]);
    return 0;
}
