// An assertion fails in a function of a header's kind, and the program looks at the error and ends well.
// expect: assertion line 13
// says: Failed assertion: at < size.
// says: thread (40,0,0)
// says: called at assertion_seen.cu:17:
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
    twice<<<1, 64>>>(span<int>{x, 40});
    cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) printf("%s\n", cudaGetErrorString(error));
    cudaFree(x);
    return 0;
}
