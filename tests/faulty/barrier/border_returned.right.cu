// Threads at the border of a mean filter return before its barrier, as in published versions: put right.

__global__ void mean(const int *in, int *out, int width) {
    __shared__ int row[96];
    const int t = threadIdx.x, x = blockIdx.x * 94 + t;
    if (x < width) row[t] = in[x];
    __syncthreads();
    if (t > 0 && t < 95 && x + 1 < width) out[x] = (row[t - 1] + row[t] + row[t + 1]) / 3;
}

int main() {
    int *data;
    if (cudaMalloc(&data, 4096 * sizeof(int)) != cudaSuccess) return 1;
    if (cudaMemset(data, 0, 4096 * sizeof(int)) != cudaSuccess) return 1;
    mean<<<3, 96>>>(data, data + 1024, 282);
    const bool good = cudaDeviceSynchronize() == cudaSuccess;
    if (cudaFree(data) != cudaSuccess && good) return 1;
    return 0;
}
