// Sums of rows by a tree: the barrier stands outside of the loop, and the last row is not there.
// expect: out-of-bounds line 9
// expect: race-block line 13 other 13

__global__ void sums(const float *m, float *out, int rows, int columns) {
    __shared__ float part[128];
    int row = blockIdx.x, i = threadIdx.x;
    float sum = 0;
    for (int c = i; c < columns; c += 128) sum += m[row * columns + c];
    part[i] = sum;
    __syncthreads();
    for (int step = 64; step; step /= 2) {
        if (i < step) part[i] += part[i + step];
    }
    __syncthreads();
    if (!i) out[row] = part[0];
}

int main() {
    const int rows = 7, columns = 200;
    float *m, *out;
    cudaMalloc(&m, rows * columns * sizeof(float));
    cudaMalloc(&out, 8 * sizeof(float));
    cudaMemset(m, 0, rows * columns * sizeof(float));
    sums<<<8, 128>>>(m, out, rows, columns);
    cudaDeviceSynchronize();
    cudaFree(m);
    cudaFree(out);
}
