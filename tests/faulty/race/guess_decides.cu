// A block goes by a guess before the exchange has said what it is worth.
// expect: race-grid line 6 other 4
__global__ void enter(int *state, int *log) {
    int old = *state;
    if (old < 100) log[blockIdx.x] = blockIdx.x;
    atomicCAS(state, old, old + 1);
}

int main() {
    int *state, *log;
    cudaMalloc(&state, sizeof(int));
    cudaMalloc(&log, 8 * sizeof(int));
    cudaMemset(state, 0, sizeof(int));
    enter<<<8, 1>>>(state, log);
    return cudaDeviceSynchronize() != cudaSuccess;
}
