// Calls that fail, each with a look at the error.
// expect: api-error line 15
// expect: api-error line 16
// expect: api-error line 18
// says: It returned cudaErrorInvalidResourceHandle (400): an event that was never recorded
#include <cstdio>
#define LOOK(x)                                                                                              \
    if (cudaError_t error = x) printf("%s: %s\n", #x, cudaGetErrorString(error))

int main() {
    int *x, host[100] = {};
    cudaEvent_t e;
    float ms;
    LOOK(cudaMalloc(&x, 32 * sizeof(int)));
    LOOK(cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice));
    LOOK(cudaMemset(x, 0, 4096));
    LOOK(cudaEventCreate(&e));
    LOOK(cudaEventElapsedTime(&ms, e, e));
    LOOK(cudaFree(x));
}
