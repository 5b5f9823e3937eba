// A variable of the device is written beyond its end, into its neighbour.
// expect: out-of-bounds line 8
// says: variable 'counts' (64 bytes)

__device__ int counts[16];
__device__ int others[16];
__global__ void count(int n) {
    if (threadIdx.x <= n) counts[threadIdx.x] = others[0] + 1;
}

int main() {
    count<<<1, 32>>>(16);
    cudaDeviceSynchronize();
}
