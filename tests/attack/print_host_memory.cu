// A kernel that prints a string of the host's: it gets to see nothing of it.
#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void print(const char *text) { printf("a kernel read: %s\n", text); }
__global__ void print_loaded(const char *const *text) { printf("a kernel read: %s\n", *text); }
__global__ void print_format(const char *format) {
    int n = printf(format, 1);
    printf("a format of the host's: %s\n", n < 0 ? "not printed" : "printed");
}

int main() {
    char *secret = static_cast<char *>(malloc(64));
    char *registered =
        static_cast<char *>(aligned_alloc(64, 128)) + 48; // which ends within a line of the cache
    const char **cell;
    char *own;
    strcpy(secret, "a password");
    strcpy(registered, "what was registered");
    cudaHostRegister(registered, 64, cudaHostRegisterDefault);
    cudaMalloc(&cell, sizeof *cell);
    cudaMalloc(&own, 64);
    cudaMemcpy(own, "what lies on the device", 24, cudaMemcpyHostToDevice);
    print<<<1, 1>>>(secret);
    print<<<1, 1>>>(registered);
    print<<<1, 1>>>(own);
    cudaMemcpy(cell, &secret, sizeof *cell, cudaMemcpyHostToDevice);
    print_loaded<<<1, 1>>>(cell);
    print_format<<<1, 1>>>(secret);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
