/* Integer arithmetic rows: sums, products, quotients, extremes, dot products, and the carry chain.
 *
 * Operands come as the low bits of their type; sums and products wrap. What PTX leaves to the machine follows
 * an H200: a quotient or a remainder by zero is all ones; the smallest number divided by -1 is itself. */
#include "ref/lane.h"

typedef unsigned __int128 u128;
typedef __int128 s128;

static int64_t sext(const struct ref_lane *l, const struct ref_ins *i, uint32_t k) {
    return ref_signed(ref_src(l, i, k), i->bits);
}

/* A value of the type, extended by its signedness: to 64 bits, and to as many as no sum or product of two
 * overflows. */
static uint64_t extended(const struct ref_lane *l, const struct ref_ins *i, uint32_t k) {
    return i->is_signed ? (uint64_t)sext(l, i, k) : ref_src(l, i, k);
}
static s128 wide(const struct ref_lane *l, const struct ref_ins *i, uint32_t k) {
    return i->is_signed ? (s128)sext(l, i, k) : (s128)ref_src(l, i, k);
}

static s128 clamp_signed(s128 v, uint32_t bits) {
    s128 max = ((s128)1 << (bits - 1)) - 1;
    return v > max ? max : v < -max - 1 ? -max - 1 : v;
}

static bool saturates(const struct ref_ins *i) { return i->mod[WG_MC_SAT] == WG_M_sat; }

static bool is_x2(uint8_t type) { return type == WG_T_U16X2 || type == WG_T_S16X2; }

static uint64_t pair16(uint64_t low, uint64_t high) { return (low & 0xffff) | (high & 0xffff) << 16; }

static void add_or_sub(struct ref_lane *l, const struct ref_ins *i, int sign) {
    if (is_x2(i->type)) {
        uint64_t a = ref_src(l, i, 0), b = ref_src(l, i, 1);
        ref_set(l, i, pair16(a + b, (a >> 16) + (b >> 16)));
        return;
    }
    if (saturates(i))
        ref_set(l, i, (uint64_t)clamp_signed(wide(l, i, 0) + sign * wide(l, i, 1), i->bits));
    else
        ref_set(l, i, ref_src(l, i, 0) + (uint64_t)sign * ref_src(l, i, 1));
}
REF_LANE_ROW(add) { add_or_sub(l, i, 1); }
REF_LANE_ROW(sub) { add_or_sub(l, i, -1); }

/* ---- the carry chain: subtraction adds the complement, so that no borrow is a carry in the flag, which an
 * addition may take on: nvcc's division of 128 bits does ---- */

static bool writes_cc(const struct ref_ins *i) { return ref_has(i, WG_MC_CC); }

static void add_carry(struct ref_lane *l, const struct ref_ins *i, uint64_t a, uint64_t b, bool carry) {
    u128 r = (u128)(a & i->ones) + (b & i->ones) + carry;
    if (writes_cc(i)) l->cc = (r >> i->bits) & 1;
    ref_set(l, i, (uint64_t)r & i->ones);
}
REF_LANE_ROW(add_cc) { add_carry(l, i, ref_src(l, i, 0), ref_src(l, i, 1), false); }
REF_LANE_ROW(addc) { add_carry(l, i, ref_src(l, i, 0), ref_src(l, i, 1), l->cc); }
static void sub_borrow(struct ref_lane *l, const struct ref_ins *i, bool borrow) {
    u128 a = ref_src(l, i, 0), b = (u128)ref_src(l, i, 1) + borrow;
    if (writes_cc(i)) l->cc = a >= b;
    ref_set(l, i, (uint64_t)(a - b) & i->ones);
}
REF_LANE_ROW(sub_cc) { sub_borrow(l, i, false); }
REF_LANE_ROW(subc) { sub_borrow(l, i, !l->cc); }

/* ---- products ---- */

/* The product's `lo` or `hi` half as bits. */
static uint64_t product_half(const struct ref_lane *l, const struct ref_ins *i) {
    if (i->mod[WG_MC_MULW] != WG_M_hi) return (ref_src(l, i, 0) * ref_src(l, i, 1)) & i->ones;
    u128 p = (u128)wide(l, i, 0) * (u128)wide(l, i, 1); /* 64 x 64 unsigned bits need all 128 */
    return (uint64_t)(p >> i->bits) & i->ones;
}

static void set_wide(struct ref_lane *l, const struct ref_ins *i, uint64_t v) {
    ref_put(l, &i->dst[0], v, 2u * i->bits, i->is_signed);
}

REF_LANE_ROW(mul) {
    if (i->mod[WG_MC_MULW] == WG_M_wide && i->bits < 64)
        set_wide(l, i, extended(l, i, 0) * extended(l, i, 1));
    else
        ref_set(l, i, product_half(l, i));
}

REF_LANE_ROW(mad) {
    if (i->mod[WG_MC_MULW] == WG_M_wide) {
        set_wide(l, i, extended(l, i, 0) * extended(l, i, 1) + ref_bits(l, i, 2, 2u * i->bits));
        return;
    }
    uint64_t p = product_half(l, i);
    if (saturates(i))
        ref_set(l, i, (uint64_t)clamp_signed((s128)ref_signed(p, i->bits) + sext(l, i, 2), i->bits));
    else
        ref_set(l, i, p + ref_src(l, i, 2));
}
REF_LANE_ROW(mad_cc) { add_carry(l, i, product_half(l, i), ref_src(l, i, 2), false); }
REF_LANE_ROW(madc) { add_carry(l, i, product_half(l, i), ref_src(l, i, 2), l->cc); }

/* 24 x 24 bits: the low or high 32 of 48. */
static int64_t product24(const struct ref_lane *l, const struct ref_ins *i) {
    uint64_t a = ref_bits(l, i, 0, 24), b = ref_bits(l, i, 1, 24);
    if (!i->is_signed) {
        uint64_t p = a * b;
        return (int64_t)(uint32_t)(i->mod[WG_MC_MULW] == WG_M_hi ? p >> 16 : p);
    }
    int64_t p = ref_signed(a, 24) * ref_signed(b, 24);
    return (int32_t)(i->mod[WG_MC_MULW] == WG_M_hi ? p >> 16 : p);
}
REF_LANE_ROW(mul24) { ref_set(l, i, (uint64_t)product24(l, i)); }
REF_LANE_ROW(mad24) {
    s128 r = (s128)product24(l, i) + wide(l, i, 2);
    if (saturates(i)) r = clamp_signed(r, 32);
    ref_set(l, i, (uint64_t)r);
}

REF_LANE_ROW(sad) {
    s128 d = wide(l, i, 0) - wide(l, i, 1);
    ref_set(l, i, (uint64_t)(d < 0 ? -d : d) + ref_src(l, i, 2));
}

/* ---- quotients ---- */

REF_LANE_ROW(divide) {
    uint64_t a = extended(l, i, 0), b = extended(l, i, 1);
    if (b == 0)
        ref_set(l, i, UINT64_MAX);
    else if (!i->is_signed)
        ref_set(l, i, a / b);
    else
        ref_set(l, i, (int64_t)b == -1 ? 0 - a : (uint64_t)((int64_t)a / (int64_t)b));
}
REF_LANE_ROW(remainder_) {
    uint64_t a = extended(l, i, 0), b = extended(l, i, 1);
    if (b == 0)
        ref_set(l, i, UINT64_MAX);
    else if (!i->is_signed)
        ref_set(l, i, a % b);
    else
        ref_set(l, i, (int64_t)b == -1 ? 0 : (uint64_t)((int64_t)a % (int64_t)b));
}

/* ---- one operand, extremes ---- */

REF_LANE_ROW(abs_) {
    uint64_t a = (uint64_t)sext(l, i, 0);
    ref_set(l, i, (int64_t)a < 0 ? 0 - a : a);
}
REF_LANE_ROW(neg) { ref_set(l, i, 0 - ref_src(l, i, 0)); }

static int64_t extreme(const struct ref_ins *i, s128 a, s128 b, bool max) {
    s128 r = (a < b) == max ? b : a;
    return (int64_t)(ref_has(i, WG_MC_RELU) && r < 0 ? 0 : r);
}
static void min_or_max(struct ref_lane *l, const struct ref_ins *i, bool max) {
    if (!is_x2(i->type)) {
        ref_set(l, i, (uint64_t)extreme(i, wide(l, i, 0), wide(l, i, 1), max));
        return;
    }
    int64_t r[2];
    for (uint32_t h = 0; h < 2; h++) {
        uint64_t a = ref_src(l, i, 0) >> 16 * h & 0xffff, b = ref_src(l, i, 1) >> 16 * h & 0xffff;
        bool s = i->type == WG_T_S16X2;
        r[h] = extreme(i, s ? ref_signed(a, 16) : (int64_t)a, s ? ref_signed(b, 16) : (int64_t)b, max);
    }
    ref_set(l, i, pair16((uint64_t)r[0], (uint64_t)r[1]));
}
REF_LANE_ROW(min_) { min_or_max(l, i, false); }
REF_LANE_ROW(max_) { min_or_max(l, i, true); }

/* ---- dot products ---- */

static int64_t part(uint64_t v, uint32_t at, uint32_t bits, uint8_t type) {
    v = ref_low(v >> at, bits);
    return ref_is_signed(type) ? ref_signed(v, bits) : (int64_t)v;
}
REF_LANE_ROW(dp4a) {
    uint64_t a = ref_src(l, i, 0), b = ref_bits(l, i, 1, 32), sum = ref_bits(l, i, 2, 32);
    for (uint32_t k = 0; k < 32; k += 8) sum += (uint64_t)(part(a, k, 8, i->type) * part(b, k, 8, i->type2));
    ref_set_bits(l, i, 0, sum, 32);
}
REF_LANE_ROW(dp2a) {
    uint64_t a = ref_src(l, i, 0), b = ref_bits(l, i, 1, 32), sum = ref_bits(l, i, 2, 32);
    if (i->mod[WG_MC_MULW] == WG_M_hi) b >>= 16;
    for (uint32_t k = 0; k < 2; k++)
        sum += (uint64_t)(part(a, 16 * k, 16, i->type) * part(b, 8 * k, 8, i->type2));
    ref_set_bits(l, i, 0, sum, 32);
}

/* ---- bytes and halves of a word ---- */

REF_LANE_ROW(vabsdiff) {
    uint64_t a = ref_src(l, i, 0), b = ref_src(l, i, 1), r = 0;
    bool sum = i->op == WG_OP_VABSDIFF4_ADD || i->op == WG_OP_VABSDIFF2_ADD;
    uint32_t bits = i->op == WG_OP_VABSDIFF2 || i->op == WG_OP_VABSDIFF2_ADD ? 16 : 8;
    uint64_t low = (1u << bits) - 1;
    if (sum) r = ref_src(l, i, 2);
    for (uint32_t k = 0; k < 32; k += bits) {
        uint64_t x = a >> k & low, y = b >> k & low, d = x > y ? x - y : y - x;
        r = sum ? r + d : r | d << k;
    }
    ref_set(l, i, ref_low(r, 32));
}

const struct ref_row wg_ref_int_rows[WG_OP_COUNT] = {
    [WG_OP_ADD_I] = {.lane = add},
    [WG_OP_SUB_I] = {.lane = sub},
    [WG_OP_ADD_CC] = {.lane = add_cc},
    [WG_OP_ADDC] = {.lane = addc},
    [WG_OP_SUB_CC] = {.lane = sub_cc},
    [WG_OP_SUBC] = {.lane = subc},
    [WG_OP_MUL_I] = {.lane = mul},
    [WG_OP_MAD_I] = {.lane = mad},
    [WG_OP_MAD_CC] = {.lane = mad_cc},
    [WG_OP_MADC] = {.lane = madc},
    [WG_OP_MUL24] = {.lane = mul24},
    [WG_OP_MAD24] = {.lane = mad24},
    [WG_OP_SAD] = {.lane = sad},
    [WG_OP_DIV_I] = {.lane = divide},
    [WG_OP_REM_I] = {.lane = remainder_},
    [WG_OP_ABS_I] = {.lane = abs_},
    [WG_OP_NEG_I] = {.lane = neg},
    [WG_OP_MIN_I] = {.lane = min_},
    [WG_OP_MAX_I] = {.lane = max_},
    [WG_OP_MIN_RELU] = {.lane = min_},
    [WG_OP_MAX_RELU] = {.lane = max_},
    [WG_OP_DP4A] = {.lane = dp4a},
    [WG_OP_DP2A] = {.lane = dp2a},
    [WG_OP_VABSDIFF2] = {.lane = vabsdiff},
    [WG_OP_VABSDIFF2_ADD] = {.lane = vabsdiff},
    [WG_OP_VABSDIFF4] = {.lane = vabsdiff},
    [WG_OP_VABSDIFF4_ADD] = {.lane = vabsdiff},
};
