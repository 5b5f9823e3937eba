/* Atomic read-modify-write: the new value that an operation computes from the old one, and its update of host
 * memory. */
#ifndef WG_REF_ATOMIC_H
#define WG_REF_ATOMIC_H
#include "ref/lane.h"

struct ref_atomic {
    const struct ref_ins *ins;
    uint64_t b[2], c[2]; /* the operands after the address */
    bool shared;         /* shared memory: f32's additions flush nothing, f64's make NaNs quiet */
    bool keeps;          /* a reducing copy: f32's additions flush nothing in global memory either */
};
/* now = op(old, b, c) */
void ref_atomic_apply(const struct ref_atomic *x, const uint64_t old[2], uint64_t now[2]);
/* `bytes` is 2, 4, 8 or 16, the address a multiple of it. Returns the old value in `old`. */
void ref_atomic_host(const struct ref_atomic *x, void *address, uint32_t bytes, uint64_t old[2]);
/* Source k as up to 128 bits. */
static inline void ref_wide_source(const struct ref_lane *l, const struct ref_ins *i, uint32_t k,
                                   uint64_t v[2]) {
    v[0] = ref_bits(l, i, k, i->bits);
    v[1] = i->src[k].kind == REF_REG && i->src[k].bits == 128 ? l->at->regs[i->src[k].slot + 1] : 0;
}
#endif
