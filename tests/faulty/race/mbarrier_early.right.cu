// One warp fills a place, the other waits for it at an mbarrier, where the first arrives when it has written.

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

__global__ void hand_over(int *out) {
    __shared__ unsigned long long full;
    __shared__ int place[32];
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(of(&full)) : "memory");
    __syncthreads();
    int lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        place[lane] = lane * 3;
        arrive(&full);
    } else {
        wait_for(&full, 0);
        int from = 31 - lane;
        out[lane] = place[from];
    }
}

int main() {
    int *out;
    cudaMalloc(&out, 32 * sizeof(int));
    hand_over<<<1, 64>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
