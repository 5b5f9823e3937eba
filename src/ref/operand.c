/* See operand.h. */
#include "ref/operand.h"
#include "ref/number.h"

static struct ref_opd symbol(const struct wg_ir_sym *s, uint32_t index, uint64_t addend) {
    struct ref_opd o = {.bits = 64, .slot = index, .imm = addend};
    switch (s->kind) {
    case WG_SYM_GLOBAL: o.kind = REF_GLOBAL; return o;
    case WG_SYM_SHARED: o.kind = REF_SHARED; break;
    case WG_SYM_DYNSHARED: o.kind = REF_DYNAMIC; break;
    case WG_SYM_LOCAL: o.kind = REF_LOCAL; break;
    case WG_SYM_PARAM: o.kind = REF_PARAM; break;
    case WG_SYM_FPARAM:
    case WG_SYM_FRET: o.kind = REF_CALL; break;
    default: /* FUNC: functions are known by their number, see wg_ir_sym */
        o.kind = REF_IMM;
        o.imm = (uint64_t)s->func + 1 + addend;
        return o;
    }
    o.imm += s->offset;
    return o;
}

struct ref_opd wg_ref_operand(const struct ref_func *f, const struct wg_ir_module *m,
                              const struct wg_ir_opd *o) {
    static const uint8_t bits[] = {1, 16, 32, 64, 128};
    struct ref_opd r = {.negated = o->negated};
    switch (o->kind) {
    case WG_O_REG:
        r.kind = REF_REG;
        r.slot = f->slot_of[o->index];
        r.bits = bits[f->ir->regs[o->index].width];
        r.ones = ref_low(UINT64_MAX, r.bits);
        r.imm = o->imm;
        return r;
    case WG_O_IMM:
        r.kind = REF_IMM;
        r.bits = 64;
        r.imm = o->imm;
        return r;
    case WG_O_SYM: return symbol(&m->syms[o->index], o->index, o->imm);
    default: return r;
    }
}

void wg_ref_set_type(struct ref_ins *i, uint8_t type) {
    i->type = type;
    i->bits = (uint8_t)wg_type_bits(type);
    i->is_signed = ref_is_signed(type);
    i->ones = ref_low(UINT64_MAX, i->bits);
    i->format = ref_format_of(type);
}
