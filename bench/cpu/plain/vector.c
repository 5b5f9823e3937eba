/* vector.c: the problems that are one pass over vectors: sum, reversal, block sums. */
#include "plain.h"

#include <stdlib.h>

void plain_vector_add(const struct problem *p) {
    const int n = p->size[0];
    const int *restrict a = p->in[0], *restrict b = p->in[1];
    int *restrict sum = p->out;
#pragma omp parallel for simd schedule(static)
    for (int i = 0; i < n; i++) sum[i] = a[i] + b[i];
}

void plain_reverse(const struct problem *p) {
    const int n = p->size[0];
    const int *restrict in = p->in[0];
    int *restrict out = p->out;
#pragma omp parallel for simd schedule(static)
    for (int i = 0; i < n; i++) out[i] = in[n - 1 - i];
}

void plain_reduction(const struct problem *p) {
    const int blocks = p->size[0] / BLOCK;
    const int *restrict values = p->in[0];
    int *restrict sums = p->out;
#pragma omp parallel for schedule(static)
    for (int block = 0; block < blocks; block++) {
        int sum = 0;
        for (int i = 0; i < BLOCK; i++) sum += values[block * BLOCK + i];
        sums[block] = sum;
    }
}

/* Turns a stretch of BLOCK values round in place. */
#define TURN(T, values)                                                                                      \
    do {                                                                                                     \
        T turned[BLOCK];                                                                                     \
        for (int i = 0; i < BLOCK; i++) turned[i] = (values)[BLOCK - 1 - i];                                 \
        for (int i = 0; i < BLOCK; i++) (values)[i] = turned[i];                                             \
    } while (0)

void plain_divided_shared(const struct problem *p) {
    const int n = p->size[0];
    int *ints = p->out;
    float *floats = (float *)p->out + n;
    char *chars = (char *)(floats + n);
#pragma omp parallel for schedule(static)
    for (int first = 0; first < n; first += BLOCK) {
        TURN(int, ints + first);
        TURN(float, floats + first);
        TURN(char, chars + first);
    }
}
