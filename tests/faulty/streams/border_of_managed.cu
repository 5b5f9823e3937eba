// The host reads what a kernel, whose threads leave the border alone, writes meanwhile to managed memory.
// expect: race-host line 22 other 9
#include <cstdio>

__global__ void inside(const int *from, int *to, int *count, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
    atomicAdd(count, 1);
    to[y * n + x] = from[y * n + x - 1] + from[y * n + x + 1] + from[(y - 1) * n + x] + from[(y + 1) * n + x];
}

int main() {
    const int n = 64;
    int *from, *to, *count, sum = 0;
    cudaMallocManaged(&from, n * n * sizeof(int));
    cudaMallocManaged(&to, n * n * sizeof(int));
    cudaMallocManaged(&count, sizeof(int));
    for (int i = 0; i < n * n; i++) from[i] = to[i] = i;
    *count = 0;
    inside<<<dim3(4, 16), dim3(16, 4)>>>(from, to, count, n);
    for (int i = 0; i < n; i++) sum += to[i] + from[i * n + 1];
    for (int i = 1; i < n; i++) sum += to[n + i];
    cudaDeviceSynchronize();
    printf("%d %d\n", sum > 0, *count);
}
