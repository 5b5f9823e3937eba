// A barrier is missing in a function template, between its writes of a shared array and its reads.
// expect: race-block line 10 other 12
// options: --only race
// says: shared variable 'partial' (256 bytes)
// says: between lanes of a warp
#include <cstdio>

template <int N, class T> __device__ T total(T value) {
    __shared__ T partial[N];
    partial[threadIdx.x] = value;
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
