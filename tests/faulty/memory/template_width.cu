// One of two instances of a template is wider than its memory.
// expect: out-of-bounds line 6
// says: widen<4>

template <int width> __global__ void widen(const short *x, int *y) {
    for (int k = 0; k < width; k++) y[threadIdx.x * width + k] = x[threadIdx.x];
}

int main() {
    short *x;
    int *y;
    cudaMalloc(&x, 32 * sizeof(short));
    cudaMalloc(&y, 32 * 2 * sizeof(int));
    cudaMemset(x, 0, 32 * sizeof(short));
    widen<2><<<1, 32>>>(x, y);
    widen<4><<<1, 32>>>(x, y);
    cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(y);
}
