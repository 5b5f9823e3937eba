/* Idiom recognition. A compiler writes divisions by constants as what costs a GPU less:
 *
 *     x % 2048     shr.s32 %r2, %r1, 31;  shr.u32 %r3, %r2, 21;  add.s32 %r4, %r1, %r3;
 *                  and.b32 %r5, %r4, -2048;  sub.s32 %r6, %r1, %r5
 *     x / 1000     mul.hi.s32 %r2, %r1, 274877907;  shr.u32 %r3, %r2, 31;  shr.s32 %r4, %r2, 6;  add.s32 %r5, %r4, %r3
 *     y * 64 + x   shl.b32 %r3, %r2, 6;  or.b32 %r4, %r3, %r1         where x < 64
 *
 * The forms of rows know divisions and sums. So the last instruction of each becomes one again,
 *
 *     rem.s32 %r6, %r1, 2048     div.s32 %r5, %r1, 1000     add.s32 %r4, %r3, %r1
 *
 * which LLVM writes as it was where no form takes it. The factors of a quotient are proven right for all dividends
 * (Granlund and Montgomery 1994; reciprocal_of), the bits of a sum to be apart by scalar evolution. Of indices alone: what is
 * computed of data has no rows, and is narrower as it was.
 */
#include "analysis/idioms.h"
#include "analysis/effects.h"
#include "analysis/plan.h"
#include "scev/scev.h"

#include <string.h>

enum { SHORTEST_ROW = 128, DEEPEST = 8 };

struct idioms {
    struct wg_cfg cfg;
    const struct wg_ir_func *f;
    uint32_t block;
};

/* ---- what a register is made from ---- */

static bool is_word(const struct wg_ir_instr *in) {
    return wg_type_bits(in->type) == 32 && wg_type_kind(in->type) != WG_K_F && in->guard == WG_NO_REG &&
           in->ndst == 1 && in->dst[0].kind == WG_O_REG && in->mod[WG_MC_SAT] == WG_M_none;
}

static bool is_here(const struct idioms *x, const struct wg_ir_instr *in) {
    const struct wg_ir_block *b = &x->f->blocks[x->block];
    return in >= b->instrs && in < b->instrs + b->ninstrs;
}

/* What makes the operand that `reader` reads, in this block and in the same iteration; NULL: something else. */
static const struct wg_ir_instr *made_by(const struct idioms *x, const struct wg_ir_opd *o,
                                         const struct wg_ir_instr *reader, enum wg_op op) {
    const struct wg_ir_instr *in = o->kind == WG_O_REG ? x->cfg.def[o->index] : NULL;
    return in && in->op == op && is_word(in) && is_here(x, in) && in < reader ? in : NULL;
}

static bool is_same(const struct wg_ir_opd *a, const struct wg_ir_opd *b) {
    return a->kind == WG_O_REG && b->kind == WG_O_REG && a->index == b->index;
}

static bool is_number(const struct wg_ir_opd *o, uint32_t n) {
    return o->kind == WG_O_IMM && (uint32_t)o->imm == n;
}

/* Whether the register that one instruction reads is still the same where a later one of the block does. */
static bool holds_still(const struct wg_ir_opd *o, const struct wg_ir_instr *from,
                        const struct wg_ir_instr *to) {
    for (const struct wg_ir_instr *in = from; in < to; in++)
        if (wg_writes(in, o->index)) return false;
    return true;
}

/* The shift by a constant that makes the operand. */
static const struct wg_ir_instr *shifted(const struct idioms *x, const struct wg_ir_opd *o,
                                         const struct wg_ir_instr *reader, bool sign, uint32_t *by) {
    const struct wg_ir_instr *in = made_by(x, o, reader, WG_OP_SHR);
    if (!in || (wg_type_kind(in->type) == WG_K_S) != sign || in->src[1].kind != WG_O_IMM) return NULL;
    *by = (uint32_t)in->src[1].imm;
    return *by > 0 && *by < 32 ? in : NULL;
}

/* Whether it is made of sums and products of indices: of threads and blocks, parameters and constants. */
static bool is_index(const struct idioms *x, const struct wg_ir_opd *o, uint32_t depth) {
    const struct wg_ir_instr *in = o->kind == WG_O_REG ? x->cfg.def[o->index] : NULL;
    if (o->kind == WG_O_IMM) return true;
    if (!in || depth == DEEPEST || !is_word(in)) return false;
    switch (in->op) {
    case WG_OP_MOV_SREG: return true;
    case WG_OP_LD: return wg_loads_for_launch(in);
    case WG_OP_MUL_I:
    case WG_OP_MAD_I:
        if (in->mod[WG_MC_MULW] != WG_M_lo) return false; /* fall through */
    case WG_OP_ADD_I:
    case WG_OP_SUB_I:
    case WG_OP_SHL:
    case WG_OP_AND:
    case WG_OP_OR:
    case WG_OP_MIN_I:
    case WG_OP_MAX_I:
    case WG_OP_DIV_I:
    case WG_OP_REM_I:
    case WG_OP_MOV:
        for (uint32_t i = 0; i < in->nsrc; i++)
            if (!is_index(x, &in->src[i], depth + 1)) return false;
        return true;
    default: return false;
    }
}

/* ---- quotients ---- */

/* A quotient or a remainder that was found: of `n` as `first` reads it, the first instruction of those that make it. */
struct division {
    const struct wg_ir_opd *n;
    const struct wg_ir_instr *first;
    uint32_t by;
    bool is_signed;
};

/* The divisor of which factor / 2^power is a reciprocal, for all dividends less than 2^bits: the product of the two may be above
 * 2^power by no more than 2^(power - bits). 0: there is none. */
static uint32_t reciprocal_of(uint64_t factor, uint32_t power, uint32_t bits) {
    unsigned __int128 one = (unsigned __int128)1 << power;
    unsigned __int128 d = factor ? one / factor + 1 : 0;
    unsigned __int128 above = d * factor - one;
    return d > 1 && d < UINT32_MAX && above && above <= (unsigned __int128)1 << (power - bits) ? (uint32_t)d
                                                                                               : 0;
}

/* hi = the upper word of n * factor, + n where the factor has 33 bits: an addition, or clang's mad.lo.s32 hi, n, 1, word. */
static bool signed_product(const struct idioms *x, const struct wg_ir_opd *hi,
                           const struct wg_ir_instr *reader, struct division *to, uint64_t *factor) {
    const struct wg_ir_instr *add = made_by(x, hi, reader, WG_OP_ADD_I),
                             *mad = add ? NULL : made_by(x, hi, reader, WG_OP_MAD_I), *mul = NULL;
    const struct wg_ir_opd *n = NULL;
    if (mad && mad->mod[WG_MC_MULW] == WG_M_lo && is_number(&mad->src[1], 1)) {
        mul = made_by(x, &mad->src[2], mad, WG_OP_MUL_I);
        n = &mad->src[0];
    } else if (!add) {
        mul = made_by(x, hi, reader, WG_OP_MUL_I);
    }
    for (uint32_t i = 0; add && !mul && i < 2; i++) {
        mul = made_by(x, &add->src[i], add, WG_OP_MUL_I);
        n = &add->src[1 - i];
    }
    if (!mul || mul->type != WG_T_S32 || mul->mod[WG_MC_MULW] != WG_M_hi || mul->src[1].kind != WG_O_IMM)
        return false;
    if (n && !is_same(n, &mul->src[0])) return false;
    int64_t f = (int32_t)mul->src[1].imm + (n ? INT64_C(1) << 32 : 0);
    *to = (struct division){&mul->src[0], mul, 0, true};
    *factor = (uint64_t)f;
    return f > 0;
}

/* add(hi >> s, hi >>> 31) */
static bool signed_quotient(const struct idioms *x, const struct wg_ir_instr *in, struct division *to) {
    for (uint32_t i = 0; in->op == WG_OP_ADD_I && i < 2; i++) {
        uint32_t sign, by = 0;
        uint64_t factor;
        const struct wg_ir_instr *low = shifted(x, &in->src[i], in, false, &sign);
        if (!low || sign != 31) continue;
        const struct wg_ir_instr *shr = shifted(x, &in->src[1 - i], in, true, &by);
        const struct wg_ir_opd *hi = shr ? &shr->src[0] : &in->src[1 - i];
        if (!shr) by = 0;
        if (!is_same(&low->src[0], hi) && !is_same(&low->src[0], &in->src[1 - i])) continue;
        if (!signed_product(x, hi, shr ? shr : in, to, &factor)) continue;
        to->by = reciprocal_of(factor, 32 + by, 31);
        return to->by != 0;
    }
    return false;
}

/* n >>> 32 - k where n is negative, else 0: what makes a shift of a sum by k one towards zero. */
static bool is_bias(const struct idioms *x, const struct wg_ir_opd *o, const struct wg_ir_instr *reader,
                    uint32_t k, struct division *to) {
    uint32_t by, sign;
    const struct wg_ir_instr *low = shifted(x, o, reader, false, &by);
    if (!low || by != 32 - k) return false;
    const struct wg_ir_instr *all = shifted(x, &low->src[0], low, true, &sign);
    if (!all && k != 1) return false;
    if (all && sign != 31) return false;
    *to = (struct division){all ? &all->src[0] : &low->src[0], all ? all : low, UINT32_C(1) << k, true};
    return true;
}

/* n + its bias, of 2^k */
static bool is_biased(const struct idioms *x, const struct wg_ir_opd *o, const struct wg_ir_instr *reader,
                      uint32_t k, struct division *to) {
    const struct wg_ir_instr *add = made_by(x, o, reader, WG_OP_ADD_I);
    for (uint32_t i = 0; add && k > 0 && k < 31 && i < 2; i++)
        if (is_bias(x, &add->src[i], add, k, to) && is_same(to->n, &add->src[1 - i])) return true;
    return false;
}

/* Shifts of a product, or of a sum of it and half of what it lacks (a factor of 33 bits). */
static bool unsigned_quotient(const struct idioms *x, const struct wg_ir_instr *in, struct division *to) {
    uint32_t by = 0, before = 0, half;
    bool wide = false, shifts = in->op == WG_OP_SHR && wg_type_kind(in->type) != WG_K_S;
    if (shifts ? in->src[1].kind != WG_O_IMM : in->op != WG_OP_MUL_I) return false;
    if (shifts) by = (uint32_t)in->src[1].imm;
    const struct wg_ir_instr *mul = shifts ? made_by(x, &in->src[0], in, WG_OP_MUL_I) : in,
                             *add = mul ? NULL : made_by(x, &in->src[0], in, WG_OP_ADD_I);
    for (uint32_t i = 0; add && !mul && i < 2; i++) {
        const struct wg_ir_instr *shr = shifted(x, &add->src[i], add, false, &half),
                                 *sub = shr && half == 1 ? made_by(x, &shr->src[0], shr, WG_OP_SUB_I) : NULL;
        if (!sub || !is_same(&sub->src[1], &add->src[1 - i])) continue;
        mul = made_by(x, &sub->src[1], sub, WG_OP_MUL_I);
        if (mul && !is_same(&sub->src[0], &mul->src[0])) return false;
        wide = true;
    }
    if (!mul || mul->type != WG_T_U32 || mul->mod[WG_MC_MULW] != WG_M_hi || mul->src[1].kind != WG_O_IMM ||
        by > 31)
        return false;
    *to = (struct division){&mul->src[0], mul, 0, false};
    const struct wg_ir_instr *even = wide ? NULL : shifted(x, &mul->src[0], mul, false, &before);
    if (even) *to = (struct division){&even->src[0], even, 0, false};
    uint64_t factor = (uint32_t)mul->src[1].imm + (wide ? UINT64_C(1) << 32 : 0);
    uint32_t d = reciprocal_of(factor, 32 + by + wide, even ? 32 - before : 32);
    to->by = even && d >> (32 - before) ? 0 : even ? d << before : d;
    return to->by != 0;
}

static bool is_quotient(const struct idioms *x, const struct wg_ir_instr *in, struct division *to) {
    uint32_t k = in->op == WG_OP_SHR && in->src[1].kind == WG_O_IMM ? (uint32_t)in->src[1].imm : 0;
    if (k && wg_type_kind(in->type) == WG_K_S) return is_biased(x, &in->src[0], in, k, to);
    return signed_quotient(x, in, to) || unsigned_quotient(x, in, to);
}

/* ---- remainders ---- */

/* n - (n + bias & -2^k), or n less a product of the quotient, which is a division already. */
static bool signed_remainder(const struct idioms *x, const struct wg_ir_instr *in, struct division *to) {
    const struct wg_ir_instr *and = made_by(x, &in->src[1], in, WG_OP_AND),
                             *mul = and ? NULL : made_by(x, &in->src[1], in, WG_OP_MUL_I);
    if (and&&and->src[1].kind == WG_O_IMM) {
        uint32_t size = -(uint32_t)and->src[1].imm;
        if (!size || size & (size - 1) || !is_biased(x, &and->src[0], and, (uint32_t)__builtin_ctz(size), to))
            return false;
    } else if (mul && mul->mod[WG_MC_MULW] == WG_M_lo) {
        const struct wg_ir_instr *div = made_by(x, &mul->src[0], mul, WG_OP_DIV_I);
        if (!div || div->src[1].kind != WG_O_IMM || !is_number(&mul->src[1], (uint32_t)div->src[1].imm))
            return false;
        *to = (struct division){&div->src[0], div, (uint32_t)div->src[1].imm,
                                wg_type_kind(div->type) == WG_K_S};
    } else {
        return false;
    }
    return is_same(to->n, &in->src[0]);
}

static bool unsigned_remainder(const struct idioms *x, const struct wg_ir_instr *in, struct division *to) {
    uint32_t size = in->src[1].kind == WG_O_IMM ? (uint32_t)in->src[1].imm + 1 : 0;
    if (size < SHORTEST_ROW || size & (size - 1) || in->src[0].kind != WG_O_REG) return false;
    *to = (struct division){&in->src[0], in, size, false};
    return true;
}

/* ---- the copy ---- */

static void become(struct wg_arena *a, struct wg_ir_instr *in, enum wg_op op, enum wg_type type,
                   const struct wg_ir_opd *p, const struct wg_ir_opd *q) {
    struct wg_ir_opd *src = WG_NEW_N(a, struct wg_ir_opd, 2);
    src[0] = *p;
    src[1] = *q;
    in->op = (uint16_t)op;
    in->type = (uint8_t)type;
    in->nsrc = 2;
    in->src = src;
}

/* Instructions in their order: a remainder of which the quotient was found before. */
static bool find_division(struct wg_arena *a, const struct idioms *x, struct wg_ir_instr *in) {
    struct division is;
    bool rest = true;
    if (!is_word(in)) return false;
    if (in->op == WG_OP_SUB_I ? !signed_remainder(x, in, &is)
                              : in->op != WG_OP_AND || !unsigned_remainder(x, in, &is)) {
        rest = false;
        if (!is_quotient(x, in, &is)) return false;
    }
    if (is.n->kind != WG_O_REG || !is_index(x, is.n, 0) || !holds_still(is.n, is.first, in)) return false;
    struct wg_ir_opd by = {.kind = WG_O_IMM, .imm = is.by};
    become(a, in, rest ? WG_OP_REM_I : WG_OP_DIV_I, is.is_signed ? WG_T_S32 : WG_T_U32, is.n, &by);
    return true;
}

static bool find_divisions(struct wg_arena *a, struct idioms *x, struct wg_ir_func *f,
                           const struct wg_code_opts *o) {
    bool any = false;
    for (x->block = 0; x->block < f->nblocks; x->block++)
        for (uint32_t i = 0; i < f->blocks[x->block].ninstrs; i++) {
            struct wg_ir_instr *in = &f->blocks[x->block].instrs[i];
            if (!find_division(a, x, in)) continue;
            wg_plan_yes(o, WG_FORM_idioms, in);
            any = true;
        }
    return any;
}

/* ---- sums ---- */

static bool is_or(const struct idioms *x, const struct wg_ir_instr *in) {
    return in->op == WG_OP_OR && is_word(in) && in->src[0].kind == WG_O_REG && in->src[1].kind == WG_O_REG &&
           is_index(x, &in->src[0], 0) && is_index(x, &in->src[1], 0);
}

/* Whether the form of what an or makes is the sum of its operands'. */
static bool is_sum(struct wg_scev *s, const struct wg_ir_instr *in, uint32_t block, uint32_t index) {
    struct wg_sum whole = wg_scev_at(s, &in->dst[0], block, index + 1),
                  p = wg_scev_at(s, &in->src[0], block, index), q = wg_scev_at(s, &in->src[1], block, index),
                  rest = wg_scev_sum(&whole, &p, -1);
    rest = wg_scev_sum(&rest, &q, -1);
    return p.known && q.known && wg_scev_is_constant(&rest) && !rest.constant;
}

static bool find_sums(struct wg_arena *a, struct idioms *x, const struct wg_ir_module *m,
                      struct wg_ir_func *f, const struct wg_code_opts *o) {
    struct wg_scev *s = NULL;
    bool any = false;
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
            struct wg_ir_instr *in = &f->blocks[b].instrs[i];
            if (!is_or(x, in)) continue;
            if (!s) {
                wg_cfg_liveness(&x->cfg);
                wg_cfg_dominators(&x->cfg);
                s = wg_scev_new(&x->cfg.arena, m, &x->cfg, o->ntid, WG_SCEV_EXACT);
            }
            if (!is_sum(s, in, b, i)) continue;
            become(a, in, WG_OP_ADD_I, WG_T_S32, &in->src[0], &in->src[1]);
            wg_plan_yes(o, WG_FORM_idioms, in);
            any = true;
        }
    return any;
}

static struct wg_ir_func *copy_of(struct wg_arena *a, const struct wg_ir_func *f) {
    struct wg_ir_func *to = WG_NEW(a, struct wg_ir_func);
    *to = *f;
    wg_flow_install(a, to, f->regs, f->nregs, f->blocks, f->nblocks);
    for (uint32_t b = 0; b < to->nblocks; b++) {
        struct wg_ir_block *blk = &to->blocks[b];
        struct wg_ir_instr *instrs = WG_NEW_N(a, struct wg_ir_instr, blk->ninstrs + 1);
        if (blk->ninstrs) memcpy(instrs, blk->instrs, blk->ninstrs * sizeof *instrs);
        blk->instrs = instrs;
    }
    return to;
}

const struct wg_ir_func *wg_find_idioms(struct wg_arena *a, const struct wg_ir_module *m,
                                        const struct wg_ir_func *f, const struct wg_code_opts *o) {
    if (!wg_may_use(o, WG_FORM_idioms)) return f;
    struct wg_ir_func *to = copy_of(a, f);
    struct idioms x = {.cfg = {.func = to}, .f = to};
    wg_cfg_definitions(&x.cfg);
    /* A mask says more of its result than a remainder. */
    bool adds = find_sums(a, &x, m, to, o), divides = find_divisions(a, &x, to, o);
    wg_arena_free(&x.cfg.arena);
    if (!adds && !divides) return f;
    wg_drop_unused(a, to, to->nblocks);
    return to;
}
