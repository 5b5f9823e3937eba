/* Additions to global memory that a worker has not made yet: what generated code and machine/combine.c share.
 *
 * A locked addition costs a CPU some twenty cycles, and a hundred when another core had the line last. So an
 * addition whose old value nobody reads goes to a sum that belongs to the worker, one for each element of a
 * window of global memory, and the sums are added to the elements themselves later ("published").
 *
 *     window        a stretch of global memory, in one allocation, that there are sums for
 *     sum of p      at p + shift; zero where nothing is pending
 *     [from, +bytes)  the part of the window where additions may be pending: where they went since they were
 *                   last published, and more, so that it soon stops growing
 *
 * Generated code adds when all lanes' addresses lie in that part, and asks the machine otherwise, which makes
 * it larger if they lie in the window. Each instruction of a kernel that adds has a combiner of its own, up
 * to WG_COMBINERS of them. When sums are published, and why nobody can tell: machine/combine.h.
 */
#ifndef WG_WARP_COMBINE_H
#define WG_WARP_COMBINE_H
#include <stdint.h>

enum { WG_COMBINERS = 4 };

/* Nothing is pending: no address is at or behind it, and no access touches it. */
#define WG_NOTHING_PENDING (UINT64_C(1) << 63)

struct wg_combiner {
    uint64_t from, bytes; /* multiples of a line; WG_NOTHING_PENDING and 0 */
    uint64_t shift;
    uint64_t adds; /* by warps, since the sums were last published */
};
#endif
