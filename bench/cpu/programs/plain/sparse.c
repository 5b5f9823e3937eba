/* sparse.c: one sum along each row, rows shared out. */
#include "plain.h"

void plain_sparse(struct program *p) {
    const int *first = p->in[0], *column = p->in[1];
    const float *value = p->in[2], *x = p->in[3];
    float *y = p->out;
#pragma omp parallel for
    for (int i = 0; i < p->n[0]; i++) {
        float sum = 0;
        for (int e = first[i]; e < first[i + 1]; e++) sum += value[e] * x[column[e]];
        y[i] = sum;
    }
}
