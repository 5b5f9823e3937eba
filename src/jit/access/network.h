/* Interleaved accesses in registers: shuffles that de-interleave rows of memory into fields of lanes, and
 * back.
 *
 *     lanes 4, stride 3:   rows    x0 y0 z0 x1 | y1 z1 x2 y2 | z2 x3 y3 z3
 *                          fields  x0 x1 x2 x3 | y0 y1 y2 y3 | z0 z1 z2 z3
 *
 * Rows are joined pairwise. A result of more than one vector is split, so that a vector holds fewer fields
 * and more lanes at each step; the last step puts each field's lanes in order. Interleaving does the same
 * with rows in place of fields.
 */
#ifndef WG_JIT_NETWORK_H
#define WG_JIT_NETWORK_H
#include "jit/emit/emit.h"

enum { WG_NETWORK_UNITS = 16 };

/* Structures of `stride` units, one per lane, in `stride` vectors of `lanes` units; only the units of a
 * structure that are set in `wanted` take part. */
struct wg_network {
    uint32_t lanes, stride, wanted;
};

/* Whether the row contains any wanted unit. */
bool wg_network_touches(const struct wg_network *n, uint32_t row);
/* row[stride] -> field[stride], and back. Rows and fields without wanted units are not read, and NULL. */
void wg_network_to_fields(struct wg_emit *e, const struct wg_network *n, const LLVMValueRef *row,
                          LLVMValueRef *field);
void wg_network_to_rows(struct wg_emit *e, const struct wg_network *n, const LLVMValueRef *field,
                        LLVMValueRef *row);
/* An AVX-512 two-source permute of 16 lanes of 32 bits or 8 of 64: lane i is lane c[i] of a, or c[i] -
 * lanes of b; poison: unused. */
LLVMValueRef wg_network_permuted(struct wg_emit *e, LLVMValueRef a, LLVMValueRef b, const LLVMValueRef *c,
                                 uint32_t lanes);
#endif
