// Managed memory, one row too many.
// expect: out-of-bounds line 6
// says: managed memory, allocated by cudaMallocManaged

__global__ void rows(float *m, int width, int height) {
    for (int y = 0; y <= height; y++) m[y * width + threadIdx.x] = y;
}

int main() {
    float *m;
    cudaMallocManaged(&m, 32 * 8 * sizeof(float));
    rows<<<1, 32>>>(m, 32, 8);
    cudaDeviceSynchronize();
    cudaFree(m);
}
