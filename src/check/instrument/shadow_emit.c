/* See shadow_emit.h. */
#include "check/instrument/shadow_emit.h"

uint32_t wg_sh_bits(enum wg_width w) {
    static const uint8_t bits[] = {[WG_W1] = 1, [WG_W16] = 16, [WG_W32] = 32, [WG_W64] = 64, [WG_W128] = 128};
    return bits[w];
}

enum wg_width wg_sh_width(uint32_t bits) {
    return bits == 1 ? WG_W1 : bits <= 16 ? WG_W16 : bits <= 32 ? WG_W32 : WG_W64;
}

uint8_t wg_sh_type(uint32_t bits) {
    static const uint8_t types[] = {WG_T_PRED, WG_T_B16, WG_T_B32, WG_T_B64};
    return types[wg_sh_width(bits)];
}

uint32_t wg_sh_reg_bits(const struct wg_shadow *s, uint32_t reg) {
    return wg_sh_bits(s->func->regs[reg].width);
}

static uint64_t mask_of(uint32_t bits) { return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1; }

uint32_t wg_sh_shadow(struct wg_shadow *s, uint32_t reg) {
    if (s->shadow[reg] == WG_NO_REG)
        s->shadow[reg] = wg_instrument_shadow(s->x, (enum wg_width)s->func->regs[reg].width, "shadow");
    return s->shadow[reg];
}

struct wg_ir_opd wg_sh_of(struct wg_shadow *s, const struct wg_ir_opd *o, uint32_t bits) {
    if (o->kind != WG_O_REG || !wg_bits_has(s->tainted, o->index) || wg_bits_has(s->known, o->index))
        return wg_sh_all();
    struct wg_ir_opd v = wg_sh_reg(wg_sh_shadow(s, o->index));
    uint32_t own = wg_sh_reg_bits(s, o->index);
    if (bits < own && bits > 1) v = wg_sh_or(s, own, v, wg_sh_imm(mask_of(own) & ~mask_of(bits)));
    return v;
}

/* ---- instructions ---- */

static void put(struct wg_shadow *s, struct wg_ir_instr in, struct wg_ir_opd dst, uint32_t nsrc,
                const struct wg_ir_opd *src) {
    in.guard = WG_NO_REG;
    in.guard_neg = false;
    in.loc = s->at->loc;
    in.ptx_line = s->at->ptx_line;
    in.id = 0;
    in.nvec = 1;
    in.ndst = 1;
    in.nsrc = (uint8_t)nsrc;
    in.checked = false;
    in.dst = &dst;
    in.src = (struct wg_ir_opd *)src;
    wg_instrument_put(s->x, in);
}

/* Immediates hold no more bits than what they are. */
static struct wg_ir_opd trimmed(struct wg_ir_opd o, uint32_t bits) {
    if (o.kind == WG_O_IMM) o.imm &= mask_of(bits);
    return o;
}

/* What is made of a shadow is one: nobody asks for it where all is defined. */
static struct wg_ir_opd result(struct wg_shadow *s, enum wg_width width, uint32_t nsrc,
                               const struct wg_ir_opd *src) {
    bool shadow = false;
    for (uint32_t i = 0; i < nsrc; i++)
        shadow |= src[i].kind == WG_O_REG && s->x->regs.v[src[i].index].shadow;
    return wg_sh_reg(shadow ? wg_instrument_shadow(s->x, width, "defined")
                            : wg_instrument_reg(s->x, width, "defined"));
}

struct wg_ir_opd wg_sh_op(struct wg_shadow *s, enum wg_op op, uint8_t type, enum wg_width width,
                          uint32_t nsrc, const struct wg_ir_opd *src) {
    struct wg_ir_opd d = result(s, width, nsrc, src);
    put(s, (struct wg_ir_instr){.op = (uint16_t)op, .type = type}, d, nsrc, src);
    return d;
}

struct wg_ir_opd wg_sh_same(struct wg_shadow *s, enum wg_width width, uint32_t nsrc,
                            const struct wg_ir_opd *src) {
    struct wg_ir_opd d = result(s, width, nsrc, src);
    put(s, *s->at, d, nsrc, src);
    return d;
}

struct wg_ir_opd wg_sh_op2(struct wg_shadow *s, enum wg_op op, uint32_t bits, struct wg_ir_opd a,
                           struct wg_ir_opd b) {
    struct wg_ir_opd src[2] = {trimmed(a, bits), trimmed(b, bits)};
    return wg_sh_op(s, op, wg_sh_type(bits), wg_sh_width(bits), 2, src);
}

struct wg_ir_opd wg_sh_and(struct wg_shadow *s, uint32_t bits, struct wg_ir_opd a, struct wg_ir_opd b) {
    if (wg_sh_is_all(a)) return b;
    if (wg_sh_is_all(b) || (a.kind == WG_O_REG && b.kind == WG_O_REG && a.index == b.index)) return a;
    return wg_sh_op2(s, WG_OP_AND, bits, a, b);
}

struct wg_ir_opd wg_sh_or(struct wg_shadow *s, uint32_t bits, struct wg_ir_opd a, struct wg_ir_opd b) {
    if (wg_sh_is_all(a) || wg_sh_is_all(b)) return wg_sh_all();
    if (b.kind == WG_O_IMM && !(b.imm & mask_of(bits))) return a;
    if (b.kind == WG_O_IMM && (b.imm & mask_of(bits)) == mask_of(bits)) return wg_sh_all();
    return wg_sh_op2(s, WG_OP_OR, bits, a, b);
}

struct wg_ir_opd wg_sh_not(struct wg_shadow *s, uint32_t bits, struct wg_ir_opd a) {
    if (a.kind == WG_O_IMM) return wg_sh_imm(~a.imm);
    return wg_sh_op(s, WG_OP_NOT, wg_sh_type(bits), wg_sh_width(bits), 1, &a);
}

struct wg_ir_opd wg_sh_compare(struct wg_shadow *s, enum wg_mod cmp, uint8_t type, struct wg_ir_opd a,
                               struct wg_ir_opd b) {
    uint32_t bits = wg_type_bits(type);
    struct wg_ir_instr in = {.op = WG_OP_SETP, .type = type};
    in.mod[WG_MC_CMP] = (uint8_t)cmp;
    struct wg_ir_opd src[2] = {trimmed(a, bits), trimmed(b, bits)}, d = result(s, WG_W1, 2, src);
    put(s, in, d, 2, src);
    return d;
}

struct wg_ir_opd wg_sh_select(struct wg_shadow *s, uint32_t bits, struct wg_ir_opd a, struct wg_ir_opd b,
                              struct wg_ir_opd pred) {
    if (wg_sh_is_all(a) && wg_sh_is_all(b)) return a;
    if (bits == 1) { /* selp has no predicates */
        struct wg_ir_opd plain = pred, other = pred;
        plain.negated = other.negated = false;
        *(pred.negated ? &plain : &other) = wg_sh_not(s, 1, plain);
        return wg_sh_op2(s, WG_OP_OR, 1, wg_sh_and(s, 1, a, plain), wg_sh_and(s, 1, b, other));
    }
    struct wg_ir_opd src[3] = {trimmed(a, bits), trimmed(b, bits), pred};
    return wg_sh_op(s, WG_OP_SELP, wg_sh_type(bits), wg_sh_width(bits), 3, src);
}

struct wg_ir_opd wg_sh_fill(struct wg_shadow *s, uint32_t bits, struct wg_ir_opd a) {
    if (wg_sh_is_all(a)) return a;
    uint8_t type = bits <= 16 ? WG_T_U16 : bits == 32 ? WG_T_U32 : WG_T_U64;
    struct wg_ir_opd src[2] = {a, wg_sh_imm(1)};
    struct wg_ir_opd carried = wg_sh_op(s, WG_OP_ADD_I, type, wg_sh_width(bits), 2, src);
    return wg_sh_op2(s, WG_OP_AND, bits, a, wg_sh_not(s, bits, carried));
}

struct wg_ir_opd wg_sh_whole(struct wg_shadow *s, uint32_t bits, struct wg_ir_opd a) {
    if (wg_sh_is_all(a) || bits == 1) return a;
    return wg_sh_compare(s, WG_M_eq, wg_sh_type(bits), a, wg_sh_all());
}

struct wg_ir_opd wg_sh_spread(struct wg_shadow *s, struct wg_ir_opd whole, uint32_t to) {
    if (wg_sh_is_all(whole) || to == 1) return whole;
    return wg_sh_select(s, to, wg_sh_all(), wg_sh_imm(0), whole);
}

struct wg_ir_opd wg_sh_smear(struct wg_shadow *s, uint32_t bits, struct wg_ir_opd a, uint32_t to) {
    return wg_sh_spread(s, wg_sh_whole(s, bits, a), to);
}

/* ---- results ---- */

/* Writes v to a shadow register, perhaps under the guard of the instruction at hand. */
static void move(struct wg_shadow *s, uint32_t shadow, uint32_t bits, struct wg_ir_opd v, bool guarded) {
    struct wg_ir_instr in = {.op = WG_OP_MOV, .type = wg_sh_type(bits), .nvec = 1, .ndst = 1, .nsrc = 1};
    in.guard = guarded ? s->at->guard : WG_NO_REG;
    in.guard_neg = guarded && s->at->guard_neg;
    in.loc = s->at->loc;
    in.ptx_line = s->at->ptx_line;
    struct wg_ir_opd to = wg_sh_reg(shadow), from = trimmed(v, bits);
    in.dst = &to;
    in.src = &from;
    wg_instrument_put(s->x, in);
}

void wg_sh_assign(struct wg_shadow *s, uint32_t shadow, uint32_t bits, struct wg_ir_opd v) {
    move(s, shadow, bits, v, s->at->guard != WG_NO_REG);
}

void wg_sh_set(struct wg_shadow *s, uint32_t reg, struct wg_ir_opd v) {
    if (!wg_bits_has(s->tainted, reg)) return;
    uint32_t bits = wg_sh_reg_bits(s, reg), shadow = wg_sh_shadow(s, reg);
    bool guarded = s->at->guard != WG_NO_REG;
    move(s, shadow, bits, v, guarded);
    if (!guarded && wg_sh_is_all(v))
        wg_bits_add(s->known, reg);
    else if (!wg_sh_is_all(v))
        wg_bits_del(s->known, reg);
    if (!guarded) return;
    struct wg_ir_opd guard = wg_sh_of(s, &(struct wg_ir_opd){.kind = WG_O_REG, .index = s->at->guard}, 1);
    if (wg_sh_is_all(guard)) return;
    wg_bits_del(s->known, reg);
    move(s, shadow, bits, wg_sh_select(s, bits, wg_sh_reg(shadow), wg_sh_imm(0), guard), false);
}
