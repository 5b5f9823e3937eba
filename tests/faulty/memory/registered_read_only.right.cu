// A kernel reads memory that the program has registered for reading.
#include <cstdio>
#include <cstdlib>
#define COUNTS 0

__global__ void count(int *words, int *seen) {
    seen[threadIdx.x] = words[threadIdx.x];
    if (COUNTS) words[threadIdx.x] = 0;
}

int main() {
    void *memory = aligned_alloc(4096, 4096);
    int host[32], *words, *seen;
    for (int i = 0; i < 1024; i++) ((int *)memory)[i] = i;
    cudaHostRegister(memory, 4096, cudaHostRegisterMapped | cudaHostRegisterReadOnly);
    cudaHostGetDevicePointer(&words, memory, 0);
    cudaMalloc(&seen, sizeof host);
    count<<<1, 32>>>(words, seen);
    cudaMemcpy(host, seen, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\n", host[3]);
    cudaFree(seen);
    cudaHostUnregister(memory);
    free(memory);
}
