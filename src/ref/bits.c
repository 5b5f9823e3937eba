/* Bit manipulation rows: counts, fields, permutations, logic and shifts. */
#include "ref/lane.h"

static uint64_t ones(uint32_t bits) { return ref_low(UINT64_MAX, bits); }

REF_LANE_ROW(popc) { ref_set_bits(l, i, 0, (uint64_t)__builtin_popcountll(ref_src(l, i, 0)), 32); }
/* Leading zeros of the type's width: all of it for zero. */
static uint32_t leading_zeros(uint64_t v, uint32_t bits) {
    return v ? (uint32_t)__builtin_clzll(v) - (64 - bits) : bits;
}
REF_LANE_ROW(clz) { ref_set_bits(l, i, 0, leading_zeros(ref_src(l, i, 0), i->bits), 32); }
/* The highest bit that differs from the sign; all ones when there is none. */
REF_LANE_ROW(bfind) {
    uint64_t a = ref_src(l, i, 0);
    if (i->is_signed && ref_signed(a, i->bits) < 0) a = ~a & i->ones;
    uint32_t zeros = leading_zeros(a, i->bits);
    uint32_t r = zeros == i->bits ? UINT32_MAX : ref_has(i, WG_MC_SHIFTAMT) ? zeros : i->bits - 1 - zeros;
    ref_set_bits(l, i, 0, r, 32);
}
/* The place of the n-th set bit counted from bit `base`, upwards for positive n, downwards for negative. */
REF_LANE_ROW(fns) {
    uint32_t mask = (uint32_t)ref_src(l, i, 0), base = (uint32_t)ref_src(l, i, 1);
    int32_t offset = (int32_t)ref_src(l, i, 2);
    uint32_t r = UINT32_MAX;
    if (offset == 0) {
        if (base < 32 && mask >> base & 1) r = base;
    } else {
        int64_t pos = base, inc = offset > 0 ? 1 : -1,
                count = offset > 0 ? (int64_t)offset - 1 : -(int64_t)offset - 1;
        for (; pos >= 0 && pos < 32; pos += inc) {
            if (!(mask >> pos & 1)) continue;
            if (count-- == 0) {
                r = (uint32_t)pos;
                break;
            }
        }
    }
    ref_set_bits(l, i, 0, r, 32);
}
REF_LANE_ROW(brev) {
    uint64_t a = ref_src(l, i, 0), r = 0;
    for (uint32_t k = 0; k < i->bits; k++) r |= (a >> k & 1) << (i->bits - 1 - k);
    ref_set(l, i, r);
}
/* Position and length are bytes; bits beyond the register are zeros, or the field's sign. */
REF_LANE_ROW(bfe) {
    uint64_t a = ref_src(l, i, 0);
    uint32_t pos = ref_bits(l, i, 1, 8), len = ref_bits(l, i, 2, 8), msb = i->bits - 1u;
    uint32_t last = pos + len - 1 < msb ? pos + len - 1 : msb;
    bool sign = i->is_signed && len && a >> last & 1;
    uint64_t r = 0;
    for (uint32_t k = 0; k <= msb; k++)
        r |= (uint64_t)(k < len && pos + k <= msb ? a >> (pos + k) & 1 : sign) << k;
    ref_set(l, i, r);
}
REF_LANE_ROW(bfi) {
    uint64_t a = ref_src(l, i, 0), r = ref_src(l, i, 1);
    uint32_t pos = ref_bits(l, i, 2, 8), len = ref_bits(l, i, 3, 8);
    for (uint32_t k = 0; k < len && pos + k < i->bits; k++)
        r = (r & ~(UINT64_C(1) << (pos + k))) | (a >> k & 1) << (pos + k);
    ref_set(l, i, r);
}
static bool clamps(const struct ref_ins *i) { return i->mod[WG_MC_CLAMP] == WG_M_clamp; }

/* The low n bits, extended. */
REF_LANE_ROW(szext) {
    uint32_t n = (uint32_t)ref_bits(l, i, 1, 32);
    n = clamps(i) ? (n > 32 ? 32 : n) : n & 31;
    uint64_t v = ref_low(ref_src(l, i, 0), n);
    ref_set(l, i, n && i->is_signed ? (uint64_t)ref_signed(v, n) : v);
}
/* n ones from bit a up. */
REF_LANE_ROW(bmsk) {
    uint64_t a = ref_src(l, i, 0), n = ref_bits(l, i, 1, 32);
    a = clamps(i) ? (a > 32 ? 32 : a) : a & 31;
    n = clamps(i) ? (n > 32 ? 32 : n) : n & 31;
    ref_set(l, i, ref_low(ones((uint32_t)n) << a, 32));
}

/* ---- logic ---- */

REF_LANE_ROW(and_) { ref_set(l, i, ref_src(l, i, 0) & ref_src(l, i, 1)); }
REF_LANE_ROW(or_) { ref_set(l, i, ref_src(l, i, 0) | ref_src(l, i, 1)); }
REF_LANE_ROW(xor_) { ref_set(l, i, ref_src(l, i, 0) ^ ref_src(l, i, 1)); }
REF_LANE_ROW(not_) { ref_set(l, i, ~ref_src(l, i, 0) & i->ones); }
REF_LANE_ROW(cnot) { ref_set(l, i, ref_src(l, i, 0) == 0); }

/* Bit k of the table is the result for a = k >> 2, b = k >> 1, c = k. */
static uint32_t lop3_of(const struct ref_lane *l, const struct ref_ins *i) {
    uint32_t a = (uint32_t)ref_src(l, i, 0), b = (uint32_t)ref_src(l, i, 1), c = (uint32_t)ref_src(l, i, 2);
    uint32_t table = (uint32_t)ref_bits(l, i, 3, 8), r = 0;
    for (uint32_t k = 0; k < 8; k++)
        if (table >> k & 1) r |= (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c);
    return r;
}
REF_LANE_ROW(lop3) { ref_set(l, i, lop3_of(l, i)); }
REF_LANE_ROW(lop3_p) {
    uint32_t r = lop3_of(l, i);
    bool q = ref_pred(l, i, 4), p = r != 0;
    p = i->mod[WG_MC_BOOL] == WG_M_or ? p | q : i->mod[WG_MC_BOOL] == WG_M_and ? p & q : p ^ q;
    ref_set(l, i, r);
    if (i->ndst > 1) ref_set_bits(l, i, 1, p, 1);
}

/* ---- shifts: counts at or beyond the width shift everything out ---- */

REF_LANE_ROW(shf) {
    uint64_t pair = ref_src(l, i, 0) | ref_src(l, i, 1) << 32, n = ref_bits(l, i, 2, 32);
    n = clamps(i) ? (n > 32 ? 32 : n) : n & 31;
    ref_set(l, i, (uint32_t)(i->mod[WG_MC_DIR] == WG_M_l ? pair << n >> 32 : pair >> n));
}
REF_LANE_ROW(shl) {
    uint64_t n = ref_bits(l, i, 1, 32);
    ref_set(l, i, n >= i->bits ? 0 : (ref_src(l, i, 0) << n) & i->ones);
}
REF_LANE_ROW(shr) {
    uint64_t n = ref_bits(l, i, 1, 32), a = ref_src(l, i, 0);
    if (i->is_signed)
        ref_set(l, i, (uint64_t)(ref_signed(a, i->bits) >> (n >= i->bits ? i->bits - 1u : n)));
    else
        ref_set(l, i, n >= i->bits ? 0 : a >> n);
}

/* ---- prmt: four bytes out of the eight of b:a ---- */

/* The selector nibbles of a special mode, by the low two bits of the control. */
static uint32_t prmt_selector(enum wg_mod mode, uint32_t c) {
    static const uint16_t f4e[] = {0x3210, 0x4321, 0x5432, 0x6543}, b4e[] = {0x5670, 0x6701, 0x7012, 0x0123},
                          rc8[] = {0x0000, 0x1111, 0x2222, 0x3333}, ecl[] = {0x3210, 0x3211, 0x3222, 0x3333},
                          ecr[] = {0x0000, 0x1110, 0x2210, 0x3210}, rc16[] = {0x1010, 0x3232, 0x1010, 0x3232};
    switch (mode) {
    case WG_M_f4e: return f4e[c & 3];
    case WG_M_b4e: return b4e[c & 3];
    case WG_M_rc8: return rc8[c & 3];
    case WG_M_ecl: return ecl[c & 3];
    case WG_M_ecr: return ecr[c & 3];
    case WG_M_rc16: return rc16[c & 3];
    default: return c & 0xffff;
    }
}
REF_LANE_ROW(prmt) {
    uint64_t pair = ref_src(l, i, 0) | ref_src(l, i, 1) << 32;
    uint32_t selector = prmt_selector(i->mod[WG_MC_PRMT], (uint32_t)ref_bits(l, i, 2, 32)), r = 0;
    for (uint32_t k = 0; k < 4; k++) {
        uint32_t nibble = selector >> 4 * k & 15, byte = (uint32_t)(pair >> 8 * (nibble & 7)) & 0xff;
        if (nibble & 8) byte = byte & 0x80 ? 0xff : 0; /* the sign, repeated */
        r |= byte << 8 * k;
    }
    ref_set(l, i, r);
}

const struct ref_row wg_ref_bit_rows[WG_OP_COUNT] = {
    [WG_OP_POPC] = {.lane = popc},     [WG_OP_CLZ] = {.lane = clz},     [WG_OP_BFIND] = {.lane = bfind},
    [WG_OP_FNS] = {.lane = fns},       [WG_OP_BREV] = {.lane = brev},   [WG_OP_BFE] = {.lane = bfe},
    [WG_OP_BFI] = {.lane = bfi},       [WG_OP_SZEXT] = {.lane = szext}, [WG_OP_BMSK] = {.lane = bmsk},
    [WG_OP_AND] = {.lane = and_},      [WG_OP_OR] = {.lane = or_},      [WG_OP_XOR] = {.lane = xor_},
    [WG_OP_NOT] = {.lane = not_},      [WG_OP_CNOT] = {.lane = cnot},   [WG_OP_LOP3] = {.lane = lop3},
    [WG_OP_LOP3_P] = {.lane = lop3_p}, [WG_OP_SHF] = {.lane = shf},     [WG_OP_SHL] = {.lane = shl},
    [WG_OP_SHR] = {.lane = shr},       [WG_OP_PRMT] = {.lane = prmt},
};
