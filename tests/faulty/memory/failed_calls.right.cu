// Calls whose errors are answers: there is no such device or that much memory, it is done already, or something is asked.
#include <cstdio>
#define LOOK(x)                                                                                              \
    if (cudaError_t error = x) printf("%s: %s\n", #x, cudaGetErrorString(error))

__global__ void fill(int *x) { *x = 3; }

int main() {
    int *x, *much, device, host[100] = {};
    cudaDeviceProp p;
    cudaEvent_t e;
    LOOK(cudaMallocManaged(&x, sizeof host));
    *x = 0;
    LOOK(cudaEventCreate(&e));
    fill<<<1, 1>>>(x);
    cudaEventRecord(e);
    LOOK(cudaEventQuery(e));
    LOOK(cudaDeviceSynchronize());
    LOOK(cudaMalloc(&much, 1ull << 50));
    LOOK(cudaSetDevice(5));
    LOOK(cudaGetDeviceProperties(&p, 7));
    LOOK(cudaDeviceGetByPCIBusId(&device, "none"));
    LOOK(cudaHostRegister(host, sizeof host, 0));
    LOOK(cudaHostRegister(host, sizeof host, 0));
    LOOK(cudaHostUnregister(host));
    LOOK(cudaHostUnregister(host));
    LOOK(cudaDeviceDisablePeerAccess(0));
    LOOK(cudaFree(x));
}
