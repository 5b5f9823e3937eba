// printf shows an element that nobody wrote.
// expect: uninitialised-use line 8
// says: Value 2 that it prints was never written: it was read at printed.cu:8:
// says: The address is at byte 28 of shared variable 'x' (128 bytes).
__global__ void show() {
    __shared__ float x[32];
    if (threadIdx.x != 7) x[threadIdx.x] = 0.5f * threadIdx.x;
    printf("%*.1f\n", 5, x[threadIdx.x]);
}

int main() {
    show<<<1, 32>>>();
    cudaDeviceSynchronize();
}
