// A buffer that the peer still copies from is filled for the next step.
// expect: race-stream line 7 other 30
// says: cudaMemcpyPeerAsync, which reads it
// options: --devices 2
#include <cstdio>

__global__ void make(int *x, int step) { x[threadIdx.x] = step; }
__global__ void add(int *sum, const int *x) { sum[threadIdx.x] += x[threadIdx.x]; }

int main() {
    int *x, *y, *sum, got;
    cudaStream_t from, to;
    cudaEvent_t made, copied;
    cudaSetDevice(1);
    cudaMalloc(&y, 64 * sizeof(int));
    cudaMalloc(&sum, 64 * sizeof(int));
    cudaMemset(sum, 0, 64 * sizeof(int));
    cudaStreamCreate(&to);
    cudaEventCreate(&copied);
    cudaSetDevice(0);
    cudaMalloc(&x, 64 * sizeof(int));
    cudaStreamCreate(&from);
    cudaEventCreate(&made);
    for (int step = 0; step < 3; step++) {
        cudaSetDevice(0);
        make<<<1, 64, 0, from>>>(x, step);
        cudaEventRecord(made, from);
        cudaSetDevice(1);
        cudaStreamWaitEvent(to, made);
        cudaMemcpyPeerAsync(y, 1, x, 0, 64 * sizeof(int), to);
        cudaEventRecord(copied, to);
        add<<<1, 64, 0, to>>>(sum, y);
    }
    cudaMemcpyAsync(&got, sum, sizeof got, cudaMemcpyDeviceToHost, to);
    cudaStreamSynchronize(to);
    printf("%d\n", got);
    return 0;
}
