/* Atomics on host memory by compare-and-swap, so that other workers observe them as atomic. This file is
 * compiled with -mcx16 on x86-64: 16-byte operations are one instruction, not a lock that generated code
 * would not take. */
#include "ref/atomic.h"
#include "ref/number.h"
#include <string.h>

/* f64's NaNs: in shared memory the old value's comes first, and is made quiet; elsewhere the new one's, as it
 * is. */
static uint64_t not_a_number(const struct ref_format *f, bool shared, uint64_t a, uint64_t b) {
    if (shared || f != &ref_f64) return ref_first_nan(f, (uint64_t[]){a, b}, 2);
    return ref_is_nan(f, b) ? b : ref_is_nan(f, a) ? a : f->nan;
}

static uint64_t add_float(const struct ref_format *f, bool shared, uint64_t a, uint64_t b) {
    uint64_t r;
    if (f == &ref_f32)
        r = ref_f32_bits(ref_as_f32(a) + ref_as_f32(b));
    else if (f == &ref_f64)
        r = ref_f64_bits(ref_as_f64(a) + ref_as_f64(b));
    else
        r = ref_from_double(f, ref_add_to_odd(ref_to_double(f, a), ref_to_double(f, b)), WG_M_rn);
    return ref_is_nan(f, r) ? not_a_number(f, shared, a, b) : r;
}

static uint64_t add(const struct ref_ins *i, bool shared, bool keeps, uint64_t a, uint64_t b) {
    const struct ref_format *f = i->format;
    if (!f) return a + b;
    if (f == &ref_f32 && !shared && !keeps)
        return ref_flush(f, add_float(f, false, ref_flush(f, a), ref_flush(f, b)));
    if (i->type != WG_T_F16X2 && i->type != WG_T_BF16X2) return add_float(f, shared, a, b);
    return add_float(f, shared, a & 0xffff, b & 0xffff) | add_float(f, shared, a >> 16, b >> 16) << 16;
}

static bool below(const struct ref_ins *i, uint64_t a, uint64_t b) {
    return i->is_signed ? ref_signed(a, i->bits) < ref_signed(b, i->bits) : a < b;
}

void ref_atomic_apply(const struct ref_atomic *x, const uint64_t old[2], uint64_t now[2]) {
    const struct ref_ins *i = x->ins;
    uint64_t o = old[0], b = x->b[0], r;
    now[1] = x->b[1];
    switch (i->mod[WG_MC_AOP]) {
    case WG_M_and: r = o & b; break;
    case WG_M_or: r = o | b; break;
    case WG_M_xor: r = o ^ b; break;
    case WG_M_exch: r = b; break;
    case WG_M_add: r = add(i, x->shared, x->keeps, o, b); break;
    case WG_M_inc: r = o >= b ? 0 : o + 1; break;
    case WG_M_dec: r = o == 0 || o > b ? b : o - 1; break;
    case WG_M_min: r = below(i, b, o) ? b : o; break;
    case WG_M_max: r = below(i, o, b) ? b : o; break;
    default: { /* cas: b is the expected value, c the new one */
        bool same = o == b && (i->bits < 128 || old[1] == x->b[1]);
        r = same ? x->c[0] : o;
        now[1] = same ? x->c[1] : old[1];
    }
    }
    now[0] = r & i->ones;
}

#define HOST_ATOMIC(T)                                                                                       \
    do {                                                                                                     \
        T *p = address, seen = __atomic_load_n(p, __ATOMIC_SEQ_CST), next;                                   \
        do {                                                                                                 \
            old[0] = seen;                                                                                   \
            ref_atomic_apply(x, old, now);                                                                   \
            next = (T)now[0];                                                                                \
        } while (!__atomic_compare_exchange_n(p, &seen, next, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));   \
    } while (0)

static void host_16_bytes(const struct ref_atomic *x, void *address, uint64_t old[2]) {
    unsigned __int128 *p = address, seen = 0, want, now;
    do {
        want = seen;
        memcpy(old, &want, 16);
        uint64_t next[2];
        ref_atomic_apply(x, old, next);
        memcpy(&now, next, 16);
        seen = __sync_val_compare_and_swap(p, want, now);
    } while (seen != want);
}

void ref_atomic_host(const struct ref_atomic *x, void *address, uint32_t bytes, uint64_t old[2]) {
    uint64_t now[2];
    old[1] = 0;
    switch (bytes) {
    case 2: HOST_ATOMIC(uint16_t); break;
    case 4: HOST_ATOMIC(uint32_t); break;
    case 8: HOST_ATOMIC(uint64_t); break;
    default: host_16_bytes(x, address, old); break;
    }
}
