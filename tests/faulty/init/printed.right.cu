// printf shows what was written.
__global__ void show() {
    __shared__ float x[32];
    if (threadIdx.x < 32) x[threadIdx.x] = 0.5f * threadIdx.x;
    printf("%*.1f\n", 5, x[threadIdx.x]);
}

int main() {
    show<<<1, 32>>>();
    cudaDeviceSynchronize();
}
