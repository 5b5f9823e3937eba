// What the loop found at last, by an atomic, is stored.
__global__ void add(double *sum, double *before) {
    unsigned long long *p = (unsigned long long *)sum;
    unsigned long long old = *p, assumed;
    do {
        assumed = old;
        old = atomicCAS(p, assumed, __double_as_longlong(__longlong_as_double(assumed) + 1.0));
    } while (assumed != old);
    before[blockIdx.x] = __longlong_as_double(old);
}

int main() {
    double *sum, *before;
    cudaMalloc(&sum, sizeof(double));
    cudaMalloc(&before, 8 * sizeof(double));
    cudaMemset(sum, 0, sizeof(double));
    add<<<8, 1>>>(sum, before);
    return cudaDeviceSynchronize() != cudaSuccess;
}
