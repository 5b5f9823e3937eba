/* Lowering of bit operations: counting, finding, moving and cutting bits; shifts; byte permutation. Logic is
 * in lower_logic.c.
 *
 * PTX's counts are any number and its fields may reach beyond the word; LLVM's shifts by the width or more
 * are poison. So shifts go through wg_shl, wg_lshr and wg_ashr, whose selects x86 has for nothing: its own
 * vector shifts give 0 (or the sign) from the width on, and LLVM knows.
 *
 *     shl.b32 d, a, n   ->   select(n <u 32, shl a, n, 0)   ->   vpsllvd
 */
#include "jit/lower/lower_rows.h"
#include "warp/mbarrier.h"

/* ---- Shifts ---- */

enum shift_kind { SHIFT_LEFT, SHIFT_RIGHT, SHIFT_SIGN };

static V shift_any(struct wg_lower *b, enum shift_kind kind, V x, V count) {
    unsigned bits = wg_bits_of(x), cbits = wg_bits_of(count);
    uint64_t known;
    if (wg_const_value(count, &known)) {
        if (known >= bits && kind != SHIFT_SIGN) return v_k(b, bits, 0);
        V n = v_k(b, bits, known < bits ? known : bits - 1);
        return kind == SHIFT_LEFT ? v_shl(b, x, n) : kind == SHIFT_RIGHT ? v_lshr(b, x, n) : v_ashr(b, x, n);
    }
    if (kind == SHIFT_SIGN)
        return v_ashr(b, x,
                      wg_resize(b, wg_binary(b, "llvm.umin", count, v_k(b, cbits, bits - 1)), bits, false));
    if (bits > cbits) count = v_zext(b, count, bits);
    V inside = v_ult(b, count, v_k(b, wg_bits_of(count), bits)), n = wg_resize(b, count, bits, false);
    return v_sel(b, inside, kind == SHIFT_LEFT ? v_shl(b, x, n) : v_lshr(b, x, n), v_k(b, bits, 0));
}

V wg_shl(struct wg_lower *b, V x, V count) { return shift_any(b, SHIFT_LEFT, x, count); }
V wg_lshr(struct wg_lower *b, V x, V count) { return shift_any(b, SHIFT_RIGHT, x, count); }
V wg_ashr(struct wg_lower *b, V x, V count) { return shift_any(b, SHIFT_SIGN, x, count); }

V wg_low_mask(struct wg_lower *b, V count, unsigned bits) {
    return v_not(b, wg_shl(b, v_k(b, bits, UINT64_MAX), count));
}

bool wg_row_shift(struct wg_lower *b, const struct wg_ir_instr *in, V *src, V *dst) {
    V x = wg_take(b, src[0], wg_type_bits(in->type)), n = wg_take(b, src[1], 32);
    if (in->op == WG_OP_SHL)
        dst[0] = wg_shl(b, x, n);
    else
        dst[0] = wg_is_signed(in->type) ? wg_ashr(b, x, n) : wg_lshr(b, x, n);
    return true;
}

/* shf.l gives the upper word of (b:a) << n, shf.r the lower word of (b:a) >> n. */
bool wg_row_shf(struct wg_lower *b, const struct wg_ir_instr *in, V *src, V *dst) {
    bool left = in->mod[WG_MC_DIR] == WG_M_l;
    V low = wg_take(b, src[0], 32), high = wg_take(b, src[1], 32), n = wg_take(b, src[2], 32);
    V r = wg_ternary(b, left ? "llvm.fshl" : "llvm.fshr", high, low, n); /* counts modulo 32 */
    if (in->mod[WG_MC_CLAMP] != WG_M_wrap) r = v_sel(b, v_ult(b, n, v_k(b, 32, 32)), r, left ? low : high);
    dst[0] = r;
    return true;
}

/* ---- Counting and finding ---- */

static V leading_zeros(struct wg_lower *b, V x) {
    LLVMTypeRef t = LLVMTypeOf(x);
    V no = LLVMConstInt(LLVMInt1TypeInContext(b->ctx), 0, 0); /* of 0 there are as many as bits, not poison */
    return wg_lower_intrinsic(b, "llvm.ctlz", &t, 1, (V[]){x, no}, 2);
}

/* Of 32-bit lanes without vpopcntd: each nibble's ones from a table, then added up in the lane. As LLVM would
 * do it, but by name: it makes the same of llvm.ctpop only after long search. */
static V ones_of_dwords(struct wg_lower *b, V x) {
    struct wg_lower part = {.ctx = b->ctx, .module = b->module, .b = b->b, .lanes = 64, .avx512 = true};
    static const uint8_t ones[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    LLVMTypeRef i8 = LLVMInt8TypeInContext(b->ctx), bytes = wg_lower_int(&part, 8);
    V entry[64], sum[4], nibble = v_k(&part, 8, 15), one = v_k(&part, 8, 1);
    for (unsigned i = 0; i < 64; i++) entry[i] = LLVMConstInt(i8, ones[i % 16], 0);
    V table = LLVMConstVector(entry, 64);
    part.lanes = 32;
    V one_word = v_k(&part, 16, 1);
    for (unsigned i = 0; i < b->lanes / 16; i++) {
        V all = wg_opaque(b, wg_lanes_of(b, x, 16 * i, 16));
        part.lanes = 16;
        V up = v_lshr(&part, all, v_k(&part, 32, 4)), count[2];
        part.lanes = 64;
        for (int k = 0; k < 2; k++) {
            V at[2] = {table, v_and(&part, v_bitcast(&part, k ? up : all, bytes), nibble)};
            count[k] = wg_lower_intrinsic(&part, "llvm.x86.avx512.pshuf.b.512", NULL, 0, at, 2);
        }
        V pairs[2] = {v_add(&part, count[0], count[1]), one};
        V words[2] = {wg_lower_intrinsic(&part, "llvm.x86.avx512.pmaddubs.w.512", NULL, 0, pairs, 2),
                      one_word};
        sum[i] = wg_opaque(b, wg_lower_intrinsic(&part, "llvm.x86.avx512.pmaddw.d.512", NULL, 0, words, 2));
    }
    return wg_lanes_join(b, sum, b->lanes / 16, b->lanes);
}

bool wg_row_popc(struct wg_lower *b, const struct wg_ir_instr *in, V *src, V *dst) {
    V x = wg_take(b, src[0], wg_type_bits(in->type));
    bool dwords = b->avx512 && b->lanes == 32 && wg_type_bits(in->type) == 32;
    dst[0] = dwords ? ones_of_dwords(b, x) : wg_resize(b, wg_unary(b, "llvm.ctpop", x), 32, false);
    return true;
}

bool wg_row_clz(struct wg_lower *b, const struct wg_ir_instr *in, V *src, V *dst) {
    dst[0] = wg_resize(b, leading_zeros(b, wg_take(b, src[0], wg_type_bits(in->type))), 32, false);
    return true;
}

bool wg_row_brev(struct wg_lower *b, const struct wg_ir_instr *in, V *src, V *dst) {
    dst[0] = wg_unary(b, "llvm.bitreverse", wg_take(b, src[0], wg_type_bits(in->type)));
    return true;
}

/* The highest bit that differs from the sign (that is set, for unsigned types); all ones when there is none.
 */
bool wg_row_bfind(struct wg_lower *b, const struct wg_ir_instr *in, V *src, V *dst) {
    unsigned bits = wg_type_bits(in->type);
    V x = wg_take(b, src[0], bits);
    if (wg_is_signed(in->type)) x = v_xor(b, x, v_ashr(b, x, v_k(b, bits, bits - 1)));
    V zeros = wg_resize(b, leading_zeros(b, x), 32, false);
    if (in->mod[WG_MC_SHIFTAMT] == WG_M_shiftamt)
        dst[0] = v_sel(b, v_eq(b, zeros, v_k(b, 32, bits)), v_k(b, 32, UINT32_MAX), zeros);
    else
        dst[0] = v_sub(b, v_k(b, 32, bits - 1), zeros); /* no bit: bits - 1 - bits */
    return true;
}

/* Position of the set bit number `n` (from 0) of m, by halving; all ones when m has no more than n bits. */
static V nth_bit(struct wg_lower *b, V m, V n) {
    V pos = v_k(b, 32, 0), all = wg_unary(b, "llvm.ctpop", m), left = n;
    for (unsigned half = 16; half >= 1; half /= 2) {
        V low = v_and(b, v_lshr(b, m, pos), v_k(b, 32, (1ull << half) - 1));
        V count = wg_unary(b, "llvm.ctpop", low), above = v_icmp(b, LLVMIntUGE, left, count);
        left = v_sel(b, above, v_sub(b, left, count), left);
        pos = v_and(b, v_sel(b, above, v_add(b, pos, v_k(b, 32, half)), pos), v_k(b, 32, 31));
    }
    return v_sel(b, v_ult(b, n, all), pos, v_k(b, 32, UINT32_MAX));
}

/* fns: the offset-th set bit of the mask from bit `base` on, downwards for a negative offset; offset 0 asks
 * whether bit `base` itself is set. Downwards is upwards in the reversed mask. */
bool wg_row_fns(struct wg_lower *b, const struct wg_ir_instr *in, V *src, V *dst) {
    V m = wg_take(b, src[0], 32), base = wg_take(b, src[1], 32), off = wg_take(b, src[2], 32);
    V zero = v_k(b, 32, 0), ones = v_k(b, 32, UINT32_MAX), last = v_k(b, 32, 31);
    V down = v_slt(b, off, zero), here = v_eq(b, off, zero);
    m = v_sel(b, down, wg_unary(b, "llvm.bitreverse", m), m);
    V from = v_sel(b, down, v_sub(b, last, base), base);
    V kept = v_and(b, m, wg_shl(b, ones, from));
    V n = v_sel(b, here, zero, v_sub(b, v_sel(b, down, v_neg(b, off), off), v_k(b, 32, 1)));
    V pos = nth_bit(b, kept, n);
    V found = v_icmp(b, LLVMIntNE, pos, ones);
    found = v_and(b, found, v_icmp(b, LLVMIntULE, base, last));
    found = v_and(b, found, v_or(b, v_not(b, here), v_eq(b, pos, base)));
    dst[0] = v_sel(b, found, v_sel(b, down, v_sub(b, last, pos), pos), ones);
    return true;
}

/* ---- Fields ---- */

static V byte_of(struct wg_lower *b, V x) { return v_and(b, wg_take(b, x, 32), v_k(b, 32, 255)); }

/* x's low `count` bits with bit count-1 as sign; 0 bits give 0. */
static V sign_extend(struct wg_lower *b, V x, V count) {
    unsigned bits = wg_bits_of(x);
    V n = v_k(b, 32, bits), gap = v_sub(b, n, wg_binary(b, "llvm.umin", count, n));
    return wg_ashr(b, wg_shl(b, x, gap), gap); /* a gap of the whole width leaves 0 */
}

bool wg_row_bfe(struct wg_lower *b, const struct wg_ir_instr *in, V *src, V *dst) {
    V x = wg_take(b, src[0], wg_type_bits(in->type)), pos = byte_of(b, src[1]), len = byte_of(b, src[2]);
    if (wg_is_signed(in->type))
        dst[0] = sign_extend(b, wg_ashr(b, x, pos), len);
    else
        dst[0] = v_and(b, wg_lshr(b, x, pos), wg_low_mask(b, len, wg_bits_of(x)));
    return true;
}

bool wg_row_bfi(struct wg_lower *b, const struct wg_ir_instr *in, V *src, V *dst) {
    unsigned bits = wg_type_bits(in->type);
    V field = wg_take(b, src[0], bits), word = wg_take(b, src[1], bits);
    V pos = byte_of(b, src[2]), len = byte_of(b, src[3]);
    V mask = wg_shl(b, wg_low_mask(b, len, bits), pos);
    dst[0] = v_or(b, v_and(b, wg_shl(b, field, pos), mask), v_and(b, word, v_not(b, mask)));
    return true;
}

bool wg_row_szext(struct wg_lower *b, const struct wg_ir_instr *in, V *src, V *dst) {
    V x = wg_take(b, src[0], 32), n = wg_take(b, src[1], 32);
    if (in->mod[WG_MC_CLAMP] == WG_M_wrap) n = v_and(b, n, v_k(b, 32, 31));
    dst[0] = wg_is_signed(in->type) ? sign_extend(b, x, n) : v_and(b, x, wg_low_mask(b, n, 32));
    return true;
}

bool wg_row_bmsk(struct wg_lower *b, const struct wg_ir_instr *in, V *src, V *dst) {
    V pos = wg_take(b, src[0], 32), len = wg_take(b, src[1], 32);
    if (in->mod[WG_MC_CLAMP] == WG_M_wrap) {
        pos = v_and(b, pos, v_k(b, 32, 31));
        len = v_and(b, len, v_k(b, 32, 31));
    }
    dst[0] = wg_shl(b, wg_low_mask(b, len, 32), pos);
    return true;
}

/* ---- prmt ---- */

/* Which byte of (b:a) goes to byte i: 0..7, plus 8 to spread its sign. The modes' selector is their two low
 * bits. */
static unsigned mode_pick(enum wg_mod mode, unsigned sel, unsigned i) {
    switch (mode) {
    case WG_M_f4e: return sel + i;
    case WG_M_b4e: return (sel + 8 - i) & 7;
    case WG_M_rc8: return sel;
    case WG_M_ecl: return i > sel ? i : sel;
    case WG_M_ecr: return i < sel ? i : sel;
    default: return 2 * (sel & 1) + (i & 1); /* rc16 */
    }
}

/* `n` bytes of (b:a) from byte `pick` on, picked by a number known now, put at byte `to`. */
static V known_bytes(struct wg_lower *b, V lo, V hi, unsigned pick, unsigned to, unsigned n) {
    V x = pick & 4 ? hi : lo;
    unsigned from = pick & 3;
    if (pick & 8)
        x = v_ashr(b, v_shl(b, x, v_k(b, 32, 24 - 8 * from)), v_k(b, 32, 31));
    else if (from < to)
        x = v_shl(b, x, v_k(b, 32, 8 * (to - from)));
    else if (from > to)
        x = v_lshr(b, x, v_k(b, 32, 8 * (from - to)));
    return v_and(b, x, v_k(b, 32, ((1ull << (8 * n)) - 1) << (8 * to)));
}

/* Runs of neighbouring bytes of one word move by one shift: prmt 0x5410 is two of them. */
static V known_permute(struct wg_lower *b, V lo, V hi, const unsigned pick[4]) {
    V r = v_k(b, 32, 0);
    for (unsigned i = 0, n; i < 4; i += n) {
        for (n = 1; i + n < 4 && !(pick[i] & 8) && pick[i + n] == pick[i] + n && ((pick[i] & 3) + n) < 4;)
            n++;
        r = v_or(b, r, known_bytes(b, lo, hi, pick[i], i, n));
    }
    return r;
}

/* The selector byte's number of each lane, as a 32-bit value. */
static V pick_at_run(struct wg_lower *b, enum wg_mod mode, V sel, unsigned i) {
    V two = v_and(b, sel, v_k(b, 32, 3)), k = v_k(b, 32, i);
    switch (mode) {
    case WG_M_none: return v_and(b, v_lshr(b, sel, v_k(b, 32, 4 * i)), v_k(b, 32, 15));
    case WG_M_f4e: return v_add(b, two, k);
    case WG_M_b4e: return v_and(b, v_sub(b, two, k), v_k(b, 32, 7));
    case WG_M_rc8: return two;
    case WG_M_ecl: return wg_binary(b, "llvm.umax", two, k);
    case WG_M_ecr: return wg_binary(b, "llvm.umin", two, k);
    default: return v_or(b, v_shl(b, v_and(b, sel, v_k(b, 32, 1)), v_k(b, 32, 1)), v_k(b, 32, i & 1));
    }
}

bool wg_row_prmt(struct wg_lower *b, const struct wg_ir_instr *in, V *src, V *dst) {
    enum wg_mod mode = in->mod[WG_MC_PRMT];
    V lo = wg_take(b, src[0], 32), hi = wg_take(b, src[1], 32), sel = wg_take(b, src[2], 32);
    uint64_t known;
    if (wg_const_value(sel, &known)) {
        unsigned pick[4];
        for (unsigned i = 0; i < 4; i++)
            pick[i] = mode == WG_M_none ? (known >> (4 * i)) & 15 : mode_pick(mode, known & 3, i);
        dst[0] = known_permute(b, lo, hi, pick);
        return true;
    }
    V both = v_or(b, v_shl(b, v_zext(b, hi, 64), v_k(b, 64, 32)), v_zext(b, lo, 64)), r = v_k(b, 32, 0);
    for (unsigned i = 0; i < 4; i++) {
        V pick = pick_at_run(b, mode, sel, i);
        V from = v_shl(b, v_and(b, pick, v_k(b, 32, 7)), v_k(b, 32, 3));
        V byte = v_trunc(b, v_lshr(b, both, v_zext(b, from, 64)), 32);
        if (mode == WG_M_none) { /* only here bit 3 asks for the sign */
            V sign = v_ashr(b, v_shl(b, byte, v_k(b, 32, 24)), v_k(b, 32, 31));
            byte = v_sel(b, v_icmp(b, LLVMIntUGE, pick, v_k(b, 32, 8)), sign, byte);
        }
        r = v_or(b, r, v_shl(b, v_and(b, byte, v_k(b, 32, 255)), v_k(b, 32, 8 * i)));
    }
    dst[0] = r;
    return true;
}

bool wg_row_mbarrier_pending(struct wg_lower *b, const struct wg_ir_instr *in, V *src, V *dst) {
    dst[0] = v_trunc(b, v_and(b, src[0], v_k(b, 64, WG_MBARRIER_MOST)), 32);
    return true;
}
