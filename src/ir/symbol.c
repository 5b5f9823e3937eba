/* Variables and functions of the module as symbols: sizes, alignment, offsets of parameters. */
#include "ir/build.h"

#include <stdlib.h>
#include <string.h>

static const uint64_t MAX_VAR = 1ull << 47;
enum { MAX_PARAM_BYTES = 32764, MAX_LOCAL_BYTES = 512 * 1024, MAX_SHARED_VAR = 1 << 30 };

static uint64_t align_up(uint64_t n, uint64_t align) { return (n + align - 1) & ~(align - 1); }

bool wg_var_size(struct wg_build *b, const struct wg_ptx_var *v, uint64_t *size, uint32_t *align) {
    /* A texture or surface is what an object's name points to, and as a parameter that name. */
    uint64_t named = v->space == WG_PS_PARAM ? 8 : WG_REFERENCE_BYTES;
    uint64_t element = v->type ? (wg_type_bits(v->type) + 7) / 8 * v->vec : named, n = element;
    bool overflow = false;
    for (int i = 0; i < v->ndims; i++) overflow |= __builtin_mul_overflow(n, v->dims[i], &n);
    if (overflow || n > MAX_VAR) {
        wg_ptx_error(b->src, v->off, "'%s' is larger than any device's memory", v->name->s);
        return false;
    }
    *size = n;
    *align = v->align ? v->align : element ? (uint32_t)element : 1;
    if (*align & (*align - 1)) *align = 16;
    return true;
}

static struct wg_ir_sym *new_sym(struct wg_build *b, struct wg_name *name, uint32_t *index) {
    *index = b->syms.n;
    struct wg_ir_sym *s = WG_PUSH(&b->syms);
    s->name = name->s;
    s->func = WG_NO_REG;
    return s;
}

/* A second declaration of a module's variable: the definition wins. NULL if there is none. */
static struct wg_ir_sym *declared_before(struct wg_build *b, const struct wg_ptx_var *v, struct wg_fn *f,
                                         uint32_t *index) {
    struct wg_binding *x = v->name->binding;
    if (f || !x || x->kind != WG_BIND_SYM) return NULL;
    struct wg_ir_sym *s = &b->syms.v[x->index];
    if (s->kind == WG_SYM_FUNC || !(s->external || v->external)) return NULL;
    *index = x->index;
    return s;
}

/* The driver gives each variable in global memory a place of its own, wherever ptxas had put it: on an H200, of arrays and
 * texts that lie side by side in the cubin none shares a sector with the one before it, or begins within a line. */
enum { APART = 256 };

static bool place_global(struct wg_build *b, const struct wg_ptx_var *v, struct wg_ir_sym *s) {
    uint64_t *end = s->space == WG_S_CONST ? &b->m->const_bytes : &b->m->global_bytes;
    if (s->external) return true;
    s->offset = align_up(*end, s->space == WG_S_CONST || s->align > APART ? s->align : APART);
    if (s->offset + s->size > MAX_VAR) {
        wg_ptx_error(b->src, v->off, "the module's variables are larger than any device's memory");
        s->size = 0;
        return false;
    }
    bool good = !v->init || wg_build_init(b, v, s); /* which gives x[] its size */
    *end = s->offset + s->size;
    return good;
}

static bool place_shared(struct wg_build *b, const struct wg_ptx_var *v, struct wg_ir_sym *s) {
    s->kind = s->external || v->unsized ? WG_SYM_DYNSHARED : WG_SYM_SHARED;
    s->space = WG_S_SHARED;
    if (s->size <= MAX_SHARED_VAR) return true;
    wg_ptx_error(b->src, v->off, "'%s' is larger than any shared memory", s->name);
    return false;
}

static bool place_local(struct wg_build *b, const struct wg_ptx_var *v, struct wg_fn *f,
                        struct wg_ir_sym *s) {
    s->kind = WG_SYM_LOCAL;
    s->space = WG_S_LOCAL;
    if (!f) {
        wg_ptx_error(b->src, v->off, "a .local variable outside a function is not supported");
        return false;
    }
    s->offset = align_up(f->out->local_bytes, s->align);
    if (s->align > f->out->local_align) f->out->local_align = s->align;
    if (s->offset + s->size > MAX_LOCAL_BYTES) {
        wg_ptx_error(b->src, v->off,
                     "the function's .local variables are larger than the 512 KiB a thread has");
        return false;
    }
    f->out->local_bytes = (uint32_t)(s->offset + s->size);
    return true;
}

uint32_t wg_add_var(struct wg_build *b, const struct wg_ptx_var *v, struct wg_fn *f) {
    uint64_t size;
    uint32_t align, index;
    if (!wg_var_size(b, v, &size, &align)) return WG_NO_REG;
    if (v->unsized && !v->external && v->space != WG_PS_SHARED && !v->init) {
        wg_ptx_error(b->src, v->off, "the size of '%s' is missing", v->name->s);
        return WG_NO_REG;
    }
    struct wg_ir_sym *s = declared_before(b, v, f, &index);
    bool again = s != NULL;
    if (again && v->external) return index;
    if (!again) {
        struct wg_binding *x = wg_bind(b, v->name, WG_BIND_SYM, v->off);
        if (!x) return WG_NO_REG;
        s = new_sym(b, v->name, &index);
        x->index = index;
    }
    s->size = size;
    s->align = align;
    s->external = v->external;
    s->visible = v->visible;
    s->managed = v->managed;
    s->reference = v->reference;
    s->kind = WG_SYM_GLOBAL;
    s->space = v->space == WG_PS_CONST ? WG_S_CONST : WG_S_GLOBAL;
    bool ok = v->space == WG_PS_SHARED  ? place_shared(b, v, s)
              : v->space == WG_PS_LOCAL ? place_local(b, v, f, s)
                                        : place_global(b, v, s);
    return ok ? index : WG_NO_REG;
}

void wg_build_module_vars(struct wg_build *b) {
    for (uint32_t i = 0; i < b->tree->vars.n && !wg_ptx_gave_up(b->src); i++) {
        const struct wg_ptx_var *v = b->tree->vars.v[i];
        if (v->space == WG_PS_REG || v->space == WG_PS_SREG || v->space == WG_PS_PARAM) {
            wg_ptx_error(b->src, v->off, "'%s': registers and parameters are declared inside functions",
                         v->name->s);
            continue;
        }
        wg_add_var(b, v, NULL);
    }
}

/* ---- parameters ---- */

static bool lay_out_list(struct wg_build *b, struct wg_ptx_var *v, uint32_t n, uint32_t *offset,
                         uint32_t *end) {
    uint64_t at = *end;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t size;
        uint32_t align;
        if (!wg_var_size(b, &v[i], &size, &align)) return false;
        at = align_up(at, align);
        offset[i] = (uint32_t)at;
        at += size;
        if (at > MAX_PARAM_BYTES) {
            wg_ptx_error(b->src, v[i].off, "the parameters are larger than the %d bytes that PTX allows",
                         MAX_PARAM_BYTES);
            return false;
        }
    }
    *end = (uint32_t)at;
    return true;
}

bool wg_lay_out(struct wg_build *b, const struct wg_ptx_signature *sig, struct wg_layout *out) {
    *out = (struct wg_layout){.param = WG_NEW_N(&b->scratch, uint32_t, sig->nparams),
                              .ret = WG_NEW_N(&b->scratch, uint32_t, sig->nrets)};
    if (!lay_out_list(b, sig->params, sig->nparams, out->param, &out->arg_bytes)) return false;
    out->bytes = out->ret_offset = (uint32_t)align_up(out->arg_bytes, 16);
    if (!lay_out_list(b, sig->rets, sig->nrets, out->ret, &out->bytes)) return false;
    out->bytes = (uint32_t)align_up(out->bytes, 16);
    return true;
}

/* ---- functions ---- */

static void declare_func(struct wg_build *b, struct wg_ptx_func *f) {
    struct wg_ir_module *m = b->m;
    struct wg_binding *x = f->name->binding;
    if (x) {
        struct wg_ir_sym *s = &b->syms.v[x->index];
        struct wg_ptx_func *before = b->func_src[s->func];
        if (before->has_body && f->has_body) {
            wg_ptx_error(b->src, f->off, "'%s' is defined twice", f->name->s);
            return;
        }
        if (f->has_body) b->func_src[s->func] = f;
        return;
    }
    x = wg_bind(b, f->name, WG_BIND_SYM, f->off);
    uint32_t index = m->nfuncs++;
    b->func_src[index] = f;
    struct wg_ir_sym *s = new_sym(b, f->name, &x->index);
    s->kind = WG_SYM_FUNC;
    s->space = WG_S_GENERIC;
    s->align = 1;
    s->func = index;
}

static struct wg_ir_sym *func_symbol(struct wg_build *b, struct wg_name *n, uint32_t off) {
    if (n->binding && n->binding->kind == WG_BIND_SYM && b->syms.v[n->binding->index].kind == WG_SYM_FUNC)
        return &b->syms.v[n->binding->index];
    wg_ptx_error(b->src, off, "'%s' is not a function of this module", n->s);
    return NULL;
}

/* Another name of a function: calls of the alias go to its target. */
static void resolve_alias(struct wg_build *b, const struct wg_ptx_alias *a) {
    struct wg_ir_sym *s = func_symbol(b, a->name, a->off), *t = func_symbol(b, a->target, a->off);
    if (s && t) s->func = t->func;
}

static struct wg_ir_param *make_params(struct wg_build *b, const struct wg_ptx_var *v, uint32_t n,
                                       const uint32_t *offset) {
    struct wg_ir_param *p = WG_NEW_N(b->arena, struct wg_ir_param, n);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t size = 0;
        wg_var_size(b, &v[i], &size, &p[i].align);
        p[i].name = v[i].name->s;
        p[i].offset = offset[i];
        p[i].size = (uint32_t)size;
        p[i].pointer = v[i].pointer;
    }
    return p;
}

/* A function whose parameters have no place is refused, if it is one with a body. */
static bool lay_out_apart(struct wg_build *b, struct wg_ptx_func *s, struct wg_layout *lay) {
    struct wg_ptx_aside aside;
    if (!s->has_body) return wg_lay_out(b, &s->sig, lay);
    wg_ptx_aside_begin(b->src, &aside);
    bool ok = wg_lay_out(b, &s->sig, lay);
    const char *said = wg_ptx_aside_end(b->src, &aside, &b->scratch);
    if (!s->refused) s->refused = said;
    return ok;
}

static void fill_func(struct wg_build *b, uint32_t index) {
    const struct wg_ptx_func *s = b->func_src[index];
    struct wg_ir_func *f = &b->m->funcs[index];
    struct wg_layout lay;
    f->name = s->name->s;
    f->entry = s->entry;
    f->visible = s->visible;
    f->ptx_line = s->line;
    f->local_align = 1;
    f->noreturn = s->sig.noreturn;
    f->minnctapersm = s->minnctapersm;
    f->maxnreg = s->maxnreg;
    f->maxclusterrank = s->maxclusterrank;
    f->explicit_cluster = s->explicit_cluster || s->reqnctapercluster[0];
    memcpy(f->maxntid, s->maxntid, sizeof f->maxntid);
    memcpy(f->reqntid, s->reqntid, sizeof f->reqntid);
    memcpy(f->reqnctapercluster, s->reqnctapercluster, sizeof f->reqnctapercluster);
    if (!lay_out_apart(b, b->func_src[index], &lay)) return;
    f->nparams = s->sig.nparams;
    f->params = make_params(b, s->sig.params, s->sig.nparams, lay.param);
    f->nrets = s->sig.nrets;
    f->rets = make_params(b, s->sig.rets, s->sig.nrets, lay.ret);
    f->param_bytes = lay.arg_bytes;
    f->ret_offset = lay.ret_offset;
    f->frame_bytes = lay.bytes;
}

void wg_build_funcs_declared(struct wg_build *b) {
    uint32_t n = b->tree->funcs.n, room = n + b->tree->ntextures;
    b->func_src = WG_NEW_N(&b->scratch, struct wg_ptx_func *, room);
    b->uses = WG_NEW_N(&b->scratch, struct wg_uses, room);
    for (uint32_t i = 0; i < n; i++) declare_func(b, b->tree->funcs.v[i]);
    b->m->funcs = WG_NEW_N(b->arena, struct wg_ir_func, b->m->nfuncs + b->tree->ntextures);
    for (uint32_t i = 0; i < b->m->nfuncs; i++) fill_func(b, i);
    for (uint32_t i = 0; i < b->tree->aliases.n; i++) resolve_alias(b, &b->tree->aliases.v[i]);
    for (uint32_t i = 0; i < b->syms.n; i++) {
        struct wg_ir_sym *s = &b->syms.v[i];
        const struct wg_ptx_func *f = b->func_src[s->func];
        s->external = !f->has_body;
        s->visible = f->visible;
    }
}

uint32_t wg_add_func(struct wg_build *b, struct wg_ptx_func *f) {
    uint32_t index = b->m->nfuncs++;
    b->func_src[index] = f;
    fill_func(b, index);
    return index;
}
