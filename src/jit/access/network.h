/* Structures in registers: rows of memory to the fields of their lanes, and back, by shuffles of two vectors.
 *
 *     lanes 4, stride 3:   rows    x0 y0 z0 x1 | y1 z1 x2 y2 | z2 x3 y3 z3
 *                          fields  x0 x1 x2 x3 | y0 y1 y2 y3 | z0 z1 z2 z3
 *
 * Rows are joined two by two. What was joined is split where it is more than one vector, so that a vector
 * holds fewer fields and more lanes at each step; the last step puts each field's lanes in order. The way
 * back does the same with rows in the place of fields.
 */
#ifndef WG_JIT_NETWORK_H
#define WG_JIT_NETWORK_H
#include "jit/emit/emit.h"

enum { WG_NETWORK_UNITS = 16 };

/* Structures of `stride` units, one a lane, in `stride` vectors of `lanes` units; of each structure those
 * units take part that are on in `wanted`. */
struct wg_network {
    uint32_t lanes, stride, wanted;
};

/* Whether the row has anything to do with it. */
bool wg_network_touches(const struct wg_network *n, uint32_t row);
/* row[stride] -> field[stride], and back. What takes no part is not read, and NULL. */
void wg_network_to_fields(struct wg_emit *e, const struct wg_network *n, const LLVMValueRef *row,
                          LLVMValueRef *field);
void wg_network_to_rows(struct wg_emit *e, const struct wg_network *n, const LLVMValueRef *field,
                        LLVMValueRef *row);
/* A vector of AVX-512's, 16 lanes of 32 bits or 8 of 64: lane i is lane c[i] of a, or c[i] - lanes of b;
 * poison: nobody wants it. */
LLVMValueRef wg_network_permuted(struct wg_emit *e, LLVMValueRef a, LLVMValueRef b, const LLVMValueRef *c,
                                 uint32_t lanes);
#endif
