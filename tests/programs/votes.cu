/* votes: lanes that try until all have had their turn, and ask each time whether all have. */
#include "program.h"

__global__ void in_turn(int *lock, int *order) {
    int t = threadIdx.x, n = blockDim.x;
    unsigned all = n < 32 ? (1u << n) - 1 : ~0u;
    bool done = false;
    do {
        if (!done && atomicCAS(lock, 0, 1) == 0) {
            order[t] = atomicAdd(&order[32], 1);
            done = true;
            atomicExch(lock, 0);
        }
    } while (!__all_sync(all, done));
}
/* The same with a ballot, and a shuffle of what the others have found. */
__global__ void until_found(const int *in, int n, int *out) {
    int t = threadIdx.x, at = t, best = -1;
    bool done = false;
    while (true) {
        if (!done) {
            if (at >= n || in[at] % 7 == 3) {
                done = true;
                best = at;
            }
            at += 32;
        }
        unsigned left = __ballot_sync(~0u, !done);
        if (!left) break;
        int first = __ffs(left) - 1;
        if (__shfl_sync(~0u, at, first) > 4 * n) break;
    }
    out[t] = best;
}
int main() {
    Array<int> lock(1), order(33), in(4096), out(32);
    for (int n : {3, 17, 32}) {
        order[32] = 0;
        in_turn<<<1, n>>>(lock, order);
        CALL(cudaDeviceSynchronize());
        int seen = 0, wrong = order[32] != n;
        for (int t = 0; t < n; t++) {
            seen |= 1 << order[t];
            wrong += order[t] < 0 || order[t] >= n;
        }
        printf("%d lanes in turn: %d wrong\n", n, wrong + (seen != (int)((1ull << n) - 1)));
    }
    for (int i = 0; i < 4096; i++) in[i] = (i * 31 + i / 32) % 101;
    until_found<<<1, 32>>>(in, 4096, out);
    show("found", out);
    return 0;
}
