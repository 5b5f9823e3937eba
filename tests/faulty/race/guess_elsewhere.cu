// The value that a block begins with is that of the bin beside the one where it exchanges.
// expect: race-grid line 5 other 8
__global__ void count(int *bins) {
    int *p = &bins[blockIdx.x % 2];
    int old = p[1], assumed;
    do {
        assumed = old;
        old = atomicCAS(p, assumed, assumed < 100 ? assumed + 1 : 0);
    } while (assumed != old);
}

int main() {
    int *bins;
    cudaMalloc(&bins, 3 * sizeof(int));
    cudaMemset(bins, 0, 3 * sizeof(int));
    count<<<8, 1>>>(bins);
    return cudaDeviceSynchronize() != cudaSuccess;
}
