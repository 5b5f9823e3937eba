// A tree of sums whose stride is three times as long in each turn: an index divided by the stride is no index divided
// by a row's length (rows in forms.def), for in the first turns a warp holds several strides. Beside it, rows whose
// length is a parameter.
#include <cstdio>

__global__ void tree(const int *x, int *sums, int turns) {
    __shared__ int part[256];
    unsigned t = threadIdx.x;
    part[t] = x[blockIdx.x * blockDim.x + t];
    __syncthreads();
    unsigned stride = 1;
    for (int turn = 0; turn < turns; turn++) {
        if (t % (3 * stride) == 0 && t < 243) part[t] += part[t + stride] + part[t + 2 * stride];
        stride *= 3;
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = part[0];
}

__global__ void rows(const int *x, int *y, unsigned width, int times) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = 0;
    for (int k = 0; k < times; k++) sum += x[i / width * width + (i + k) % width];
    y[i] = sum;
}

int main() {
    const int n = 2048, blocks = n / 256;
    int *x, *y;
    cudaMallocManaged(&x, n * sizeof *x);
    cudaMallocManaged(&y, n * sizeof *y);
    for (int i = 0; i < n; i++) x[i] = i * 7 % 13;
    tree<<<blocks, 256>>>(x, y, 5);
    cudaDeviceSynchronize();
    for (int b = 0; b < blocks; b++) printf("%d ", y[b]);
    rows<<<blocks, 256>>>(x, y, 128, 5);
    cudaDeviceSynchronize();
    long sum = 0;
    for (int i = 0; i < n; i++) sum += (long)i * y[i];
    printf("\n%ld\n", sum);
    return 0;
}
