/* Shadows across calls: a function's call frame has a second half with the shadow of each parameter and
 * result, frame_bytes after the value.
 *
 *     st.param.b32 [arg], %r1      the same of %s1, frame_bytes further on
 *     call (%r2), twice, (%r1)     has (%s2) and (%s1) among its results and arguments
 *
 * Not for functions that are called through pointers, whose callers know only their parameters, nor for
 * recursive ones, which would need twice the stack; their arguments and results count as defined.
 */
#include "check/instrument/shadow_calls.h"

#include "cfg/cfg.h"

typedef struct wg_ir_opd opd;

static bool is_place(const struct wg_ir_module *m, const opd *o) {
    if (o->kind != WG_O_SYM) return false;
    return m->syms[o->index].kind == WG_SYM_FPARAM || m->syms[o->index].kind == WG_SYM_FRET;
}

/* Parameters and results are used by name alone. */
static bool names_places(const struct wg_ir_module *m, const struct wg_ir_instr *in) {
    bool memory = in->op == WG_OP_LD || in->op == WG_OP_ST;
    for (uint32_t i = 0; i < in->nsrc; i++)
        if (is_place(m, &in->src[i]) && (!memory || i > 0)) return false;
    if (memory && in->nsrc && is_place(m, &in->src[0]) && wg_type_bits(in->type) > 64) return false;
    for (uint32_t i = 0; in->op == WG_OP_CALL && i < in->call->nargs; i++)
        if (is_place(m, &in->call->args[i].value)) return false;
    return true;
}

static bool fits(const struct wg_ir_func *f, const struct wg_ir_call *c) {
    bool good = c->bytes == f->frame_bytes && c->arg_bytes == f->param_bytes;
    for (uint32_t i = 0; i < c->nargs; i++) good &= wg_type_bits(c->args[i].type) <= 64;
    for (uint32_t i = 0; i < c->nrets; i++) good &= wg_type_bits(c->rets[i].type) <= 64;
    return good;
}

const bool *wg_shadow_passing(struct wg_arena *a, const struct wg_ir_module *m) {
    bool *passes = WG_NEW_N(a, bool, m->nfuncs + 1);
    for (uint32_t f = 0; f < m->nfuncs; f++) {
        const struct wg_ir_func *x = &m->funcs[f];
        passes[f] = !x->entry && x->nblocks && x->frame_bytes && !x->recursive && !x->address_taken;
    }
    for (uint32_t f = 0; f < m->nfuncs; f++)
        for (uint32_t b = 0; b < m->funcs[f].nblocks; b++)
            for (uint32_t i = 0; i < m->funcs[f].blocks[b].ninstrs; i++) {
                const struct wg_ir_instr *in = &m->funcs[f].blocks[b].instrs[i];
                if (!names_places(m, in)) passes[f] = false;
                if (in->op != WG_OP_CALL || in->call->func == WG_NO_REG) continue;
                if (!fits(&m->funcs[in->call->func], in->call)) passes[in->call->func] = false;
            }
    return passes;
}

/* Whether a carry is taken that no instruction before it in the block gives. */
static bool takes_any_carry(const struct wg_ir_func *f) {
    for (uint32_t b = 0; b < f->nblocks; b++) {
        bool given = false;
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
            bool takes = in->op == WG_OP_ADDC || in->op == WG_OP_SUBC || in->op == WG_OP_MADC;
            if (takes && !given) return true;
            given |= (wg_op_flags(in->op) & WG_F_CC) && in->guard == WG_NO_REG;
        }
    }
    return false;
}

bool wg_shadow_begins_undefined(const struct wg_ir_module *m, const struct wg_ir_func *f) {
    struct wg_cfg cfg = {.func = f};
    bool any = takes_any_carry(f);
    wg_cfg_liveness(&cfg);
    WG_BITS_EACH(r, cfg.live_in[0], f->nregs) any |= f->regs[r].width != WG_W128;
    wg_arena_free(&cfg.arena);
    return any;
}

bool wg_shadow_is_careful(const struct wg_ir_module *m, const bool *passes) {
    bool any = false, undefined = false;
    for (uint32_t f = 0; f < m->nfuncs; f++) any |= passes[f];
    for (uint32_t f = 0; f < m->nfuncs && any && !undefined; f++)
        undefined = m->funcs[f].nblocks && wg_shadow_begins_undefined(m, &m->funcs[f]);
    return undefined;
}

bool wg_shadow_is_passed(const struct wg_shadow *s, const struct wg_ir_instr *in) {
    if (in->op == WG_OP_CALL) return in->call->func != WG_NO_REG && s->x->passes[in->call->func];
    bool place = (in->op == WG_OP_LD || in->op == WG_OP_ST) && is_place(s->x->m, &in->src[0]);
    return place && s->x->passes[s->x->func];
}

static uint8_t bits_type(uint8_t type) { /* sign-extended shadows for sign-extended values */
    static const uint8_t b[] = {WG_T_B8, WG_T_B16, WG_T_B32, WG_T_B64},
                         i[] = {WG_T_S8, WG_T_S16, WG_T_S32, WG_T_S64};
    uint32_t bits = wg_type_bits(type), at = bits <= 8 ? 0 : bits <= 16 ? 1 : bits <= 32 ? 2 : 3;
    return wg_type_kind(type) == WG_K_S ? i[at] : b[at];
}

/* What a register holds above a loaded value is zero and defined. */
static void widen(struct wg_shadow *s, uint32_t reg, uint8_t type) {
    uint32_t own = wg_sh_reg_bits(s, reg), bits = wg_type_bits(type);
    if (wg_type_kind(type) == WG_K_S || own <= bits) return;
    opd v = wg_sh_reg(wg_sh_shadow(s, reg));
    wg_sh_assign(s, v.index, own, wg_sh_or(s, own, v, wg_sh_imm(UINT64_MAX << bits)));
}

void wg_shadow_place(struct wg_shadow *s) {
    const struct wg_ir_instr *in = s->at;
    opd dst[8] = {{0}}, src[1 + 8] = {in->src[0]};
    struct wg_ir_instr twin = *in;
    twin.type = bits_type(in->type);
    twin.id = 0;
    twin.dst = dst;
    twin.src = src;
    src[0].imm += s->x->m->funcs[s->x->func].frame_bytes;
    for (uint32_t i = 0; i < in->ndst; i++) {
        if (in->dst[i].kind != WG_O_REG || !wg_bits_has(s->tainted, in->dst[i].index)) continue;
        dst[i] = wg_sh_reg(wg_sh_shadow(s, in->dst[i].index));
        wg_bits_del(s->known, in->dst[i].index);
    }
    for (uint32_t i = 1; i < in->nsrc; i++)
        src[i] =
            wg_sh_of(s, &in->src[i], in->src[i].kind == WG_O_REG ? wg_sh_reg_bits(s, in->src[i].index) : 64);
    wg_instrument_put(s->x, twin);
    for (uint32_t i = 0; i < in->ndst; i++)
        if (dst[i].kind == WG_O_REG) widen(s, in->dst[i].index, in->type);
}

static struct wg_ir_arg *doubled(struct wg_shadow *s, const struct wg_ir_arg *a, uint32_t n,
                                 uint32_t distance) {
    struct wg_ir_arg *all = WG_NEW_N(s->x->arena, struct wg_ir_arg, 2 * n + 1);
    for (uint32_t i = 0; i < n; i++) {
        all[i] = all[n + i] = a[i];
        all[n + i].type = bits_type(a[i].type);
        all[n + i].offset += distance;
    }
    return all;
}

void wg_shadow_call(struct wg_shadow *s) {
    const struct wg_ir_call *c = s->at->call;
    struct wg_ir_call *twin = WG_NEW(s->x->arena, struct wg_ir_call);
    *twin = *c;
    twin->args = doubled(s, c->args, c->nargs, c->bytes);
    twin->rets = doubled(s, c->rets, c->nrets, c->bytes);
    for (uint32_t i = 0; i < c->nargs; i++) {
        const opd *v = &c->args[i].value;
        twin->args[c->nargs + i].value =
            wg_sh_of(s, v, v->kind == WG_O_REG ? wg_sh_reg_bits(s, v->index) : 64);
    }
    for (uint32_t i = 0; i < c->nrets; i++) {
        opd *v = &twin->rets[c->nrets + i].value;
        if (v->kind != WG_O_REG) continue;
        wg_bits_del(s->known, v->index);
        *v = wg_sh_reg(wg_sh_shadow(s, v->index));
    }
    twin->nargs = 2 * c->nargs;
    twin->nrets = 2 * c->nrets;
    twin->arg_bytes += c->bytes;
    twin->bytes *= 2;
    s->x->call = twin;
}

void wg_shadow_called(struct wg_shadow *s) {
    const struct wg_ir_call *c = s->at->call;
    for (uint32_t i = 0; i < c->nrets; i++)
        if (c->rets[i].value.kind == WG_O_REG) widen(s, c->rets[i].value.index, c->rets[i].type);
}

void wg_shadow_frame(const struct wg_instrument *x, struct wg_ir_func *to) {
    if (!x->passes[x->func]) return;
    to->param_bytes += to->frame_bytes;
    to->frame_bytes *= 2;
}
