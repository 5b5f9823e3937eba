/* product.c: loops in the order row, inner, column, so that all accesses run along rows; four steps of
   `inner` for two rows at a time, so that c is loaded and stored a quarter as often and b half as often;
   bands of b that stay in the second-level cache. */
#include "plain.h"

#include <string.h>

enum { BAND = 128, STEPS = 4, ROWS = 2 }; /* STEPS divides BAND, BAND divides inner, ROWS divides rows */

static void add_rows(int *restrict c0, int *restrict c1, const int *restrict a0, const int *restrict a1,
                     const int *restrict b, int columns) {
    const int a00 = a0[0], a01 = a0[1], a02 = a0[2], a03 = a0[3];
    const int a10 = a1[0], a11 = a1[1], a12 = a1[2], a13 = a1[3];
    for (int j = 0; j < columns; j++) {
        const int b0 = b[j], b1 = b[columns + j], b2 = b[2 * columns + j], b3 = b[3 * columns + j];
        c0[j] += a00 * b0 + a01 * b1 + a02 * b2 + a03 * b3;
        c1[j] += a10 * b0 + a11 * b1 + a12 * b2 + a13 * b3;
    }
}

void plain_product(const struct problem *p) {
    const int rows = p->size[0], inner = p->size[1], columns = p->size[2];
    const int *a = p->in[0], *b = p->in[1];
    int *c = p->out;
#pragma omp parallel for schedule(static)
    for (int chunk = 0; chunk < rows; chunk += rows / 8) {
        memset(c + chunk * columns, 0, (size_t)(rows / 8) * columns * sizeof *c);
        for (int band = 0; band < inner; band += BAND)
            for (int i = chunk; i < chunk + rows / 8; i += ROWS)
                for (int k = band; k < band + BAND; k += STEPS)
                    add_rows(c + i * columns, c + (i + 1) * columns, a + i * inner + k,
                             a + (i + 1) * inner + k, b + k * columns, columns);
    }
}
