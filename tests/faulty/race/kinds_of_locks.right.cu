// Locks as they are in use: by exchange in a loop, for a block, by tickets, in shared memory.
#include <cstdio>
__device__ int l1, l2, l3, s1, s2, s3, s4;
__device__ unsigned ticket, serving;
__global__ void a() { // per-thread lock with done flag, exch
    bool done = false;
    while (!done) {
        if (atomicExch(&l1, 1) == 0) {
            __threadfence();
            s1++;
            __threadfence();
            atomicExch(&l1, 0);
            done = true;
        }
    }
}
__global__ void b() { // thread 0 takes, barrier, all work
    if (threadIdx.x == 0)
        while (atomicCAS(&l2, 0, 1));
    __syncthreads();
    if (threadIdx.x == 5) s2++;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) atomicExch(&l2, 0);
}
__global__ void c() { // ticket lock
    unsigned t = atomicAdd(&ticket, 1);
    while (atomicAdd(&serving, 0) != t);
    __threadfence();
    s3++;
    __threadfence();
    atomicAdd(&serving, 1);
}
__global__ void d() { // block-scope lock in shared memory
    __shared__ int lock, sum;
    if (threadIdx.x == 0) lock = sum = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        while (atomicCAS(&lock, 0, 1));
        sum++;
        __threadfence_block();
        atomicExch(&lock, 0);
    }
    __syncthreads();
    if (threadIdx.x == 0) s4 = sum;
}
int main() {
    a<<<4, 1>>>();
    b<<<4, 64>>>();
    c<<<4, 1>>>();
    d<<<1, 128>>>();
    cudaDeviceSynchronize();
}
