// Counters that all add to are read by those that have come first.
// expect: race-grid line 6 other 7
const int BINS = 128;

__global__ void count(unsigned *bins, unsigned *seen) {
    atomicAdd(&bins[threadIdx.x % BINS], 1u);
    seen[blockIdx.x * blockDim.x + threadIdx.x] = bins[threadIdx.x % BINS];
}

int main() {
    unsigned *bins, *seen;
    cudaMalloc(&bins, BINS * sizeof(unsigned));
    cudaMalloc(&seen, 512 * sizeof(unsigned));
    cudaMemset(bins, 0, BINS * sizeof(unsigned));
    count<<<4, 128>>>(bins, seen);
    return cudaDeviceSynchronize() != cudaSuccess;
}
