// The string is freed after the kernel has printed it.
#include <cstdio>

__global__ void say(const char *text) { printf("%s\n", text); }

int main() {
    char *text;
    cudaMalloc(&text, 8);
    cudaMemcpy(text, "hello", 6, cudaMemcpyHostToDevice);
    say<<<1, 1>>>(text);
    cudaDeviceSynchronize();
    cudaFree(text);
    return 0;
}
