/* Forms of rows, their operands and their text: see cases.h. What is legal is legal.c. */
#include "tests/rows/cases.h"
#include <string.h>

bool case_pure(enum wg_op op) {
    switch (op) {
    case WG_OP_NONE:
    case WG_OP_MOV_SREG:
    case WG_OP_ACTIVEMASK:
    case WG_OP_PREFETCH:
    case WG_OP_PREFETCHU:
    case WG_OP_DISCARD:
    case WG_OP_APPLYPRIORITY:
    case WG_OP_MEMBAR:
    case WG_OP_FENCE:
    case WG_OP_BAR_ARRIVE:
    case WG_OP_BARRIER_ARRIVE:
    case WG_OP_BAR_CL_ARRIVE:
    case WG_OP_PMEVENT:
    case WG_OP_CVTA:
    case WG_OP_CVTA_TO:
    case WG_OP_ISSPACEP:
    case WG_OP_MAPA:
    case WG_OP_BULK_PREFETCH:
    case WG_OP_TENSOR_PREFETCH:
    case WG_OP_PREFETCH_TENSORMAP:
    case WG_OP_FENCE_PROXY_ALIAS:
    case WG_OP_FENCE_PROXY:
    case WG_OP_FENCE_TENSORMAP:
    case WG_OP_FENCE_MBARRIER:
    case WG_OP_SETMAXNREG:
    case WG_OP_GETCTARANK: return false; /* see scenes */
    default: return !(wg_op_flags(op) & (WG_F_MEM | WG_F_SYNC | WG_F_WAIT | WG_F_FLOW | WG_F_EFFECT));
    }
}

/* ---- enumeration ---- */

struct walk {
    const struct wg_row *row;
    struct row_case c;
    void (*each)(void *user, const struct row_case *c);
    void *user;
};

static uint32_t variants(const struct row_case *c) {
    switch (c->op) {
    case WG_OP_LOP3:
    case WG_OP_LOP3_P: return 6;
    case WG_OP_MOV_PACK:
    case WG_OP_MOV_UNPACK: return 3; /* 2, 4, 8 elements */
    default: return 1;
    }
}

static void walk_types(struct walk *w) {
    for (uint32_t t = 0; t < WG_T_COUNT; t++) {
        if (w->row->t_allow ? !(w->row->t_allow >> t & 1) : t != 0) continue;
        for (uint32_t u = 0; u < WG_T_COUNT; u++) {
            if (w->row->u_allow ? !(w->row->u_allow >> u & 1) : u != 0) continue;
            w->c.type = (uint8_t)t;
            w->c.type2 = (uint8_t)u;
            for (w->c.variant = 0; w->c.variant < variants(&w->c); w->c.variant++) w->each(w->user, &w->c);
        }
    }
}

static void walk_slots(struct walk *w, uint32_t s) {
    if (s == w->row->nslots) {
        walk_types(w);
        return;
    }
    const struct wg_slot *slot = &w->row->slots[s];
    if (slot->kind != WG_SLOT_MOD || slot->cls == WG_MC_COUNT) {
        walk_slots(w, s + 1);
        return;
    }
    for (uint32_t m = slot->optional ? 0 : 1; m < WG_M_COUNT; m++) {
        if (m && !(slot->allow[m / 64] >> m % 64 & 1)) continue;
        w->c.mod[slot->cls] = (uint8_t)m;
        walk_slots(w, s + 1);
    }
    w->c.mod[slot->cls] = WG_M_none;
}

void case_forms(enum wg_op op, void (*each)(void *user, const struct row_case *c), void *user) {
    struct walk w = {.row = wg_row(op), .each = each, .user = user};
    w.c.op = (uint16_t)op;
    w.c.second = true;
    memset(w.c.kind, 'v', sizeof w.c.kind);
    walk_slots(&w, 0);
}

/* ---- operands ---- */

static uint8_t class_of(enum wg_type t) {
    switch (t) {
    case WG_T_PRED: return V_PRED;
    case WG_T_F16: return V_F16;
    case WG_T_BF16: return V_BF16;
    case WG_T_F16X2: return V_F16X2;
    case WG_T_BF16X2: return V_BF16X2;
    case WG_T_F32:
    case WG_T_TF32: return V_F32;
    case WG_T_F64: return V_F64;
    default: break;
    }
    uint32_t bits = wg_type_bits(t);
    return bits <= 16 ? V_I16 : bits == 32 ? V_I32 : V_I64;
}
static uint8_t register_bits(uint32_t bits) { return bits == 1 ? 1 : bits <= 16 ? 16 : (uint8_t)bits; }

static uint32_t elements(const struct row_case *c) { return 2u << c->variant; }

static struct case_source source_of(const struct row_case *c, const struct wg_row_form *f) {
    enum wg_type t = f->rel == 'U' ? c->type2 : c->type;
    uint32_t bits = f->kind == 'q' ? 1 : f->kind == 'i' ? (f->width ? f->width : 32) : wg_type_bits(t);
    if (f->rel == 'w' && c->mod[WG_MC_MULW] == WG_M_wide) bits *= 2;
    struct case_source s = {class_of(t), register_bits(bits), true};
    if (f->kind == 'q') s.cls = V_PRED;
    if (f->kind == 'i') s.cls = V_COUNT;
    if (f->kind != 'q' && f->kind != 'i' && wg_type_kind(t) != WG_K_F)
        s.cls = bits <= 16 ? V_I16 : bits == 32 ? V_I32 : V_I64;
    if (f->kind == 'i' && (c->op == WG_OP_PRMT || c->op == WG_OP_DP4A || c->op == WG_OP_DP2A)) s.cls = V_I32;
    if (t == WG_T_PRED) s.cls = V_PRED;
    if (c->op == WG_OP_FNS && f != &wg_row(c->op)->forms[1]) s.cls = V_COUNT; /* base and offset */
    bool packed = t == WG_T_U16X2 || t == WG_T_S16X2;
    s.may_imm = s.cls != V_PRED && (s.cls < V_F16 || s.cls > V_BF16X2) && !packed;
    return s;
}

uint32_t case_sources(const struct row_case *c, struct case_source out[CASE_SOURCES]) {
    const struct wg_row *r = wg_row(c->op);
    uint32_t n = 0, bits = wg_type_bits(c->type);
    if (c->op == WG_OP_MOV_PACK) {
        uint32_t k = elements(c) > 4 ? 4 : elements(c), each = bits / elements(c);
        for (; n < k; n++)
            out[n] = (struct case_source){each <= 16   ? V_I16
                                          : each == 32 ? V_I32
                                                       : V_I64,
                                          register_bits(each), false};
        return n;
    }
    if (c->op == WG_OP_MOV_UNPACK) {
        out[0] = (struct case_source){bits <= 16   ? V_I16
                                      : bits == 32 ? V_I32
                                                   : V_I64,
                                      register_bits(bits), false};
        return 1;
    }
    for (uint32_t k = 0; k < r->nforms; k++)
        if (strchr("aiq", r->forms[k].kind)) out[n++] = source_of(c, &r->forms[k]);
    return n;
}

uint32_t case_results(const struct row_case *c, uint32_t bits[2]) {
    const struct wg_row *r = wg_row(c->op);
    uint32_t n = 0, type_bits = wg_type_bits(c->type);
    if (c->op == WG_OP_MOV_PACK) {
        bits[0] = type_bits;
        return 1;
    }
    if (c->op == WG_OP_MOV_UNPACK) { /* the first and the last element */
        bits[0] = bits[1] = type_bits / elements(c);
        return 2;
    }
    for (uint32_t k = 0; k < r->nforms && n < 2; k++) {
        const struct wg_row_form *f = &r->forms[k];
        if (f->kind == 'p' || (f->kind == '|' && c->second)) bits[n++] = 1;
        if (f->kind != 'd') continue;
        uint32_t b = f->width ? f->width : wg_type_bits(f->rel == 'U' ? c->type2 : c->type);
        if (f->rel == 'w' && c->mod[WG_MC_MULW] == WG_M_wide) b *= 2;
        bits[n++] = register_bits(b);
    }
    return n;
}

enum wg_type case_result_type(const struct row_case *c) {
    switch (c->op) {
    case WG_OP_MOV:
    case WG_OP_MOV_PACK:
    case WG_OP_MOV_UNPACK:
    case WG_OP_SELP:
    case WG_OP_SLCT:
    case WG_OP_COPYSIGN:
    case WG_OP_SET:
    case WG_OP_SET_B:
    case WG_OP_SETP:
    case WG_OP_SETP_B:
    case WG_OP_SETP_X2:
    case WG_OP_SETP_X2_B:
    case WG_OP_SET_X2:
    case WG_OP_SET_X2_B:
    case WG_OP_TESTP: return WG_T_NONE; /* bits move unchanged */
    default: return wg_type_kind(c->type) == WG_K_F ? c->type : WG_T_NONE;
    }
}

bool case_approximate(const struct row_case *c) {
    switch (c->op) {
    case WG_OP_DIV_A:
    case WG_OP_RCP_A:
    case WG_OP_SQRT_A:
    case WG_OP_RSQRT_A:
    case WG_OP_SIN_A:
    case WG_OP_COS_A:
    case WG_OP_LG2_A:
    case WG_OP_EX2_A:
    case WG_OP_TANH_A: return true;
    default: return false;
    }
}

/* Operands beyond what the PTX ISA defines, and two places where the ISA is followed, not the chip:
 *   - .ftz where the exact result is below the least normal number and rounds up to it: kept here (the
 *     rounded result is no subnormal), zero there;
 *   - cvt.rm.ftz.f16.f32, cvt.rp.ftz.f16.f32 of a subnormal: flushed here, rounded to the least f16 there.
 *
 * What cvt makes of a NaN in tf32 is left out of h200.tsv; hopper.tsv has it. */
bool case_differs_from_hardware(const struct row_case *c, const uint64_t operand[CASE_SOURCES],
                                uint64_t result) {
    uint64_t r32 = result & 0x7fffffff, r16 = result & 0x7fff, f32 = operand[0] & 0x7fffffff;
    bool ftz = c->mod[WG_MC_FTZ] == WG_M_ftz;
    switch (c->op) {
    case WG_OP_BFE: return wg_type_bits(c->type) == 64 && (operand[1] > 255 || operand[2] > 255);
    case WG_OP_BFI: return c->type == WG_T_B64 && (operand[2] > 255 || operand[3] > 255);
    case WG_OP_FNS: return operand[2] == 0x80000000;
    case WG_OP_CVT:
        if (c->type == WG_T_TF32) return f32 > 0x7f800000;
        if (ftz && c->type == WG_T_F32) return r32 == 0x00800000;
        return ftz && c->type == WG_T_F16 && f32 && f32 < 0x00800000;
    case WG_OP_ADD_F:
    case WG_OP_SUB_F:
    case WG_OP_MUL_F:
    case WG_OP_FMA:
    case WG_OP_MAD_F:
    case WG_OP_DIV_F:
        if (!ftz) return false;
        if (c->type == WG_T_F32) return r32 == 0x00800000;
        return r16 == 0x0400 || (c->type == WG_T_F16X2 && (result >> 16 & 0x7fff) == 0x0400);
    default: return false;
    }
}

/* ---- text ---- */

void case_name(const struct row_case *c, struct wg_strbuf *out) {
    const struct wg_row *r = wg_row(c->op);
    wg_strbuf_puts(out, r->opcode);
    for (uint32_t k = 0; k < r->nslots; k++) {
        const struct wg_slot *s = &r->slots[k];
        if (s->kind == WG_SLOT_T)
            wg_strbuf_printf(out, ".%s", wg_type_name(c->type));
        else if (s->kind == WG_SLOT_U)
            wg_strbuf_printf(out, ".%s", wg_type_name(c->type2));
        else if (s->cls != WG_MC_COUNT && c->mod[s->cls])
            wg_strbuf_printf(out, ".%s", wg_mod_name(c->mod[s->cls]));
        else if (s->cls == WG_MC_COUNT)
            for (uint32_t m = 1; m < WG_M_COUNT; m++)
                if (s->allow[m / 64] >> m % 64 & 1) wg_strbuf_printf(out, ".%s", wg_mod_name(m));
    }
}

static const uint8_t lop3_tables[] = {0x96, 0xe8, 0xca, 0x01, 0xf8, 0x5b};

static void source_text(const struct row_case *c, uint32_t k, const char *name, struct wg_strbuf *out) {
    struct case_source s[CASE_SOURCES];
    case_sources(c, s);
    if (c->kind[k] != 'i')
        wg_strbuf_puts(out, name);
    else if (s[k].cls == V_F32)
        wg_strbuf_printf(out, "0f%08X", (uint32_t)c->imm[k]);
    else if (s[k].cls == V_F64)
        wg_strbuf_printf(out, "0d%016llX", (unsigned long long)c->imm[k]);
    else
        wg_strbuf_printf(out, "0x%llx", (unsigned long long)c->imm[k]);
}

static void pack_text(const struct row_case *c, const char *const *dst, const char *const *src,
                      struct wg_strbuf *out) {
    uint32_t n = elements(c);
    bool pack = c->op == WG_OP_MOV_PACK;
    wg_strbuf_printf(out, " %s{", pack ? (wg_strbuf_puts(out, " "), wg_strbuf_puts(out, dst[0]), ", ") : "");
    for (uint32_t k = 0; k < n; k++) {
        const char *d = k == 0 ? dst[0] : k == n - 1 ? dst[1] : "_";
        wg_strbuf_printf(out, "%s%s", k ? ", " : "", pack ? src[k % 4] : d);
    }
    wg_strbuf_printf(out, "}%s%s;", pack ? "" : ", ", pack ? "" : src[0]);
}

void case_text(const struct row_case *c, const char *const *dst, const char *const *src,
               struct wg_strbuf *out) {
    const struct wg_row *r = wg_row(c->op);
    uint32_t d = 0, s = 0;
    case_name(c, out);
    if (c->op == WG_OP_MOV_PACK || c->op == WG_OP_MOV_UNPACK) {
        pack_text(c, dst, src, out);
        return;
    }
    for (uint32_t k = 0; k < r->nforms; k++) {
        char kind = r->forms[k].kind;
        if (kind == '|' && !c->second) continue;
        wg_strbuf_puts(out, k == 0 ? " " : kind == '|' ? "|" : ", ");
        if (kind == 'p' || kind == 'd' || kind == '|')
            wg_strbuf_puts(out, dst[d++]);
        else if (kind == 'n')
            wg_strbuf_printf(out, "0x%x", lop3_tables[c->variant % 6]);
        else {
            source_text(c, s, src[s], out);
            s++;
        }
    }
    wg_strbuf_puts(out, ";");
}
