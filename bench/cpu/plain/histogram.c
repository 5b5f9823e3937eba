/* histogram.c: each thread counts for itself, then the counts are added. With few bins each thread keeps
   four histograms, so that equal neighbours do not wait for each other's store. */
#include "plain.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { WAYS = 4, FEW_BINS = 1024 };

static void histogram(const struct problem *p) {
    const int n = p->size[0], bins = p->size[1];
    const int ways = bins <= FEW_BINS ? WAYS : 1;
    const int *restrict values = p->in[0];
    int *restrict out = p->out;
    const int tables = omp_get_max_threads() * ways;
    int *all = calloc((size_t)tables * bins, sizeof *all);
    if (!all) abort();
#pragma omp parallel
    {
        int *restrict mine = all + (size_t)omp_get_thread_num() * ways * bins;
        if (ways == WAYS) {
#pragma omp for schedule(static)
            for (int i = 0; i < n - n % WAYS; i += WAYS) {
                mine[values[i]]++;
                mine[bins + values[i + 1]]++;
                mine[2 * bins + values[i + 2]]++;
                mine[3 * bins + values[i + 3]]++;
            }
#pragma omp for schedule(static)
            for (int i = n - n % WAYS; i < n; i++) mine[values[i]]++;
        } else {
#pragma omp for schedule(static)
            for (int i = 0; i < n; i++) mine[values[i]]++;
        }
#pragma omp for schedule(static)
        for (int bin = 0; bin < bins; bin++) {
            int sum = 0;
            for (int table = 0; table < tables; table++) sum += all[(size_t)table * bins + bin];
            out[bin] = sum;
        }
    }
    free(all);
}

void plain_histogram_256(const struct problem *p) { histogram(p); }
void plain_histogram_8192(const struct problem *p) { histogram(p); }
void plain_histogram_49152(const struct problem *p) { histogram(p); }
void plain_histogram_131072(const struct problem *p) { histogram(p); }
