/* atax.c: both products in one pass over the matrix: a row that was read for its sum is still in the cache. */
#include "plain.h"

#include <stdlib.h>
#include <string.h>

void plain_atax(struct program *p) {
    const int rows = p->n[0], columns = p->n[1];
    const float *a = p->in[0], *x = p->in[1];
    float *y = p->out;
    memset(y, 0, columns * sizeof *y);
#pragma omp parallel
    {
        float *mine = calloc(columns, sizeof *mine);
#pragma omp for nowait
        for (int i = 0; i < rows; i++) {
            const float *row = a + (size_t)i * columns;
            float sum = 0;
#pragma omp simd reduction(+ : sum)
            for (int j = 0; j < columns; j++) sum += row[j] * x[j];
            for (int j = 0; j < columns; j++) mine[j] += sum * row[j];
        }
#pragma omp critical
        for (int j = 0; j < columns; j++) y[j] += mine[j];
        free(mine);
    }
}
