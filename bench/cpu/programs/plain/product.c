/* product.c: loops in the order row, inner, column; four steps of `inner` at a time; rows shared out. */
#include "plain.h"

static void add(float *restrict c, const float *a, const float *restrict b, int n) {
    for (int j = 0; j < n; j++)
        c[j] += a[0] * b[j] + a[1] * b[n + j] + a[2] * b[2 * n + j] + a[3] * b[3 * n + j];
}

void plain_product(struct program *p) {
    const int n = p->n[0], inner = p->n[1], fours = inner / 4 * 4;
    const float *a = p->in[0], *b = p->in[1];
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float *c = (float *)p->out + i * n;
        for (int j = 0; j < n; j++) c[j] = 0;
        for (int k = 0; k < fours; k += 4) add(c, a + i * inner + k, b + k * n, n);
        for (int k = fours; k < inner; k++)
            for (int j = 0; j < n; j++) c[j] += a[i * inner + k] * b[k * n + j];
    }
}
