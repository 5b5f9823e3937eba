// The threads of a block count themselves in shared memory, behind their fence and a barrier; the last one tells the other block.
__global__ void hand_over(int *out, int *part, int *flag) {
    __shared__ int arrived;
    if (threadIdx.x == 0) arrived = 0;
    __syncthreads();
    if (blockIdx.x == 0) {
        part[threadIdx.x] = threadIdx.x;
        __threadfence();
        __syncthreads();
        if (atomicAdd(&arrived, 1) == blockDim.x - 1) atomicExch(flag, 1);
    } else {
        if (threadIdx.x == 0) {
            while (!atomicAdd(flag, 0)) continue;
            __threadfence();
        }
        __syncthreads();
        out[threadIdx.x] = part[127 - threadIdx.x];
    }
}

int main() {
    int *out, *part, *flag;
    cudaMallocManaged(&out, 128 * sizeof(int));
    cudaMallocManaged(&part, 128 * sizeof(int));
    cudaMallocManaged(&flag, sizeof(int));
    *flag = 0;
    hand_over<<<2, 128>>>(out, part, flag);
    return cudaDeviceSynchronize() != cudaSuccess;
}
