// What is to come after a child is launched last.
#include <cstdio>

__global__ void child(int *x) { x[threadIdx.x] = threadIdx.x; }

__global__ void after(const int *x, int *sum) { *sum = x[31]; }

__global__ void parent(int *x, int *sum) {
    for (int i = 0; i < 32; i++) {
        x[i] = i;
        if (i % 8 == 7) child<<<1, 8>>>(x + i - 7);
    }
    after<<<1, 1, 0, cudaStreamTailLaunch>>>(x, sum);
}

__global__ void next(int *x) { x[threadIdx.x] *= 2; }

int main() {
    int *x;
    cudaMallocManaged(&x, 33 * sizeof(int));
    parent<<<1, 1>>>(x, x + 32);
    next<<<1, 33>>>(x);
    cudaDeviceSynchronize();
    printf("%d\n", x[32]);
    return 0;
}
