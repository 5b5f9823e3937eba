// Hints to caches in a program's own PTX: lines of which nobody needs the old content, lines that are as good
// as any.
#include <cstdio>

__global__ void renew(int *lines, const int *seed) {
    int *line = lines + 32 * threadIdx.x;
    asm volatile("discard.global.L2 [%0], 128;" ::"l"(line) : "memory");
    asm volatile("applypriority.global.L2::evict_normal [%0], 128;" ::"l"(seed) : "memory");
    for (int i = 0; i < 32; i++) line[i] = *seed + (int)threadIdx.x * i;
}

int main() {
    int *lines, *seed;
    cudaMallocManaged(&lines, 64 * 32 * sizeof(int));
    cudaMallocManaged(&seed, 128);
    *seed = 9;
    renew<<<1, 64>>>(lines, seed);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    int wrong = 0;
    for (int i = 0; i < 64 * 32; i++) wrong += lines[i] != 9 + i / 32 * (i % 32);
    printf("%d wrong\n", wrong);
    return 0;
}
