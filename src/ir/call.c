/* Calls. In PTX a call's arguments go through .param variables of the caller:
 *
 *     { .param .b32 param0;  st.param.b32 [param0], %r1;
 *       .param .b32 retval0; call (retval0), f, (param0);  ld.param.b32 %r2, [retval0]; }
 *
 * Here this is one CALL with args {r1 -> 0}, rets {r2 <- 16}.
 *
 * A store is kept back ("pending") until the call takes its value. Where something comes between (the
 * register is written, a block ends, the store has a guard), a register of the builder's own holds the value.
 * A load directly after the call is its result; any other load reads a register that every call into the
 * variable sets.
 */
#include "ir/build.h"

#include <stdlib.h>
#include <string.h>

/* ---- stores and loads of .param variables ---- */

static struct wg_cslot *find_slot(struct wg_cparam *c, uint32_t offset, uint32_t size, bool loaded) {
    for (uint32_t i = 0; i < c->slots.n; i++) {
        struct wg_cslot *s = &c->slots.v[i];
        if (s->loaded == loaded && s->offset == offset && wg_type_bits(s->type) == size * 8) return s;
    }
    return NULL;
}

static bool overlaps_other(struct wg_cparam *c, uint32_t offset, uint32_t size) {
    for (uint32_t i = 0; i < c->slots.n; i++) {
        struct wg_cslot *s = &c->slots.v[i];
        uint32_t have = wg_type_bits(s->type) / 8;
        if (!s->loaded && s->offset < offset + size && offset < s->offset + have &&
            (s->offset != offset || have != size))
            return true;
    }
    return false;
}

static uint8_t bits_type(uint32_t width) {
    static const uint8_t types[] = {[WG_W1] = WG_T_PRED,
                                    [WG_W16] = WG_T_B16,
                                    [WG_W32] = WG_T_B32,
                                    [WG_W64] = WG_T_B64,
                                    [WG_W128] = WG_T_B128};
    return types[width];
}

static uint8_t value_width(struct wg_fn *f, const struct wg_ir_opd *v, uint8_t type) {
    if (v->kind == WG_O_REG) return f->regs.v[v->index].width;
    uint32_t bits = wg_type_bits(type);
    return bits <= 16 ? WG_W16 : bits == 32 ? WG_W32 : bits == 64 ? WG_W64 : WG_W128;
}

struct wg_ir_instr *wg_emit_mov(struct wg_fn *f, uint32_t reg, struct wg_ir_opd value) {
    struct wg_ir_opd dst = {.kind = WG_O_REG, .index = reg};
    struct wg_ir_instr *i = wg_emit(f, WG_OP_MOV);
    i->type = bits_type(f->regs.v[reg].width);
    i->ndst = i->nsrc = 1;
    i->dst = wg_copy_opds(f, &dst, 1);
    i->src = wg_copy_opds(f, &value, 1);
    return i;
}

/* Moves a value into the place's own register. */
static struct wg_ir_instr *hold(struct wg_fn *f, struct wg_cparam *c, struct wg_cslot *s,
                                struct wg_ir_opd value) {
    uint8_t width = value_width(f, &value, s->type);
    if (s->reg == WG_NO_REG)
        s->reg =
            wg_new_reg(f, wg_arena_printf(f->b->arena, "%s+%u", c->name->s, s->offset), bits_type(width));
    else if (f->regs.v[s->reg].width != width) {
        wg_unsupported(f, "stores from registers of different widths to parameter '%s'", c->name->s);
        wg_emit(f, WG_OP_NONE)->unsupported = f->unsupported;
        return NULL;
    }
    s->held = true;
    return wg_emit_mov(f, s->reg, value);
}

static void settle(struct wg_fn *f, struct wg_cparam *c, struct wg_cslot *s) {
    if (!s->pending) return;
    s->pending = false;
    f->npending--;
    hold(f, c, s, s->value);
}

void wg_cparam_settle(struct wg_fn *f) {
    if (!f->npending) return;
    for (struct wg_cparam *c = f->cparams; c; c = c->next)
        for (uint32_t i = 0; i < c->slots.n; i++) settle(f, c, &c->slots.v[i]);
}

void wg_cparam_protect(struct wg_fn *f, const struct wg_ir_opd *dst, uint32_t n) {
    if (!f->npending) return;
    for (struct wg_cparam *c = f->cparams; c; c = c->next)
        for (uint32_t i = 0; i < c->slots.n; i++) {
            struct wg_cslot *s = &c->slots.v[i];
            for (uint32_t d = 0; d < n && s->pending; d++)
                if (dst[d].kind == WG_O_REG && s->value.kind == WG_O_REG && dst[d].index == s->value.index)
                    settle(f, c, s);
        }
}

static bool check_place(struct wg_fn *f, struct wg_cparam *c, int64_t offset, uint32_t bytes) {
    if (offset >= 0 && offset + bytes <= c->size) return true;
    wg_ptx_error(f->b->src, f->off, "this access is outside '%s', which has %u bytes", c->name->s, c->size);
    return false;
}

static struct wg_cslot *add_slot(struct wg_cparam *c, uint32_t offset, uint8_t type, bool loaded) {
    struct wg_cslot *s = WG_PUSH(&c->slots);
    s->offset = offset;
    s->type = type;
    s->loaded = loaded;
    s->reg = WG_NO_REG;
    return s;
}

bool wg_cparam_store(struct wg_fn *f, struct wg_cparam *c, const struct wg_ir_instr *st, int64_t offset) {
    uint32_t size = wg_type_bits(st->type) / 8;
    if (!check_place(f, c, offset, size * st->nvec)) return false;
    for (uint32_t e = 0; e < st->nvec; e++) {
        uint32_t at = (uint32_t)offset + e * size;
        if (overlaps_other(c, at, size)) {
            return wg_unsupported(f, "stores of different sizes to one place of parameter '%s'", c->name->s);
        }
        struct wg_cslot *s = find_slot(c, at, size, false);
        if (!s) s = add_slot(c, at, st->type, false);
        if (st->guard != WG_NO_REG) {
            settle(f, c, s);
            struct wg_ir_instr *mov = hold(f, c, s, st->src[1 + e]);
            if (!mov) return false;
            mov->guard = st->guard;
            mov->guard_neg = st->guard_neg;
            continue;
        }
        if (!s->pending) f->npending++;
        s->pending = true;
        s->type = st->type;
        s->value = st->src[1 + e];
    }
    return true;
}

static struct wg_ir_arg *add_arg(struct wg_arena *a, struct wg_ir_arg **v, uint32_t *n) {
    if ((*n & (*n - 1)) == 0) { /* room doubles at powers of two */
        struct wg_ir_arg *more = WG_NEW_N(a, struct wg_ir_arg, *n ? *n * 2 : 1);
        if (*n) memcpy(more, *v, *n * sizeof **v);
        *v = more;
    }
    return &(*v)[(*n)++];
}

/* The call that the open block stands directly behind, if it returns into `c`. */
static struct wg_ir_call *just_called(struct wg_fn *f, struct wg_cparam *c) {
    const struct wg_draft *d = &f->blocks.v[f->blocks.n - 1];
    if (!c->returns.n || d->label || f->instrs.n != d->first || !f->instrs.n) return NULL;
    const struct wg_ir_instr *last = &f->instrs.v[f->instrs.n - 1];
    struct wg_ir_call *call = c->returns.v[c->returns.n - 1];
    return last->op == WG_OP_CALL && last->call == call && f->blocks.v[f->blocks.n - 2].waits ? call : NULL;
}

/* The register that every call into `c` sets for this place, as wide as the load's destination. */
static uint32_t result_reg(struct wg_fn *f, struct wg_cparam *c, uint32_t offset, uint8_t type,
                           uint32_t dst) {
    for (uint32_t i = 0; i < c->slots.n; i++) {
        struct wg_cslot *s = &c->slots.v[i];
        if (s->loaded && s->offset == offset && s->type == type &&
            f->regs.v[s->reg].width == f->regs.v[dst].width)
            return s->reg;
    }
    struct wg_cslot *s = add_slot(c, offset, type, true);
    s->reg = wg_new_reg(f, wg_arena_printf(f->b->arena, "%s+%u", c->name->s, offset), f->regs.v[dst].type);
    return s->reg;
}

bool wg_cparam_load(struct wg_fn *f, struct wg_cparam *c, const struct wg_ir_instr *ld, int64_t offset) {
    uint32_t size = wg_type_bits(ld->type) / 8;
    if (!check_place(f, c, offset, size * ld->nvec)) return false;
    struct wg_ir_call *call = ld->guard == WG_NO_REG ? just_called(f, c) : NULL;
    for (uint32_t e = 0; e < ld->nvec; e++) {
        uint32_t at = (uint32_t)offset + e * size;
        if (ld->dst[e].kind != WG_O_REG) continue;
        if (call) {
            *add_arg(f->b->arena, &call->rets, &call->nrets) = (struct wg_ir_arg){
                .value = ld->dst[e], .type = ld->type, .offset = c->ret_offsets.v[c->ret_offsets.n - 1] + at};
            continue;
        }
        uint32_t reg = result_reg(f, c, at, ld->type, ld->dst[e].index);
        wg_cparam_protect(f, &ld->dst[e], 1);
        struct wg_ir_instr *mov =
            wg_emit_mov(f, ld->dst[e].index, (struct wg_ir_opd){.kind = WG_O_REG, .index = reg});
        mov->guard = ld->guard;
        mov->guard_neg = ld->guard_neg;
    }
    return true;
}

void wg_cparam_finish(struct wg_fn *f) {
    for (struct wg_cparam *c = f->cparams; c; c = c->next)
        for (uint32_t i = 0; i < c->slots.n; i++) {
            const struct wg_cslot *s = &c->slots.v[i];
            if (!s->loaded) continue;
            if (!c->returns.n)
                wg_ptx_error(f->b->src, f->src->off, "in '%s': '%s' is loaded, but no call returns it",
                             f->src->name->s, c->name->s);
            for (uint32_t k = 0; k < c->returns.n; k++) {
                struct wg_ir_call *call = c->returns.v[k];
                *add_arg(f->b->arena, &call->rets, &call->nrets) =
                    (struct wg_ir_arg){.value = {.kind = WG_O_REG, .index = s->reg},
                                       .type = s->type,
                                       .offset = c->ret_offsets.v[k] + s->offset};
            }
        }
}

/* ---- the call itself ---- */

struct parts {
    const struct wg_ptx_opd *rets, *args, *target, *prototype;
};

static bool split(struct wg_fn *f, const struct wg_ptx_instr *in, struct parts *p) {
    static const struct wg_ptx_opd none = {.kind = WG_P_LIST};
    const struct wg_ptx_opd *o = in->opd, *end = o + in->nopd;
    *p = (struct parts){.rets = &none, .args = &none};
    if (o < end && o->kind == WG_P_LIST) p->rets = o++;
    if (o < end && o->kind == WG_P_NAME) p->target = o++;
    if (o < end && o->kind == WG_P_LIST) p->args = o++;
    if (o < end && o->kind == WG_P_NAME) p->prototype = o++;
    if (p->target && o == end) return true;
    wg_ptx_error(f->b->src, f->off, "a call is written 'call (results), function, (arguments), prototype;'");
    return false;
}

static uint8_t find_builtin(const char *name) {
    static const char *const names[WG_B_COUNT] = {
#define X(id, spelled) [WG_B_##id] = spelled,
        WG_BUILTINS(X)
#undef X
    };
    for (uint8_t b = 1; b < WG_B_COUNT; b++)
        if (strcmp(names[b], name) == 0) return b;
    return WG_B_none;
}

static bool find_prototype(struct wg_fn *f, const struct wg_ptx_opd *o, const struct wg_ptx_signature **sig) {
    struct wg_binding *x = o ? o->name->binding : NULL;
    if (x && x->kind == WG_BIND_LABEL && x->label->prototype) {
        *sig = x->label->prototype;
        return true;
    }
    if (x && x->kind == WG_BIND_LABEL && x->label->ntargets) { /* .calltargets: all have one signature */
        struct wg_binding *t = x->label->targets[0].name->binding;
        if (t && t->kind == WG_BIND_SYM && f->b->syms.v[t->index].kind == WG_SYM_FUNC) {
            *sig = &f->b->func_src[f->b->syms.v[t->index].func]->sig;
            return true;
        }
    }
    wg_ptx_error(f->b->src, o ? o->off : f->off, "an indirect call needs the label of a .callprototype");
    return false;
}

/* What is called, and its signature. */
static bool find_callee(struct wg_fn *f, const struct parts *p, struct wg_ir_call *call,
                        const struct wg_ptx_signature **sig) {
    struct wg_build *b = f->b;
    struct wg_uses *uses = &b->uses[f->index];
    struct wg_ref r = wg_resolve(f, p->target);
    call->func = WG_NO_REG;
    if (r.kind == WG_REF_REG) {
        f->out->has_indirect_calls = uses->indirect = true;
        return wg_source(f, p->target, WG_T_B64, 64, false, &call->target) &&
               find_prototype(f, p->prototype, sig);
    }
    if (r.kind != WG_REF_SYM || b->syms.v[r.index].kind != WG_SYM_FUNC) {
        if (r.kind != WG_REF_NONE)
            wg_ptx_error(b->src, p->target->off, "'%s' is not a function", p->target->name->s);
        return false;
    }
    uint32_t func = b->syms.v[r.index].func;
    if (b->func_src[func]->entry) {
        wg_ptx_error(b->src, p->target->off, "'%s' is a kernel: only functions can be called",
                     p->target->name->s);
        return false;
    }
    *sig = &b->func_src[func]->sig;
    if (!b->func_src[func]->has_body) call->builtin = find_builtin(b->func_src[func]->name->s);
    if (!call->builtin) {
        const char *name = b->func_src[func]->name->s;
        bool launches = strncmp(name, "cuda", 4) == 0 || strncmp(name, "__cudaCDP2", 10) == 0;
        if (!b->func_src[func]->has_body && !launches) {
            b->src->whole = true; /* as CUDA has it: linking fails */
            wg_ptx_error(b->src, p->target->off,
                         "function '%s' is declared .extern but defined nowhere (with -rdc=true for every "
                         "file, kernels can call functions of other files)",
                         name);
            return false;
        }
        call->func = func;
        *WG_PUSH(&uses->calls) = func;
    }
    return true;
}

/* Arguments in a .param variable: one for each place that was stored to. */
static bool take_stored(struct wg_fn *f, struct wg_ir_call *call, struct wg_cparam *c, uint32_t offset) {
    for (uint32_t i = 0; i < c->slots.n; i++) {
        struct wg_cslot *s = &c->slots.v[i];
        if (s->loaded) continue;
        if (!s->pending && !s->held) {
            wg_ptx_error(f->b->src, f->off, "'%s' must be stored to again before this call", c->name->s);
            return false;
        }
        struct wg_ir_opd held = {.kind = WG_O_REG, .index = s->reg};
        *add_arg(f->b->arena, &call->args, &call->nargs) = (struct wg_ir_arg){
            .value = s->pending ? s->value : held, .type = s->type, .offset = offset + s->offset};
        if (s->pending) {
            s->pending = s->held = false;
            f->npending--;
        }
    }
    return true;
}

static struct wg_cparam *cparam_of(const struct wg_ptx_opd *o) {
    struct wg_binding *x = o->kind == WG_P_NAME ? o->name->binding : NULL;
    return x && x->kind == WG_BIND_CPARAM ? x->cparam : NULL;
}

/* A variable stands for all of a parameter, no more and no less; a parameter without a size takes what there
 * is. */
static bool fits(struct wg_fn *f, const struct wg_ptx_opd *o, const struct wg_cparam *c,
                 const struct wg_ptx_var *v, const char *what, uint32_t i, const char *callee) {
    uint64_t size;
    uint32_t align;
    if (!wg_var_size(f->b, v, &size, &align)) return false;
    if (!size || size == c->size) return true;
    wg_ptx_error(f->b->src, o->off, "'%s' has %u bytes, %s %u of '%s' has %u", c->name->s, c->size, what,
                 i + 1, callee, (uint32_t)size);
    return false;
}

static bool build_args(struct wg_fn *f, const struct parts *p, const struct wg_ptx_signature *sig,
                       const struct wg_layout *lay, struct wg_ir_call *call) {
    for (uint32_t i = 0; i < p->args->nelem; i++) {
        const struct wg_ptx_opd *o = &p->args->elem[i];
        struct wg_cparam *c = cparam_of(o);
        if (c) {
            if (!fits(f, o, c, &sig->params[i], "argument", i, p->target->name->s)) return false;
            if (!take_stored(f, call, c, lay->param[i])) return false;
            continue;
        }
        uint8_t type = sig->params[i].type;
        struct wg_ir_arg a = {.type = type, .offset = lay->param[i]};
        if (sig->params[i].array) {
            wg_ptx_error(f->b->src, o->off, "an array is passed in a .param variable");
            return false;
        }
        if (!wg_source(f, o, type, wg_type_bits(type), true, &a.value)) return false;
        *add_arg(f->b->arena, &call->args, &call->nargs) = a;
    }
    return true;
}

static bool build_rets(struct wg_fn *f, const struct parts *p, const struct wg_ptx_signature *sig,
                       const struct wg_layout *lay, struct wg_ir_call *call) {
    for (uint32_t i = 0; i < p->rets->nelem; i++) {
        const struct wg_ptx_opd *o = &p->rets->elem[i];
        struct wg_cparam *c = cparam_of(o);
        if (c) {
            if (!fits(f, o, c, &sig->rets[i], "result", i, p->target->name->s)) return false;
            *WG_PUSH(&c->returns) = call;
            *WG_PUSH(&c->ret_offsets) = lay->ret[i];
            continue;
        }
        if (o->kind == WG_P_SINK) continue;
        uint8_t type = sig->rets[i].type;
        struct wg_ir_arg a = {.type = type, .offset = lay->ret[i]};
        if (!wg_dest(f, o, wg_type_bits(type), true, true, &a.value)) return false;
        wg_cparam_protect(f, &a.value, 1);
        *add_arg(f->b->arena, &call->rets, &call->nrets) = a;
    }
    return true;
}

/* A refused function's head may be what is wrong: then nothing is held against it. Its caller never runs. */
static bool calls_refused(struct wg_fn *f, const struct parts *p, struct wg_ir_call *call) {
    if (call->func == WG_NO_REG || !f->b->func_src[call->func]->refused) return false;
    f->out->has_calls = true;
    for (uint32_t i = 0; i < p->rets->nelem; i++) {
        struct wg_cparam *c = cparam_of(&p->rets->elem[i]);
        if (!c) continue;
        *WG_PUSH(&c->returns) = call;
        *WG_PUSH(&c->ret_offsets) = 0;
        if (c->size > call->bytes) call->bytes = c->size;
    }
    wg_cparam_settle(f);
    wg_emit(f, WG_OP_CALL)->call = call;
    return true;
}

bool wg_build_call(struct wg_fn *f, const struct wg_ptx_instr *in) {
    struct parts p;
    const struct wg_ptx_signature *sig = NULL;
    struct wg_layout lay;
    struct wg_ir_call *call = WG_NEW(f->b->arena, struct wg_ir_call);
    if (!split(f, in, &p) || !find_callee(f, &p, call, &sig)) return false;
    if (calls_refused(f, &p, call)) return true;
    if (!wg_lay_out(f->b, sig, &lay)) return false;
    if (p.args->nelem != sig->nparams || p.rets->nelem != sig->nrets) {
        wg_ptx_error(f->b->src, p.target->off, "'%s' takes %u arguments and gives %u results, not %u and %u",
                     p.target->name->s, sig->nparams, sig->nrets, p.args->nelem, p.rets->nelem);
        return false;
    }
    call->arg_bytes = lay.arg_bytes;
    call->ret_offset = lay.ret_offset;
    call->bytes = lay.bytes;
    if (!build_args(f, &p, sig, &lay, call) || !build_rets(f, &p, sig, &lay, call)) return false;
    f->out->has_calls = true;
    if (call->func != WG_NO_REG && !f->b->func_src[call->func]->has_body)
        return wg_unsupported(
            f, "call of '%s': the device runtime, which launches kernels for kernels, lacks this function",
            p.target->name->s);
    wg_cparam_settle(f); /* what other calls' arguments need stands before this one */
    wg_emit(f, WG_OP_CALL)->call = call;
    return true;
}
