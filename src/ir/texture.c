/* Texture and surface instructions: each becomes a call of a function that the headers' own code was compiled to
 * (device/textures.cu).
 *
 *     tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f5, %f6}];
 *     -> call (%f1, %f2), __wg_tex_2d_f32_2, (%rd1, %f5, %f6);         where nobody reads %f3 and %f4
 *
 * Each call has a function of its own, all of whose instructions stand where the instruction stood: what a profile
 * or a finding says of a texel's load, it says of the instruction. Which function it is is known when its caller is
 * complete.
 */
#include "ir/texture.h"
#include "ptx/parse.h"

#include <stdlib.h>
#include <string.h>

/* ---- The instruction's operands ----------------------------------------------------------------- */

/* What the brackets hold behind the object. */
struct coordinates {
    uint8_t layers, numbers; /* a layer's number, then coordinates */
};
static struct coordinates coordinates_of(const struct wg_match *m) {
    switch (m->mod[WG_MC_DIMS]) {
    case WG_M_d2: return (struct coordinates){0, 2};
    case WG_M_d3:
    case WG_M_cube: return (struct coordinates){0, 3};
    case WG_M_acube: return (struct coordinates){1, 3};
    case WG_M_a1d: return (struct coordinates){1, 1};
    case WG_M_a2d: return (struct coordinates){1, 2};
    default: return (struct coordinates){0, 1};
    }
}

static bool wrong(struct wg_fn *f, const struct wg_ptx_opd *o, const char *what) {
    wg_ptx_error(f->b->src, o->off, "%s", what);
    return false;
}

/* A vector's elements, or the operand itself. */
static const struct wg_ptx_opd *elements(const struct wg_ptx_opd *o, uint32_t *n) {
    *n = o->kind == WG_P_VECTOR ? o->nelem : 1;
    return o->kind == WG_P_VECTOR ? o->elem : o;
}

static bool add_argument(struct wg_fn *f, struct wg_texture_call *t, const struct wg_ptx_opd *o,
                         uint8_t type) {
    struct wg_ir_arg *a = &t->call->args[t->call->nargs];
    a->type = type;
    if (!wg_source(f, o, type, wg_type_bits(type), wg_type_bits(type) == 8, &a->value)) return false;
    t->call->nargs++;
    return true;
}

/* A reference by its name is the object whose description is that variable (driver/references.c). */
static bool add_reference(struct wg_fn *f, struct wg_texture_call *t, const struct wg_ptx_opd *o,
                          uint32_t sym) {
    uint8_t kind = f->b->syms.v[sym].reference;
    if (kind != WG_REFERENCE_TEXTURE && kind != WG_REFERENCE_SURFACE)
        return wrong(f, o, "this is neither a texture nor a surface");
    uint32_t address = wg_new_reg(f, o->name->s, WG_T_B64);
    wg_emit_mov(f, address, (struct wg_ir_opd){.kind = WG_O_SYM, .index = sym, .imm = (uint64_t)o->plus});
    t->call->args[t->call->nargs++] =
        (struct wg_ir_arg){.type = WG_T_B64, .value = {.kind = WG_O_REG, .index = address}};
    return true;
}

static bool add_object(struct wg_fn *f, struct wg_texture_call *t, const struct wg_ptx_opd *o) {
    struct wg_binding *x = o->kind == WG_P_NAME ? o->name->binding : NULL;
    return x && x->kind == WG_BIND_SYM ? add_reference(f, t, o, x->index) : add_argument(f, t, o, WG_T_B64);
}

/* [object, {layer, x, y, nothing}] */
static bool add_place(struct wg_fn *f, struct wg_texture_call *t, const struct wg_ptx_opd *o,
                      struct coordinates c, uint8_t type) {
    uint32_t n, wanted = c.layers + c.numbers;
    if (o->kind != WG_P_ADDRESS) return wrong(f, o, "expected [object, coordinates]");
    if (o->nelem == 3) return wg_unsupported(f, "unsupported access to a texture with a sampler of its own");
    if (o->nelem != 2) return wrong(f, o, "expected [object, coordinates]");
    const struct wg_ptx_opd *at = elements(&o->elem[1], &n);
    if (n != wanted && !(wanted == 3 && n == 4))
        return wrong(f, &o->elem[1], "this geometry has other coordinates");
    if (!add_object(f, t, &o->elem[0])) return false;
    for (uint32_t i = 0; i < wanted; i++)
        if (!add_argument(f, t, &at[i], i < c.layers ? WG_T_U32 : type)) return false;
    return true;
}

/* `n` registers, each of which may be left out. Their offsets are their numbers until their place is known. */
static bool add_results(struct wg_fn *f, struct wg_texture_call *t, const struct wg_ptx_opd *o, uint32_t n,
                        uint8_t type) {
    uint32_t have, bits = wg_type_bits(type);
    bool narrow = bits < 32;
    const struct wg_ptx_opd *to = elements(o, &have);
    if (have != n) return wrong(f, o, "the vector has another size than the instruction says");
    for (uint32_t i = 0; i < n; i++) {
        struct wg_ir_arg *r = &t->call->rets[t->call->nrets];
        if (to[i].kind == WG_P_SINK) continue;
        *r = (struct wg_ir_arg){.type = type, .offset = i};
        if (!wg_dest(f, &to[i], bits, narrow, false, &r->value)) return false;
        if (narrow && f->regs.v[r->value.index].width != WG_W16)
            return wg_unsupported(f, "unsupported instruction 'suld' of 8 or 16 bits into wider registers");
        wg_cparam_protect(f, &r->value, 1);
        t->call->nrets++;
    }
    return true;
}

/* ---- One kind of instruction each ---------------------------------------------------------------- */

static const char *sample_type(uint8_t type) { return type == WG_T_F32 ? "f32" : "b32"; }

static bool build_sample(struct wg_fn *f, const struct wg_ptx_instr *in, struct wg_texture_call *t) {
    const struct wg_match *m = &in->match;
    bool texel = m->op == WG_OP_TEX_FETCH, gathers = m->op == WG_OP_TLD4;
    uint8_t lod = m->mod[WG_MC_NUMBER];
    uint32_t operands = lod == WG_M_grad ? 4 : lod == WG_M_level ? 3 : 2;
    const struct wg_ptx_opd *to = &in->opd[0];
    if (in->nopd > operands)
        return wg_unsupported(f, "unsupported instruction '%s' with offsets or a depth to compare with",
                              in->opcode->s);
    if (in->nopd < operands) {
        wg_ptx_error(f->b->src, f->off, "'%s' takes %u operands here, not %u", in->opcode->s, operands,
                     in->nopd);
        return false;
    }
    t->most = 4;
    t->name = gathers ? wg_arena_printf(f->b->arena, "__wg_tld4_%s_%s", wg_mod_name(m->mod[WG_MC_MATRIX]),
                                        sample_type(m->type))
                      : wg_arena_printf(f->b->arena, "__wg_%s_%s_%s", texel ? "fetch" : "tex",
                                        wg_mod_name(m->mod[WG_MC_DIMS]), sample_type(m->type));
    t->whole = gathers;
    return add_place(f, t, &in->opd[1], coordinates_of(m), m->type2) && add_results(f, t, to, 4, m->type);
}

static bool build_surface(struct wg_fn *f, const struct wg_ptx_instr *in, struct wg_texture_call *t) {
    const struct wg_match *m = &in->match;
    uint8_t vec = m->mod[WG_MC_VEC];
    uint32_t n = vec == WG_M_v4 ? 4 : vec == WG_M_v2 ? 2 : 1, have;
    bool load = m->op == WG_OP_SULD;
    if (n * wg_type_bits(m->type) > 128) return wrong(f, in->opd, "a vector has at most 128 bits");
    if (in->nopd != 2) return wrong(f, in->opd, "a surface's address and a value are needed");
    t->most = n;
    t->whole = true;
    t->name = wg_arena_printf(f->b->arena, "__wg_%s_%s_%s_%s", in->opcode->s, wg_mod_name(m->mod[WG_MC_DIMS]),
                              wg_type_name(m->type), wg_mod_name(m->mod[WG_MC_CLAMP]));
    if (!add_place(f, t, &in->opd[load ? 1 : 0], coordinates_of(m), WG_T_U32)) return false;
    if (load) return add_results(f, t, &in->opd[0], n, m->type);
    const struct wg_ptx_opd *from = elements(&in->opd[1], &have);
    if (have != n) return wrong(f, &in->opd[1], "the vector has another size than the instruction says");
    t->first_value = t->call->nargs;
    for (uint32_t i = 0; i < n; i++)
        if (!add_argument(f, t, &from[i], m->type)) return false;
    return true;
}

static bool build_query(struct wg_fn *f, const struct wg_ptx_instr *in, struct wg_texture_call *t) {
    if (in->nopd != 2 || in->opd[1].kind != WG_P_ADDRESS || in->opd[1].nelem != 1)
        return wrong(f, in->opd, "a query is written 'd, [object]'");
    t->most = 1;
    t->whole = true;
    t->name = wg_arena_printf(f->b->arena, "__wg_query_%s_b32", wg_mod_name(in->match.mod[WG_MC_AOP]));
    return add_object(f, t, &in->opd[1].elem[0]) && add_results(f, t, &in->opd[0], 1, WG_T_B32);
}

bool wg_build_texture(struct wg_fn *f, const struct wg_ptx_instr *in, struct wg_ir_instr *unused) {
    enum { MOST_ARGUMENTS = 8, MOST_RESULTS = 4 };
    struct wg_texture_call t = {.call = WG_NEW(f->b->arena, struct wg_ir_call),
                                .first_value = MOST_ARGUMENTS};
    (void)unused;
    if (!wg_texture_library_there())
        return wg_unsupported(f,
                              "unsupported instruction '%s': Warpglass was built without clang, and so "
                              "without textures for PTX",
                              in->opcode->s);
    t.call->args = WG_NEW_N(f->b->arena, struct wg_ir_arg, MOST_ARGUMENTS);
    t.call->rets = WG_NEW_N(f->b->arena, struct wg_ir_arg, MOST_RESULTS);
    t.call->func = WG_NO_REG;
    t.loc = f->loc;
    t.line = f->line;
    bool ok = in->match.op == WG_OP_TXQ || in->match.op == WG_OP_SUQ     ? build_query(f, in, &t)
              : in->match.op == WG_OP_SULD || in->match.op == WG_OP_SUST ? build_surface(f, in, &t)
                                                                         : build_sample(f, in, &t);
    if (!ok) return false;
    f->out->has_calls = true;
    wg_cparam_settle(f);
    wg_emit(f, WG_OP_CALL)->call = t.call;
    *WG_PUSH(&f->textures) = t;
    return true;
}

/* ---- The functions that are called --------------------------------------------------------------- */

static void note(const struct wg_ir_opd *o, bool *read) {
    if (o->kind == WG_O_REG) read[o->index] = true;
}

/* Registers that an instruction of the function reads. */
static void find_read(const struct wg_fn *f, bool *read) {
    for (uint32_t i = 0; i < f->instrs.n; i++) {
        const struct wg_ir_instr *in = &f->instrs.v[i];
        for (uint32_t s = 0; s < in->nsrc; s++) note(&in->src[s], read);
        if (in->op != WG_OP_CALL) continue;
        note(&in->call->target, read);
        for (uint32_t s = 0; s < in->call->nargs; s++) note(&in->call->args[s].value, read);
    }
    for (uint32_t i = 0; i < f->reg_rets.n; i++) note(&f->reg_rets.v[i], read);
    for (uint32_t i = 0; i < f->blocks.n; i++)
        if (f->blocks.v[i].cond != WG_NO_REG && f->blocks.v[i].nsucc > 1) read[f->blocks.v[i].cond] = true;
}

/* How many of the values are asked for: the others are neither loaded nor set. */
static uint32_t values_wanted(const struct wg_texture_call *t, const bool *read) {
    uint32_t n = 1;
    if (t->whole) return t->most;
    for (uint32_t i = 0; i < t->call->nrets; i++)
        if (read[t->call->rets[i].value.index]) n = t->call->rets[i].offset + 1;
    return n;
}

static void place_call(struct wg_fn *f, const struct wg_texture_call *t, const struct wg_ptx_func *callee,
                       uint32_t values) {
    struct wg_ir_call *c = t->call;
    struct wg_layout lay;
    wg_lay_out(f->b, &callee->sig, &lay);
    for (uint32_t i = 0; i < c->nargs; i++)
        c->args[i].offset = i < t->first_value ? lay.param[i]
                                               : lay.param[t->first_value] +
                                                     (i - t->first_value) * wg_type_bits(c->args[i].type) / 8;
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->nrets; i++) {
        if (c->rets[i].offset >= values) continue;
        c->rets[n] = c->rets[i];
        c->rets[n].offset = lay.ret[0] + c->rets[i].offset * wg_type_bits(c->rets[i].type) / 8;
        n++;
    }
    c->nrets = n;
    c->arg_bytes = lay.arg_bytes;
    c->ret_offset = lay.ret_offset;
    c->bytes = lay.bytes;
}

void wg_textures_settle(struct wg_fn *f) {
    struct wg_build *b = f->b;
    if (!f->textures.n) return;
    bool *read = WG_NEW_N(&b->scratch, bool, f->regs.n);
    find_read(f, read);
    for (uint32_t i = 0; i < f->textures.n; i++) {
        struct wg_texture_call *t = &f->textures.v[i];
        uint32_t values = values_wanted(t, read);
        struct wg_texture_function *made = WG_NEW(&b->scratch, struct wg_texture_function);
        const char *name = wg_arena_printf(b->arena, "%s_%u", t->name, values);
        wg_texture_library_parse(b, name, made);
        made->loc = t->loc;
        made->line = t->line;
        place_call(f, t, made->func, values);
        t->call->func = wg_add_func(b, made->func);
        b->m->funcs[t->call->func].within = f->out->name;
        *WG_PUSH(&b->textures) = made;
        *WG_PUSH(&b->uses[f->index].calls) = t->call->func;
    }
}

const struct wg_texture_function *wg_texture_function_at(const struct wg_build *b, uint32_t index) {
    uint32_t first = b->m->nfuncs - b->textures.n;
    return index < first ? NULL : b->textures.v[index - first];
}
