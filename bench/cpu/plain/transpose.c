/* transpose.c: tiles as wide as one cache line, written row by row; the rows of tiles are shared out. */
#include "plain.h"

enum { TILE = 16 };

void plain_transpose(const struct problem *p) {
    const int rows = p->size[0], columns = p->size[1]; /* TILE divides both */
    const int *restrict in = p->in[0];
    int *restrict out = p->out;
#pragma omp parallel for schedule(static)
    for (int y = 0; y < rows; y += TILE)
        for (int x = 0; x < columns; x += TILE)
            for (int j = 0; j < TILE; j++)
                for (int i = 0; i < TILE; i++) out[(x + j) * rows + y + i] = in[(y + i) * columns + x + j];
}
