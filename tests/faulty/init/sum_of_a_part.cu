// The lanes that have a value sum up over the warp: the mask leaves the others out, but they are asked, too.
// expect: uninitialised-branch line 14
// says: The value is from lane 24, which does not take part in the shuffle.
// options: --only init

#include <cstdio>

__global__ void positive(const int *x, int n, int *yes) {
    int t = threadIdx.x;
    unsigned mask = __ballot_sync(0xffffffff, t < n);
    if (t < n) {
        int sum = x[t];
        for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(mask, sum, step);
        if (t == 0 && sum > 0) *yes = 1;
    }
}

int main() {
    int *x, *yes, result;
    cudaMalloc(&x, 32 * sizeof(int));
    cudaMalloc(&yes, sizeof(int));
    cudaMemset(x, 0, 32 * sizeof(int));
    cudaMemset(yes, 0, sizeof(int));
    positive<<<1, 32>>>(x, 24, yes);
    cudaMemcpy(&result, yes, sizeof result, cudaMemcpyDeviceToHost);
    printf("%d\n", result);
    cudaFree(x);
    cudaFree(yes);
}
