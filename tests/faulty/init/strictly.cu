// Values that were never written are computed with, and the results stay on the device: told of where that is asked for.
// expect: uninitialised-read line 9
// expect: uninitialised-read line 15
// options: --strict-init
// says: a read of 4 bytes by block (0,0,0), thread (0,0,0)
// says: The address is at byte 0 of 256 bytes of device memory, allocated by cudaMalloc at strictly.cu:20
// says: The address is at byte 124 of shared variable 'line' (128 bytes).

__global__ void twice(const int *a, int *b) { b[threadIdx.x] = 2 * a[threadIdx.x] + 1; }

__global__ void neighbours(int *b) {
    __shared__ int line[32];
    if (threadIdx.x < 31) line[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x) b[threadIdx.x] = line[threadIdx.x] + line[threadIdx.x - 1];
}

int main() {
    int *a, *b;
    cudaMalloc(&a, 64 * sizeof(int));
    cudaMalloc(&b, 64 * sizeof(int));
    twice<<<1, 64>>>(a, b);
    neighbours<<<1, 32>>>(b);
    cudaDeviceSynchronize();
    cudaFree(a);
    cudaFree(b);
}
