// A value that has no bin.
// expect: out-of-bounds line 4

__global__ void histogram(const unsigned short *x, unsigned *bins) { atomicAdd(&bins[x[threadIdx.x]], 1u); }

int main() {
    unsigned short host[64], *x;
    unsigned *bins;
    for (int i = 0; i < 64; i++) host[i] = i * 4 + 4;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&bins, 256 * sizeof(unsigned));
    cudaMemset(bins, 0, 256 * sizeof(unsigned));
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    histogram<<<1, 64>>>(x, bins);
    cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(bins);
}
