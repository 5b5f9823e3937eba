// The block that takes the lock first has no fence behind it: had it come second, the other one's data could overtake its own.
// expect: race-grid line 13 other 13
// expect: race-grid line 13 other 13
// expect: race-volatile line 26 other 26
// expect: race-volatile line 26 other 26
#include <cstdio>
__device__ int lock, total, other;

__global__ void plain() {
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    if (blockIdx.x) __threadfence();
    total = total + 1;
    __threadfence();
    atomicExch(&lock, 0);
}

// The block's own fence does not reach others.
__global__ void too_near(volatile int *data) {
    while (atomicExch(&other, 1) != 0) {
    }
    if (blockIdx.x)
        __threadfence();
    else
        __threadfence_block();
    data[0] = data[0] + 1;
    __threadfence();
    atomicExch(&other, 0);
}

// No lock: a state that goes on and never comes back, so who comes first finds nothing.
__global__ void once(int *state, int *value, int *out) {
    if (atomicCAS(state, 0, 1) == 0) {
        *value = 7;
        __threadfence();
        atomicExch(state, 2);
    } else {
        while (atomicAdd(state, 0) != 2) {
        }
        __threadfence();
    }
    out[blockIdx.x] = *value;
}

int main() {
    int *p, host[4];
    cudaMalloc(&p, sizeof host + 12);
    cudaMemset(p, 0, sizeof host + 12);
    plain<<<2, 1>>>();
    too_near<<<2, 1>>>(p);
    once<<<4, 1>>>(p + 1, p + 2, p + 3);
    cudaMemcpy(host, p + 3, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\n", host[3]);
    cudaFree(p);
}
