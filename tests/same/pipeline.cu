// Even blocks make what odd blocks take, through rings in global memory; and how long each waited.
#include "hash.h"

enum { RING = 4, ITEMS = 40 };

__global__ void pipe(volatile unsigned *ring, volatile unsigned *put, volatile unsigned *taken, unsigned *out,
                     unsigned *waited, long long *time) {
    unsigned pair = blockIdx.x / 2, wait = 0;
    if (threadIdx.x == 0) {
        long long t = clock64();
        if (blockIdx.x % 2 == 0) {
            for (unsigned i = 0; i < ITEMS; i++) {
                while (i - taken[pair] >= RING) wait++;
                ring[pair * RING + i % RING] = pair * 1000 + i * i;
                __threadfence();
                put[pair] = i + 1;
            }
        } else {
            for (unsigned i = 0; i < ITEMS; i++) {
                while (put[pair] <= i) {
                    wait++;
                    __nanosleep(100);
                }
                __threadfence();
                out[pair * ITEMS + i] = ring[pair * RING + i % RING];
                __threadfence();
                taken[pair] = i + 1;
            }
        }
        waited[blockIdx.x] = wait;
        time[blockIdx.x] = clock64() - t;
    }
}

int main(int argc, char **) {
    const int pairs = 20;
    unsigned *ring = zeros<unsigned>(pairs * RING), *put = zeros<unsigned>(pairs),
             *taken = zeros<unsigned>(pairs);
    unsigned *out = zeros<unsigned>(pairs * ITEMS), *waited = zeros<unsigned>(2 * pairs);
    auto *time = zeros<long long>(2 * pairs);
    pipe<<<2 * pairs, 32>>>(ring, put, taken, out, waited, time);
    print_hash("out", out, pairs * ITEMS);
    if (argc > 1) return 0; // what is behind hangs on the order of turns
    print_hash("waited", waited, 2 * pairs);
    print_hash("time", time, 2 * pairs);
    return 0;
}
