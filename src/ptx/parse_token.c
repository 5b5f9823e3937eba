/* Where the parser is in the text: the current token, what it has to be, and where reading goes on after an error. See
 * parser.h. */
#include "ptx/parser.h"

#include <stdio.h>
#include <string.h>

void wg_advance(struct wg_parser *p) {
    p->last_end = p->t.off + p->t.len;
    p->t = wg_lex(&p->lx);
}

struct wg_token wg_peek(const struct wg_parser *p) {
    struct wg_lexer ahead = p->lx;
    struct wg_ptx_text quiet = *p->src;
    quiet.errors = WG_PTX_MAX_ERRORS;
    ahead.src = &quiet;
    return wg_lex(&ahead);
}

bool wg_accept(struct wg_parser *p, int kind) {
    if (p->t.kind != kind) return false;
    wg_advance(p);
    return true;
}

bool wg_parse_fail(struct wg_parser *p, const char *fmt, ...) {
    if (p->t.kind == WG_TK_BAD) return false; /* the lexer has said it */
    char text[300];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    wg_ptx_error(p->src, p->t.off, p->t.kind == WG_TK_EOF ? "%s, but the file ends" : "%s", text);
    return false;
}

bool wg_expect(struct wg_parser *p, int kind, const char *where) {
    if (wg_accept(p, kind)) return true;
    if (p->t.kind == WG_TK_BAD) return false;
    if (p->t.kind == WG_TK_EOF) return wg_parse_fail(p, "'%c' is missing %s", kind, where);
    /* What is missing belongs behind the last token, not before the next one, lines later. */
    wg_ptx_error(p->src, p->last_end, "'%c' is missing %s", kind, where);
    return false;
}

bool wg_is_dot(const struct wg_parser *p, const char *word) {
    size_t n = strlen(word);
    return p->t.kind == WG_TK_DOT && p->t.len == n + 1 && memcmp(p->src->text + p->t.off + 1, word, n) == 0;
}

bool wg_accept_dot(struct wg_parser *p, const char *word) {
    if (!wg_is_dot(p, word)) return false;
    wg_advance(p);
    return true;
}

bool wg_deeper(struct wg_parser *p) {
    return ++p->depth <= WG_MAX_NESTING || wg_parse_fail(p, "nested more than %d deep", WG_MAX_NESTING);
}

/* Whether the brace at the current token opens a vector, which holds no statement, and not a scope. */
static bool at_vector(const struct wg_parser *p) {
    struct wg_parser ahead = *p;
    struct wg_ptx_text quiet = *p->src;
    quiet.errors = WG_PTX_MAX_ERRORS;
    ahead.src = ahead.lx.src = &quiet;
    do wg_advance(&ahead);
    while (ahead.t.kind == WG_TK_IDENT || ahead.t.kind == WG_TK_INT || ahead.t.kind == WG_TK_DOT ||
           ahead.t.kind == ',');
    return ahead.t.kind == '}';
}

void wg_recover(struct wg_parser *p) {
    for (bool vector = false; p->t.kind != WG_TK_EOF && p->t.kind != ';'; wg_advance(p)) {
        if (p->t.kind == '{' && !(vector = at_vector(p))) break;
        if (p->t.kind == '}' && !vector) break;
        if (p->t.kind == '}') vector = false;
    }
    wg_accept(p, ';');
}
