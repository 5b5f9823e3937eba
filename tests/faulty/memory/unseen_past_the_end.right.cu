// The same accesses, within what they belong to.
#include <cstdio>
#include <cstdlib>

__device__ void fill(int *a, int n) {
    for (int i = 0; i < n; i++) a[i] = i;
}
__device__ int element(const int *a, int i) { return a[i]; }
__global__ void neighbours(int *x) {
    int v = x[threadIdx.x], w = x[threadIdx.x + 32], *p = &v, *q = &w;
    p[0] = 5;
    x[threadIdx.x] = v + q[0];
}
struct row {
    int members[4], last;
};
__global__ void cleared(int *x, int n) {
    row r;
    memset(&r, 0, sizeof r);
    x[threadIdx.x] = r.members[n & 3];
}
__global__ void copied(int *x) {
    int a[4] = {1, 2, 3, 4};
    memcpy(x + 2 * threadIdx.x, a + 2, 8);
}
__global__ void of_the_heap(int *x, int n) {
    int *p = (int *)malloc(4 * sizeof(int)), *q = new int[4];
    p[3] = n;
    free(p);
    for (int i = 0; i < 4; i++) q[i] = n;
    delete[] q;
}
static __device__ int table[4];
__global__ void to_a_static(int n) { table[n + threadIdx.x] = n; }
__global__ void to_shared(int *x) {
    __shared__ int s[32];
    x[threadIdx.x] = 1;
    if (threadIdx.x == 0) memset(s, 0, sizeof s);
}
__global__ void filled(int *x, int n) {
    int unread[4];
    fill(unread, 4);
    x[threadIdx.x] = n;
}
__global__ void asked(int *x, int n) {
    int a[4] = {n, n, n, n};
    x[threadIdx.x] = element(a, 3);
}

int main() {
    int *x;
    cudaMalloc(&x, 64 * sizeof(int));
    cudaMemset(x, 0, 64 * sizeof(int));
    neighbours<<<1, 32>>>(x);
    cleared<<<1, 32>>>(x, 3);
    copied<<<1, 32>>>(x);
    of_the_heap<<<1, 32>>>(x, 3);
    to_a_static<<<1, 2>>>(2);
    to_shared<<<1, 32>>>(x);
    filled<<<1, 32>>>(x, 3);
    asked<<<1, 32>>>(x, 3);
    cudaDeviceSynchronize();
    printf("done\n");
    cudaFree(x);
}
