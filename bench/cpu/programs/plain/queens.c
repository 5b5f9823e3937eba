/* queens.c: a function that calls itself for each queen; beginnings shared out as threads become free. */
#include "plain.h"

#include <stdint.h>

static uint32_t placed(int left, uint32_t board, uint32_t columns, uint32_t down, uint32_t up) {
    if (left == 0) return 1;
    uint32_t count = 0;
    for (uint32_t open = ~(columns | down | up) & board; open; open &= open - 1) {
        const uint32_t queen = open & -open;
        count += placed(left - 1, board, columns | queen, (down | queen) << 1, (up | queen) >> 1);
    }
    return count;
}

void plain_queens(struct program *p) {
    const int n = p->n[0];
    const uint32_t *begun = p->in[0];
    uint32_t *ways = p->out;
    int count = 1;
    for (int row = 0; row < p->n[1]; row++) count *= n;
#pragma omp parallel for schedule(dynamic, 64)
    for (int i = 0; i < count; i++)
        ways[i] = begun[3 * i] == ~0u
                      ? 0
                      : placed(n - p->n[1], (1u << n) - 1, begun[3 * i], begun[3 * i + 1], begun[3 * i + 2]);
}
