// The pointer moved on before it is freed.
// expect: invalid-free line 14

__global__ void set(int *x) { x[threadIdx.x] = 1; }

int main() {
    int *x;
    cudaMalloc(&x, 64 * sizeof(int));
    for (int part = 0; part < 2; part++) {
        set<<<1, 32>>>(x);
        x += 32;
    }
    cudaDeviceSynchronize();
    cudaFree(x);
}
