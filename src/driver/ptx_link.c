/* See ptx_link.h. PTX is read here as tokens only; whether it is right is the parser's to say. */
#include "driver/ptx_link.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A stretch of text. */
struct span {
    const char *s;
    size_t n;
};
enum statement_kind {
    S_VERSION,
    S_TARGET,
    S_ADDRESS_SIZE,
    S_FILE,
    S_SECTION,
    S_VARIABLE,
    S_FUNCTION,
    S_DECLARATION,
    S_OTHER
};
struct statement {
    enum statement_kind kind;
    struct span text, name;
    bool is_extern, weak, visible;
    bool own; /* visible, and yet no other unit's: a static that others have under the same name */
};
/* Old names of a unit and their new ones; a .file number is a name of digits. */
struct rename {
    struct span from;
    const char *to;
};
struct wg_ptx_unit {
    const char *text;
    size_t len;
    WG_VEC(struct statement) statements;
    WG_VEC(struct rename) names, files;
};

/* ---- Tokens ------------------------------------------------------------------------------------- */

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%' || c == '.' || c == '@';
}

/* Past white space and comments. */
static const char *skip_blank(const char *p, const char *end) {
    for (;;) {
        while (p < end && isspace((unsigned char)*p)) p++;
        if (end - p >= 2 && p[0] == '/' && p[1] == '/') {
            const char *nl = memchr(p, '\n', (size_t)(end - p));
            p = nl ? nl : end;
        } else if (end - p >= 2 && p[0] == '/' && p[1] == '*') {
            const char *close = memmem(p + 2, (size_t)(end - p - 2), "*/", 2);
            p = close ? close + 2 : end;
        } else {
            return p;
        }
    }
}
/* The token at `p`: a word (directives, names, numbers), a string, or one character. Empty at the end. */
static struct span token(const char *p, const char *end) {
    const char *q = p;
    if (q >= end) return (struct span){end, 0};
    if (*q == '"') {
        for (q++; q < end && *q != '"'; q++)
            if (*q == '\\' && q + 1 < end) q++;
        return (struct span){p, (size_t)((q < end ? q + 1 : end) - p)};
    }
    while (q < end && is_word(*q)) q++;
    return (struct span){p, q > p ? (size_t)(q - p) : 1};
}
static bool is(struct span t, const char *s) { return t.n == strlen(s) && !memcmp(t.s, s, t.n); }
static bool same(struct span a, struct span b) { return a.n == b.n && !memcmp(a.s, b.s, a.n); }
static bool is_name(struct span t) {
    return t.n && (isalpha((unsigned char)*t.s) || *t.s == '_' || *t.s == '$' || *t.s == '%');
}

/* ---- Statements --------------------------------------------------------------------------------- */

/* Where a directive that ends with its line ends. */
static const char *line_end(const char *p, const char *end) {
    const char *nl = memchr(p, '\n', (size_t)(end - p));
    return nl ? nl : end;
}

/* Reads one statement that ends with ';' or, for functions and sections, with the '}' of its body. */
static const char *read_body(const char *p, const char *end, struct statement *st) {
    int braces = 0, parens = 0;
    bool function = st->kind == S_FUNCTION, body = function || st->kind == S_SECTION;
    while (p < end) {
        struct span t = token(p, end);
        p = t.s + t.n;
        if (is(t, ".func") || is(t, ".entry"))
            function = body = true, st->kind = S_FUNCTION;
        else if (is(t, ".extern"))
            st->is_extern = true;
        else if (is(t, ".weak"))
            st->weak = true;
        else if (is(t, ".visible") || is(t, ".common"))
            st->visible = true;
        else if (is(t, "("))
            parens++;
        else if (is(t, ")"))
            parens--;
        else if (is(t, "{"))
            braces++;
        else if (is(t, "}") && --braces <= 0 && body)
            break;
        else if (is(t, ";") && braces <= 0) {
            if (function) st->kind = S_DECLARATION;
            break;
        } else if (!st->name.n && !parens && !braces && is_name(t))
            st->name = t;
        p = skip_blank(p, end);
    }
    return p;
}

static const char *read_statement(const char *p, const char *end, struct statement *st) {
    struct span t = token(p, end);
    *st = (struct statement){.kind = S_VARIABLE};
    if (is(t, ".version"))
        st->kind = S_VERSION;
    else if (is(t, ".target"))
        st->kind = S_TARGET;
    else if (is(t, ".address_size"))
        st->kind = S_ADDRESS_SIZE;
    else if (is(t, ".file"))
        st->kind = S_FILE;
    else if (is(t, ".section"))
        st->kind = S_SECTION;
    else if (is(t, ".pragma") || is(t, ".alias"))
        st->kind = S_OTHER;
    const char *q = st->kind <= S_FILE ? line_end(p, end) : read_body(p, end, st);
    st->text = (struct span){p, (size_t)(q - p)};
    return q;
}

void wg_ptx_link_add(struct wg_ptx_linker *l, const char *name, const char *text, size_t len) {
    struct wg_ptx_unit *u = WG_NEW(&l->arena, struct wg_ptx_unit);
    u->text = wg_arena_strndup(&l->arena, text, len);
    u->len = strlen(u->text);
    const char *end = u->text + u->len;
    for (const char *p = skip_blank(u->text, end); p < end; p = skip_blank(p, end))
        p = read_statement(p, end, WG_PUSH(&u->statements));
    *WG_PUSH(&l->units) = u;
}

/* ---- Names -------------------------------------------------------------------------------------- */

static bool defines(const struct statement *st) {
    return st->name.n && !st->is_extern && (st->kind == S_VARIABLE || st->kind == S_FUNCTION);
}
static bool is_kernel(const struct statement *st) {
    return st->kind == S_FUNCTION && memmem(st->text.s, st->text.n, ".entry", 6);
}
static bool private_name(const struct statement *st) {
    return defines(st) && (st->own || (!st->visible && !st->weak && !is_kernel(st)));
}

/* The statement that defines a name in any unit before `before` (NULL: in any). */
static const struct statement *definition(const struct wg_ptx_linker *l, struct span name,
                                          const struct wg_ptx_unit *before) {
    for (uint32_t i = 0; i < l->units.n && l->units.v[i] != before; i++)
        for (uint32_t k = 0; k < l->units.v[i]->statements.n; k++) {
            const struct statement *st = &l->units.v[i]->statements.v[k];
            if (defines(st) && !private_name(st) && same(st->name, name)) return st;
        }
    return NULL;
}

static const char *find_name(const struct rename *v, uint32_t n, struct span from) {
    for (uint32_t i = 0; i < n; i++)
        if (same(v[i].from, from)) return v[i].to;
    return NULL;
}

const char *wg_ptx_unit_name(struct wg_arena *a, const char *name, size_t len, unsigned unit) {
    return wg_arena_printf(a, "%.*s$%u", (int)len, name, unit);
}

/* A name with internal linkage in its mangled form, or made of one: _ZL7counter, _ZZL3runvE5table,
 * _Z6kernelIN12_GLOBAL__N_15ShapeEEvT_. */
static bool names_a_static(struct span name) {
    if (memmem(name.s, name.n, "_GLOBAL__N_", 11)) return true;
    for (size_t i = 1; i + 2 < name.n; i++)
        if (name.s[i] == 'Z' && name.s[i + 1] == 'L' && isdigit((unsigned char)name.s[i + 2])) return true;
    return false;
}

/* Of visible names that several units define: statics become each unit's own, kernels of templates weak. */
static void settle_repeated(struct wg_ptx_linker *l) {
    for (uint32_t i = 0; i < l->units.n; i++)
        for (uint32_t k = 0; k < l->units.v[i]->statements.n; k++) {
            struct statement *st = &l->units.v[i]->statements.v[k];
            const struct statement *first =
                defines(st) && st->visible ? definition(l, st->name, l->units.v[i]) : NULL;
            if (first && names_a_static(st->name))
                st->own = true;
            else if (first && is_kernel(first) && is_kernel(st))
                st->weak = true;
        }
}

/* Has another unit a name, too, whatever it means there? */
static bool elsewhere(const struct wg_ptx_linker *l, struct span name, const struct wg_ptx_unit *here) {
    for (uint32_t i = 0; i < l->units.n; i++)
        for (uint32_t k = 0; l->units.v[i] != here && k < l->units.v[i]->statements.n; k++)
            if (same(l->units.v[i]->statements.v[k].name, name)) return true;
    return false;
}

/* Private names that others have, too, and the labels of debug sections get the unit's number. The program
 * knows its static variables by name: where it need not change it stays. */
static void rename_privates(struct wg_ptx_linker *l, struct wg_ptx_unit *u, unsigned number) {
    for (uint32_t i = 0; i < u->statements.n; i++) {
        const struct statement *st = &u->statements.v[i];
        if (private_name(st) && elsewhere(l, st->name, u))
            *WG_PUSH(&u->names) =
                (struct rename){st->name, wg_ptx_unit_name(&l->arena, st->name.s, st->name.n, number)};
        if (st->kind != S_SECTION) continue;
        const char *end = st->text.s + st->text.n;
        for (const char *p = st->text.s; p < end;) {
            struct span t = token(p, end);
            const char *after = skip_blank(t.s + t.n, end);
            if (is_name(t) && after < end && *after == ':')
                *WG_PUSH(&u->names) =
                    (struct rename){t, wg_arena_printf(&l->arena, "%.*s$%u", (int)t.n, t.s, number)};
            p = after;
        }
    }
}

static void renumber_files(struct wg_ptx_linker *l, struct wg_ptx_unit *u, unsigned *last) {
    for (uint32_t i = 0; i < u->statements.n; i++) {
        const struct statement *st = &u->statements.v[i];
        if (st->kind != S_FILE) continue;
        const char *end = st->text.s + st->text.n;
        struct span number = token(skip_blank(st->text.s + 5, end), end);
        *WG_PUSH(&u->files) = (struct rename){number, wg_arena_printf(&l->arena, "%u", ++*last)};
    }
}

/* ---- Writing ------------------------------------------------------------------------------------ */

/* Copies a statement with its names replaced; numbers after .file, .loc and inlined_at are files. */
static void write_statement(struct wg_ptx_linker *l, const struct wg_ptx_unit *u, const struct statement *st,
                            bool drop_extern) {
    const char *end = st->text.s + st->text.n, *p = st->text.s;
    bool file_next = false;
    while (p < end) {
        const char *q = skip_blank(p, end);
        wg_strbuf_add(&l->out, p, (size_t)(q - p));
        struct span t = token(q, end);
        if (!t.n) break;
        const char *to = file_next    ? find_name(u->files.v, u->files.n, t)
                         : is_name(t) ? find_name(u->names.v, u->names.n, t)
                                      : NULL;
        file_next = is(t, ".file") || is(t, ".loc") || is(t, "inlined_at");
        if (to)
            wg_strbuf_puts(&l->out, to);
        else if (!(drop_extern && is(t, ".extern")))
            wg_strbuf_add(&l->out, t.s, t.n);
        p = t.s + t.n;
    }
    wg_strbuf_puts(&l->out, "\n");
}

static bool wanted(const struct wg_ptx_linker *l, const struct wg_ptx_unit *u, const struct statement *st,
                   bool *drop_extern) {
    *drop_extern = false;
    if (st->is_extern && definition(l, st->name, NULL)) {
        *drop_extern = true;
        return st->kind == S_DECLARATION;
    }
    return !(defines(st) && st->weak && definition(l, st->name, u));
}

static void write_kind(struct wg_ptx_linker *l, enum statement_kind kind) {
    for (uint32_t i = 0; i < l->units.n; i++) {
        const struct wg_ptx_unit *u = l->units.v[i];
        for (uint32_t k = 0; k < u->statements.n; k++) {
            const struct statement *st = &u->statements.v[k];
            bool drop_extern;
            if (st->kind == kind && wanted(l, u, st, &drop_extern)) write_statement(l, u, st, drop_extern);
        }
    }
}

/* The first number in a .version or .target, in tenths: 8.4 -> 84, sm_90a -> 900. */
static unsigned number_in(struct span t) {
    size_t i = 0;
    while (i < t.n && !isdigit((unsigned char)t.s[i])) i++;
    unsigned n = 0;
    for (; i < t.n && isdigit((unsigned char)t.s[i]) && n < 100000; i++)
        n = n * 10 + (unsigned)(t.s[i] - '0');
    return n * 10 + (i + 1 < t.n && t.s[i] == '.' ? (unsigned)(t.s[i + 1] - '0') : 0);
}
/* The greatest of all units. */
static void write_greatest(struct wg_ptx_linker *l, enum statement_kind kind) {
    const struct statement *best = NULL;
    for (uint32_t i = 0; i < l->units.n; i++)
        for (uint32_t k = 0; k < l->units.v[i]->statements.n; k++) {
            const struct statement *st = &l->units.v[i]->statements.v[k];
            if (st->kind == kind && (!best || number_in(st->text) > number_in(best->text))) best = st;
        }
    if (best) wg_strbuf_add(&l->out, best->text.s, best->text.n);
    wg_strbuf_puts(&l->out, "\n");
}

struct wg_strbuf *wg_ptx_link_finish(struct wg_ptx_linker *l) {
    unsigned files = 0;
    static const enum statement_kind order[] = {S_FILE,     S_OTHER,    S_DECLARATION,
                                                S_VARIABLE, S_FUNCTION, S_SECTION};
    if (l->units.n == 1) {
        wg_strbuf_add(&l->out, l->units.v[0]->text, l->units.v[0]->len);
        return &l->out;
    }
    if (l->plain_statics) settle_repeated(l);
    for (uint32_t i = 0; i < l->units.n; i++) {
        rename_privates(l, l->units.v[i], i + 1);
        renumber_files(l, l->units.v[i], &files);
    }
    write_greatest(l, S_VERSION);
    write_greatest(l, S_TARGET);
    write_greatest(l, S_ADDRESS_SIZE);
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) write_kind(l, order[i]);
    return &l->out;
}

void wg_ptx_link_free(struct wg_ptx_linker *l) {
    for (uint32_t i = 0; i < l->units.n; i++) {
        free(l->units.v[i]->statements.v);
        free(l->units.v[i]->names.v);
        free(l->units.v[i]->files.v);
    }
    free(l->units.v);
    wg_strbuf_free(&l->out);
    wg_arena_free(&l->arena);
    *l = (struct wg_ptx_linker){0};
}
