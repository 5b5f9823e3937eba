/* kmeans.c: each point against all centres, points shared out. */
#include "plain.h"

#include <float.h>

void plain_kmeans(struct program *p) {
    const int n = p->n[0], centres = p->n[1];
    const float *points = p->in[0], *centre = p->in[1];
    int *which = p->out;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        const float *point = points + 8 * i;
        float least = FLT_MAX;
        for (int c = 0; c < centres; c++) {
            float square = 0;
#pragma omp simd reduction(+ : square)
            for (int k = 0; k < 8; k++)
                square += (point[k] - centre[8 * c + k]) * (point[k] - centre[8 * c + k]);
            if (square >= least) continue;
            least = square;
            which[i] = c;
        }
    }
}
