// Values never written go through another kernel before they decide something.
// expect: uninitialised-branch line 12
// says: The address is at byte 128 of 256 bytes of device memory, allocated by cudaMalloc at
// says: The value was read there at through_a_copy.cu:9:68 in copy(int const*, int*), and came
// options: --only init

#include <cstdio>

__global__ void copy(const int *from, int *to) { to[threadIdx.x] = from[threadIdx.x]; }

__global__ void clamp(int *x) {
    if (x[threadIdx.x] > 100) x[threadIdx.x] = 100;
}

int main() {
    int *a, *b, result[64];
    cudaMalloc(&a, sizeof result);
    cudaMalloc(&b, sizeof result);
    cudaMemset(a, 0, sizeof result / 2);
    cudaMemset(b, 0, sizeof result);
    copy<<<1, 64>>>(a, b);
    clamp<<<1, 64>>>(b);
    cudaMemcpy(result, a, sizeof result / 2, cudaMemcpyDeviceToHost);
    printf("%d\n", result[0]);
    cudaFree(a);
    cudaFree(b);
}
