/* queens: in how many ways the queens that are left can be put, a thread for each beginning, with a stack of its own. */
#include "launch.h"

__global__ void queens(const unsigned *begun, unsigned *ways, int count, int rows, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    unsigned columns[16], left[16], right[16], open[16], found = 0;
    const unsigned board = (1u << n) - 1;
    columns[0] = begun[i * 3];
    left[0] = begun[i * 3 + 1];
    right[0] = begun[i * 3 + 2];
    open[0] = ~(columns[0] | left[0] | right[0]) & board;
    if (rows == 0) {
        ways[i] = columns[0] != ~0u;
        return;
    }
    for (int row = 0; row >= 0;) {
        if (!open[row]) {
            row--;
            continue;
        }
        const unsigned queen = open[row] & -open[row];
        open[row] ^= queen;
        if (row == rows - 1) {
            found++;
            continue;
        }
        columns[row + 1] = columns[row] | queen;
        left[row + 1] = (left[row] | queen) << 1;
        right[row + 1] = (right[row] | queen) >> 1;
        row++;
        open[row] = ~(columns[row] | left[row] | right[row]) & board;
    }
    ways[i] = found;
}

int main(int argc, char **argv) {
    return launch::run(argc, argv, "queens", [](const launch::Problem &p) {
        int count = 1;
        for (int row = 0; row < p.n[1]; row++) count *= p.n[0];
        queens<<<gallery::blocks_for(count, 64), 64>>>(p.input<unsigned>(0), p.result<unsigned>(), count,
                                                       p.n[0] - p.n[1], p.n[0]);
    });
}
