/* Modules and what is in them: version, target, variables, functions' heads. See parse.h. */
#include "ptx/parser.h"
#include "ptx/cluster_tag.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- functions ---- */

/* .maxntid 16, 16, 1 */
static bool parse_triple(struct wg_parser *p, uint32_t out[3]) {
    out[0] = out[1] = out[2] = 1;
    for (int i = 0; i < 3; i++) {
        uint64_t n;
        if (!wg_parse_count(p, INT32_MAX, "a dimension", &n)) return false;
        out[i] = (uint32_t)n;
        if (i == 2 || !wg_accept(p, ',')) break;
    }
    return true;
}

static bool parse_one(struct wg_parser *p, uint32_t *out) {
    uint64_t n;
    if (!wg_parse_count(p, INT32_MAX, "this limit", &n)) return false;
    *out = (uint32_t)n;
    return true;
}

/* One directive between a function's parameters and its body. */
static bool parse_tuning(struct wg_parser *p, struct wg_ptx_func *f) {
    uint32_t ignored;
    if (wg_accept_dot(p, "maxntid")) return parse_triple(p, f->maxntid);
    if (wg_accept_dot(p, "reqntid")) return parse_triple(p, f->reqntid);
    if (wg_accept_dot(p, "minnctapersm")) return parse_one(p, &f->minnctapersm);
    if (wg_accept_dot(p, "maxnctapersm")) return parse_one(p, &ignored);
    if (wg_accept_dot(p, "maxnreg")) return parse_one(p, &f->maxnreg);
    if (wg_accept_dot(p, "reqnctapercluster")) return parse_triple(p, f->reqnctapercluster);
    if (wg_accept_dot(p, "maxclusterrank")) return parse_one(p, &f->maxclusterrank);
    if (wg_accept_dot(p, "explicitcluster")) return f->explicit_cluster = true;
    if (wg_accept_dot(p, "noreturn")) return f->sig.noreturn = true;
    if (wg_accept_dot(p, "blocksareclusters") || wg_accept_dot(p, "unique")) return true;
    if (wg_accept_dot(p, "abi_preserve") || wg_accept_dot(p, "abi_preserve_control"))
        return parse_one(p, &ignored);
    if (wg_accept_dot(p, "pragma")) return wg_parse_pragma(p);
    uint32_t len;
    const char *w = wg_dot_word(p, &len);
    return wg_parse_fail(p, "unknown directive '.%.*s' at a function", (int)len, w);
}

/* The dimensions in the name of an entry, as __cluster_dims__ of device/ puts them there: see cluster_tag.h.
 */
static bool take_cluster_tag(struct wg_parser *p, struct wg_ptx_func *f) {
    struct wg_cluster_tag tag;
    if (!f->entry || !wg_cluster_tag_find(p->src->text + p->t.off, p->t.len, &tag)) return true;
    memcpy(f->reqnctapercluster, tag.dims, sizeof tag.dims);
    if (tag.dims[0]) return true;
    return wg_parse_fail(p,
                         "the cluster dimensions of '%s' are not numbers: __cluster_dims__ takes numbers "
                         "from 1 up, or macros that expand to them",
                         f->name->s);
}

/* .attribute(.unified(1, 2)) */
static bool skip_attribute(struct wg_parser *p) {
    uint32_t depth = 0;
    if (!wg_accept_dot(p, "attribute")) return true;
    do {
        if (p->t.kind == '(')
            depth++;
        else if (p->t.kind == ')')
            depth--;
        else if (p->t.kind == WG_TK_EOF || !depth)
            return wg_parse_fail(p, "expected '(' after .attribute");
        wg_advance(p);
    } while (depth);
    return true;
}

/* What stands behind a function's name. */
static bool parse_rest(struct wg_parser *p, struct wg_ptx_func *f) {
    if (!take_cluster_tag(p, f)) return false;
    wg_advance(p);
    if (!wg_parse_params(p, &f->sig.params, &f->sig.nparams)) return false;
    while (p->t.kind == WG_TK_DOT)
        if (!parse_tuning(p, f)) return false;
    if (wg_accept(p, ';')) return true;
    if (!wg_expect(p, '{', "before a function's body")) return false;
    f->has_body = true;
    return wg_parse_body(p, f);
}

/* At .entry or .func, with or without a linkage word before it, which no body has. */
static bool begins_function(const struct wg_parser *p) {
    struct wg_parser next = *p;
    if (wg_is_dot(p, "visible") || wg_is_dot(p, "weak")) next.t = wg_peek(p);
    return wg_is_dot(&next, "entry") || wg_is_dot(&next, "func");
}

/* From a refused function's name to behind its body, where the next begins or the file ends: braces are
 * counted, whatever else stands there. True: there is such a place. */
static bool skip_func(struct wg_parser *p, struct wg_ptx_func *f) {
    uint32_t depth = 0, errors = p->src->errors;
    p->src->errors = WG_PTX_MAX_ERRORS; /* what is no token in there has been said */
    do {
        wg_advance(p);
        if (p->t.kind == '{' && ++depth) f->has_body = true;
        if (p->t.kind == '}' && depth) depth--;
    } while (p->t.kind != WG_TK_EOF && !begins_function(p) &&
             (depth || (p->t.kind != '}' && p->t.kind != ';')));
    p->src->errors = errors;
    if (p->t.kind == WG_TK_EOF) return false;
    if (!begins_function(p)) wg_advance(p);
    return true;
}

static bool parse_func(struct wg_parser *p, struct wg_ptx_func *f) {
    if (!skip_attribute(p)) return false;
    while (wg_accept_dot(p, "noreturn")) f->sig.noreturn = true;
    if (!f->entry && !wg_parse_params(p, &f->sig.rets, &f->sig.nrets)) return false;
    if (p->t.kind != WG_TK_IDENT) return wg_parse_fail(p, "expected the name of a function");
    f->name = p->t.name;
    f->off = p->t.off;
    f->line = p->t.line;
    struct wg_ptx_aside aside;
    struct wg_lexer behind_name = p->lx;
    struct wg_token name = p->t;
    wg_ptx_aside_begin(p->src, &aside);
    bool ok = parse_rest(p, f);
    f->refused = wg_ptx_aside_end(p->src, &aside, p->arena);
    if (!f->refused) return ok;
    p->lx = behind_name;
    p->t = name;
    p->depth = 0;
    if (skip_func(p, f) && f->has_body) return true;
    /* The text ends in it, and nobody knows what else is missing; or nothing runs that could say it. */
    wg_ptx_repeat(p->src, f->refused);
    return false;
}

/* ---- the module ---- */

static bool parse_version(struct wg_parser *p) {
    double v;
    if (p->t.kind != WG_TK_F64) return wg_parse_fail(p, "expected a version like 7.8 after .version");
    memcpy(&v, &p->t.bits, sizeof v);
    p->out->version = v > 0 && v < 1000 ? (uint32_t)(v * 10 + 0.5) : 0;
    wg_advance(p);
    return true;
}

uint32_t wg_ptx_version(const char *text, uint32_t len) {
    struct wg_arena arena = {0};
    struct wg_names names = {.arena = &arena};
    struct wg_ptx_text src = {.name = "", .text = text, .len = len, .errors = WG_PTX_MAX_ERRORS};
    struct wg_ptx_module m = {0};
    struct wg_parser p = {
        .src = &src, .arena = &arena, .out = &m, .lx = {.src = &src, .names = &names, .line = 1}};
    wg_advance(&p);
    if (wg_accept_dot(&p, "version")) parse_version(&p);
    wg_names_free(&names);
    wg_arena_free(&arena);
    return m.version;
}

static bool parse_target(struct wg_parser *p) {
    do {
        if (p->t.kind != WG_TK_IDENT) return wg_parse_fail(p, "expected a target like sm_90 after .target");
        const char *s = p->t.name->s;
        if (strncmp(s, "sm_", 3) == 0 || strncmp(s, "compute_", 8) == 0) {
            char *end;
            unsigned long sm = strtoul(strchr(s, '_') + 1, &end, 10);
            if (!sm || sm > 999 || strlen(end) > 1) return wg_parse_fail(p, "'%s' is not a target", s);
            p->out->sm = (uint32_t)sm;
            p->out->sm_specific = *end != 0;
        }
        if (strcmp(s, "debug") == 0) p->out->debug = true;
        wg_advance(p);
    } while (wg_accept(p, ','));
    return true;
}

static bool parse_address_size(struct wg_parser *p) {
    uint64_t n;
    uint32_t off = p->t.off;
    if (!wg_parse_count(p, 64, "an address size", &n)) return false;
    if (n == 64) return true;
    wg_ptx_error(p->src, off, "only .address_size 64 is supported: compile for a 64-bit target");
    return false;
}

/* .alias name, target; */
static bool parse_alias(struct wg_parser *p) {
    struct wg_ptx_alias a = {.off = p->t.off};
    if (p->t.kind != WG_TK_IDENT) return wg_parse_fail(p, "expected the name of a function after .alias");
    a.name = p->t.name;
    wg_advance(p);
    if (!wg_expect(p, ',', "between two functions")) return false;
    if (p->t.kind != WG_TK_IDENT) return wg_parse_fail(p, "expected the name of a function");
    a.target = p->t.name;
    wg_advance(p);
    *WG_PUSH(&p->out->aliases) = a;
    return wg_expect(p, ';', "after .alias");
}

static void add_module_var(struct wg_parser *p, struct wg_ptx_var *v) { *WG_PUSH(&p->out->vars) = v; }

static struct wg_linkage parse_linkage(struct wg_parser *p) {
    struct wg_linkage l = {0};
    for (;;) {
        if (wg_accept_dot(p, "extern"))
            l.external = true;
        else if (wg_accept_dot(p, "visible"))
            l.visible = true;
        else if (wg_accept_dot(p, "weak"))
            l.weak = l.visible = true;
        else if (wg_accept_dot(p, "common"))
            l.common = l.visible = true;
        else
            return l;
    }
}

static bool parse_item(struct wg_parser *p) {
    if (wg_accept_dot(p, "version")) return parse_version(p);
    if (wg_accept_dot(p, "target")) return parse_target(p);
    if (wg_accept_dot(p, "address_size")) return parse_address_size(p);
    if (wg_accept_dot(p, "file")) return wg_parse_file(p);
    if (wg_accept_dot(p, "section")) return wg_parse_section(p);
    if (wg_accept_dot(p, "pragma")) return wg_parse_pragma(p);
    if (wg_accept_dot(p, "alias")) return parse_alias(p);
    if (wg_accept(p, ';')) return true;
    struct wg_linkage link = parse_linkage(p);
    bool entry = wg_is_dot(p, "entry");
    if (entry || wg_is_dot(p, "func")) {
        struct wg_ptx_func *f = WG_NEW(p->arena, struct wg_ptx_func);
        f->entry = entry;
        f->external = link.external;
        f->visible = link.visible;
        f->weak = link.weak;
        wg_advance(p);
        bool ok = parse_func(p, f);
        struct wg_record record;
        if (f->external && f->name && wg_record_read(p->lx.names->arena, f->name->s, &record))
            *WG_PUSH(&p->out->records) = record;
        else if (f->name)
            *WG_PUSH(&p->out->funcs) = f;
        return ok;
    }
    if (wg_is_space(p)) return wg_parse_variables(p, link, add_module_var);
    if (p->t.kind != WG_TK_DOT) return wg_parse_fail(p, "expected a directive like .entry or .global");
    uint32_t len;
    const char *w = wg_dot_word(p, &len);
    return wg_parse_fail(p, "unknown directive '.%.*s'", (int)len, w);
}

/* Behind a broken item: over its body, if it has one, to the next directive. */
static void skip_item(struct wg_parser *p) {
    uint32_t depth = 0;
    for (; p->t.kind != WG_TK_EOF; wg_advance(p)) {
        if (p->t.kind == '{')
            depth++;
        else if (p->t.kind == '}' && depth <= 1)
            break;
        else if (p->t.kind == '}')
            depth--;
        else if (p->t.kind == ';' && !depth)
            break;
    }
    wg_advance(p);
}

/* Says what stands there instead of PTX; true if it may be PTX. */
static bool looks_like_ptx(struct wg_parser *p) {
    struct wg_ptx_text *src = p->src;
    const char *what = NULL;
    if (memchr(src->text, 0, src->len)) what = "it holds zero bytes, so it is not text";
    if (src->len >= 4 && memcmp(src->text, "\177ELF", 4) == 0)
        what = "it is an ELF file (a program, a library or a cubin)";
    if (src->len >= 4 && memcmp(src->text, "\x50\xed\x55\xba", 4) == 0)
        what = "it is a fat binary; the PTX is inside it";
    if (!what) {
        src->errors = WG_PTX_MAX_ERRORS; /* nothing about its details yet */
        wg_advance(p);
        src->errors = 0;
        if (p->t.kind == WG_TK_EOF)
            what = "there is nothing in it";
        else if (!wg_is_dot(p, "version"))
            what = "PTX begins with '.version'";
    }
    if (what) {
        wg_diag_error(src->diag, (struct wg_pos){src->name, 0, 0}, NULL, "not PTX: %s", what);
        src->errors++;
    }
    return !what;
}

void wg_ptx_parse(struct wg_ptx_text *src, struct wg_names *names, struct wg_arena *arena,
                  struct wg_ptx_module *out) {
    struct wg_parser p = {
        .src = src, .arena = arena, .out = out, .lx = {.src = src, .names = names, .line = 1}};
    p.lx.tagged = wg_cluster_tag_in(src->text, src->len);
    if (!looks_like_ptx(&p)) return;
    while (p.t.kind != WG_TK_EOF && !wg_ptx_gave_up(src)) {
        p.depth = 0;
        if (!parse_item(&p)) skip_item(&p);
    }
    if (!src->errors && !out->sm)
        wg_ptx_error(src, 0, ".target is missing: a module says what it is for, as in '.target sm_90'");
    free(p.stmts.v);
}

void wg_ptx_free(struct wg_ptx_module *m) {
    free(m->vars.v);
    free(m->funcs.v);
    free(m->files.v);
    free(m->strings.v);
    free(m->aliases.v);
    free(m->records.v);
    *m = (struct wg_ptx_module){0};
}
