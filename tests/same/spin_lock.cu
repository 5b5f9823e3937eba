// A lock, and a list that threads put themselves into behind it.
#include "hash.h"

__global__ void push(unsigned *lock, unsigned *list, volatile unsigned *n, volatile float *sum) {
    if (threadIdx.x % 16 == 0) {
        unsigned me = threadIdx.x + blockIdx.x * blockDim.x;
        bool done = false;
        while (!done) {
            if (atomicCAS(lock, 0, 1) == 0) {
                __threadfence();
                list[*n] = me;
                *n = *n + 1;
                *sum = *sum * 0.999f + me;
                __threadfence();
                atomicExch(lock, 0);
                done = true;
            }
        }
    }
}

int main() {
    const int blocks = 64;
    unsigned *words = zeros<unsigned>(2), *list = zeros<unsigned>(blocks * 8);
    float *sum = zeros<float>(1);
    push<<<blocks, 128>>>(words, list, words + 1, sum);
    print_hash("list", list, blocks * 8);
    print_hash("sum", sum, 1);
    return 0;
}
