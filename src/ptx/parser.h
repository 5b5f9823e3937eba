/* The parser's insides, shared by its files, each of which calls only those before it: parse_token.c (the current
 * token), constant.c (constant expressions), parse_decl.c (variables, signatures), parse_instr.c (instructions and
 * operands), parse_debug.c (files, sections), parse_body.c (statements), parse.c (the module).
 *
 * Functions that read something return false after they have reported what is wrong; only statements and
 * module-level items catch that, by skipping to the next one. */
#ifndef WG_PTX_PARSER_H
#define WG_PTX_PARSER_H
#include "ptx/parse.h"

struct wg_parser {
    struct wg_ptx_text *src;
    struct wg_arena *arena;
    struct wg_lexer lx;
    struct wg_token t; /* the current token */
    uint32_t last_end; /* offset behind the token before it: where something is missing */
    uint32_t depth;    /* of nested braces and parentheses being read */
    struct wg_ptx_module *out;
    struct wg_ptx_scope *scope;       /* where labels go */
    WG_VEC(struct wg_ptx_stmt) stmts; /* of the body being read */
};
enum { WG_MAX_NESTING = 200 };

void wg_advance(struct wg_parser *p);
struct wg_token wg_peek(const struct wg_parser *p); /* the token after the current one; reports nothing */
/* The current token is the character; if so, goes on to the next. */
bool wg_accept(struct wg_parser *p, int kind);
bool wg_expect(struct wg_parser *p, int kind, const char *where);
/* The current token is .word. */
bool wg_is_dot(const struct wg_parser *p, const char *word);
bool wg_accept_dot(struct wg_parser *p, const char *word);
bool wg_parse_fail(struct wg_parser *p, const char *fmt, ...)
    __attribute__((format(printf, 2, 3))); /* at the token */
/* One level deeper; false, reported, where nesting is absurd. Undo with p->depth--. */
bool wg_deeper(struct wg_parser *p);
/* After an error: behind the next ';', or before the next brace. */
void wg_recover(struct wg_parser *p);
/* The word of a DOT token, without its dot. */
static inline const char *wg_dot_word(const struct wg_parser *p, uint32_t *len) {
    *len = p->t.len - 1;
    return p->src->text + p->t.off + 1;
}

bool wg_parse_constant(struct wg_parser *p, struct wg_ptx_value *out);
/* A constant of multiplicative precedence, for sym + c. */
bool wg_parse_term(struct wg_parser *p, struct wg_ptx_value *out);
/* + c - c ... behind a name; none: leaves *out 0. */
bool wg_parse_addends(struct wg_parser *p, bool *any, int64_t *out);
/* A constant that must be an integer, 0 to `max`. */
bool wg_parse_count(struct wg_parser *p, uint64_t max, const char *what, uint64_t *out);

/* .reg .b32 a, b; and the like, whose first tokens may be linkage words. Calls `each` for every variable. */
typedef void wg_each_var(struct wg_parser *p, struct wg_ptx_var *v);
struct wg_linkage {
    bool external, visible, weak, common;
};
bool wg_parse_variables(struct wg_parser *p, struct wg_linkage link, wg_each_var *each);
bool wg_is_space(const struct wg_parser *p); /* at .reg, .global, ... */
/* (rets) name (params) of functions, or `_` of prototypes. */
bool wg_parse_params(struct wg_parser *p, struct wg_ptx_var **out, uint32_t *n);
bool wg_parse_prototype(struct wg_parser *p, struct wg_ptx_signature *sig);

struct wg_ptx_opd_list {
    struct wg_ptx_opd *v;
    uint32_t n, cap;
};
/* Moves a list into the arena. */
void wg_keep_operands(struct wg_parser *p, struct wg_ptx_opd_list *list, struct wg_ptx_opd **out,
                      uint32_t *n);
/* An instruction, from its guard to its semicolon. */
bool wg_parse_instr(struct wg_parser *p, struct wg_ptx_instr *out);
bool wg_parse_operand(struct wg_parser *p, bool call, struct wg_ptx_opd *out);
/* The body of a function behind its '{', with its '}'. */
bool wg_parse_body(struct wg_parser *p, struct wg_ptx_func *f);
/* Behind .pragma: strings, which mean nothing here. */
bool wg_parse_pragma(struct wg_parser *p);
/* Behind .file, .section. */
bool wg_parse_file(struct wg_parser *p);
bool wg_parse_section(struct wg_parser *p);
#endif
