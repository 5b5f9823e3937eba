// As many blocks as it holds.
// options: --only barrier
__device__ unsigned came;

__global__ void meet(int *x) {
    extern __shared__ char much[];
    if (threadIdx.x == 0) {
        atomicAdd(&came, 1);
        while (atomicAdd(&came, 0) < gridDim.x);
    }
    __syncthreads();
    x[blockIdx.x] = (int)sizeof much[0];
}

int main() {
    int *x, sms, one = 0, bytes = 200 * 1024;
    cudaFuncSetAttribute(meet, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&one, meet, 32, bytes);
    int blocks = sms * one;
    cudaMalloc(&x, blocks * sizeof *x);
    meet<<<blocks, 32, bytes>>>(x);
    bool good = cudaDeviceSynchronize() == cudaSuccess;
    if (good) cudaFree(x);
}
