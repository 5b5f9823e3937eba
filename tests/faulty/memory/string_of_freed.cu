// A kernel prints a string of device memory that was freed.
// expect: use-after-free line 6
// says: the string that value 1 of printf points to
#include <cstdio>

__global__ void say(const char *text) { printf("%s\n", text); }

int main() {
    char *text;
    cudaMalloc(&text, 8);
    cudaMemcpy(text, "hello", 6, cudaMemcpyHostToDevice);
    cudaFree(text);
    say<<<1, 1>>>(text);
    cudaDeviceSynchronize();
    return 0;
}
