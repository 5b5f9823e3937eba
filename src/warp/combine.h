/* Write combining of atomic additions to global memory: per-worker partial sums that generated code and
 * machine/combine.c share.
 *
 * A locked addition costs a CPU some twenty cycles, and a hundred when another core had the line last. So an
 * addition whose old value is not read goes to a sum that is private to the worker, one for each element of a
 * window of global memory, and the sums are added to the elements themselves later ("published").
 *
 *     window        a range of global memory, in one allocation, that has sums
 *     sum of p      at p + shift; zero where nothing is pending
 *     [from, +bytes)  the part of the window where additions may be pending: where they went since they were
 *                   last published, and more, so that it soon stops growing
 *
 * Generated code adds when all lanes' addresses are in that part, and calls the machine otherwise, which
 * extends it if they are in the window. Each instruction of a kernel that adds has a combiner of its own, up
 * to WG_COMBINERS of them. When sums are published, and why that is not observable: machine/combine.h.
 */
#ifndef WG_WARP_COMBINE_H
#define WG_WARP_COMBINE_H
#include <stdint.h>

enum { WG_COMBINERS = 4 };

/* Nothing is pending: every address is below it, so no access touches it. */
#define WG_NOTHING_PENDING (UINT64_C(1) << 63)

struct wg_combiner {
    uint64_t from, bytes; /* multiples of a line; WG_NOTHING_PENDING and 0 */
    uint64_t shift;
    uint64_t adds; /* by warps, since the sums were last published */
};
#endif
