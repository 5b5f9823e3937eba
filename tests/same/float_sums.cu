// Sums of floats and doubles by atomics, of all blocks in one place and in a few: rounding hangs on the
// order.
#include "hash.h"

__global__ void one(float *sum) { atomicAdd(sum, 1.0f / (1 + threadIdx.x + blockIdx.x * blockDim.x)); }
__global__ void few(double *sums, const int *bin, int n) {
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&sums[bin[i]], 1.0 / (1 + i));
}

int main() {
    const int n = 50000;
    std::vector<int> h(n);
    for (int i = 0; i < n; i++) h[i] = (i * 7919u) % 13;
    int *bin = zeros<int>(n);
    float *sum = zeros<float>(1);
    double *sums = zeros<double>(13);
    CK(cudaMemcpy(bin, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    one<<<512, 256>>>(sum);
    few<<<64, 128>>>(sums, bin, n);
    print_hash("sum", sum, 1);
    print_hash("sums", sums, 13);
    return 0;
}
