// Three streams read what a fourth writes over; it waits for two of them.
// expect: race-stream line 10 other 7
#include <cstdio>

__global__ void use(const int *x, int *y) {
    int i = threadIdx.x;
    y[i] = 3 * x[i];
}

__global__ void renew(int *x) { x[threadIdx.x] = 7; }

int main() {
    int *x, *y[3];
    cudaStream_t s[3], last;
    cudaEvent_t used[3];
    cudaMalloc(&x, 64 * sizeof(int));
    cudaMemset(x, 0, 64 * sizeof(int));
    cudaStreamCreate(&last);
    for (int k = 0; k < 3; k++) {
        cudaMalloc(&y[k], 64 * sizeof(int));
        cudaStreamCreate(&s[k]);
        cudaEventCreate(&used[k]);
        use<<<1, 64, 0, s[k]>>>(x, y[k]);
        cudaEventRecord(used[k], s[k]);
    }
    for (int k = 0; k < 2; k++) cudaStreamWaitEvent(last, used[k]);
    renew<<<1, 64, 0, last>>>(x);
    cudaDeviceSynchronize();
    return 0;
}
