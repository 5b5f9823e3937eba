// The one sets its own first.
// options: --only memory,init,barrier
__global__ void left(volatile int *f) {
    f[0] = 1;
    while (f[1] == 0);
}
__global__ void right(volatile int *f) {
    while (f[0] == 0);
    f[1] = 1;
}

int main() {
    int *f;
    cudaStream_t s[2];
    cudaStreamCreate(&s[0]);
    cudaStreamCreate(&s[1]);
    cudaMalloc(&f, 2 * sizeof *f);
    cudaMemset(f, 0, 2 * sizeof *f);
    left<<<1, 1, 0, s[0]>>>(f);
    right<<<1, 1, 0, s[1]>>>(f);
    bool good = cudaDeviceSynchronize() == cudaSuccess;
    if (good) cudaFree(f);
}
