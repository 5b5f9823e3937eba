/* mean.c: a mean filter in two steps for each row: sums down the columns, then along them. The steps are
   functions of their own, whose restrict parameters and constant windows let the compiler use vectors. */
#include "plain.h"

#include <stdint.h>
#include <stdlib.h>

#define CONSTANT_WINDOW static inline __attribute__((always_inline))

CONSTANT_WINDOW void sum_columns(uint16_t *restrict column, const uint8_t *restrict top, int width,
                                 int side) {
    for (int x = 0; x < width; x++) {
        uint16_t sum = 0;
        for (int j = 0; j < side; j++) sum += top[(size_t)j * width + x];
        column[x] = sum;
    }
}

CONSTANT_WINDOW void mean_columns(uint8_t *restrict row, const uint16_t *restrict column, int width,
                                  int reach) {
    const uint16_t area = (2 * reach + 1) * (2 * reach + 1);
    for (int x = reach; x < width - reach; x++) {
        uint16_t sum = 0;
        for (int i = -reach; i <= reach; i++) sum += column[x + i];
        row[x] = (uint8_t)(sum / area);
    }
}

static void row3(uint8_t *row, const uint8_t *top, uint16_t *column, int width) {
    sum_columns(column, top, width, 3);
    mean_columns(row, column, width, 1);
}

static void row5(uint8_t *row, const uint8_t *top, uint16_t *column, int width) {
    sum_columns(column, top, width, 5);
    mean_columns(row, column, width, 2);
}

static void mean(const struct problem *p, void (*one_row)(uint8_t *, const uint8_t *, uint16_t *, int)) {
    const int width = p->size[0], height = p->size[1], reach = p->size[2];
    const uint8_t *in = p->in[0];
    uint8_t *out = p->out;
#pragma omp parallel
    {
        uint16_t *column = malloc(width * sizeof *column);
        if (!column) abort();
#pragma omp for schedule(static)
        for (int y = reach; y < height - reach; y++)
            one_row(out + (size_t)y * width, in + (size_t)(y - reach) * width, column, width);
        free(column);
    }
}

void plain_mean3(const struct problem *p) { mean(p, row3); }
void plain_mean5(const struct problem *p) { mean(p, row5); }
