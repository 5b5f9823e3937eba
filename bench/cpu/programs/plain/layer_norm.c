/* layer_norm.c: three passes over a row, which stays in the cache; rows shared out. */
#include "plain.h"

#include <math.h>

void plain_layer_norm(struct program *p) {
    const int columns = p->n[1];
#pragma omp parallel for
    for (int i = 0; i < p->n[0]; i++) {
        const float *x = (const float *)p->in[0] + (size_t)i * columns;
        float *y = (float *)p->out + (size_t)i * columns, sum = 0, squares = 0;
#pragma omp simd reduction(+ : sum)
        for (int j = 0; j < columns; j++) sum += x[j];
        const float mean = sum / (float)columns;
#pragma omp simd reduction(+ : squares)
        for (int j = 0; j < columns; j++) squares += (x[j] - mean) * (x[j] - mean);
        const float scale = 1 / sqrtf(squares / (float)columns + 1e-5f);
        for (int j = 0; j < columns; j++) y[j] = (x[j] - mean) * scale;
    }
}
