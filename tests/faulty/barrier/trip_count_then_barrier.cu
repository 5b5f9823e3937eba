// Threads that leave a loop early wait at the barrier behind it, the others at the one inside.
// expect: barrier-skipped line 10 other 13
// options: --only barrier

__global__ void rounds(int *data) {
    __shared__ int part[64];
    const int t = threadIdx.x, turns = t < 32 ? 2 : 4;
    for (int i = 0; i < turns; i++) {
        part[t] = data[t] + i;
        __syncthreads();
    }
    data[64 + t] = part[t];
    __syncthreads();
    data[128 + t] = part[t] + 1;
    __syncthreads();
    data[192 + t] = part[t] + 2;
}

int main() {
    int *data;
    if (cudaMalloc(&data, 4096 * sizeof(int)) != cudaSuccess) return 1;
    if (cudaMemset(data, 0, 4096 * sizeof(int)) != cudaSuccess) return 1;
    rounds<<<1, 64>>>(data);
    const bool good = cudaDeviceSynchronize() == cudaSuccess;
    if (cudaFree(data) != cudaSuccess && good) return 1;
    return 0;
}
