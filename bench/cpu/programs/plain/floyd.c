/* floyd.c: rows are shared out, always the same to a thread; the row that is read does not change in its step. */
#include "plain.h"

void plain_floyd(struct program *p) {
    const int n = p->n[0];
    int *way = p->out;
#pragma omp parallel
    for (int k = 0; k < p->n[1] && k < n; k++) {
        const int *from = way + k * n;
#pragma omp for schedule(static)
        for (int i = 0; i < n; i++) {
            int *row = way + i * n;
            const int to = row[k];
#pragma omp simd
            for (int j = 0; j < n; j++) row[j] = row[j] < to + from[j] ? row[j] : to + from[j];
        }
    }
}
