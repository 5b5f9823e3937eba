// Blocks take work from a queue in global memory, and put more work into it, until all is done.
#include "hash.h"

enum { MOST = 8192 };

__global__ void work(unsigned *head, unsigned *tail, unsigned *left, volatile unsigned *queue,
                     unsigned *who) {
    __shared__ unsigned at, item;
    for (;;) {
        if (threadIdx.x == 0) {
            at = atomicAdd(head, 1);
            item = 0;
            if (at < MOST)
                while ((item = queue[at]) == 0 && atomicAdd(left, 0) != 0) {
                }
        }
        __syncthreads();
        if (item == 0) return;
        if (threadIdx.x == 0) {
            who[at] = blockIdx.x * 65536 + item;
            if (item < 256)
                for (unsigned k = 0; k < 2; k++) {
                    atomicAdd(left, 1);
                    queue[atomicAdd(tail, 1)] = 2 * item + k;
                }
            __threadfence();
            atomicSub(left, 1);
        }
        __syncthreads();
    }
}

int main() {
    unsigned *words = zeros<unsigned>(3), *queue = zeros<unsigned>(MOST), *who = zeros<unsigned>(MOST);
    const unsigned begin[3] = {0, 1, 1}, one = 1;
    CK(cudaMemcpy(words, begin, sizeof begin, cudaMemcpyHostToDevice));
    CK(cudaMemcpy(queue, &one, sizeof one, cudaMemcpyHostToDevice));
    work<<<16, 64>>>(words, words + 1, words + 2, queue, who);
    print_hash("who", who, MOST);
    return 0;
}
