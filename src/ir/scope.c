/* What names mean: scopes as a stack of bindings on the names themselves. */
#include "ir/build.h"

#include <stdlib.h>
#include <string.h>

void wg_scope_open(struct wg_build *b, struct wg_scope *s) {
    *s = (struct wg_scope){.parent = b->scope, .depth = b->scope ? b->scope->depth + 1 : 0};
    b->scope = s;
}

void wg_scope_close(struct wg_build *b) {
    for (struct wg_binding *x = b->scope->bindings; x; x = x->sibling) x->name->binding = x->hidden;
    b->scope = b->scope->parent;
}

struct wg_binding *wg_bind(struct wg_build *b, struct wg_name *n, enum wg_bind kind, uint32_t off) {
    if (n->binding && n->binding->scope == b->scope) {
        wg_ptx_error(b->src, off, "'%s' is declared twice in one scope", n->s);
        return NULL;
    }
    struct wg_binding *x = WG_NEW(&b->scratch, struct wg_binding);
    x->kind = (uint8_t)kind;
    x->name = n;
    x->scope = b->scope;
    x->vec = 1;
    x->hidden = n->binding;
    x->sibling = b->scope->bindings;
    b->scope->bindings = x;
    n->binding = x;
    return x;
}

struct wg_binding *wg_lookup(const struct wg_name *n, uint32_t *number) {
    struct wg_binding *x = n->binding, *set = n->stem ? n->stem->binding : NULL;
    if (x && x->kind == WG_BIND_REGSET) x = NULL; /* %r itself is no register of %r<5> */
    while (set && (set->kind != WG_BIND_REGSET || n->number >= set->index)) set = set->hidden;
    if (!set || (x && x->scope->depth >= set->scope->depth)) return x;
    *number = n->number;
    return set;
}

uint32_t wg_new_reg(struct wg_fn *f, const char *name, uint8_t type) {
    uint32_t bits = wg_type_bits(type);
    struct wg_ir_reg *r = WG_PUSH(&f->regs);
    r->name = name;
    r->type = type;
    r->width = bits == 1 ? WG_W1 : bits <= 16 ? WG_W16 : bits == 32 ? WG_W32 : bits == 64 ? WG_W64 : WG_W128;
    return f->regs.n - 1;
}

/* The register behind %r57 of .reg %r<100>; made when it is first met. */
static uint32_t numbered_reg(struct wg_fn *f, struct wg_binding *set, const struct wg_name *n,
                             uint32_t number) {
    uint32_t **page = &set->pages[number / 256];
    if (!*page) *page = WG_NEW_N(&f->b->scratch, uint32_t, 256);
    uint32_t *slot = &(*page)[number % 256];
    if (!*slot) *slot = 1 + wg_new_reg(f, n->s, set->type);
    return *slot - 1;
}

static int element_of(const char *suffix) {
    static const char names[] = "xyzwrgba";
    const char *p = suffix[0] && !suffix[1] ? strchr(names, suffix[0]) : NULL;
    return p ? (int)(p - names) % 4 : -1;
}

static bool find_sreg(const struct wg_ptx_opd *o, uint32_t *out) {
    size_t n = o->name->len;
    for (uint32_t s = 0; s < WG_SR_COUNT; s++) {
        const char *full = wg_sreg_name(s);
        if (strncmp(full, o->name->s, n) != 0) continue;
        if (o->suffix ? full[n] == '.' && strcmp(full + n + 1, o->suffix->s) == 0 : !full[n]) {
            *out = s;
            return true;
        }
    }
    return false;
}

/* Special registers that PTX has and WG_SREGS has not. */
static bool is_other_sreg(const char *s) {
    static const char *const names[] = {"%pm", "%envreg", "%reserved_smem_offset_", "%current_graph_exec"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(s, names[i], strlen(names[i])) == 0) return true;
    return false;
}

/* An operand that nothing has declared. */
static void unknown_name(struct wg_fn *f, const struct wg_ptx_opd *o) {
    static const char *const vectors[] = {"%tid",       "%ntid",       "%ctaid",         "%nctaid",
                                          "%clusterid", "%nclusterid", "%cluster_ctaid", "%cluster_nctaid"};
    const char *s = o->name->s;
    for (size_t i = 0; !o->suffix && i < sizeof vectors / sizeof *vectors; i++)
        if (strcmp(s, vectors[i]) == 0) {
            wg_ptx_error(f->b->src, o->off, "'%s' is a vector: write %s.x, .y or .z", s, s);
            return;
        }
    if (is_other_sreg(s))
        wg_unsupported(f, "unsupported special register '%s'", s);
    else
        wg_ptx_error(f->b->src, o->off, s[0] == '%' ? "unknown register '%s%s%s'" : "unknown name '%s%s%s'",
                     s, o->suffix ? "." : "", o->suffix ? o->suffix->s : "");
}

static struct wg_ref register_ref(struct wg_fn *f, const struct wg_ptx_opd *o, struct wg_binding *x) {
    struct wg_ref r = {.kind = WG_REF_REG, .vec = x->vec, .index = x->index};
    if (!o->suffix) return r;
    int e = element_of(o->suffix->s);
    if (e < 0 || e >= x->vec || x->vec == 1) {
        wg_ptx_error(f->b->src, o->off, "'%s' has no element '.%s'", o->name->s, o->suffix->s);
        return (struct wg_ref){0};
    }
    return (struct wg_ref){.kind = WG_REF_REG, .vec = 1, .index = x->index + (uint32_t)e};
}

struct wg_ref wg_resolve(struct wg_fn *f, const struct wg_ptx_opd *o) {
    uint32_t number = 0;
    struct wg_binding *x = wg_lookup(o->name, &number);
    struct wg_ref r = {.vec = 1};
    if (!x && o->name->s[0] == '%' && find_sreg(o, &r.index)) {
        r.kind = WG_REF_SREG;
        return r;
    }
    if (!x) {
        unknown_name(f, o);
        return r;
    }
    switch ((enum wg_bind)x->kind) {
    case WG_BIND_REG: return register_ref(f, o, x);
    case WG_BIND_REGSET:
        r.kind = WG_REF_REG;
        r.index = numbered_reg(f, x, o->name, number);
        break;
    case WG_BIND_SYM:
        r.kind = WG_REF_SYM;
        r.index = x->index;
        break;
    case WG_BIND_CPARAM:
        r.kind = WG_REF_CPARAM;
        r.cparam = x->cparam;
        break;
    case WG_BIND_LABEL:
        r.kind = WG_REF_LABEL;
        r.label = x->label;
        break;
    }
    if (o->suffix) {
        wg_ptx_error(f->b->src, o->off, "'%s' has no element '.%s'", o->name->s, o->suffix->s);
        r.kind = WG_REF_NONE;
    }
    return r;
}
