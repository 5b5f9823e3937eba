/* lu.c: column by column, the rows below shared out. */
#include "plain.h"

static void subtract(float *row, const float *pivot, int k, int n) {
    const float times = row[k] /= pivot[k];
#pragma omp simd
    for (int j = k + 1; j < n; j++) row[j] -= times * pivot[j];
}

void plain_lu(struct program *p) {
    const int n = p->n[0];
    for (int matrix = 0; matrix < p->n[1]; matrix++) {
        float *a = (float *)p->out + (size_t)matrix * n * n;
#pragma omp parallel
        for (int k = 0; k < n - 1; k++) {
#pragma omp for schedule(static)
            for (int i = k + 1; i < n; i++) subtract(a + i * n, a + k * n, k, n);
        }
    }
}
