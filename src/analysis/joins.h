/* Access merging by ptxas: which neighbouring loads and stores become one wide access.
 *
 * PTX is not what runs: ptxas merges neighbouring narrow accesses into a wide one when their addresses are
 * the same register plus constant offsets, the alignment of the whole is certain, and nothing between them
 * may touch the memory. The hardware's counters count what ptxas emitted.
 *
 *     ld.shared.u32 %r1, [%r9];        base %r9 a multiple of 16      LDS.128: one access of 16 bytes,
 *     ld.shared.u32 %r2, [%r9+4];                                     counted at the first of the four
 *     ld.shared.u32 %r3, [%r9+8];
 *     ld.shared.u32 %r4, [%r9+12];
 *
 * The rules are those of ptxas 13.0 for sm_90, as it compiled some two hundred small kernels that were
 * written to find them:
 *   - two elements of equal size that fill an aligned pair are joined, and two such pairs again, up to 16
 *     bytes;
 *   - loads of three of four words of an aligned 16 bytes are one of 16 bytes; stores are not;
 *   - single bytes are never joined, nor volatile accesses, nor across a barrier, a fence, a call, an atomic, or,
 *     for loads, a store that may go to the same memory, and the other way round; nor across a division, a
 *     root or a remainder that branches to a slow path for rare operands;
 *   - shared variables are contiguous in the order of their declarations, so neighbours are joined, too;
 *   - an address is aligned as far as its register is computed of aligned values, and as an access of a known width through
 *     the same register says, in the same block or one that dominates it; of a variable in global memory only such
 *     accesses say it, not how it is declared;
 *   - a vector of bytes or of 16 bits that fills words is one of words;
 *   - loads of 16 bits are joined unless they extend their value (extended.h), two or four of them; stores too;
 *   - of a vector, the elements that are live are loaded as if each were written by itself.
 *   - loads from shared and local memory are joined across blocks, too: into one that dominates the others, in the same
 *     state of the memory, whatever the branches between. Those of bytes and 16 bits are not, nor loads from global memory.
 *
 * Loads whose value is in a register already are not there: redundant.h.
 * Merging across branches that ptxas if-converts into predicates is not modelled. Where the machine code is known, it says what
 * there is (sass_accesses.h).
 */
#ifndef WG_ANALYSIS_JOINS_H
#define WG_ANALYSIS_JOINS_H
#include "ir/ir.h"

struct wg_join {
    uint32_t into;  /* id of the access that this one is merged into; 0: it remains */
    uint8_t bytes;  /* of a lane, when it remains */
    uint8_t joined; /* accesses merged into it, itself included; 1: itself alone */
    int8_t shift;   /* from its own address to the joined access's */
    bool dropped; /* a load that the machine has not: its results are not read, or redundant (redundant.h) */
    /* A vector whose live elements are not contiguous becomes two loads. Of the second: bytes of a lane, 0
     * where there is none, and the distance from the vector's own address. */
    uint8_t also_bytes;
    int8_t also_shift;
};
/* Of the loads and stores of `f`, by id - first; other instructions have zeros. */
struct wg_joins {
    struct wg_join *of;
    uint32_t first, n;
};
/* wanted: wanted.h. */
struct wg_joins wg_joins_find(struct wg_arena *a, const struct wg_ir_module *m, const struct wg_ir_func *f,
                              const uint64_t *wanted);
struct wg_sass_accesses;
/* Where the machine code is known, what it has: joins of another shape, none, or others. False: the function is not in
 * it. */
bool wg_joins_assembled(const struct wg_ir_module *m, const struct wg_ir_func *f, const uint64_t *wanted,
                        const struct wg_sass_accesses *made, const struct wg_joins *joins);
#endif
