/* One instruction's operands, as its row's forms say: registers looked up and their widths checked,
 * immediates brought to the instruction's type, special registers and addresses of symbols recognised. */
#include "ir/build.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_OPDS = 160 };

/* The operands of the instruction being converted. */
struct opds {
    struct wg_ir_opd dst[MAX_OPDS], src[MAX_OPDS];
    uint32_t ndst, nsrc;
};

static bool fail(struct wg_fn *f, const struct wg_ptx_opd *o, const char *what) {
    wg_ptx_error(f->b->src, o->off, "%s", what);
    return false;
}

/* ---- immediates ---- */

static uint64_t f32_bits(float x) {
    uint32_t b;
    memcpy(&b, &x, sizeof b);
    return b;
}
static uint64_t f64_bits(double x) {
    uint64_t b;
    memcpy(&b, &x, sizeof b);
    return b;
}
static double value_f64(struct wg_ptx_value v) {
    double d;
    float x;
    uint32_t b = (uint32_t)v.bits;
    if (v.kind == WG_V_F64)
        memcpy(&d, &v.bits, sizeof d);
    else {
        memcpy(&x, &b, sizeof x);
        d = (double)x;
    }
    return d;
}

bool wg_immediate(struct wg_build *b, uint32_t off, struct wg_ptx_value v, uint8_t type, uint64_t *out) {
    uint32_t bits = wg_type_bits(type);
    enum wg_type_kind kind = wg_type_kind(type);
    bool ok = true;
    if (type == WG_T_PRED) {
        *out = v.bits != 0;
        ok = v.kind == WG_V_INT;
    } else if (type == WG_T_F32) {
        *out = v.kind == WG_V_F32 ? v.bits : f32_bits((float)value_f64(v));
        ok = v.kind != WG_V_INT;
    } else if (type == WG_T_F64) {
        *out = v.kind == WG_V_F64 ? v.bits : f64_bits(value_f64(v));
        ok = v.kind != WG_V_INT;
    } else if (v.kind == WG_V_INT) {
        *out = bits < 64 ? v.bits & ((1ull << bits) - 1) : v.bits;
        ok = kind != WG_K_F || type == WG_T_F16X2 || type == WG_T_BF16X2 || bits == 16;
    } else {
        *out = v.bits;
        ok = kind == WG_K_B && bits == (v.kind == WG_V_F32 ? 32u : 64u);
    }
    if (!ok)
        wg_ptx_error(b->src, off,
                     v.kind == WG_V_INT ? "an integer is not a constant of type .%s: write it as 0f... or "
                                          "1.0"
                                        : "a floating-point constant does not fit type .%s",
                     wg_type_name(type));
    return ok;
}

/* ---- registers ---- */

static bool check_width(struct wg_fn *f, const struct wg_ptx_opd *o, uint32_t reg, uint32_t bits,
                        bool wider) {
    uint32_t have = wg_type_bits(f->regs.v[reg].type);
    if (have == bits || (wider && have > bits && bits > 1)) return true;
    if (bits == 1)
        wg_ptx_error(f->b->src, o->off, "'%s' has type .%s; a predicate is needed here", f->regs.v[reg].name,
                     wg_type_name(f->regs.v[reg].type));
    else
        wg_ptx_error(f->b->src, o->off, "'%s' has type .%s; %u bits are needed here", f->regs.v[reg].name,
                     wg_type_name(f->regs.v[reg].type), bits);
    return false;
}

static bool read_sreg(struct wg_fn *f, uint32_t sreg, uint8_t *type, uint32_t *reg) {
    static const uint8_t types[WG_SR_COUNT] = {
#define X(id, spelled, type) [WG_SR_##id] = WG_T_##type,
        WG_SREGS(X)
#undef X
    };
    *type = types[sreg];
    *reg = wg_new_reg(f, wg_sreg_name(sreg), types[sreg]);
    struct wg_ir_opd dst = {.kind = WG_O_REG, .index = *reg};
    struct wg_ir_instr *i = wg_emit(f, WG_OP_MOV_SREG);
    i->type = types[sreg];
    i->sreg = sreg;
    i->ndst = 1;
    i->dst = wg_copy_opds(f, &dst, 1);
    return true;
}

static bool register_source(struct wg_fn *f, const struct wg_ptx_opd *o, struct wg_ref r, uint32_t bits,
                            bool wider, struct wg_ir_opd *out) {
    uint8_t type;
    if (r.kind == WG_REF_SREG)
        read_sreg(f, r.index, &type, &r.index);
    else if (r.kind != WG_REF_REG) {
        wg_ptx_error(f->b->src, o->off, "'%s' is not a register", o->name->s);
        return false;
    }
    if (r.vec > 1) return fail(f, o, "a vector register needs an element here, as in %v.x");
    if (o->has_plus) return fail(f, o, "a constant can be added to an address only");
    *out = (struct wg_ir_opd){.kind = WG_O_REG, .index = r.index};
    return check_width(f, o, r.index, bits, wider);
}

bool wg_source(struct wg_fn *f, const struct wg_ptx_opd *o, uint8_t type, uint32_t bits, bool wider,
               struct wg_ir_opd *out) {
    if (o->minus) return fail(f, o, "operand negation is not allowed here");
    if (o->negated && bits != 1) return fail(f, o, "only predicates can be negated with '!'");
    if (o->kind == WG_P_VALUE) {
        *out = (struct wg_ir_opd){.kind = WG_O_IMM};
        return wg_immediate(f->b, o->off, o->value, type, &out->imm);
    }
    if (o->kind != WG_P_NAME) return fail(f, o, "a register or a constant is needed here");
    struct wg_ref r = wg_resolve(f, o);
    if (r.kind == WG_REF_NONE || !register_source(f, o, r, bits, wider, out)) return false;
    out->negated = o->negated;
    return true;
}

bool wg_predicate(struct wg_fn *f, const struct wg_ptx_opd *o, struct wg_ir_opd *out) {
    if (o->kind == WG_P_NAME) return wg_source(f, o, WG_T_PRED, 1, false, out);
    return fail(f, o, "a predicate register is needed here");
}

bool wg_dest(struct wg_fn *f, const struct wg_ptx_opd *o, uint32_t bits, bool wider, bool discard,
             struct wg_ir_opd *out) {
    *out = (struct wg_ir_opd){.kind = WG_O_NONE};
    if (o->kind == WG_P_SINK)
        return discard || fail(f, o, "the result of this instruction cannot be discarded");
    if (o->kind != WG_P_NAME || o->negated || o->minus || o->has_plus)
        return fail(f, o, "a destination register is needed here");
    struct wg_ref r = wg_resolve(f, o);
    if (r.kind == WG_REF_NONE) return false;
    if (r.kind != WG_REF_REG || r.vec > 1) return fail(f, o, "a destination register is needed here");
    *out = (struct wg_ir_opd){.kind = WG_O_REG, .index = r.index};
    return check_width(f, o, r.index, bits, wider);
}

/* ---- symbols and addresses ---- */

static void note_use(struct wg_fn *f, uint32_t sym) {
    struct wg_ir_sym *s = &f->b->syms.v[sym];
    struct wg_uses *u = &f->b->uses[f->index];
    if (s->kind == WG_SYM_DYNSHARED)
        u->dynamic = true;
    else if (s->kind == WG_SYM_SHARED)
        *WG_PUSH(&u->shared) = sym;
    else if (s->kind == WG_SYM_FUNC)
        f->b->m->funcs[s->func].address_taken = !f->b->func_src[s->func]->entry;
}

static bool symbol_source(struct wg_fn *f, const struct wg_ptx_opd *o, uint32_t sym, uint32_t bits,
                          struct wg_ir_opd *out) {
    const struct wg_ir_sym *s = &f->b->syms.v[sym];
    note_use(f, sym);
    *out = (struct wg_ir_opd){.kind = WG_O_SYM, .index = sym, .imm = (uint64_t)o->plus};
    if (bits == 64 || (bits == 32 && s->space == WG_S_SHARED)) return true;
    return wg_unsupported(f, "a %u-bit address of '%s': addresses have 64 bits, except in shared memory",
                          bits, s->name);
}

/* A source that may be the address of a symbol. */
static bool address_source(struct wg_fn *f, const struct wg_ptx_opd *o, uint8_t type, uint32_t bits,
                           struct wg_ir_opd *out) {
    if (o->kind == WG_P_NAME && !o->negated && !o->minus) {
        struct wg_ref r = wg_resolve(f, o);
        if (r.kind == WG_REF_NONE) return false;
        if (r.kind == WG_REF_SYM) return symbol_source(f, o, r.index, bits, out);
        if (r.kind == WG_REF_CPARAM)
            return wg_unsupported(f, "the address of a call's parameter '%s'", o->name->s);
    }
    return wg_source(f, o, type, bits, false, out);
}

static uint8_t space_of(uint8_t mod) {
    switch (mod) {
    case WG_M_global: return WG_S_GLOBAL;
    case WG_M_shared:
    case WG_M_shared_cta: return WG_S_SHARED;
    case WG_M_shared_cluster: return WG_S_CLUSTER;
    case WG_M_local: return WG_S_LOCAL;
    case WG_M_const: return WG_S_CONST;
    case WG_M_param:
    case WG_M_param_entry:
    case WG_M_param_func: return WG_S_PARAM;
    default: return WG_S_GENERIC;
    }
}

/* An address that names a symbol lies in the symbol's space, whatever is written or not written. */
static bool check_space(struct wg_fn *f, const struct wg_ptx_opd *o, uint32_t sym, struct wg_ir_instr *i) {
    const struct wg_ir_sym *s = &f->b->syms.v[sym];
    if (s->kind == WG_SYM_FUNC) return fail(f, o, "a function has no bytes to read or write");
    if (i->space == WG_S_GENERIC && s->space != WG_S_PARAM) i->space = s->space;
    bool fits = i->space == s->space || (i->space == WG_S_CLUSTER && s->space == WG_S_SHARED);
    if (!fits) wg_ptx_error(f->b->src, o->off, "'%s' is in another state space", s->name);
    return fits;
}

/* Addresses behind the first carry their constant themselves, and the row says their space. */
static bool memory_operand(struct wg_fn *f, const struct wg_ptx_opd *o, struct wg_ir_instr *i,
                           struct wg_ir_opd *out);

static bool further_address(struct wg_fn *f, const struct wg_ptx_opd *o, const struct wg_row_form *form,
                            struct wg_ir_opd *out) {
    struct wg_ir_instr at = {.space = form->rel == 'G' ? WG_S_GLOBAL : WG_S_CLUSTER};
    if (!memory_operand(f, o, &at, out)) return false;
    out->imm += (uint64_t)at.offset;
    return true;
}

/* [map, {i, j}]: the map's address and a coordinate for each dimension. */
static bool tensor_operand(struct wg_fn *f, const struct wg_ptx_opd *o, const struct wg_ir_instr *i,
                           struct opds *x) {
    uint32_t rank = i->mod[WG_MC_DIMS] - WG_M_d1 + 1u;
    if (o->kind != WG_P_ADDRESS || o->nelem != 2 || o->elem[1].kind != WG_P_VECTOR ||
        o->elem[1].nelem != rank) {
        wg_ptx_error(f->b->src, o->off,
                     "a tensor map and %u coordinates are needed here, as in [map, {i, j}]", rank);
        return false;
    }
    struct wg_ptx_opd map = *o;
    struct wg_ir_instr at = {.space = WG_S_GENERIC};
    map.nelem = 1;
    if (!memory_operand(f, &map, &at, &x->src[x->nsrc])) return false;
    x->src[x->nsrc++].imm += (uint64_t)at.offset;
    for (uint32_t k = 0; k < rank; k++)
        if (!wg_source(f, &o->elem[1].elem[k], WG_T_S32, 32, false, &x->src[x->nsrc++])) return false;
    return true;
}

/* A number of bytes to read, or a predicate that says to read none. */
static bool size_or_predicate(struct wg_fn *f, const struct wg_ptx_opd *o, struct wg_ir_opd *out) {
    struct wg_binding *x = o->kind == WG_P_NAME ? wg_lookup(o->name, &(uint32_t){0}) : NULL;
    bool pred = x && (x->kind == WG_BIND_REG || x->kind == WG_BIND_REGSET) && x->type == WG_T_PRED;
    return wg_source(f, o, pred ? WG_T_PRED : WG_T_B32, pred ? 1 : 32, false, out);
}

static bool memory_operand(struct wg_fn *f, const struct wg_ptx_opd *o, struct wg_ir_instr *i,
                           struct wg_ir_opd *out) {
    *out = (struct wg_ir_opd){0};
    if (o->kind != WG_P_ADDRESS || o->nelem != 1) return fail(f, o, "an address in brackets is needed here");
    const struct wg_ptx_opd *a = &o->elem[0];
    if (a->kind == WG_P_VALUE) {
        out->kind = WG_O_IMM;
        return wg_immediate(f->b, a->off, a->value, WG_T_U64, &out->imm);
    }
    if (a->kind != WG_P_NAME || a->negated || a->minus) return fail(f, a, "an address is needed here");
    i->offset = a->plus;
    struct wg_ref r = wg_resolve(f, a);
    if (r.kind == WG_REF_NONE) return false;
    if (r.kind == WG_REF_CPARAM) return true; /* call.c's */
    struct wg_ptx_opd base = *a;
    base.has_plus = false;
    base.plus = 0;
    if (r.kind == WG_REF_SYM)
        return symbol_source(f, &base, r.index, 64, out) && check_space(f, a, r.index, i);
    bool shared = i->space == WG_S_SHARED || i->space == WG_S_CLUSTER;
    if (r.kind == WG_REF_REG && r.vec == 1 && !shared && wg_type_bits(f->regs.v[r.index].type) == 32)
        return wg_unsupported(f, "a 32-bit address, '%s': addresses have 64 bits, except in shared memory",
                              a->name->s);
    return register_source(f, &base, r, shared ? 32 : 64, shared, out);
}

/* ---- vectors ---- */

/* {a, b} or a vector register: its elements as operands of their own. */
static bool elements(struct wg_fn *f, const struct wg_ptx_opd *o, const struct wg_ptx_opd **elem, uint32_t *n,
                     struct wg_ptx_opd room[8]) {
    if (o->kind == WG_P_VECTOR) {
        *elem = o->elem;
        *n = o->nelem;
        return true;
    }
    struct wg_binding *x = o->kind == WG_P_NAME && !o->suffix ? o->name->binding : NULL;
    if (!x || x->kind != WG_BIND_REG || x->vec == 1) return false;
    for (uint32_t e = 0; e < x->vec; e++) {
        room[e] = *o;
        room[e].suffix = wg_name_intern(f->b->names, &"xyzw"[e & 3], 1);
    }
    *elem = room;
    *n = x->vec;
    return true;
}

static bool vector_operand(struct wg_fn *f, const struct wg_ptx_opd *o, bool dest, uint8_t type,
                           uint32_t bits, uint32_t want, bool wider, struct wg_ir_opd *out) {
    const struct wg_ptx_opd *elem;
    struct wg_ptx_opd room[8];
    uint32_t n;
    if (!elements(f, o, &elem, &n, room)) return fail(f, o, "a vector like {a, b} is needed here");
    if (n != want) {
        wg_ptx_error(f->b->src, o->off, "a vector of %u elements is needed here, not of %u", want, n);
        return false;
    }
    for (uint32_t e = 0; e < n; e++) {
        bool ok = dest ? wg_dest(f, &elem[e], bits, wider, true, &out[e])
                       : wg_source(f, &elem[e], type, bits, wider, &out[e]);
        if (!ok) return false;
    }
    return true;
}

static uint32_t vector_length(const struct wg_ir_instr *i) {
    switch (i->mod[WG_MC_VEC]) {
    case WG_M_v2: return 2;
    case WG_M_v4: return 4;
    case WG_M_v8: return 8;
    default: return 1;
    }
}

/* ---- mov ---- */

static bool is_sreg(const struct wg_ptx_opd *o) {
    uint32_t number;
    return o->kind == WG_P_NAME && o->name->s[0] == '%' && !wg_lookup(o->name, &number);
}

/* {a, b} on one side: n parts of T's width / n. */
static bool build_pack(struct wg_fn *f, const struct wg_ptx_instr *in, struct wg_ir_instr *i,
                       struct opds *x) {
    bool unpack = i->op == WG_OP_MOV_UNPACK;
    const struct wg_ptx_opd *v = &in->opd[unpack ? 0 : 1], *s = &in->opd[unpack ? 1 : 0];
    uint32_t bits = wg_type_bits(i->type), n = v->nelem;
    if ((n != 2 && n != 4) || bits / n < 8)
        return fail(f, v,
                    "this vector's elements do not make up the "
                    "type");
    static const uint8_t parts[] = {WG_T_B8, WG_T_B16, WG_T_B32, WG_T_B64};
    uint8_t part = parts[bits / n == 8 ? 0 : bits / n == 16 ? 1 : bits / n == 32 ? 2 : 3];
    struct wg_ir_opd *whole = unpack ? x->src : x->dst, *list = unpack ? x->dst : x->src;
    if (!vector_operand(f, v, unpack, part, bits / n, n, false, list)) return false;
    if (unpack ? !wg_source(f, s, i->type, bits, false, whole) : !wg_dest(f, s, bits, false, false, whole))
        return false;
    x->ndst = unpack ? n : 1;
    x->nsrc = unpack ? 1 : n;
    return true;
}

static bool build_mov(struct wg_fn *f, const struct wg_ptx_instr *in, struct wg_ir_instr *i, struct opds *x) {
    uint32_t bits = wg_type_bits(i->type);
    if (in->nopd != 2) {
        wg_ptx_error(f->b->src, f->off, "'mov' takes 2 operands, not %u", in->nopd);
        return false;
    }
    i->op = in->opd[0].kind == WG_P_VECTOR   ? WG_OP_MOV_UNPACK
            : in->opd[1].kind == WG_P_VECTOR ? WG_OP_MOV_PACK
            : is_sreg(&in->opd[1])           ? WG_OP_MOV_SREG
                                             : WG_OP_MOV;
    if (!(wg_row(i->op)->t_allow >> i->type & 1)) {
        wg_ptx_error(f->b->src, f->off, "'mov' of this kind has no type .%s", wg_type_name(i->type));
        return false;
    }
    if (i->op == WG_OP_MOV_PACK || i->op == WG_OP_MOV_UNPACK) return build_pack(f, in, i, x);
    x->ndst = 1;
    if (!wg_dest(f, &in->opd[0], bits, false, false, &x->dst[0])) return false;
    if (i->op == WG_OP_MOV_SREG) {
        struct wg_ref r = wg_resolve(f, &in->opd[1]);
        i->sreg = r.index;
        return r.kind == WG_REF_SREG;
    }
    x->nsrc = 1;
    return address_source(f, &in->opd[1], i->type, bits, &x->src[0]);
}

/* ---- by the row's forms ---- */

static uint32_t form_bits(const struct wg_row_form *form, const struct wg_ir_instr *i) {
    if (form->width) return form->width;
    if (form->rel == 'U') return wg_type_bits(i->type2);
    return wg_type_bits(i->type) * (form->rel == 'w' && i->mod[WG_MC_MULW] == WG_M_wide ? 2 : 1);
}

const struct wg_row_form *wg_ir_source_form(const struct wg_ir_instr *i, uint32_t source) {
    const struct wg_row *row = wg_row(i->op);
    uint32_t at = 0;
    for (const struct wg_row_form *form = row->forms; form < row->forms + row->nforms; form++) {
        if (strchr("dDp|", form->kind) || (form->kind == 'F' && form->rel == 'd')) continue;
        if (at == source) return form;
        at += form->kind == 'M' ? i->mod[WG_MC_DIMS] - WG_M_d1 + 2u : 1; /* a tensor's coordinates */
    }
    return NULL;
}

uint32_t wg_ir_source_bits(const struct wg_ir_instr *i, uint32_t source) {
    if (i->op == WG_OP_MOV_PACK) return wg_type_bits(i->type) / i->nsrc;
    return form_bits(wg_ir_source_form(i, source), i);
}

/* The type that gives an immediate its bits. */
static uint8_t form_type(const struct wg_row_form *form, const struct wg_ir_instr *i) {
    if (form->width == 1) return WG_T_PRED;
    if (form->width) return form->width == 16 ? WG_T_B16 : form->width == 64 ? WG_T_B64 : WG_T_B32;
    if (form->rel == 'U') return i->type2;
    if (form->rel == 'w' && i->mod[WG_MC_MULW] == WG_M_wide)
        return wg_type_bits(i->type) == 16 ? WG_T_B32 : WG_T_B64;
    return i->type;
}

/* Loads, stores and conversions take registers wider than their type. */
static bool takes_wider(uint16_t op) {
    return op == WG_OP_LD || op == WG_OP_LDU || op == WG_OP_ST || op == WG_OP_CVT;
}
static bool may_discard(uint16_t op) {
    return op == WG_OP_ATOM || op == WG_OP_MBARRIER_ARRIVE || op == WG_OP_MBARRIER_ARRIVE_NC;
}

/* A lane's part of a matrix. */
static bool build_part(struct wg_fn *f, const struct wg_ptx_opd *o, const struct wg_row_form *form,
                       const struct wg_ir_instr *i, bool dest, uint32_t *count, struct wg_ir_opd *out) {
    struct wg_ir_parts p;
    if (!wg_ir_matrix_parts(i, &p))
        return wg_unsupported(f, "unsupported instruction '%s' of this shape and these types",
                              wg_op_name(i->op));
    uint32_t n = form->rel == 'a' ? p.a : form->rel == 'b' ? p.b : form->rel == 'c' ? p.c : p.d;
    uint8_t type = p.bits == 64 ? WG_T_B64 : WG_T_B32;
    *count += n;
    if (n > 1 || o->kind == WG_P_VECTOR) return vector_operand(f, o, dest, type, p.bits, n, false, out);
    return dest ? wg_dest(f, o, p.bits, false, true, out) : wg_source(f, o, type, p.bits, false, out);
}

static bool build_dest(struct wg_fn *f, const struct wg_ptx_opd *o, const struct wg_row_form *form, bool bar,
                       struct wg_ir_instr *i, struct opds *x) {
    uint32_t bits = form_bits(form, i);
    const struct wg_ptx_opd *first = o;
    if (o->kind == WG_P_PAIR) {
        if (!bar) return fail(f, o, "this instruction has one destination, not a pair");
        first = &o->elem[0];
        if (!wg_dest(f, &o->elem[1], 1, false, true, &x->dst[1])) return false;
        x->ndst = 2;
    } else
        x->ndst = 1;
    return wg_dest(f, first, bits, takes_wider(i->op), bar || may_discard(i->op), &x->dst[0]);
}

static bool build_source(struct wg_fn *f, const struct wg_ptx_opd *o, const struct wg_row_form *form,
                         struct wg_ir_instr *i, struct opds *x) {
    struct wg_ir_opd *out = &x->src[x->nsrc];
    uint32_t bits = form_bits(form, i);
    uint8_t type = form_type(form, i);
    switch (form->kind) {
    case 'n':
        x->nsrc++;
        if (o->kind != WG_P_VALUE) return fail(f, o, "a constant is needed here");
        return wg_source(f, o, type, bits, false, out);
    case 'W':
        if (o->kind != WG_P_VECTOR) {
            x->nsrc++;
            return wg_source(f, o, WG_T_B64, 64, false, out);
        }
        x->nsrc += 4;
        return vector_operand(f, o, false, WG_T_B32, 32, 4, false, out);
    case 'F': return build_part(f, o, form, i, false, &x->nsrc, out);
    case 'M': return tensor_operand(f, o, i, x);
    case 'z': x->nsrc++; return size_or_predicate(f, o, out);
    case 'm': x->nsrc++; return form->rel ? further_address(f, o, form, out) : memory_operand(f, o, i, out);
    case 'V':
        if (i->nvec == 1) {
            x->nsrc++;
            return wg_source(f, o, type, bits, takes_wider(i->op), out);
        }
        x->nsrc += i->nvec;
        return vector_operand(f, o, false, type, bits, i->nvec, true, out);
    default:
        x->nsrc++;
        if (i->op == WG_OP_CVTA || i->op == WG_OP_CVTA_TO || i->op == WG_OP_MAPA || i->op == WG_OP_GETCTARANK)
            return address_source(f, o, type, bits, out);
        return wg_source(f, o, type, bits, takes_wider(i->op), out);
    }
}

static bool build_form(struct wg_fn *f, const struct wg_ptx_opd *o, const struct wg_row_form *form, bool bar,
                       struct wg_ir_instr *i, struct opds *x) {
    switch (form->kind) {
    case 'F':
        if (form->rel == 'd') return build_part(f, o, form, i, true, &x->ndst, x->dst);
        break;
    case 'd':
    case 'p': return build_dest(f, o, form, bar, i, x);
    case 'D':
        x->ndst = i->nvec;
        if (i->nvec > 1)
            return vector_operand(f, o, true, i->type, wg_type_bits(i->type), i->nvec, true, x->dst);
        return wg_dest(f, o, wg_type_bits(i->type), true, false, &x->dst[0]);
    default: break;
    }
    return build_source(f, o, form, i, x);
}

/* How many operands the row has, without and with its optional ones. */
static void count_forms(const struct wg_row *row, uint32_t *least, uint32_t *most) {
    *least = *most = 0;
    for (uint32_t k = 0; k < row->nforms; k++)
        if (row->forms[k].kind != '|' && row->forms[k].kind != 'A' && row->forms[k].kind != 'E') {
            *least += !row->forms[k].optional;
            ++*most;
        }
}

static bool build_forms(struct wg_fn *f, const struct wg_ptx_instr *in, struct wg_ir_instr *i,
                        struct opds *x) {
    const struct wg_row *row = wg_row(i->op);
    uint32_t least, most, n = in->nopd, next = 0;
    count_forms(row, &least, &most);
    /* A cache policy behind the operands: a hint, which changes no result. */
    if (i->mod[WG_MC_EVICT2] == WG_M_l2_cache_hint) {
        struct wg_ir_opd policy;
        if (!n || !wg_source(f, &in->opd[n - 1], WG_T_B64, 64, false, &policy)) return false;
        n--;
    }
    if (i->op == WG_OP_ATOM) least = most = i->mod[WG_MC_AOP] == WG_M_cas ? 4 : 3;
    if (n < least || n > most) {
        wg_ptx_error(f->b->src, f->off, "'%s' takes %s%u operand%s, not %u", in->opcode->s,
                     least == most ? ""
                     : n < least   ? "at least "
                                   : "at most ",
                     n < least ? least : most, (n < least ? least : most) == 1 ? "" : "s", n);
        return false;
    }
    uint32_t extra = n - least;
    for (uint32_t k = 0; k < row->nforms; k++) {
        const struct wg_row_form *form = &row->forms[k];
        if (form->kind == '|') continue;
        if (form->kind == 'E') {
            for (uint32_t d = 0; d < x->ndst; d++) x->src[x->nsrc++] = x->dst[d];
            continue;
        }
        if (form->kind == 'A') {
            x->src[x->nsrc++] = (struct wg_ir_opd){.kind = WG_O_IMM, .imm = UINT32_MAX};
            break;
        }
        if (form->optional && i->op != WG_OP_ATOM) {
            if (!extra) continue;
            extra--;
        }
        if (next == n && form->optional) continue;
        if (next == n) break;
        bool bar = k + 1 < row->nforms && row->forms[k + 1].kind == '|';
        if (!build_form(f, &in->opd[next++], form, bar, i, x)) return false;
    }
    return true;
}

bool wg_build_operands(struct wg_fn *f, const struct wg_ptx_instr *in, struct wg_ir_instr *out) {
    struct opds x = {0};
    *out = (struct wg_ir_instr){.op = in->match.op,
                                .type = in->match.type,
                                .type2 = in->match.type2,
                                .columns = in->match.columns,
                                .type3 = in->match.type3,
                                .type4 = in->match.type4,
                                .guard = WG_NO_REG,
                                .nvec = 1};
    memcpy(out->mod, in->match.mod, sizeof out->mod);
    out->space = space_of(out->mod[WG_MC_SPACE]);
    out->nvec = (uint8_t)vector_length(out);
    bool mov = out->op == WG_OP_MOV || out->op == WG_OP_MOV_SREG || out->op == WG_OP_MOV_PACK ||
               out->op == WG_OP_MOV_UNPACK;
    if (out->op == WG_OP_BULK_RED && wg_type_kind(out->type) == WG_K_F && out->mod[WG_MC_AOP] != WG_M_add)
        return wg_unsupported(
            f, "unsupported instruction 'cp.reduce.async.bulk' of floating-point numbers, other than add");
    bool ok = mov ? build_mov(f, in, out, &x) : build_forms(f, in, out, &x);
    if (!ok) return false;
    out->ndst = (uint8_t)x.ndst;
    out->nsrc = (uint8_t)x.nsrc;
    out->dst = wg_copy_opds(f, x.dst, x.ndst);
    out->src = wg_copy_opds(f, x.src, x.nsrc);
    return true;
}
