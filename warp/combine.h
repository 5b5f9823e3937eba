/* Additions to global memory that a worker has not made yet: what generated code and machine/combine.c share.
 *
 * A locked addition costs a CPU some twenty cycles, and a hundred when another core had the line last. So an
 * addition whose old value nobody reads goes to a sum that belongs to the worker, one for each element of a
 * window of global memory, and the sums are added to the elements themselves later ("published").
 *
 *     window        [base, base + bytes) of global memory, in one allocation
 *     sum of p      at p + shift; zero where nothing is pending
 *     low, high     where in the window additions went since they were last published: lane by lane, so that
 *                   noting them is two vector operations; offsets from base
 *
 * Generated code adds when all lanes' addresses lie in the window, and asks the machine otherwise. Each
 * instruction of a kernel that adds has a combiner of its own, up to WG_COMBINERS of them.
 * When sums are published, and why nobody can tell: machine/combine.h.
 */
#ifndef WG_WARP_COMBINE_H
#define WG_WARP_COMBINE_H
#include <stdint.h>

enum { WG_COMBINERS = 4 };

/* No window: no address is at or behind it, and no access touches it. */
#define WG_NO_WINDOW (UINT64_C(1) << 63)

struct wg_combiner {
    uint64_t base, bytes, shift;
    uint64_t adds;                                 /* by warps, since the sums were last published */
    uint32_t low[32] __attribute__((aligned(64))); /* UINT32_MAX and 0 while nothing is pending */
    uint32_t high[32];
};
#endif
