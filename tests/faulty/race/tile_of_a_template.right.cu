// A function template shares an array, with a barrier between its writes and its reads.
// options: --only race
#include <cstdio>

template <int N, class T> __device__ T total(T value) {
    __shared__ T partial[N];
    partial[threadIdx.x] = value;
    __syncthreads();
    T sum = 0;
    for (int i = 0; i < N; i++) sum += partial[i];
    return sum;
}

namespace app {
template <class T> __global__ void sums(const T *in, T *out) {
    out[threadIdx.x] = total<64>(in[threadIdx.x]);
}
} // namespace app

int main() {
    float host[64], *in;
    for (int i = 0; i < 64; i++) host[i] = i;
    cudaMalloc(&in, 2 * sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    app::sums<<<1, 64>>>(in, in + 64);
    cudaMemcpy(host, in + 64, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\n", host[0] > 0);
    cudaFree(in);
}
