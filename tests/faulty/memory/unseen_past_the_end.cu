// Accesses past the end of what is a thread's own, of its heap and of a static variable, that an optimiser takes for undefined
// or for unused, and leaves out.
// expect: local-bounds line 17
// expect: local-bounds line 22
// expect: local-bounds line 26
// expect: local-bounds line 27
// expect: local-bounds line 34
// expect: local-bounds line 39
// expect: out-of-bounds line 44
// expect: out-of-bounds line 46
// expect: out-of-bounds line 50
// expect: shared-bounds line 55
#include <cstdio>
#include <cstdlib>

__device__ void fill(int *a, int n) {
    for (int i = 0; i < n; i++) a[i] = i;
}
__device__ int element(const int *a, int i) {
    // Of four elements, the fifth.

    return a[i];
}
__global__ void neighbours(int *x) {
    int v = x[threadIdx.x], w = x[threadIdx.x + 32], *p = &v, *q = &w;
    p[2] = 5;
    x[threadIdx.x] = v + q[2];
}
struct row {
    int members[4], last;
};
__global__ void cleared(int *x, int n) {
    row r;
    memset(&r, 0, sizeof r + 4);
    x[threadIdx.x] = r.members[n & 3];
}
__global__ void copied(int *x) {
    int a[4] = {1, 2, 3, 4};
    memcpy(x + 2 * threadIdx.x, a + 3, 8);
}
__global__ void of_the_heap(int *x, int n) {
    int *p = (int *)malloc(4 * sizeof(int)), *q = new int[4];

    p[4] = n;
    free(p);
    for (int i = 0; i <= 4; i++) q[i] = n;
    delete[] q;
}
static __device__ int table[4];
__global__ void to_a_static(int n) { table[n + threadIdx.x] = n; }
__global__ void to_shared(int *x) {
    __shared__ int s[32];
    x[threadIdx.x] = 1;

    if (threadIdx.x == 0) memset(s, 0, sizeof s + 4);
}
__global__ void filled(int *x, int n) {
    int unread[4];
    fill(unread, 5);
    x[threadIdx.x] = n;
}
__global__ void asked(int *x, int n) {
    int a[4] = {n, n, n, n};
    x[threadIdx.x] = element(a, 4);
}

int main() {
    int *x;
    cudaMalloc(&x, 64 * sizeof(int));
    cudaMemset(x, 0, 64 * sizeof(int));
    neighbours<<<1, 32>>>(x);
    cleared<<<1, 32>>>(x, 3);
    copied<<<1, 32>>>(x);
    of_the_heap<<<1, 32>>>(x, 3);
    to_a_static<<<1, 2>>>(3);
    to_shared<<<1, 32>>>(x);
    filled<<<1, 32>>>(x, 3);
    asked<<<1, 32>>>(x, 3);
    cudaDeviceSynchronize();
    printf("done\n");
    cudaFree(x);
}
