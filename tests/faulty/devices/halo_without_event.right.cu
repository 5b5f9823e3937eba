// Two devices exchange their borders by stores into each other's memory.
// options: --devices 2
#include <cstdio>

enum { N = 128 };

// x[0] and x[N + 1] are the neighbour's.
__global__ void put_border(const int *mine, int *left, int *right) {
    if (left) left[N + 1] = mine[1];
    if (right) right[0] = mine[N];
}

__global__ void smooth(const int *x, int *y) {
    int i = threadIdx.x + 1;
    y[i] = x[i - 1] + x[i] + x[i + 1];
}

int main() {
    int *x[2], *y[2], got;
    cudaStream_t s[2];
    cudaEvent_t put[2];
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        cudaDeviceEnablePeerAccess(1 - d, 0);
        cudaStreamCreate(&s[d]);
        cudaEventCreate(&put[d]);
        cudaMalloc(&x[d], (N + 2) * sizeof(int));
        cudaMalloc(&y[d], (N + 2) * sizeof(int));
        cudaMemset(x[d], d + 1, (N + 2) * sizeof(int));
        cudaDeviceSynchronize();
    }
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        put_border<<<1, 1, 0, s[d]>>>(x[d], d ? x[0] : nullptr, d ? nullptr : x[1]);
        cudaEventRecord(put[d], s[d]);
    }
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        cudaStreamWaitEvent(s[d], put[1 - d]);
        smooth<<<1, N, 0, s[d]>>>(x[d], y[d]);
    }
    cudaDeviceSynchronize();
    cudaMemcpy(&got, y[1] + 1, sizeof got, cudaMemcpyDeviceToHost);
    printf("%x\n", got);
    return 0;
}
