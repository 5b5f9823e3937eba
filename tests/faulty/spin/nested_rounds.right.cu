// One loop inside another: asks whether it is open before each try, and begins anew when somebody was faster.
__device__ int open = 1, taken;

__global__ void enter(int *order) {
    for (;;) {
        while (atomicAdd(&open, 0) == 0) {
        }
        int seen = atomicAdd(&taken, 0);
        while (seen < 64) {
            int found = atomicCAS(&taken, seen, seen + 1);
            if (found == seen) {
                order[seen] = threadIdx.x;
                return;
            }
            seen = found;
        }
        __nanosleep(100);
    }
}

int main() {
    int *order;
    cudaMalloc(&order, 64 * sizeof(int));
    enter<<<2, 32>>>(order);
    return cudaDeviceSynchronize() != cudaSuccess;
}
