// The host hands a kernel the address that it has of a __device__ function.
// expect: invalid-call line 10
// says: The host cannot take such an address
#include <cstdio>

typedef float (*function)(float);
__host__ __device__ float twice(float x) { return 2 * x; }
__device__ function on_device = twice;

__global__ void apply(float *x, function f) { x[threadIdx.x] = f(x[threadIdx.x]); }

int main() {
    float *x;
    cudaMalloc(&x, 32 * sizeof(float));
    cudaMemset(x, 0, 32 * sizeof(float));
    function f = twice;
    apply<<<1, 32>>>(x, f);
    cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) printf("%s\n", cudaGetErrorName(error));
    cudaFree(x);
    return 0;
}
