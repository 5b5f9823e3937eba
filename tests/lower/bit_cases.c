/* Cases: bits, shifts, logic, byte permutation, integer comparison and selection, moves. */
#include "cases.h"

static unsigned width(const struct test_case *c) { return wg_type_bits(c->type); }
static bool is_signed(enum wg_type t) { return wg_type_kind(t) == WG_K_S; }
static bool bit(uint64_t v, unsigned i) { return v >> i & 1; }

/* ---- Shifts ---- */

EXPECT(shift) {
    uint64_t n = s[1] & UINT32_MAX;
    int64_t x = as_signed(s[0], width(c));
    if (c->op == WG_OP_SHL)
        d[0] = n < width(c) ? s[0] << n : 0;
    else if (is_signed(c->type))
        d[0] = (uint64_t)(x >> (n < width(c) ? n : width(c) - 1));
    else
        d[0] = n < width(c) ? s[0] >> n : 0;
}
EXPECT(funnel) {
    uint64_t both = s[1] << 32 | s[0];
    unsigned n = mod_of(c, WG_MC_CLAMP) == WG_M_wrap ? s[2] & 31 : s[2] > 32 ? 32 : (unsigned)s[2];
    d[0] = mod_of(c, WG_MC_DIR) == WG_M_l ? (n == 32 ? both : both << n >> 32) : both >> n;
}

/* ---- Counting ---- */

static int highest(uint64_t v, unsigned bits) {
    for (int i = (int)bits - 1; i >= 0; i--)
        if (bit(v, (unsigned)i)) return i;
    return -1;
}
EXPECT(count) {
    unsigned n = 0;
    for (unsigned i = 0; i < width(c); i++) n += bit(s[0], i);
    d[0] = c->op == WG_OP_POPC ? n : width(c) - 1 - (unsigned)highest(s[0], width(c));
}
EXPECT(find) {
    uint64_t v = is_signed(c->type) && bit(s[0], width(c) - 1) ? ~s[0] : s[0];
    int at = highest(v, width(c));
    d[0] = (uint64_t)(int64_t)(at >= 0 && mod_of(c, WG_MC_SHIFTAMT) ? (int)width(c) - 1 - at : at);
}
EXPECT(find_nth) {
    int64_t off = (int32_t)s[2], base = (int64_t)s[1];
    d[0] = UINT32_MAX;
    if (off == 0) {
        if (base < 32 && bit(s[0], (unsigned)base)) d[0] = s[1];
        return;
    }
    int64_t left = (off < 0 ? -off : off) - 1;
    for (int64_t at = base; at >= 0 && at < 32; at += off < 0 ? -1 : 1)
        if (bit(s[0], (unsigned)at) && left-- == 0) {
            d[0] = (uint64_t)at;
            return;
        }
}
EXPECT(reverse) {
    d[0] = 0;
    for (unsigned i = 0; i < width(c); i++) d[0] |= (uint64_t)bit(s[0], i) << (width(c) - 1 - i);
}

/* ---- Fields: bit by bit ---- */

EXPECT(extract) {
    unsigned top = width(c) - 1, pos = s[1] & 255, len = s[2] & 255, last = pos + len - 1;
    bool fill = is_signed(c->type) && len && bit(s[0], last < top ? last : top);
    d[0] = 0;
    for (unsigned i = 0; i <= top; i++)
        d[0] |= (uint64_t)(i < len && pos + i <= top ? bit(s[0], pos + i) : fill) << i;
}
EXPECT(insert) {
    unsigned top = width(c) - 1, pos = s[2] & 255, len = s[3] & 255;
    d[0] = s[1];
    for (unsigned i = 0; i < len && pos + i <= top; i++)
        d[0] = (d[0] & ~(1ull << (pos + i))) | (uint64_t)bit(s[0], i) << (pos + i);
}
static unsigned clamped(const struct test_case *c, uint64_t v) {
    return mod_of(c, WG_MC_CLAMP) == WG_M_wrap ? v & 31 : v > 32 ? 32 : (unsigned)v;
}
EXPECT(extend) {
    unsigned n = clamped(c, s[1]);
    d[0] = n == 0 ? 0 : is_signed(c->type) ? (uint64_t)as_signed(low_bits(s[0], n), n) : low_bits(s[0], n);
}
EXPECT(mask) {
    unsigned pos = clamped(c, s[0]), len = clamped(c, s[1]);
    d[0] = low_bits(UINT64_MAX, len) << pos;
}

/* ---- Logic ---- */

EXPECT(logic) {
    d[0] = c->op == WG_OP_AND   ? s[0] & s[1]
           : c->op == WG_OP_OR  ? s[0] | s[1]
           : c->op == WG_OP_XOR ? s[0] ^ s[1]
           : c->op == WG_OP_NOT ? ~s[0]
                                : s[0] == 0;
}
EXPECT(table) {
    d[0] = 0;
    for (unsigned i = 0; i < 32; i++) {
        unsigned at = 4u * bit(s[0], i) + 2u * bit(s[1], i) + bit(s[2], i);
        d[0] |= (uint64_t)bit(s[3], at) << i;
    }
    bool any = d[0] != 0, q = s[4];
    enum wg_mod m = mod_of(c, WG_MC_BOOL);
    d[1] = m == WG_M_and ? any && q : m == WG_M_or ? any || q : any != q;
}

/* ---- prmt ---- */

EXPECT(permute) {
    uint64_t both = s[1] << 32 | s[0];
    unsigned t = s[2] & 3;
    d[0] = 0;
    for (unsigned i = 0; i < 4; i++) {
        unsigned from, sel = (unsigned)(s[2] >> (4 * i)) & 15;
        switch (mod_of(c, WG_MC_PRMT)) {
        case WG_M_f4e: from = t + i; break;
        case WG_M_b4e: from = (8 + t - i) % 8; break;
        case WG_M_rc8: from = t; break;
        case WG_M_ecl: from = i < t ? t : i; break;
        case WG_M_ecr: from = i > t ? t : i; break;
        case WG_M_rc16: from = (t & 1 ? 2 : 0) + (i & 1); break;
        default: from = sel & 7; break;
        }
        uint64_t byte = both >> (8 * from) & 255;
        if (mod_of(c, WG_MC_PRMT) == WG_M_none && sel & 8) byte = byte & 128 ? 255 : 0;
        d[0] |= byte << (8 * i);
    }
}

/* ---- Comparison, selection, moves ---- */

static bool compares(const struct test_case *c, const uint64_t *s) {
    bool eq = s[0] == s[1],
         lt = is_signed(c->type) ? as_signed(s[0], width(c)) < as_signed(s[1], width(c)) : s[0] < s[1];
    switch (mod_of(c, WG_MC_CMP)) {
    case WG_M_eq: return eq;
    case WG_M_ne: return !eq;
    case WG_M_lt: return lt;
    case WG_M_le: return lt || eq;
    case WG_M_gt: return !lt && !eq;
    case WG_M_ge: return !lt;
    case WG_M_lo: return s[0] < s[1];
    case WG_M_ls: return s[0] <= s[1];
    case WG_M_hi: return s[0] > s[1];
    default: return s[0] >= s[1];
    }
}
static bool combined(const struct test_case *c, bool t, bool q) {
    enum wg_mod m = mod_of(c, WG_MC_BOOL);
    return m == WG_M_and ? t && q : m == WG_M_or ? t || q : m == WG_M_xor ? t != q : t;
}
EXPECT(compare) {
    bool t = compares(c, s);
    d[0] = combined(c, t, s[2]);
    d[1] = combined(c, !t, s[2]);
}
EXPECT(compare_set) {
    bool t = combined(c, compares(c, s), s[2]);
    d[0] = !t ? 0 : c->type2 == WG_T_F32 ? 0x3f800000 : c->type2 == WG_T_F16 ? 0x3c00 : UINT64_MAX;
}
EXPECT(choose) { d[0] = s[2] ? s[0] : s[1]; }
EXPECT(choose_by_sign) { d[0] = (int32_t)s[2] >= 0 ? s[0] : s[1]; }
EXPECT(move) { d[0] = s[0]; }
EXPECT(pack) {
    unsigned n = 0;
    while (n < MAX_SRC && c->src[n]) n++;
    d[0] = 0;
    for (unsigned i = 0; i < n; i++) d[0] |= s[i] << (i * width(c) / n);
}
EXPECT(unpack) {
    unsigned n = 0;
    while (n < MAX_DST && c->dst[n]) n++;
    for (unsigned i = 0; i < n; i++) d[i] = s[0] >> (i * width(c) / n);
}

static void shifts(add_case_fn *add, void *user) {
    static const enum wg_type types[] = {WG_T_B16, WG_T_B32, WG_T_B64, WG_T_U16, WG_T_U32,
                                         WG_T_U64, WG_T_S16, WG_T_S32, WG_T_S64};
    static const uint64_t counts[] = {0, 1, 15, 16, 31, 32, 63, 64, 0xffffffff};
    for (int i = 0; i < 9; i++)
        for (int right = 0; right < 2; right++) {
            if (!right && i > 2) continue;
            uint8_t w = (uint8_t)wg_type_bits(types[i]);
            enum wg_op op = right ? WG_OP_SHR : WG_OP_SHL;
            ADD(.op = op, .type = types[i], .src = {w, 32}, .dst = {w}, .expect = shift);
            ADD(.op = op, .type = types[i], .src = {w, 32}, .dst = {w}, .operand = {{0}, {UNIFORM, 0}},
                .expect = shift);
            for (int k = 0; k < 9; k++)
                ADD(.op = op, .type = types[i], .src = {w, 32}, .dst = {w},
                    .operand = {{0}, {CONSTANT, counts[k]}}, .one_level = true, .expect = shift);
        }
    for (int i = 0; i < 4; i++) {
        enum wg_mod dir = i & 1 ? WG_M_l : WG_M_r, clamp = i & 2 ? WG_M_clamp : WG_M_wrap;
        ADD(.op = WG_OP_SHF, .type = WG_T_B32, .mods = {{WG_MC_DIR, dir}, {WG_MC_CLAMP, clamp}},
            .src = {32, 32, 32}, .dst = {32}, .expect = funnel);
        for (int k = 0; k < 9; k++)
            ADD(.op = WG_OP_SHF, .type = WG_T_B32, .mods = {{WG_MC_DIR, dir}, {WG_MC_CLAMP, clamp}},
                .src = {32, 32, 32}, .dst = {32}, .operand = {{0}, {0}, {CONSTANT, counts[k]}},
                .one_level = true, .expect = funnel);
    }
}

static void fields(add_case_fn *add, void *user) {
    static const enum wg_type types[] = {WG_T_U32, WG_T_S32, WG_T_U64, WG_T_S64},
                              bits[] = {WG_T_B32, WG_T_B64};
    for (int i = 0; i < 4; i++) {
        uint8_t w = (uint8_t)wg_type_bits(types[i]);
        ADD(.op = WG_OP_BFE, .type = types[i], .src = {w, 32, 32}, .dst = {w}, .expect = extract);
        ADD(.op = WG_OP_BFE, .type = types[i], .src = {w, 32, 32}, .dst = {w},
            .operand = {{0}, {CONSTANT, 5}, {CONSTANT, 9}}, .expect = extract);
        ADD(.op = WG_OP_BFIND, .type = types[i], .src = {w}, .dst = {32}, .expect = find);
        ADD(.op = WG_OP_BFIND, .type = types[i], .mods = {{WG_MC_SHIFTAMT, WG_M_shiftamt}}, .src = {w},
            .dst = {32}, .expect = find);
    }
    for (int i = 0; i < 2; i++) {
        uint8_t w = (uint8_t)wg_type_bits(bits[i]);
        ADD(.op = WG_OP_BFI, .type = bits[i], .src = {w, w, 32, 32}, .dst = {w}, .expect = insert);
        ADD(.op = WG_OP_BFI, .type = bits[i], .src = {w, w, 32, 32}, .dst = {w},
            .operand = {{0}, {0}, {CONSTANT, 8}, {CONSTANT, 8}}, .expect = insert);
        ADD(.op = WG_OP_POPC, .type = bits[i], .src = {w}, .dst = {32}, .expect = count);
        ADD(.op = WG_OP_CLZ, .type = bits[i], .src = {w}, .dst = {32}, .expect = count);
        ADD(.op = WG_OP_BREV, .type = bits[i], .src = {w}, .dst = {w}, .expect = reverse);
        enum wg_mod m = i ? WG_M_wrap : WG_M_clamp;
        ADD(.op = WG_OP_SZEXT, .type = WG_T_U32, .mods = {{WG_MC_CLAMP, m}}, .src = {32, 32}, .dst = {32},
            .expect = extend);
        ADD(.op = WG_OP_SZEXT, .type = WG_T_S32, .mods = {{WG_MC_CLAMP, m}}, .src = {32, 32}, .dst = {32},
            .expect = extend);
        ADD(.op = WG_OP_BMSK, .type = WG_T_B32, .mods = {{WG_MC_CLAMP, m}}, .src = {32, 32}, .dst = {32},
            .expect = mask);
    }
    ADD(.op = WG_OP_FNS, .type = WG_T_B32, .src = {32, 32, 32}, .dst = {32}, .expect = find_nth);
}

static void logics(add_case_fn *add, void *user) {
    static const enum wg_op ops[] = {WG_OP_AND, WG_OP_OR, WG_OP_XOR, WG_OP_NOT, WG_OP_CNOT};
    static const enum wg_type types[] = {WG_T_PRED, WG_T_B16, WG_T_B32, WG_T_B64};
    static const enum wg_mod bools[] = {WG_M_and, WG_M_or, WG_M_xor};
    for (int i = 0; i < 5; i++)
        for (int t = ops[i] == WG_OP_CNOT; t < 4; t++) {
            uint8_t w = (uint8_t)wg_type_bits(types[t]), w2 = i < 3 ? w : 0;
            ADD(.op = ops[i], .type = types[t], .src = {w, w2}, .dst = {w}, .expect = logic);
        }
    for (uint64_t lut = 0; lut < 256; lut++)
        ADD(.op = WG_OP_LOP3, .type = WG_T_B32, .src = {32, 32, 32, 32}, .dst = {32},
            .operand = {{0}, {0}, {0}, {CONSTANT, lut}}, .one_level = true, .expect = table);
    for (int i = 0; i < 3; i++)
        ADD(.op = WG_OP_LOP3_P, .type = WG_T_B32, .mods = {{WG_MC_BOOL, bools[i]}},
            .src = {32, 32, 32, 32, 1}, .dst = {32, 1}, .operand = {{0}, {0}, {0}, {CONSTANT, 0x80}},
            .expect = table);
}

static void permutes(add_case_fn *add, void *user) {
    static const enum wg_mod modes[] = {WG_M_none, WG_M_f4e, WG_M_b4e, WG_M_rc8,
                                        WG_M_ecl,  WG_M_ecr, WG_M_rc16};
    static const uint64_t sels[] = {0x3210, 0x5410, 0x7632, 0x0123, 0x6543, 0x4321, 0x8888, 0xba98,
                                    0x7531, 0x4444, 0xc4c4, 0x9180, 0x1032, 0x7770, 0};
    for (int i = 0; i < 7; i++) {
        ADD(.op = WG_OP_PRMT, .type = WG_T_B32, .mods = {{WG_MC_PRMT, modes[i]}}, .src = {32, 32, 32},
            .dst = {32}, .expect = permute);
        for (unsigned k = 0; k < (i ? 4 : sizeof sels / sizeof *sels); k++)
            ADD(.op = WG_OP_PRMT, .type = WG_T_B32, .mods = {{WG_MC_PRMT, modes[i]}}, .src = {32, 32, 32},
                .dst = {32}, .operand = {{0}, {0}, {CONSTANT, i ? k : sels[k]}}, .one_level = true,
                .expect = permute);
    }
}

static void comparisons(add_case_fn *add, void *user) {
    static const enum wg_type types[] = {WG_T_B16, WG_T_B32, WG_T_B64, WG_T_U16, WG_T_U32,
                                         WG_T_U64, WG_T_S16, WG_T_S32, WG_T_S64};
    static const enum wg_mod cmps[] = {WG_M_eq, WG_M_ne, WG_M_lt, WG_M_le, WG_M_gt,
                                       WG_M_ge, WG_M_lo, WG_M_ls, WG_M_hi, WG_M_hs};
    static const enum wg_mod bools[] = {WG_M_and, WG_M_or, WG_M_xor};
    static const enum wg_type sets[] = {WG_T_U32, WG_T_S32, WG_T_F32, WG_T_U16, WG_T_S16, WG_T_F16};
    for (int t = 0; t < 9; t++) {
        uint8_t w = (uint8_t)wg_type_bits(types[t]);
        for (int m = 0; m < (t < 3 ? 2 : is_signed(types[t]) ? 6 : 10); m++)
            ADD(.op = WG_OP_SETP, .type = types[t], .mods = {{WG_MC_CMP, cmps[m]}}, .src = {w, w},
                .dst = {1, 1}, .expect = compare);
        ADD(.op = WG_OP_SELP, .type = types[t], .src = {w, w, 1}, .dst = {w}, .expect = choose);
        ADD(.op = WG_OP_SLCT, .type = types[t], .type2 = WG_T_S32, .src = {w, w, 32}, .dst = {w},
            .expect = choose_by_sign);
        ADD(.op = WG_OP_MOV, .type = types[t], .src = {w}, .dst = {w}, .expect = move);
    }
    for (int i = 0; i < 3; i++) {
        ADD(.op = WG_OP_SETP_B, .type = WG_T_S32, .mods = {{WG_MC_CMP, WG_M_lt}, {WG_MC_BOOL, bools[i]}},
            .src = {32, 32, 1}, .dst = {1, 1}, .expect = compare);
        ADD(.op = WG_OP_SET_B, .type = WG_T_U64, .type2 = WG_T_U32,
            .mods = {{WG_MC_CMP, WG_M_hi}, {WG_MC_BOOL, bools[i]}}, .src = {64, 64, 1}, .dst = {32},
            .expect = compare_set);
    }
    for (int i = 0; i < 6; i++)
        ADD(.op = WG_OP_SET, .type = WG_T_S32, .type2 = sets[i], .mods = {{WG_MC_CMP, WG_M_ge}},
            .src = {32, 32}, .dst = {(uint8_t)wg_type_bits(sets[i])}, .expect = compare_set);
    ADD(.op = WG_OP_MOV_PACK, .type = WG_T_B64, .src = {32, 32}, .dst = {64}, .expect = pack);
    ADD(.op = WG_OP_MOV_PACK, .type = WG_T_B64, .src = {16, 16, 16, 16}, .dst = {64}, .expect = pack);
    ADD(.op = WG_OP_MOV_PACK, .type = WG_T_B32, .src = {16, 16}, .dst = {32}, .expect = pack);
    ADD(.op = WG_OP_MOV_UNPACK, .type = WG_T_B64, .src = {64}, .dst = {32, 32}, .expect = unpack);
    ADD(.op = WG_OP_MOV_UNPACK, .type = WG_T_B64, .src = {64}, .dst = {16, 16, 16, 16}, .expect = unpack);
    ADD(.op = WG_OP_MOV_UNPACK, .type = WG_T_B32, .src = {32}, .dst = {16, 16}, .expect = unpack);
}

void bit_cases(add_case_fn *add, void *user) {
    shifts(add, user);
    fields(add, user);
    logics(add, user);
    permutes(add, user);
    comparisons(add, user);
}
