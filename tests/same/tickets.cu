// The order in which threads draw tickets, and which of them writes last, are what the program prints.
#include "hash.h"

__global__ void draw(unsigned *next, unsigned *order, unsigned *last) {
    unsigned i = threadIdx.x + blockIdx.x * blockDim.x;
    order[i] = atomicAdd(next, 1);
    last[i % 64] = i;
    atomicExch(&last[64 + i % 8], i);
}
__global__ void compact(const unsigned *in, unsigned *out, unsigned *n) {
    unsigned i = threadIdx.x + blockIdx.x * blockDim.x;
    if (in[i] % 3 == 0) out[atomicAdd(n, 1)] = i;
}

int main() {
    const int n = 200 * 128;
    unsigned *next = zeros<unsigned>(2), *order = zeros<unsigned>(n), *last = zeros<unsigned>(72);
    unsigned *out = zeros<unsigned>(n);
    draw<<<200, 128>>>(next, order, last);
    compact<<<200, 128>>>(order, out, next + 1);
    print_hash("order", order, n);
    print_hash("last", last, 72);
    print_hash("compact", out, n);
    return 0;
}
