/* Declarations: variables with their initialisers, registers, parameters, call prototypes. */
#include "ptx/parser.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *word;
    uint8_t space;
} spaces[] = {{"reg", WG_PS_REG},     {"sreg", WG_PS_SREG},     {"global", WG_PS_GLOBAL},
              {"const", WG_PS_CONST}, {"shared", WG_PS_SHARED}, {"local", WG_PS_LOCAL},
              {"param", WG_PS_PARAM}, {"tex", WG_PS_TEX}};
enum { NSPACES = sizeof spaces / sizeof *spaces };

bool wg_is_space(const struct wg_parser *p) {
    for (int i = 0; i < NSPACES; i++)
        if (wg_is_dot(p, spaces[i].word)) return true;
    return false;
}

static bool parse_align(struct wg_parser *p, uint32_t *align) {
    uint64_t n;
    uint32_t off = p->t.off;
    if (!wg_parse_count(p, 1u << 20, "an alignment", &n)) return false;
    if (!n || n & (n - 1)) {
        wg_ptx_error(p->src, off, "an alignment must be a power of two");
        return false;
    }
    *align = (uint32_t)n;
    return true;
}

/* .attribute(.managed, .unified(19, 95)) */
static bool parse_attributes(struct wg_parser *p, struct wg_ptx_var *v) {
    if (!wg_expect(p, '(', "after .attribute")) return false;
    do {
        if (wg_accept_dot(p, "managed"))
            v->managed = true;
        else if (wg_accept_dot(p, "unified")) {
            uint64_t id;
            if (!wg_expect(p, '(', "after .unified") || !wg_parse_count(p, UINT64_MAX, "an id", &id) ||
                !wg_expect(p, ',', "between two ids") || !wg_parse_count(p, UINT64_MAX, "an id", &id) ||
                !wg_expect(p, ')', "after two ids"))
                return false;
        } else
            return wg_parse_fail(p, "unknown attribute");
    } while (wg_accept(p, ','));
    return wg_expect(p, ')', "after the attributes");
}

/* .ptr .global .align 4: a promise about a parameter's value */
static bool parse_ptr(struct wg_parser *p, struct wg_ptx_var *v) {
    uint32_t align = 0;
    v->pointer = true;
    if (wg_is_space(p)) wg_advance(p);
    return !wg_accept_dot(p, "align") || parse_align(p, &align);
}

static uint8_t reference_of(struct wg_parser *p) {
    return wg_is_dot(p, "texref")       ? WG_REFERENCE_TEXTURE
           : wg_is_dot(p, "samplerref") ? WG_REFERENCE_SAMPLER
           : wg_is_dot(p, "surfref")    ? WG_REFERENCE_SURFACE
                                        : WG_REFERENCE_NONE;
}

static bool parse_type_word(struct wg_parser *p, struct wg_ptx_var *v) {
    uint32_t len;
    const char *w = wg_dot_word(p, &len);
    if (wg_is_dot(p, "v2") || wg_is_dot(p, "v4") || wg_is_dot(p, "v8"))
        v->vec = (uint8_t)(w[1] - '0');
    else if ((v->reference = reference_of(p)) != WG_REFERENCE_NONE) {
        v->type = WG_T_NONE;
        wg_advance(p);
        return true;
    } else if ((v->type = (uint8_t)wg_type_find(w, len)) == WG_T_NONE)
        return wg_parse_fail(p, "unknown type or word '.%.*s' in a declaration", (int)len, w);
    wg_advance(p);
    return true;
}

/* Everything up to the name. */
static bool parse_head(struct wg_parser *p, struct wg_ptx_var *v) {
    bool typed = false;
    for (int i = 0; i < NSPACES; i++)
        if (wg_is_dot(p, spaces[i].word)) v->space = spaces[i].space;
    wg_advance(p);
    if (v->space == WG_PS_CONST && wg_accept(p, '[')) { /* banks of PTX before 2.2 */
        uint64_t bank;
        if (!wg_parse_count(p, 10, "a bank of constant memory", &bank) ||
            !wg_expect(p, ']', "after the bank"))
            return false;
    }
    while (p->t.kind == WG_TK_DOT) {
        bool ok;
        if (wg_accept_dot(p, "align"))
            ok = parse_align(p, &v->align);
        else if (wg_accept_dot(p, "attribute"))
            ok = parse_attributes(p, v);
        else if (wg_accept_dot(p, "ptr"))
            ok = parse_ptr(p, v);
        else {
            ok = parse_type_word(p, v);
            typed = ok && (typed || v->type || v->vec == 1);
        }
        if (!ok) return false;
    }
    return typed || wg_parse_fail(p, "a declaration needs a type, as in '.u32'");
}

/* [2][3][] */
static bool parse_dims(struct wg_parser *p, struct wg_ptx_var *v) {
    while (wg_accept(p, '[')) {
        v->array = true;
        if (v->ndims == WG_PTX_MAX_DIMS)
            return wg_parse_fail(p, "more than %d array dimensions", WG_PTX_MAX_DIMS);
        if (p->t.kind == ']') {
            if (v->ndims) return wg_parse_fail(p, "only the first dimension may be left out");
            v->unsized = true;
            v->dims[v->ndims++] = 0;
        } else if (!wg_parse_count(p, 1ull << 40, "an array dimension", &v->dims[v->ndims++]))
            return false;
        if (!wg_expect(p, ']', "after an array dimension")) return false;
    }
    return true;
}

/* generic(sym + 4), sym + 4: behind `init->generic` and an optional mask */
static bool parse_address(struct wg_parser *p, struct wg_ptx_init *init) {
    bool any;
    int64_t plus = 0;
    init->symbol = true;
    if (p->t.kind == WG_TK_IDENT && strcmp(p->t.name->s, "generic") == 0 && wg_peek(p).kind == '(') {
        wg_advance(p);
        wg_advance(p);
        init->generic = true;
    }
    if (p->t.kind != WG_TK_IDENT) return wg_parse_fail(p, "expected the name of a variable or function");
    init->name = p->t.name;
    wg_advance(p);
    if (!wg_parse_addends(p, &any, &plus)) return false;
    init->addend = plus;
    if (init->generic) {
        if (!wg_expect(p, ')', "after generic(") || !wg_parse_addends(p, &any, &plus)) return false;
        init->addend = (int64_t)((uint64_t)init->addend + (uint64_t)plus);
    }
    return true;
}

static bool parse_init(struct wg_parser *p, struct wg_ptx_init *init);

static bool parse_init_list(struct wg_parser *p, struct wg_ptx_init *init) {
    WG_VEC(struct wg_ptx_init) elems = {0};
    init->list = true;
    bool ok = wg_deeper(p);
    while (ok && p->t.kind != '}') {
        struct wg_ptx_init e = {0};
        ok = parse_init(p, &e);
        if (!ok) break;
        *WG_PUSH(&elems) = e;
        if (!wg_accept(p, ',')) break;
    }
    ok = ok && wg_expect(p, '}', "after an initialiser's list");
    p->depth--;
    init->n = elems.n;
    init->elem = WG_NEW_N(p->arena, struct wg_ptx_init, elems.n);
    if (elems.n) memcpy(init->elem, elems.v, elems.n * sizeof *elems.v);
    free(elems.v);
    return ok;
}

static bool parse_init(struct wg_parser *p, struct wg_ptx_init *init) {
    init->off = p->t.off;
    if (wg_accept(p, '{')) return parse_init_list(p, init);
    if (p->t.kind == WG_TK_IDENT && strcmp(p->t.name->s, "WARP_SZ") != 0) return parse_address(p, init);
    if (p->t.kind == WG_TK_INT && wg_peek(p).kind == '(') { /* 0xff00(sym) */
        init->mask = p->t.bits;
        wg_advance(p);
        wg_advance(p);
        return parse_address(p, init) && wg_expect(p, ')', "after a masked address");
    }
    return wg_parse_constant(p, &init->value);
}

/* .global .samplerref s = { filter_mode = nearest, ... } */
static bool skip_braces(struct wg_parser *p) {
    uint32_t depth = 0;
    do {
        if (p->t.kind == WG_TK_EOF) return wg_parse_fail(p, "'}' is missing");
        if (p->t.kind == '{') depth++;
        if (p->t.kind == '}') depth--;
        wg_advance(p);
    } while (depth);
    return true;
}

/* Name, count or dimensions, initialiser. */
static bool parse_declarator(struct wg_parser *p, struct wg_ptx_var *v) {
    if (p->t.kind != WG_TK_IDENT) return wg_parse_fail(p, "expected a name in this declaration");
    v->name = p->t.name;
    v->off = p->t.off;
    v->line = p->t.line;
    wg_advance(p);
    if (p->t.kind == '<') {
        uint64_t n;
        wg_advance(p);
        /* A term: '>' closes the count here. */
        struct wg_ptx_value c;
        if (!wg_parse_term(p, &c)) return false;
        n = c.bits;
        if (c.kind != WG_V_INT || !n || n > 1u << 24)
            return wg_parse_fail(p, "the count of %s<> must be an integer from 1 to %u", v->name->s,
                                 1u << 24);
        v->count = (uint32_t)n;
        if (!wg_expect(p, '>', "after a count of names")) return false;
    }
    if (!parse_dims(p, v)) return false;
    if (!wg_accept(p, '=')) return true;
    if (v->type == WG_T_NONE) return p->t.kind == '{' ? skip_braces(p) : wg_parse_fail(p, "expected '{'");
    v->init = WG_NEW(p->arena, struct wg_ptx_init);
    return parse_init(p, v->init);
}

bool wg_parse_variables(struct wg_parser *p, struct wg_linkage link, wg_each_var *each) {
    struct wg_ptx_var head = {.vec = 1,
                              .external = link.external,
                              .visible = link.visible,
                              .weak = link.weak,
                              .common = link.common};
    if (!parse_head(p, &head)) return false;
    do {
        struct wg_ptx_var *v = WG_NEW(p->arena, struct wg_ptx_var);
        *v = head;
        if (!parse_declarator(p, v)) return false;
        each(p, v);
    } while (wg_accept(p, ','));
    return wg_expect(p, ';', "after a declaration");
}

/* ( .param .b32 a, .reg .b64 b ), or nothing */
bool wg_parse_params(struct wg_parser *p, struct wg_ptx_var **out, uint32_t *n) {
    WG_VEC(struct wg_ptx_var) vars = {0};
    bool ok = true;
    if (!wg_accept(p, '(')) return true;
    while (ok && p->t.kind != ')') {
        struct wg_ptx_var v = {.vec = 1};
        ok = wg_is_space(p) || wg_parse_fail(p, "expected '.param' or '.reg'");
        ok = ok && parse_head(p, &v) && parse_declarator(p, &v);
        if (ok && v.count) ok = wg_parse_fail(p, "a parameter cannot have a count such as <4>");
        if (ok) *WG_PUSH(&vars) = v;
        if (!ok || !wg_accept(p, ',')) break;
    }
    ok = ok && wg_expect(p, ')', "after the parameters");
    *n = vars.n;
    *out = WG_NEW_N(p->arena, struct wg_ptx_var, vars.n);
    if (vars.n) memcpy(*out, vars.v, vars.n * sizeof *vars.v);
    free(vars.v);
    return ok;
}

/* .callprototype (rets) _ (params) .noreturn; */
bool wg_parse_prototype(struct wg_parser *p, struct wg_ptx_signature *sig) {
    if (!wg_parse_params(p, &sig->rets, &sig->nrets)) return false;
    if (p->t.kind != WG_TK_IDENT) return wg_parse_fail(p, "expected '_' in a call prototype");
    wg_advance(p);
    if (!wg_parse_params(p, &sig->params, &sig->nparams)) return false;
    while (p->t.kind == WG_TK_DOT) { /* .noreturn, .abi_preserve 3, ... */
        if (wg_is_dot(p, "noreturn")) sig->noreturn = true;
        wg_advance(p);
        if (p->t.kind == WG_TK_INT) wg_advance(p);
    }
    return wg_expect(p, ';', "after a call prototype");
}
