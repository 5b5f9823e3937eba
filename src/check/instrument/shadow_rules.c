/* Transfer functions: what each row does to the shadows of its operands: see shadow.h. */
#include "check/instrument/shadow_emit.h"

typedef struct wg_ir_opd opd;

enum rule {
    DEFINED, /* the result depends on no operand that can be undefined, or who asks does so elsewhere */
    BITWISE, /* bits that all operands have */
    CARRIES, /* the same, and nothing left of the lowest that is missing */
    WHOLE,   /* all or nothing */
    MOVES,   /* bits move about: the row itself, on shadows (and on what is no data, as it is) */
    APART,   /* a function below */
};

/* clang-format off */
static const uint8_t rules[WG_OP_COUNT] = {
    [WG_OP_ADD_I] = CARRIES, [WG_OP_SUB_I] = CARRIES, [WG_OP_NEG_I] = CARRIES, [WG_OP_MUL_I] = APART,
    [WG_OP_MAD_I] = APART, [WG_OP_ADD_CC] = APART, [WG_OP_ADDC] = APART, [WG_OP_SUB_CC] = APART,
    [WG_OP_SUBC] = APART, [WG_OP_MAD_CC] = APART, [WG_OP_MADC] = APART,
    [WG_OP_MUL24] = WHOLE, [WG_OP_MAD24] = WHOLE, [WG_OP_SAD] = WHOLE, [WG_OP_DIV_I] = WHOLE,
    [WG_OP_REM_I] = WHOLE, [WG_OP_ABS_I] = WHOLE, [WG_OP_MIN_I] = WHOLE, [WG_OP_MAX_I] = WHOLE,
    [WG_OP_MIN_RELU] = WHOLE, [WG_OP_MAX_RELU] = WHOLE, [WG_OP_POPC] = WHOLE, [WG_OP_CLZ] = WHOLE,
    [WG_OP_BFIND] = WHOLE, [WG_OP_FNS] = WHOLE, [WG_OP_BREV] = MOVES, [WG_OP_BFE] = APART,
    [WG_OP_BFI] = APART, [WG_OP_SZEXT] = APART, [WG_OP_BMSK] = WHOLE, [WG_OP_DP4A] = WHOLE,
    [WG_OP_DP2A] = WHOLE, [WG_OP_VABSDIFF2] = WHOLE, [WG_OP_VABSDIFF2_ADD] = WHOLE,
    [WG_OP_VABSDIFF4] = WHOLE, [WG_OP_VABSDIFF4_ADD] = WHOLE,
    [WG_OP_AND] = APART, [WG_OP_OR] = APART, [WG_OP_XOR] = BITWISE, [WG_OP_NOT] = BITWISE,
    [WG_OP_CNOT] = WHOLE, [WG_OP_LOP3] = APART, [WG_OP_LOP3_P] = APART, [WG_OP_SHF] = APART,
    [WG_OP_SHL] = APART, [WG_OP_SHR] = APART, [WG_OP_PRMT] = APART,
    [WG_OP_SETP] = APART, [WG_OP_SETP_B] = APART, [WG_OP_SETP_X2] = APART, [WG_OP_SETP_X2_B] = APART,
    [WG_OP_SET] = APART, [WG_OP_SET_B] = APART, [WG_OP_SET_X2] = APART, [WG_OP_SET_X2_B] = APART,
    [WG_OP_SELP] = APART, [WG_OP_SLCT] = APART,
    [WG_OP_ADD_F] = BITWISE, [WG_OP_SUB_F] = BITWISE, [WG_OP_MUL_F] = BITWISE, [WG_OP_FMA] = BITWISE,
    [WG_OP_MAD_F] = BITWISE, [WG_OP_DIV_F] = BITWISE, [WG_OP_DIV_A] = BITWISE, [WG_OP_NEG_F] = BITWISE,
    [WG_OP_ABS_F] = BITWISE, [WG_OP_MIN_F] = BITWISE, [WG_OP_MAX_F] = BITWISE, [WG_OP_RCP] = BITWISE,
    [WG_OP_RCP_A] = BITWISE, [WG_OP_SQRT] = BITWISE, [WG_OP_SQRT_A] = BITWISE, [WG_OP_RSQRT_A] = BITWISE,
    [WG_OP_SIN_A] = BITWISE, [WG_OP_COS_A] = BITWISE, [WG_OP_LG2_A] = BITWISE, [WG_OP_EX2_A] = BITWISE,
    [WG_OP_TANH_A] = BITWISE, [WG_OP_TESTP] = WHOLE, [WG_OP_COPYSIGN] = BITWISE,
    [WG_OP_MOV] = BITWISE, [WG_OP_MOV_PACK] = MOVES, [WG_OP_MOV_UNPACK] = APART, [WG_OP_CVT] = APART,
    [WG_OP_CVT_PACK_F] = APART, [WG_OP_CVT_PACK_I] = APART, [WG_OP_CVT_PACK_B] = WHOLE,
    [WG_OP_CVT_PACK_8] = WHOLE, [WG_OP_CVT_NARROW_8] = WHOLE, [WG_OP_CVT_WIDEN_8] = WHOLE,
    [WG_OP_CVTA] = BITWISE, [WG_OP_CVTA_TO] = BITWISE, [WG_OP_ISSPACEP] = WHOLE, [WG_OP_MAPA] = WHOLE,
    [WG_OP_GETCTARANK] = WHOLE,
};
/* clang-format on */

static uint32_t bits_of(const struct wg_ir_instr *in) { return wg_type_bits(in->type); }
static opd shadow_of(struct wg_shadow *s, uint32_t i, uint32_t bits) {
    return wg_sh_of(s, &s->at->src[i], bits);
}

static uint64_t above(uint32_t bits) { return bits >= 64 ? 0 : UINT64_MAX << bits; }
static uint32_t held(uint32_t bits) { return wg_sh_bits(wg_sh_width(bits)); } /* the register for them */

/* From the low `bits` of v, which is `from` wide, as a value of theirs is extended to `to`: what comes above
 * an unsigned one is zero and defined, above a signed one what its sign is. */
static opd extend(struct wg_shadow *s, opd v, uint32_t from, uint32_t bits, uint32_t to, bool is_signed) {
    if (wg_sh_is_all(v)) return v;
    if (bits < from) v = wg_sh_or(s, from, v, wg_sh_imm(above(bits)));
    if (bits < from && is_signed) v = wg_sh_fill(s, from, v);
    if (from == to || wg_sh_is_all(v)) return v;
    static const uint8_t type[2][4] = {{0, WG_T_U16, WG_T_U32, WG_T_U64}, {0, WG_T_S16, WG_T_S32, WG_T_S64}};
    struct wg_ir_instr at = *s->at, cvt = {.op = WG_OP_CVT,
                                           .type = type[is_signed][wg_sh_width(to)],
                                           .type2 = type[is_signed][wg_sh_width(from)],
                                           .loc = at.loc,
                                           .ptx_line = at.ptx_line};
    const struct wg_ir_instr *outer = s->at;
    s->at = &cvt;
    v = wg_sh_same(s, wg_sh_width(to), 1, &v);
    s->at = outer;
    return to > from && !is_signed ? wg_sh_or(s, to, v, wg_sh_imm(above(from))) : v;
}

/* The result's shadow, in a register as wide as the type asks for, put into the destination's register. */
static void set_result(struct wg_shadow *s, uint32_t k, opd v, uint32_t bits, bool is_signed) {
    if (k >= s->at->ndst || s->at->dst[k].kind != WG_O_REG) return;
    uint32_t reg = s->at->dst[k].index;
    wg_sh_set(s, reg, extend(s, v, held(bits), bits, wg_sh_reg_bits(s, reg), is_signed));
}

static void set_first(struct wg_shadow *s, opd v) { set_result(s, 0, v, bits_of(s->at), false); }

static opd all_sources(struct wg_shadow *s, uint32_t bits) {
    opd v = wg_sh_all();
    for (uint32_t i = 0; i < s->at->nsrc; i++) v = wg_sh_and(s, held(bits), v, shadow_of(s, i, bits));
    return v;
}

/* Predicate: every source is defined, whatever its width. */
static opd sources_whole(struct wg_shadow *s, uint32_t first_bits) {
    opd by_width[WG_W64 + 1], v = wg_sh_all();
    for (int w = 0; w <= WG_W64; w++) by_width[w] = wg_sh_all();
    for (uint32_t i = 0; i < s->at->nsrc; i++) {
        if (s->at->src[i].kind != WG_O_REG) continue;
        uint32_t own = wg_sh_reg_bits(s, s->at->src[i].index);
        opd *to = &by_width[wg_sh_width(own)];
        *to = wg_sh_and(s, own, *to, shadow_of(s, i, first_bits && first_bits < own ? first_bits : own));
    }
    for (int w = 0; w <= WG_W64; w++)
        v = wg_sh_and(s, 1, v, wg_sh_whole(s, wg_sh_bits((enum wg_width)w), by_width[w]));
    return v;
}

static void set_whole(struct wg_shadow *s, uint32_t source_bits) {
    opd whole = sources_whole(s, source_bits);
    for (uint32_t k = 0; k < s->at->ndst; k++) {
        if (s->at->dst[k].kind != WG_O_REG) continue;
        uint32_t reg = s->at->dst[k].index;
        if (wg_bits_has(s->tainted, reg)) wg_sh_set(s, reg, wg_sh_spread(s, whole, wg_sh_reg_bits(s, reg)));
    }
}

/* v, but undefined where source i is not whole: a shift's count and the like. */
static opd if_whole(struct wg_shadow *s, opd v, uint32_t bits, uint32_t i) {
    uint32_t own = s->at->src[i].kind == WG_O_REG ? wg_sh_reg_bits(s, s->at->src[i].index) : 32;
    return wg_sh_and(s, bits, v, wg_sh_smear(s, own, shadow_of(s, i, own), bits));
}

/* ---- logic ---- */

/* Besides bits that both have: where one is defined and decides alone, a zero for and, a one for or. */
static opd decides(struct wg_shadow *s, uint32_t bits, opd defined, opd value, bool ones) {
    if (value.kind == WG_O_SYM) return wg_sh_imm(0);
    return wg_sh_and(s, bits, defined, ones ? value : wg_sh_not(s, bits, value));
}

static opd either(struct wg_shadow *s, uint32_t bits, opd da, opd a, opd db, opd b, bool ones) {
    opd v = wg_sh_and(s, bits, da, db);
    if (wg_sh_is_all(v)) return v;
    if (!wg_sh_is_all(db)) v = wg_sh_or(s, bits, v, decides(s, bits, da, a, ones));
    if (!wg_sh_is_all(da)) v = wg_sh_or(s, bits, v, decides(s, bits, db, b, ones));
    return v;
}

static void logic(struct wg_shadow *s) {
    uint32_t bits = bits_of(s->at);
    const opd *src = s->at->src;
    set_first(s, either(s, bits, shadow_of(s, 0, bits), src[0], shadow_of(s, 1, bits), src[1],
                        s->at->op == WG_OP_OR));
}

/* Bits that the table makes the same whatever the undefined ones are: not both 1 and 0 are possible. */
static void lop3(struct wg_shadow *s) {
    opd can[3][2], made[2] = {wg_sh_imm(0), wg_sh_imm(0)};
    uint64_t table = s->at->src[3].imm;
    opd all = all_sources(s, 32);
    if (!wg_sh_is_all(all)) {
        for (uint32_t i = 0; i < 3; i++) {
            opd lost = wg_sh_not(s, 32, shadow_of(s, i, 32)), x = s->at->src[i];
            can[i][1] = wg_sh_or(s, 32, x, lost);
            can[i][0] = wg_sh_or(s, 32, wg_sh_not(s, 32, x), lost);
        }
        for (uint32_t k = 0; k < 8; k++) {
            opd term = wg_sh_and(s, 32, wg_sh_and(s, 32, can[0][k >> 2], can[1][k >> 1 & 1]), can[2][k & 1]);
            opd *to = &made[table >> k & 1];
            *to = to->kind == WG_O_IMM && !to->imm ? term : wg_sh_op2(s, WG_OP_OR, 32, *to, term);
        }
        all = wg_sh_not(s, 32, wg_sh_and(s, 32, made[0], made[1]));
    }
    set_result(s, 0, all, 32, false);
    if (s->at->op == WG_OP_LOP3_P)
        set_result(s, 1, wg_sh_and(s, 1, wg_sh_whole(s, 32, all), shadow_of(s, 4, 1)), 1, false);
}

/* ---- bits that move ---- */

/* What comes in from outside is defined: the row over the complement, and back. */
static void shift(struct wg_shadow *s) {
    uint32_t bits = bits_of(s->at);
    opd src[4] = {shadow_of(s, 0, bits)}, v = src[0];
    if (!wg_sh_is_all(v)) {
        src[0] = wg_sh_not(s, bits, v);
        for (uint32_t i = 1; i < s->at->nsrc; i++) src[i] = s->at->src[i];
        v = wg_sh_not(s, bits, wg_sh_same(s, wg_sh_width(bits), s->at->nsrc, src));
    }
    for (uint32_t i = 1; i < s->at->nsrc; i++) v = if_whole(s, v, bits, i);
    set_first(s, v);
}

/* Two sources are data, the others say how they move. */
static void funnel(struct wg_shadow *s) {
    uint32_t bits = bits_of(s->at);
    opd src[4], v = all_sources(s, bits);
    if (!wg_sh_is_all(v)) {
        for (uint32_t i = 0; i < s->at->nsrc; i++) src[i] = i < 2 ? shadow_of(s, i, bits) : s->at->src[i];
        v = wg_sh_same(s, wg_sh_width(bits), s->at->nsrc, src);
        for (uint32_t i = 2; i < s->at->nsrc; i++) v = if_whole(s, v, bits, i);
    }
    set_first(s, v);
}

static void move_about(struct wg_shadow *s) {
    uint32_t bits = bits_of(s->at), each = bits / s->at->nsrc;
    opd src[8], any = wg_sh_all();
    for (uint32_t i = 0; i < s->at->nsrc; i++) {
        src[i] = shadow_of(s, i, each);
        if (!wg_sh_is_all(src[i])) any = src[i];
        if (src[i].kind == WG_O_IMM) src[i].imm &= ~above(each);
    }
    set_first(s, wg_sh_is_all(any) ? any : wg_sh_same(s, wg_sh_width(bits), s->at->nsrc, src));
}

static void unpack(struct wg_shadow *s) {
    uint32_t n = s->at->ndst, each = bits_of(s->at) / n;
    opd v = shadow_of(s, 0, bits_of(s->at));
    for (uint32_t k = 0; k < n; k++) {
        if (s->at->dst[k].kind != WG_O_REG) continue;
        opd part = v;
        if (!wg_sh_is_all(v)) {
            opd src[2] = {v, wg_sh_imm(k * each)};
            uint32_t bits = held(bits_of(s->at));
            part = k ? wg_sh_op(s, WG_OP_SHR, wg_sh_type(bits), wg_sh_width(bits), 2, src) : v;
            part = extend(s, part, bits, bits, held(each), false);
        }
        set_result(s, k, part, each, false);
    }
}

static bool is_float(uint8_t type) { return wg_type_kind(type) == WG_K_F; }

static void convert(struct wg_shadow *s) {
    const struct wg_ir_instr *in = s->at;
    uint32_t from = wg_type_bits(in->type2), to = bits_of(in);
    if (is_float(in->type) || is_float(in->type2) || in->mod[WG_MC_SAT] != WG_M_none) {
        set_whole(s, from);
        return;
    }
    if (in->src[0].kind != WG_O_REG) return set_first(s, wg_sh_all());
    bool is_signed = wg_type_kind(in->type) == WG_K_S, source_signed = wg_type_kind(in->type2) == WG_K_S;
    uint32_t own = wg_sh_reg_bits(s, in->src[0].index), low = from < to ? from : to;
    opd v = shadow_of(s, 0, own);
    v = extend(s, v, own, low, held(to), from < to ? source_signed : is_signed);
    set_result(s, 0, v, to, is_signed);
}

/* The first source becomes the upper half. */
static void pack_halves(struct wg_shadow *s) {
    opd v = wg_sh_all();
    for (uint32_t i = 0; i < 2; i++) {
        opd whole = wg_sh_whole(s, 32, shadow_of(s, i, 32));
        opd other = wg_sh_imm(i ? 0xffff0000u : 0x0000ffffu);
        if (!wg_sh_is_all(whole)) v = wg_sh_and(s, 32, v, wg_sh_select(s, 32, wg_sh_all(), other, whole));
    }
    set_result(s, 0, v, 32, false);
}

/* ---- comparison and selection ---- */

static bool same_bits_decide(const struct wg_ir_instr *in) {
    bool plain = in->src[0].kind != WG_O_SYM && in->src[1].kind != WG_O_SYM;
    return plain && !is_float(in->type) && (in->mod[WG_MC_CMP] == WG_M_eq || in->mod[WG_MC_CMP] == WG_M_ne);
}

/* x < 0, x >= 0, x > -1, x <= -1 */
static bool sign_decides(const struct wg_ir_instr *in) {
    uint8_t cmp = in->mod[WG_MC_CMP];
    uint64_t low = ~above(bits_of(in));
    if (wg_type_kind(in->type) != WG_K_S || in->src[1].kind != WG_O_IMM) return false;
    if (cmp == WG_M_lt || cmp == WG_M_ge) return (in->src[1].imm & low) == 0;
    return (cmp == WG_M_gt || cmp == WG_M_le) && (in->src[1].imm & low) == low;
}

/* Predicate: the comparison's result is defined. */
static opd compared(struct wg_shadow *s) {
    const struct wg_ir_instr *in = s->at;
    uint32_t bits = bits_of(in);
    opd both = wg_sh_and(s, bits, shadow_of(s, 0, bits), shadow_of(s, 1, bits));
    if (wg_sh_is_all(both)) return both;
    if (sign_decides(in)) return wg_sh_compare(s, WG_M_lt, in->type, both, wg_sh_imm(0));
    opd whole = wg_sh_whole(s, bits, both);
    if (!same_bits_decide(in)) return whole;
    opd differ = wg_sh_and(s, bits, wg_sh_op2(s, WG_OP_XOR, bits, in->src[0], in->src[1]), both);
    return wg_sh_op2(s, WG_OP_OR, 1, whole,
                     wg_sh_compare(s, WG_M_ne, wg_sh_type(bits), differ, wg_sh_imm(0)));
}

/* The comparison itself, without what it is combined with. */
static opd comparison(struct wg_shadow *s, bool packed) {
    struct wg_ir_instr plain = *s->at;
    plain.op = packed ? WG_OP_SETP_X2 : WG_OP_SETP;
    plain.mod[WG_MC_BOOL] = WG_M_none;
    const struct wg_ir_instr *outer = s->at;
    s->at = &plain;
    opd v = wg_sh_same(s, WG_W1, 2, outer->src);
    s->at = outer;
    return v;
}

static opd combined(struct wg_shadow *s, opd dc, opd c, opd dq, opd q) {
    uint8_t how = s->at->mod[WG_MC_BOOL];
    if (how == WG_M_xor) return wg_sh_and(s, 1, dc, dq);
    return either(s, 1, dc, c, dq, q, how == WG_M_or);
}

static bool is_packed(uint8_t type) { return type == WG_T_F16X2 || type == WG_T_BF16X2; }

static void compare(struct wg_shadow *s) {
    const struct wg_ir_instr *in = s->at;
    opd v = compared(s), other = v;
    if (in->nsrc > 2) {
        opd dq = shadow_of(s, 2, 1), q = in->src[2];
        if (!wg_sh_is_all(v) || !wg_sh_is_all(dq)) {
            opd dc = v, c = comparison(s, is_packed(in->type));
            q.negated = false;
            if (in->src[2].negated) q = wg_sh_not(s, 1, q);
            v = combined(s, dc, c, dq, q);
            other = in->ndst > 1 ? combined(s, dc, wg_sh_not(s, 1, c), dq, q) : v;
            if (is_packed(in->type)) v = other = wg_sh_and(s, 1, dc, dq);
        }
    }
    bool predicate = in->op == WG_OP_SETP || in->op == WG_OP_SETP_B || in->op == WG_OP_SETP_X2 ||
                     in->op == WG_OP_SETP_X2_B;
    for (uint32_t k = 0; k < in->ndst; k++) {
        if (in->dst[k].kind != WG_O_REG) continue;
        opd x = k ? other : v;
        wg_sh_set(s, in->dst[k].index,
                  predicate ? x : wg_sh_spread(s, x, wg_sh_reg_bits(s, in->dst[k].index)));
    }
}

/* With an undefined predicate only what both sources have, and have alike, is defined. */
static void select_rule(struct wg_shadow *s) {
    const struct wg_ir_instr *in = s->at;
    uint32_t bits = bits_of(in);
    opd a = shadow_of(s, 0, bits), b = shadow_of(s, 1, bits), p = shadow_of(s, 2, 1);
    opd v = wg_sh_select(s, bits, a, b, in->src[2]);
    if (!wg_sh_is_all(p)) {
        opd same = wg_sh_imm(0);
        if (in->src[0].kind != WG_O_SYM && in->src[1].kind != WG_O_SYM) {
            same = wg_sh_not(s, bits, wg_sh_op2(s, WG_OP_XOR, bits, in->src[0], in->src[1]));
            same = wg_sh_and(s, bits, wg_sh_and(s, bits, a, b), same);
        }
        v = wg_sh_select(s, bits, v, same, p);
    }
    set_first(s, v);
}

static void select_by_sign(struct wg_shadow *s) {
    uint32_t bits = bits_of(s->at);
    opd src[3] = {shadow_of(s, 0, bits), shadow_of(s, 1, bits), s->at->src[2]}, v = src[0];
    if (!wg_sh_is_all(src[0]) || !wg_sh_is_all(src[1])) {
        for (int i = 0; i < 2; i++)
            if (src[i].kind == WG_O_IMM) src[i].imm &= ~above(bits);
        v = wg_sh_same(s, wg_sh_width(bits), 3, src);
    }
    set_first(s, if_whole(s, v, bits, 2));
}

/* ---- arithmetic ---- */

static void multiply(struct wg_shadow *s) {
    const struct wg_ir_instr *in = s->at;
    uint32_t bits = bits_of(in);
    uint8_t part = in->mod[WG_MC_MULW];
    if (part == WG_M_hi || in->mod[WG_MC_SAT] != WG_M_none) return set_whole(s, 0);
    opd v = wg_sh_and(s, bits, shadow_of(s, 0, bits), shadow_of(s, 1, bits));
    if (part == WG_M_wide) {
        v = extend(s, wg_sh_fill(s, bits, v), bits, bits, bits * 2, true);
        bits *= 2;
    }
    if (in->op == WG_OP_MAD_I) v = wg_sh_and(s, bits, v, shadow_of(s, 2, bits));
    if (in->op == WG_OP_MAD_I || part != WG_M_wide) v = wg_sh_fill(s, bits, v);
    set_result(s, 0, v, bits, false);
}

static void with_carry(struct wg_shadow *s) {
    const struct wg_ir_instr *in = s->at;
    uint32_t bits = bits_of(in);
    bool takes = in->op == WG_OP_ADDC || in->op == WG_OP_SUBC || in->op == WG_OP_MADC;
    bool gives = !takes || in->mod[WG_MC_CC] != WG_M_none;
    opd v = all_sources(s, bits), carry = s->carry == WG_NO_REG ? wg_sh_all() : wg_sh_reg(s->carry);
    if (takes && !wg_sh_is_all(carry)) v = wg_sh_and(s, bits, v, wg_sh_spread(s, carry, bits));
    if (gives && s->carry != WG_NO_REG) wg_sh_assign(s, s->carry, 1, wg_sh_whole(s, bits, v));
    set_first(s, in->mod[WG_MC_MULW] == WG_M_hi ? wg_sh_smear(s, bits, v, bits) : wg_sh_fill(s, bits, v));
}

static bool is_pair(uint8_t type) { return type == WG_T_U16X2 || type == WG_T_S16X2; }

/* wg_sh_fill in each half. */
static opd fill_halves(struct wg_shadow *s, opd v) {
    opd src[2] = {v, wg_sh_imm(0x00010001)};
    if (wg_sh_is_all(v)) return v;
    opd carried = wg_sh_op(s, WG_OP_ADD_I, WG_T_U16X2, WG_W32, 2, src);
    return wg_sh_op2(s, WG_OP_AND, 32, v, wg_sh_not(s, 32, carried));
}

static void apart(struct wg_shadow *s) {
    switch (s->at->op) {
    case WG_OP_MUL_I:
    case WG_OP_MAD_I: multiply(s); break;
    case WG_OP_ADD_CC:
    case WG_OP_ADDC:
    case WG_OP_SUB_CC:
    case WG_OP_SUBC:
    case WG_OP_MAD_CC:
    case WG_OP_MADC: with_carry(s); break;
    case WG_OP_BFE:
    case WG_OP_SZEXT:
    case WG_OP_SHL:
    case WG_OP_SHR: shift(s); break;
    case WG_OP_BFI:
    case WG_OP_SHF:
    case WG_OP_PRMT: funnel(s); break;
    case WG_OP_AND:
    case WG_OP_OR: logic(s); break;
    case WG_OP_LOP3:
    case WG_OP_LOP3_P: lop3(s); break;
    case WG_OP_SELP: select_rule(s); break;
    case WG_OP_SLCT: select_by_sign(s); break;
    case WG_OP_MOV_UNPACK: unpack(s); break;
    case WG_OP_CVT: convert(s); break;
    case WG_OP_CVT_PACK_F:
    case WG_OP_CVT_PACK_I: pack_halves(s); break;
    default: compare(s); break;
    }
}

bool wg_shadow_has_rule(enum wg_op op) {
    return rules[op] != DEFINED || op == WG_OP_SHFL || op == WG_OP_VOTE_BALLOT;
}

void wg_shadow_apply(struct wg_shadow *s) {
    uint32_t bits = bits_of(s->at);
    switch (rules[s->at->op]) {
    case DEFINED:
        for (uint32_t k = 0; k < s->at->ndst; k++)
            if (s->at->dst[k].kind == WG_O_REG) wg_sh_set(s, s->at->dst[k].index, wg_sh_all());
        break;
    case BITWISE: set_first(s, all_sources(s, bits)); break;
    case CARRIES:
        set_first(s, is_pair(s->at->type) ? fill_halves(s, all_sources(s, bits))
                                          : wg_sh_fill(s, bits, all_sources(s, bits)));
        break;
    case WHOLE: set_whole(s, 0); break;
    case MOVES: move_about(s); break;
    default: apart(s); break;
    }
}
