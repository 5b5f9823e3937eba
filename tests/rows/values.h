/* The numbers that rows are tried on: for each class of values and each source, VALUES of them. The first
 * 32 x 32 are all pairs of the class's 32 chief edges (source 0 against source 1); the rest mixes all edges,
 * random bits, and values that stand in a relation to source 0 (the same, its negative, its neighbour). */
#ifndef WG_TESTS_ROWS_VALUES_H
#define WG_TESTS_ROWS_VALUES_H
#include "tests/rows/cases.h"

enum { VALUES = 2048, CHIEF = 32 };

/* The image that kernels read: uint64_t [V_CLASSES][CASE_SOURCES][VALUES]. */
void values_fill(uint64_t *image);
static inline size_t values_index(uint32_t cls, uint32_t source, uint32_t n) {
    return ((size_t)cls * CASE_SOURCES + source) * VALUES + n;
}
uint64_t values_random(uint64_t *state);
#endif
