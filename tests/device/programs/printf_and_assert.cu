/* What kernels print, check and stop with. */
// PTX: vprintf
// PTX: __assertfail
// PTX: trap
// PTX: brkpt
#include <cassert>
#include <cstdio>
__global__ void speak(const char *name, float f, int n) {
    printf("thread %d of %s: %5.2f %lld %c %p %%\n", threadIdx.x, name, f, (long long)n, 'x', name);
    printf("plain\n");
    assert(n > 0 && "n counts");
    if (n == 42) __trap();
    if (n == 43) __brkpt();
}
int main() {
    speak<<<1, 1>>>("kernel", 1.5f, 3);
    assert(cudaDeviceSynchronize() == cudaSuccess);
    printf("host %d\n", 1);
}
