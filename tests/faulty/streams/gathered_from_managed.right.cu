// The host overwrites what the kernel does not read, and the rest when it has ended.
#include <cstdio>

__global__ void gather(const int *from, const int *at, int *to) { to[threadIdx.x] = from[at[threadIdx.x]]; }

int main() {
    const int n = 256;
    int *from, *at, *to;
    cudaMallocManaged(&from, 4 * n * sizeof(int));
    cudaMallocManaged(&at, n * sizeof(int));
    cudaMallocManaged(&to, n * sizeof(int));
    for (int i = 0; i < 4 * n; i++) from[i] = i;
    for (int i = 0; i < n; i++) at[i] = i % 2 ? 4 * i : 4 * i + 2;
    gather<<<1, n>>>(from, at, to);
    from[0] = 1; // nobody reads these
    from[8 * n / 4 + 1] = 1;
    cudaDeviceSynchronize();
    from[8 * n / 4 + 2] = 1;
    printf("%d\n", to[0]);
}
