// All threads are within the span.
#include <cassert>
#include <cstdio>

template <class T> struct span {
    T *data;
    int size;
    __device__ T &operator[](int at) const {
        assert(at < size);
        return data[at];
    }
};
__global__ void twice(span<int> x) { x[threadIdx.x] *= 2; }

int main() {
    int *x;
    cudaMalloc(&x, 64 * sizeof(int));
    cudaMemset(x, 0, 64 * sizeof(int));
    twice<<<1, 64>>>(span<int>{x, 64});
    cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) printf("%s\n", cudaGetErrorString(error));
    cudaFree(x);
    return 0;
}
