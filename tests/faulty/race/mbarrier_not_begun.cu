// Lanes arrive at an mbarrier that one of them has begun, without having met it since.
// expect: race-block line 9 other 8

__global__ void k(int *x) {
    __shared__ unsigned long long bar;
    unsigned at = (unsigned)__cvta_generic_to_shared(&bar);
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at), "r"(blockDim.x) : "memory");
    asm volatile("{ .reg .b64 state; .reg .pred p;\n"
                 "mbarrier.arrive.shared.b64 state, [%0];\n"
                 "again: mbarrier.try_wait.shared.b64 p, [%0], state;\n"
                 "@!p bra again; }" ::"r"(at)
                 : "memory");
    x[threadIdx.x] = 1;
}

int main() {
    int *x;
    cudaMalloc(&x, 64 * sizeof(int));
    k<<<1, 64>>>(x);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    cudaFree(x);
}
