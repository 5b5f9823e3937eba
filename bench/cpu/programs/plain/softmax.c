/* softmax.c: three passes over a row, which stays in the cache; rows shared out. */
#include "plain.h"

#include <math.h>

void plain_softmax(struct program *p) {
    const int columns = p->n[1];
#pragma omp parallel for
    for (int i = 0; i < p->n[0]; i++) {
        const float *x = (const float *)p->in[0] + (size_t)i * columns;
        float *y = (float *)p->out + (size_t)i * columns, most = x[0], sum = 0;
#pragma omp simd reduction(max : most)
        for (int j = 0; j < columns; j++) most = x[j] > most ? x[j] : most;
        for (int j = 0; j < columns; j++) y[j] = expf(x[j] - most);
#pragma omp simd reduction(+ : sum)
        for (int j = 0; j < columns; j++) sum += y[j];
        for (int j = 0; j < columns; j++) y[j] /= sum;
    }
}
