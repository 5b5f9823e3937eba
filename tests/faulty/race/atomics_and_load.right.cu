// Counters that all add to give what they were.
const int BINS = 128;

__global__ void count(unsigned *bins, unsigned *seen) {
    unsigned before = atomicAdd(&bins[threadIdx.x % BINS], 1u);
    seen[blockIdx.x * blockDim.x + threadIdx.x] = before;
}

int main() {
    unsigned *bins, *seen;
    cudaMalloc(&bins, BINS * sizeof(unsigned));
    cudaMalloc(&seen, 512 * sizeof(unsigned));
    cudaMemset(bins, 0, BINS * sizeof(unsigned));
    count<<<4, 128>>>(bins, seen);
    return cudaDeviceSynchronize() != cudaSuccess;
}
