// Stores of both branches are out of bounds, and a load in both: optimisers would make one of each pair, with no line.
// expect: out-of-bounds line 9
// expect: out-of-bounds line 11
// expect: out-of-bounds line 14
// expect: out-of-bounds line 16
__global__ void fill(int *p, const int *q, int n) {
    int t = threadIdx.x, x;
    if (t < 32) {
        p[n + t] = 0;
    } else {
        p[3 * t - n] = 0;
    }
    if (p[t]) {
        x = q[n] + 1;
    } else {
        x = q[n] * 2;
    }
    p[t] = x;
}

int main() {
    int *p, *q;
    cudaMalloc(&p, 64 * sizeof(int));
    cudaMalloc(&q, 64 * sizeof(int));
    cudaMemset(p, 0, 64 * sizeof(int));
    cudaMemset(p, 1, 16 * sizeof(int));
    cudaMemset(q, 0, 64 * sizeof(int));
    fill<<<1, 64>>>(p, q, 1000);
    cudaDeviceSynchronize();
    cudaFree(p);
    cudaFree(q);
}
