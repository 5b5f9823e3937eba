// A child cannot access what is its parent's thread's alone, nor its block's.
// expect: out-of-bounds line 6
// says: in another thread's shared or local memory
#include <cstdio>

__global__ void child(const int *from, int *to) { *to = *from; }

__global__ void parent(int *x) {
    int own = 7;
    child<<<1, 1>>>(&own, x);
}

int main() {
    int *x;
    cudaMallocManaged(&x, sizeof(int));
    *x = 0;
    parent<<<1, 1>>>(x);
    cudaDeviceSynchronize();
    printf("done\n");
    return 0;
}
