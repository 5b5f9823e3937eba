/* Narrowing of 32-bit arithmetic to 16-bit lanes, in half as many vectors, by value ranges.
 *
 *     int dx = a[i + 1] - a[i - 1];   b[i] = min(abs(dx), 255);          bytes
 *
 * The operands are extended vectors of 16 bits or less, or constants; the range of the result follows from
 * theirs. If it fits 16 bits, the operation on the low halves gives the whole result, which is extended
 * again. LLVM deletes extensions that become dead, so a chain of such operations stays narrow until a 32-bit
 * value is needed. Values that are not narrow already stay wide.
 */
#include "analysis/plan.h"
#include "jit/instr/instr.h"

#include <string.h>

enum { HALF = 16, MOST_SOURCES = 3 };

struct range {
    int64_t low, high;
};

/* The known range of a register's value. */
struct wg_small {
    LLVMValueRef vec; /* the value described */
    struct range r;
};

static int64_t lesser(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t greater(int64_t a, int64_t b) { return a > b ? a : b; }

static bool fits_unsigned(struct range r) { return r.low >= 0 && r.high <= UINT16_MAX; }
static bool fits_signed(struct range r) { return r.low >= INT16_MIN && r.high <= INT16_MAX; }

/* The low 16 bits of a value extended from 16 bits or fewer, and its range; NULL: it is not extended. */
static LLVMValueRef low_half(struct wg_emit *e, const struct wg_ir_opd *o, LLVMValueRef x, struct range *r) {
    bool is_signed = LLVMIsASExtInst(x);
    if (LLVMIsNull(x)) {
        *r = (struct range){0, 0};
        return wg_emit_resize(e, x, HALF, false);
    }
    if (!is_signed && !LLVMIsAZExtInst(x)) return NULL;
    LLVMValueRef from = LLVMGetOperand(x, 0);
    uint32_t bits = LLVMGetIntTypeWidth(LLVMGetElementType(LLVMTypeOf(from)));
    if (bits > HALF) return NULL;
    *r = is_signed ? (struct range){-(1ll << (bits - 1)), (1ll << (bits - 1)) - 1}
                   : (struct range){0, (1ll << bits) - 1};
    const struct wg_small *s = e->regs.small ? &e->regs.small[o->index] : NULL;
    if (s && s->vec == x) *r = s->r;
    const struct wg_fact *f = &e->an->facts[e->v][o->index];
    if (r->low >= 0 && f->max < (uint64_t)r->high) r->high = (int64_t)f->max;
    return wg_emit_resize(e, from, HALF, is_signed);
}

/* m such that x * c >> 32 equals x * m >> 16 for all x up to `most`; 0: none. A factor of more than 16
 * bits is never right. */
static uint64_t half_factor(uint64_t c, uint64_t most) {
    uint64_t m = (c >> HALF) + 1;
    for (uint64_t x = 0; x <= most; x++)
        if (x * c >> 32 != x * m >> HALF) return 0;
    return m;
}

static struct range product(struct range a, struct range b) {
    int64_t p[4] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
    return (struct range){lesser(lesser(p[0], p[1]), lesser(p[2], p[3])),
                          greater(greater(p[0], p[1]), greater(p[2], p[3]))};
}

/* The smallest 2^n - 1 that is at least `high`. */
static int64_t filled(int64_t high) {
    int64_t x = 1;
    while (x <= high) x *= 2;
    return x - 1;
}

static bool is_factor(const struct wg_ir_instr *in) {
    return in->op == WG_OP_MUL_I && in->mod[WG_MC_MULW] == WG_M_hi && in->src[1].kind == WG_O_IMM;
}

static bool is_shift(const struct wg_ir_instr *in) { return in->op == WG_OP_SHL || in->op == WG_OP_SHR; }

/* The range of the result; false: it is none of the operations below. */
static bool result(const struct wg_ir_instr *in, const struct range *s, struct range *r) {
    bool none_negative = s[0].low >= 0 && s[1].low >= 0;
    struct range p;
    switch (in->op) {
    case WG_OP_ADD_I: *r = (struct range){s[0].low + s[1].low, s[0].high + s[1].high}; return true;
    case WG_OP_SUB_I: *r = (struct range){s[0].low - s[1].high, s[0].high - s[1].low}; return true;
    case WG_OP_MUL_I:
        if (in->mod[WG_MC_MULW] == WG_M_wide || (in->mod[WG_MC_MULW] == WG_M_hi && s[0].low < 0))
            return false;
        if (is_factor(in) && wg_type_kind(in->type) == WG_K_S && s[1].low > INT32_MAX) return false;
        *r = product(s[0], s[1]);
        if (is_factor(in)) r->low >>= 32, r->high >>= 32;
        return in->mod[WG_MC_MULW] != WG_M_hi || is_factor(in);
    case WG_OP_MAD_I:
        if (in->mod[WG_MC_MULW] == WG_M_wide || in->mod[WG_MC_MULW] == WG_M_hi) return false;
        p = product(s[0], s[1]);
        *r = (struct range){p.low + s[2].low, p.high + s[2].high};
        return true;
    case WG_OP_NEG_I: *r = (struct range){-s[0].high, -s[0].low}; return true;
    case WG_OP_ABS_I: *r = (struct range){0, greater(-s[0].low, s[0].high)}; return true;
    case WG_OP_MIN_I:
        *r = (struct range){lesser(s[0].low, s[1].low), lesser(s[0].high, s[1].high)};
        return true;
    case WG_OP_MAX_I:
        *r = (struct range){greater(s[0].low, s[1].low), greater(s[0].high, s[1].high)};
        return true;
    case WG_OP_SELP:
        *r = (struct range){lesser(s[0].low, s[1].low), greater(s[0].high, s[1].high)};
        return true;
    case WG_OP_AND: *r = (struct range){0, lesser(s[0].high, s[1].high)}; return none_negative;
    case WG_OP_OR:
    case WG_OP_XOR: *r = (struct range){0, filled(greater(s[0].high, s[1].high))}; return none_negative;
    case WG_OP_SHL:
        *r = (struct range){s[0].low * (INT64_C(1) << s[1].low), s[0].high * (INT64_C(1) << s[1].low)};
        return true;
    case WG_OP_SHR: *r = (struct range){s[0].low >> s[1].low, s[0].high >> s[1].low}; return true;
    default: return false;
    }
}

/* The type of the 16-bit operation; NONE: 16 bits do not represent the operands. */
static enum wg_type half_type(const struct wg_ir_instr *in, const struct range *s) {
    bool bits = in->op == WG_OP_AND || in->op == WG_OP_OR || in->op == WG_OP_XOR || in->op == WG_OP_SHL ||
                in->op == WG_OP_SELP;
    bool order = in->op == WG_OP_MIN_I || in->op == WG_OP_MAX_I,
         one = in->op == WG_OP_SHR || in->op == WG_OP_ABS_I;
    bool is_signed = wg_type_kind(in->type) == WG_K_S;
    if (bits) return WG_T_B16;
    if (!order && !one)
        return in->op == WG_OP_NEG_I ? WG_T_S16 : WG_T_U16; /* a sum's low half has no signedness */
    if (fits_unsigned(s[0]) && (one || fits_unsigned(s[1])) && in->op != WG_OP_ABS_I) return WG_T_U16;
    if (is_signed && fits_signed(s[0]) && (one || fits_signed(s[1]))) return WG_T_S16;
    return WG_T_NONE;
}

static bool is_of_words(const struct wg_emit *e, const struct wg_ir_instr *in) {
    return e->L.avx2 && wg_may_use(e->opts, WG_FORM_narrow) && e->L.lanes > 1 && in->nsrc <= MOST_SOURCES &&
           wg_type_bits(in->type) == 32 && wg_type_kind(in->type) != WG_K_F && in->type != WG_T_U16X2 &&
           in->type != WG_T_S16X2;
}

/* The range of an immediate operand, with the operation's signedness. */
static struct range of_immediate(const struct wg_ir_instr *in, uint32_t i) {
    uint32_t x = (uint32_t)in->src[i].imm;
    bool as_is = wg_type_kind(in->type) == WG_K_U && in->op != WG_OP_ADD_I && in->op != WG_OP_SUB_I;
    int64_t v = as_is || is_factor(in) ? (int64_t)x : (int64_t)(int32_t)x;
    return (struct range){v, v};
}

static bool read_sources(struct wg_emit *e, const struct wg_ir_instr *in, const LLVMValueRef *src,
                         LLVMValueRef *s, struct range *r) {
    bool any = false;
    for (uint32_t i = 0; i < in->nsrc; i++) {
        const struct wg_ir_opd *o = &in->src[i];
        if (in->op == WG_OP_SELP && i == 2) {
            s[i] = src[i];
        } else if (o->kind == WG_O_IMM) {
            r[i] = of_immediate(in, i);
            bool free = is_factor(in) && i == 1;
            if (is_shift(in) && i == 1 && (r[i].low < 0 || r[i].low >= HALF)) return false;
            if (!free && !fits_signed(r[i]) && !fits_unsigned(r[i])) return false;
        } else if ((is_shift(in) && i == 1) || !(s[i] = low_half(e, o, src[i], &r[i]))) {
            return false;
        } else {
            any = true;
        }
    }
    return any;
}

/* Widens the result, and records its range. */
static bool note(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef *dst, struct range r) {
    dst[0] = wg_emit_resize(e, dst[0], 32, r.low < 0);
    if (!e->regs.small) e->regs.small = WG_NEW_N(&e->an->arena, struct wg_small, e->func->nregs);
    e->regs.small[in->dst[0].index] = (struct wg_small){dst[0], r};
    return true;
}

/* The high product by a constant that is the shift's operand, if it is in this block before it and its
 * factor is unchanged; NULL: another operand. Values from other blocks are no extensions here (low_half). */
static const struct wg_ir_instr *shifted_product(struct wg_emit *e, const struct wg_ir_instr *in) {
    const struct wg_ir_instr *here = &e->func->blocks[e->block].instrs[e->instr];
    if (in->op != WG_OP_SHR || in->src[1].kind != WG_O_IMM || in->src[1].imm > 31) return NULL;
    const struct wg_ir_instr *p = e->regs.def[in->src[0].index];
    if (!p || p >= here || !is_factor(p) || p->guard != WG_NO_REG) return NULL;
    const struct wg_ir_opd *o = &p->src[0];
    if (o->kind != WG_O_REG || !e->regs.have[o->index]) return NULL;
    const struct wg_ir_instr *x = e->regs.def[o->index];
    bool is_signed = wg_type_kind(p->type) == WG_K_S;
    return !x || (x > p && x < here) || (is_signed && (uint32_t)p->src[1].imm > INT32_MAX) ? NULL : p;
}

/* Division by a constant: the high product and the shift after it as one operation, for 16-bit lanes have
 * no spare bits between the two. */
static bool quotient(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef *dst, struct range *to) {
    const struct wg_ir_instr *p = shifted_product(e, in);
    if (!p) return false;
    uint64_t c = (uint32_t)p->src[1].imm, shift = 32 + in->src[1].imm, m = 0;
    uint32_t reg = p->src[0].index, more = HALF;
    struct range r = {0};
    LLVMValueRef s[2] = {low_half(e, &p->src[0], wg_value_vec(e, &e->regs.cur[reg]), &r)};
    if (!s[0] || r.low < 0) return false;
    *to = (struct range){(int64_t)((uint64_t)r.low * c >> shift), (int64_t)((uint64_t)r.high * c >> shift)};
    do m = ((c << --more) >> (shift - HALF)) + 1;
    while (more && m > UINT16_MAX);
    for (uint64_t x = 0; x <= (uint64_t)r.high; x++)
        if (x * c >> shift != x * m >> (HALF + more)) return false;
    struct wg_ir_instr half = *p;
    half.type = WG_T_U16;
    s[1] = wg_lower_const(&e->L, HALF, m);
    if (!wg_lower_pure(&e->L, &half, s, dst)) return false;
    dst[0] = LLVMBuildLShr(e->L.b, dst[0], wg_lower_const(&e->L, HALF, more), "");
    return true;
}

bool wg_narrow(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef *src, LLVMValueRef *dst) {
    struct range r[MOST_SOURCES] = {{0}}, to = {0};
    LLVMValueRef s[MOST_SOURCES];
    if (!is_of_words(e, in)) return false;
    if (quotient(e, in, dst, &to)) return note(e, in, dst, to);
    if (!read_sources(e, in, src, s, r) || !result(in, r, &to)) return false;
    if (!fits_unsigned(to) && !fits_signed(to)) return false;
    struct wg_ir_instr half = *in;
    struct wg_ir_opd opd[MOST_SOURCES];
    memcpy(opd, in->src, in->nsrc * sizeof *opd);
    half.src = opd;
    half.type = half_type(in, r);
    if (half.type == WG_T_NONE) return false;
    if (is_factor(in) && !(opd[1].imm = half_factor((uint64_t)r[1].low, (uint64_t)r[0].high))) return false;
    for (uint32_t i = 0; i < in->nsrc; i++)
        if (opd[i].kind == WG_O_IMM)
            s[i] = wg_lower_const(&e->L, is_shift(in) && i == 1 ? 32 : HALF, opd[i].imm);
    return wg_lower_pure(&e->L, &half, s, dst) && note(e, in, dst, to);
}
