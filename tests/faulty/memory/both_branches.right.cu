// Both branches stay where the memory is.
__global__ void fill(int *p, const int *q, int n) {
    int t = threadIdx.x, x;
    if (t < 32) {
        p[n + t] = 0;
    } else {
        p[t + n] = 0;
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
    fill<<<1, 64>>>(p, q, 0);
    cudaDeviceSynchronize();
    cudaFree(p);
    cudaFree(q);
}
