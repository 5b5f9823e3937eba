// Each thread of a warp arrives for the whole warp, at an mbarrier that counts threads.
// expect: barrier-count line 10
// says: More threads arrive at it than its phase still waits for

__global__ void k(int *x) {
    __shared__ unsigned long long bar;
    unsigned at = (unsigned)__cvta_generic_to_shared(&bar);
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 40;" ::"r"(at) : "memory");
    __syncthreads();
    asm volatile("{ .reg .b64 state; mbarrier.arrive.shared.b64 state, [%0], 32; }" ::"r"(at) : "memory");
    x[threadIdx.x] = 1;
}

int main() {
    int *x;
    cudaMalloc(&x, 64 * sizeof(int));
    k<<<1, 64>>>(x);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    cudaFree(x);
}
