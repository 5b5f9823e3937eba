/* The statements of a function's body: declarations, labels and the tables after them, .loc, scopes and instructions.
 * */
#include "ptx/parser.h"

#include <stdlib.h>
#include <string.h>

static struct wg_ptx_stmt *add_stmt(struct wg_parser *p, uint8_t kind, uint32_t off, uint32_t line) {
    struct wg_ptx_stmt *s = WG_PUSH(&p->stmts);
    s->kind = kind;
    s->off = off;
    s->line = line;
    return s;
}

static void add_var(struct wg_parser *p, struct wg_ptx_var *v) {
    add_stmt(p, WG_ST_VAR, v->off, v->line)->var = v;
}

static bool parse_number(struct wg_parser *p, uint32_t *out) {
    uint64_t n;
    if (!wg_parse_count(p, UINT32_MAX, "this number", &n)) return false;
    *out = (uint32_t)n;
    return true;
}

/* .loc 1 20 5, function_name $L__info_string0+4, inlined_at 1 30 2 */
static bool parse_loc(struct wg_parser *p, struct wg_ptx_loc *l) {
    if (!parse_number(p, &l->file) || !parse_number(p, &l->line) || !parse_number(p, &l->col)) return false;
    while (wg_accept(p, ',')) {
        if (p->t.kind != WG_TK_IDENT)
            return wg_parse_fail(p, "expected 'function_name' or 'inlined_at' in .loc");
        const char *word = p->t.name->s;
        wg_advance(p);
        if (strcmp(word, "inlined_at") == 0) {
            l->inlined = true;
            if (!parse_number(p, &l->at_file) || !parse_number(p, &l->at_line) ||
                !parse_number(p, &l->at_col))
                return false;
        } else {
            bool any;
            int64_t plus;
            if (p->t.kind != WG_TK_IDENT) return wg_parse_fail(p, "expected a label after function_name");
            l->function = p->t.name;
            wg_advance(p);
            if (!wg_parse_addends(p, &any, &plus)) return false;
            l->function_plus = (uint32_t)plus;
        }
    }
    return true;
}

/* One entry of a list of targets; name<5> stands for name0 ... name4. */
static bool parse_target(struct wg_parser *p, struct wg_ptx_opd_list *list) {
    struct wg_ptx_opd o = {.kind = WG_P_NAME, .off = p->t.off};
    if (p->t.kind != WG_TK_IDENT) return wg_parse_fail(p, "expected a name in this list");
    o.name = p->t.name;
    wg_advance(p);
    if (!wg_accept(p, '<')) {
        *WG_PUSH(list) = o;
        return true;
    }
    struct wg_name *stem = o.name;
    struct wg_ptx_value n;
    if (!wg_parse_term(p, &n)) return false;
    if (n.kind != WG_V_INT || n.bits > 65536)
        return wg_parse_fail(p, "the count of %s<> must be at most 65536", stem->s);
    for (uint32_t i = 0; i < n.bits; i++) {
        const char *s = wg_arena_printf(p->arena, "%s%u", stem->s, i);
        o.name = wg_name_intern(p->lx.names, s, (uint32_t)strlen(s));
        *WG_PUSH(list) = o;
    }
    return wg_expect(p, '>', "after a count of names");
}

/* .branchtargets a, b, c; .calltargets f, g; */
static bool parse_targets(struct wg_parser *p, struct wg_ptx_label *label) {
    struct wg_ptx_opd_list list = {0};
    bool ok;
    do ok = parse_target(p, &list);
    while (ok && wg_accept(p, ','));
    ok = ok && wg_expect(p, ';', "after a list of targets");
    wg_keep_operands(p, &list, &label->targets, &label->ntargets);
    return ok;
}

/* name: at the current token */
static bool parse_label(struct wg_parser *p) {
    struct wg_ptx_label *l = WG_NEW(p->arena, struct wg_ptx_label);
    l->name = p->t.name;
    l->off = p->t.off;
    uint32_t line = p->t.line;
    l->next = p->scope->labels;
    p->scope->labels = l;
    wg_advance(p);
    wg_advance(p);
    if (wg_accept_dot(p, "branchtargets") || wg_accept_dot(p, "calltargets")) {
        l->is_table = true;
        return parse_targets(p, l);
    }
    if (wg_accept_dot(p, "callprototype")) {
        l->is_table = true;
        l->prototype = WG_NEW(p->arena, struct wg_ptx_signature);
        return wg_parse_prototype(p, l->prototype);
    }
    add_stmt(p, WG_ST_LABEL, l->off, line)->label = l;
    return true;
}

static bool parse_directive(struct wg_parser *p) {
    uint32_t off = p->t.off, line = p->t.line;
    if (wg_accept_dot(p, "loc")) {
        struct wg_ptx_loc *l = WG_NEW(p->arena, struct wg_ptx_loc);
        add_stmt(p, WG_ST_LOC, off, line)->loc = l;
        return parse_loc(p, l);
    }
    if (wg_accept_dot(p, "pragma")) return wg_parse_pragma(p);
    if (wg_accept_dot(p, "file")) return wg_parse_file(p);
    struct wg_linkage link = {0};
    link.external = wg_accept_dot(p, "extern");
    if (wg_is_space(p)) return wg_parse_variables(p, link, add_var);
    uint32_t len;
    const char *w = wg_dot_word(p, &len);
    return wg_parse_fail(p, "unknown directive '.%.*s' in a function", (int)len, w);
}

static bool open_scope(struct wg_parser *p) {
    struct wg_ptx_scope *s = WG_NEW(p->arena, struct wg_ptx_scope);
    s->parent = p->scope;
    p->scope = s;
    add_stmt(p, WG_ST_OPEN, p->t.off, p->t.line)->scope = s;
    wg_advance(p);
    return wg_deeper(p);
}

static void close_scope(struct wg_parser *p) {
    add_stmt(p, WG_ST_CLOSE, p->t.off, p->t.line);
    p->scope = p->scope->parent;
    if (p->depth) p->depth--;
    wg_advance(p);
}

static bool parse_statement(struct wg_parser *p) {
    if (wg_accept(p, ';')) return true;
    if (p->t.kind == '{') return open_scope(p);
    if (p->t.kind == WG_TK_DOT) return parse_directive(p);
    if (p->t.kind == WG_TK_IDENT && wg_peek(p).kind == ':') return parse_label(p);
    struct wg_ptx_instr *i = WG_NEW(p->arena, struct wg_ptx_instr);
    struct wg_ptx_stmt *s = add_stmt(p, WG_ST_INSTR, p->t.off, p->t.line);
    s->instr = i;
    return wg_parse_instr(p, i);
}

static struct wg_ptx_loc *last_loc(const struct wg_parser *p) {
    for (uint32_t i = p->stmts.n; i-- > 0;)
        if (p->stmts.v[i].kind == WG_ST_LOC) return p->stmts.v[i].loc;
    return NULL;
}

bool wg_parse_body(struct wg_parser *p, struct wg_ptx_func *f) {
    p->stmts.n = 0;
    p->scope = &f->scope;
    while (p->t.kind != WG_TK_EOF && !wg_ptx_gave_up(p->src)) {
        if (p->t.kind == '}') {
            if (p->scope == &f->scope) break;
            close_scope(p);
            continue;
        }
        uint32_t depth = p->depth;
        if (!parse_statement(p)) {
            if (!f->refused_at) f->refused_at = last_loc(p);
            p->depth = depth;
            wg_recover(p);
        }
    }
    f->nstmts = p->stmts.n;
    f->stmts = WG_NEW_N(p->arena, struct wg_ptx_stmt, f->nstmts);
    if (f->nstmts) memcpy(f->stmts, p->stmts.v, f->nstmts * sizeof *f->stmts);
    p->depth = 0;
    return wg_expect(p, '}', "after the body of a function");
}
