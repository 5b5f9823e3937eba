// Two warps read a place before a third one writes it, but only one and a half of them arrive at the mbarrier.
// expect: race-block line 31 other 27

__device__ unsigned of(const void *shared) { return (unsigned)__cvta_generic_to_shared(shared); }

__device__ void arrive(unsigned long long *barrier) {
    asm volatile("{ .reg .b64 state; mbarrier.arrive.shared.b64 state, [%0]; }" ::"r"(of(barrier))
                 : "memory");
}

__device__ void wait_for(unsigned long long *barrier, int phase) {
    asm volatile("{ .reg .pred p;\n"
                 "again: mbarrier.test_wait.parity.shared.b64 p, [%0], %1;\n"
                 "@!p bra again; }" ::"r"(of(barrier)),
                 "r"(phase)
                 : "memory");
}

__global__ void refill(int *out) {
    __shared__ unsigned long long empty;
    __shared__ int place[64];
    int t = threadIdx.x;
    if (t == 0) asm volatile("mbarrier.init.shared.b64 [%0], 48;" ::"r"(of(&empty)) : "memory");
    if (t < 64) place[t] = t;
    __syncthreads();
    if (t < 64) {
        out[t] = place[63 - t];
        if (t < 48) arrive(&empty);
    } else {
        wait_for(&empty, 0);
        place[t - 64] = place[t - 32] = 7;
    }
}

int main() {
    int *out;
    cudaMalloc(&out, 64 * sizeof(int));
    refill<<<1, 96>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
