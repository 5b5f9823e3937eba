/* Which elements an operand has: of triangles and bands, not all of each column. */
#include "blas/call.h"
#include <string.h>

int64_t wg_blas_column(const struct wg_blas_operand *o, int64_t j, int64_t *first) {
    int64_t begin = 0, end = o->rows;
    switch (o->shape) {
    case WG_SHAPE_LOWER: begin = j + o->unit; break;
    case WG_SHAPE_UPPER: end = j + 1 - o->unit; break;
    case WG_SHAPE_BAND:
        if (j < o->above) begin = o->above - j;
        if (end > o->above + o->order - j) end = o->above + o->order - j;
        break;
    default: break;
    }
    *first = begin;
    return end > begin ? end - begin : 0;
}

void wg_blas_clear(const struct wg_blas_operand *o, void *at, cudaDataType type) {
    size_t size = wg_blas_bytes(type);
    if (o->shape == WG_SHAPE_VECTOR) {
        char *p = (char *)at - (o->ld < 0 ? (o->rows - 1) * o->ld * (int64_t)size : 0);
        for (int64_t i = 0; i < o->rows; i++) memset(p + i * o->ld * (int64_t)size, 0, size);
        return;
    }
    for (int64_t j = 0; j < o->columns; j++) {
        int64_t first, n = wg_blas_column(o, j, &first);
        memset((char *)at + ((size_t)(j * o->ld) + (size_t)first) * size, 0, (size_t)n * size);
    }
}
