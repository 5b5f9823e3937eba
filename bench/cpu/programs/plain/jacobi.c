/* jacobi.c: rows shared out, from one grid to the other and back. */
#include "plain.h"

#include <string.h>

void plain_jacobi(struct program *p) {
    const int n = p->n[0];
    float *out = p->out, *work = p->work;
    memcpy(work, out, p->out_bytes);
#pragma omp parallel
    for (int step = 0; step < p->n[1]; step++) {
        const float *from = step % 2 ? work : out;
        float *to = step % 2 ? out : work;
#pragma omp for schedule(static)
        for (int y = 1; y < n - 1; y++) {
            const float *c = from + y * n;
            float *row = to + y * n;
#pragma omp simd
            for (int x = 1; x < n - 1; x++)
                row[x] = 0.2f * (c[x] + c[x - 1] + c[x + 1] + c[x - n] + c[x + n]);
        }
    }
    if (p->n[1] % 2) memcpy(out, work, p->out_bytes);
}
