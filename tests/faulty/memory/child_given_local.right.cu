// What a child is to read is in global memory, or a parameter.
#include <cstdio>

__global__ void child(const int *from, int more, int *to) { *to = *from + more; }

__global__ void parent(int *x) {
    x[1] = 7;
    child<<<1, 1>>>(x + 1, 2, x);
}

int main() {
    int *x;
    cudaMallocManaged(&x, 2 * sizeof(int));
    *x = 0;
    parent<<<1, 1>>>(x);
    cudaDeviceSynchronize();
    printf("%d\n", *x);
    return 0;
}
