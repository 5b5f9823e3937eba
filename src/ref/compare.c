/* Comparison and selection rows. */
#include "ref/lane.h"
#include "ref/number.h"

/* The outcomes of comparing two operands: one bit each, so a comparison is a set of outcomes. */
enum { LESS = 1, EQUAL = 2, GREATER = 4, UNORDERED = 8 };

static const uint8_t outcomes[WG_M_COUNT] = {
    [WG_M_eq] = EQUAL,
    [WG_M_ne] = LESS | GREATER,
    [WG_M_lt] = LESS,
    [WG_M_lo] = LESS,
    [WG_M_le] = LESS | EQUAL,
    [WG_M_ls] = LESS | EQUAL,
    [WG_M_gt] = GREATER,
    [WG_M_hi] = GREATER,
    [WG_M_ge] = GREATER | EQUAL,
    [WG_M_hs] = GREATER | EQUAL,
    [WG_M_equ] = EQUAL | UNORDERED,
    [WG_M_neu] = LESS | GREATER | UNORDERED,
    [WG_M_ltu] = LESS | UNORDERED,
    [WG_M_leu] = LESS | EQUAL | UNORDERED,
    [WG_M_gtu] = GREATER | UNORDERED,
    [WG_M_geu] = GREATER | EQUAL | UNORDERED,
    [WG_M_num] = LESS | EQUAL | GREATER,
    [WG_M_nan] = UNORDERED,
};

static bool compare(const struct ref_ins *i, uint64_t a, uint64_t b, uint32_t bits) {
    const struct ref_format *f = i->format;
    uint32_t stand;
    if (f) {
        bool ftz = i->mod[WG_MC_FTZ] == WG_M_ftz;
        double x = ref_to_double(f, ftz ? ref_flush(f, a) : a),
               y = ref_to_double(f, ftz ? ref_flush(f, b) : b);
        stand = x < y ? LESS : x == y ? EQUAL : x > y ? GREATER : UNORDERED;
    } else if (i->is_signed) {
        int64_t x = ref_signed(a, bits), y = ref_signed(b, bits);
        stand = x < y ? LESS : x == y ? EQUAL : GREATER;
    } else {
        stand = a < b ? LESS : a == b ? EQUAL : GREATER;
    }
    return (outcomes[i->mod[WG_MC_CMP]] & stand) != 0;
}

static bool combine(const struct ref_lane *l, const struct ref_ins *i, bool t) {
    bool q;
    switch (i->mod[WG_MC_BOOL]) {
    case WG_M_and: q = ref_pred(l, i, 2); return t && q;
    case WG_M_or: q = ref_pred(l, i, 2); return t || q;
    case WG_M_xor: q = ref_pred(l, i, 2); return t != q;
    default: return t;
    }
}

REF_LANE_ROW(setp) {
    bool t = compare(i, ref_src(l, i, 0), ref_src(l, i, 1), i->bits);
    bool p = combine(l, i, t), q = i->ndst > 1 && combine(l, i, !t);
    ref_set_bits(l, i, 0, p, 1);
    if (i->ndst > 1) ref_set_bits(l, i, 1, q, 1);
}
/* Packed halves: k = 0 is the low one. */
static bool compare_half(struct ref_lane *l, const struct ref_ins *i, unsigned k) {
    uint64_t a = ref_src(l, i, 0) >> 16 * k & 0xffff, b = ref_src(l, i, 1) >> 16 * k & 0xffff;
    return combine(l, i, compare(i, a, b, 16));
}
REF_LANE_ROW(setp_x2) {
    bool low = compare_half(l, i, 0), high = compare_half(l, i, 1);
    ref_set_bits(l, i, 0, low, 1);
    if (i->ndst > 1) ref_set_bits(l, i, 1, high, 1);
}
/* True is all ones in an integer and 1.0 in a float. */
static uint64_t yes(enum wg_type t) {
    switch (t) {
    case WG_T_F32: return 0x3f800000;
    case WG_T_F16:
    case WG_T_F16X2: return 0x3c00;
    case WG_T_BF16:
    case WG_T_BF16X2: return 0x3f80;
    default: return UINT64_MAX;
    }
}
REF_LANE_ROW(set) {
    bool t = combine(l, i, compare(i, ref_src(l, i, 0), ref_src(l, i, 1), i->bits));
    uint32_t bits = wg_type_bits(i->type2);
    ref_put(l, &i->dst[0], t ? ref_low(yes(i->type2), bits) : 0, bits, ref_is_signed(i->type2));
}
REF_LANE_ROW(set_x2) {
    uint64_t one = yes(i->type2) & 0xffff;
    uint64_t low = compare_half(l, i, 0) ? one : 0, high = compare_half(l, i, 1) ? one : 0;
    ref_put(l, &i->dst[0], low | high << 16, 32, false);
}
REF_LANE_ROW(selp) { ref_set(l, i, ref_pred(l, i, 2) ? ref_src(l, i, 0) : ref_src(l, i, 1)); }
REF_LANE_ROW(slct) {
    uint64_t c = ref_bits(l, i, 2, 32);
    bool first;
    if (i->type2 == WG_T_F32) {
        if (i->mod[WG_MC_FTZ] == WG_M_ftz) c = ref_flush(&ref_f32, c);
        first = ref_as_f32(c) >= 0; /* not for a NaN */
    } else {
        first = (int32_t)c >= 0;
    }
    ref_set(l, i, first ? ref_src(l, i, 0) : ref_src(l, i, 1));
}

const struct ref_row wg_ref_compare_rows[WG_OP_COUNT] = {
    [WG_OP_SETP] = {.lane = setp},       [WG_OP_SETP_B] = {.lane = setp},
    [WG_OP_SETP_X2] = {.lane = setp_x2}, [WG_OP_SETP_X2_B] = {.lane = setp_x2},
    [WG_OP_SET] = {.lane = set},         [WG_OP_SET_B] = {.lane = set},
    [WG_OP_SET_X2] = {.lane = set_x2},   [WG_OP_SET_X2_B] = {.lane = set_x2},
    [WG_OP_SELP] = {.lane = selp},       [WG_OP_SLCT] = {.lane = slct},
};
