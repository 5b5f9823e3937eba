/* align.c: tiles of 64 x 64 along a diagonal are shared out; within one, rows that stay in the cache. */
#include "plain.h"

enum { TILE = 64 };

static int larger(int a, int b) { return a > b ? a : b; }

static void fill_tile(int *score, const int *alike, int row, int top, int left, int penalty) {
    const int bottom = top + TILE < row ? top + TILE : row, end = left + TILE < row ? left + TILE : row;
    for (int y = top; y < bottom; y++) {
        const int *above = score + y * row - row, *like = alike + (y - 1) * (row - 1) - 1;
        int last = score[y * row + left - 1], best[TILE];
        for (int x = left; x < end; x++) best[x - left] = larger(above[x - 1] + like[x], above[x] - penalty);
        for (int x = left; x < end; x++) score[y * row + x] = last = larger(best[x - left], last - penalty);
    }
}

void plain_align(struct program *p) {
    const int row = p->n[0] * 16 + 1, penalty = p->n[1], tiles = (row - 1 + TILE - 1) / TILE;
    int *score = p->out;
    for (int i = 0; i < row; i++) score[i] = score[i * row] = -i * penalty;
#pragma omp parallel
    for (int sum = 0; sum < 2 * tiles - 1; sum++) {
        const int first = sum < tiles ? 0 : sum - tiles + 1, last = sum < tiles ? sum : tiles - 1;
#pragma omp for
        for (int i = first; i <= last; i++)
            fill_tile(score, p->in[0], row, 1 + i * TILE, 1 + (sum - i) * TILE, penalty);
    }
}
