/* PTX text to tokens: see lex.h. */
#include "ptx/lex.h"
#include "base/strbuf.h"
#include "ptx/cluster_tag.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The line for the caret; none where it is so long (minified, or not text at all) that it is no help. */
static const char *quotation(const struct wg_ptx_text *t, uint32_t start) {
    enum { LONGEST = 400 };
    uint32_t rest = t->len - start;
    return rest < LONGEST || memchr(t->text + start, '\n', LONGEST) ? t->text + start : NULL;
}

void wg_ptx_error(struct wg_ptx_text *t, uint32_t off, const char *fmt, ...) {
    if (wg_ptx_gave_up(t)) return;
    if (off > t->len) off = t->len;
    uint32_t line = 1, start = 0;
    for (const char *p = t->text, *nl; (nl = memchr(p, '\n', t->text + off - p)); p = nl + 1) {
        line++;
        start = (uint32_t)(nl + 1 - t->text);
    }
    struct wg_pos at = {t->name, line, off - start + 1};
    va_list ap;
    va_start(ap, fmt);
    wg_diag_verror(t->diag, at, quotation(t, start), fmt, ap);
    va_end(ap);
    if (++t->errors == WG_PTX_MAX_ERRORS)
        wg_strbuf_printf(&t->diag->text, "%s: too many errors; the rest is not shown\n", t->name);
}

void wg_ptx_aside_begin(struct wg_ptx_text *t, struct wg_ptx_aside *a) {
    *a = (struct wg_ptx_aside){.outer = t->diag, .outer_errors = t->errors};
    if (!t->apart) return;
    t->diag = &a->own;
    t->errors = 0;
}

void wg_ptx_repeat(struct wg_ptx_text *t, const char *said) {
    if (wg_ptx_gave_up(t)) return;
    t->diag->errors++;
    t->errors++;
    wg_strbuf_puts(&t->diag->text, said);
}

const char *wg_ptx_aside_end(struct wg_ptx_text *t, struct wg_ptx_aside *a, struct wg_arena *arena) {
    if (!t->apart) return NULL;
    const char *said = t->errors ? wg_arena_strdup(arena, a->own.text.s) : NULL;
    t->diag = a->outer;
    t->errors = a->outer_errors;
    wg_diag_free(&a->own);
    if (!said || !t->whole) return said;
    wg_ptx_repeat(t, said);
    return NULL;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_alpha(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool is_follow(char c) { return is_alpha(c) || is_digit(c) || c == '_' || c == '$'; }
static int hex_digit(char c) {
    if (is_digit(c)) return c - '0';
    c |= 32;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Skips blanks and comments. False in a comment without end, which has been reported. */
static bool skip_blank(struct wg_lexer *lx) {
    const char *s = lx->src->text;
    for (;;) {
        char c = s[lx->pos];
        if (c == '\n')
            lx->line++, lx->pos++;
        else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v')
            lx->pos++;
        else if ((c == '/' && s[lx->pos + 1] == '/') || (c == '@' && strncmp(s + lx->pos, "@@DWARF", 7) == 0))
            while (lx->pos < lx->src->len && s[lx->pos] != '\n') lx->pos++;
        else if (c == '/' && s[lx->pos + 1] == '*') {
            uint32_t start = lx->pos;
            for (lx->pos += 2; lx->pos < lx->src->len && !(s[lx->pos] == '*' && s[lx->pos + 1] == '/');
                 lx->pos++)
                if (s[lx->pos] == '\n') lx->line++;
            if (lx->pos >= lx->src->len) {
                wg_ptx_error(lx->src, start, "unterminated comment: '*/' is missing");
                return false;
            }
            lx->pos += 2;
        } else
            return true;
    }
}

/* 0f or 0d and the hexadecimal digits of an IEEE number. */
static bool lex_ieee(struct wg_lexer *lx, struct wg_token *t) {
    const char *s = lx->src->text + lx->pos;
    char kind = (char)(s[1] | 32);
    if (s[0] != '0' || (kind != 'f' && kind != 'd')) return false;
    uint32_t digits = kind == 'f' ? 8 : 16, i = 0;
    for (t->bits = 0; i < digits && hex_digit(s[2 + i]) >= 0; i++)
        t->bits = t->bits << 4 | (uint64_t)hex_digit(s[2 + i]);
    if (i < digits || is_follow(s[2 + i])) {
        wg_ptx_error(lx->src, t->off, "a 0%c constant has exactly %u hexadecimal digits", s[1], digits);
        while (is_follow(lx->src->text[lx->pos])) lx->pos++;
        t->kind = WG_TK_BAD;
        return true;
    }
    t->kind = kind == 'f' ? WG_TK_F32 : WG_TK_F64;
    lx->pos += 2 + digits;
    return true;
}

/* Digits of `base` from `pos`; says what is wrong with them. */
static bool lex_digits(struct wg_lexer *lx, struct wg_token *t, uint32_t base) {
    const char *s = lx->src->text;
    bool overflow = false, bad = false;
    uint32_t first = lx->pos;
    t->bits = 0;
    for (; is_follow(s[lx->pos]); lx->pos++) {
        int d = hex_digit(s[lx->pos]);
        if ((s[lx->pos] | 32) == 'u' && !is_follow(s[lx->pos + 1])) {
            t->is_unsigned = true;
            lx->pos++;
            break;
        }
        if (d < 0 || (uint32_t)d >= base) {
            bad = true;
            continue;
        }
        if (t->bits > (UINT64_MAX - (uint64_t)d) / base) overflow = true;
        t->bits = t->bits * base + (uint64_t)d;
    }
    if (lx->pos == first) bad = true;
    if (bad)
        wg_ptx_error(lx->src, t->off, "'%.*s' is not a number", (int)(lx->pos - t->off), s + t->off);
    else if (overflow)
        wg_ptx_error(lx->src, t->off, "this constant does not fit into 64 bits");
    if (t->bits > INT64_MAX) t->is_unsigned = true;
    return !bad && !overflow;
}

static void lex_decimal_float(struct wg_lexer *lx, struct wg_token *t) {
    /* The host program's locale may have a comma where PTX has a point. */
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    char *end;
    double d = strtod_l(lx->src->text + lx->pos, &end, c);
    freelocale(c);
    memcpy(&t->bits, &d, sizeof d);
    lx->pos = (uint32_t)(end - lx->src->text);
    t->kind = WG_TK_F64;
}

static void lex_number(struct wg_lexer *lx, struct wg_token *t) {
    const char *s = lx->src->text;
    if (lex_ieee(lx, t)) return;
    t->kind = WG_TK_INT;
    char next = (char)(s[lx->pos + 1] | 32);
    bool ok;
    if (s[lx->pos] == '0' && (next == 'x' || next == 'b')) {
        lx->pos += 2;
        ok = lex_digits(lx, t, next == 'x' ? 16 : 2);
    } else {
        uint32_t p = lx->pos;
        while (is_digit(s[p])) p++;
        if (s[p] == '.' ||
            ((s[p] | 32) == 'e' && (is_digit(s[p + 1]) || s[p + 1] == '-' || s[p + 1] == '+'))) {
            lex_decimal_float(lx, t);
            return;
        }
        ok = lex_digits(lx, t, s[lx->pos] == '0' && is_digit(s[lx->pos + 1]) ? 8 : 10);
    }
    if (!ok) t->kind = WG_TK_BAD;
}

static void lex_word(struct wg_lexer *lx, struct wg_token *t) {
    const char *s = lx->src->text;
    lx->pos++;
    while (is_follow(s[lx->pos])) lx->pos++;
    t->kind = WG_TK_IDENT;
    uint32_t len = lx->pos - t->off;
    struct wg_cluster_tag tag;
    if (lx->tagged && wg_cluster_tag_find(s + t->off, len, &tag)) {
        struct wg_strbuf name = {0};
        wg_strbuf_add(&name, s + t->off, tag.begin);
        wg_strbuf_add(&name, s + t->off + tag.end, len - tag.end);
        t->name = wg_name_intern(lx->names, name.s, (uint32_t)name.n);
        wg_strbuf_free(&name);
    } else {
        t->name = wg_name_intern(lx->names, s + t->off, len);
    }
}

/* .word, with parts after '::' */
static void lex_dot(struct wg_lexer *lx, struct wg_token *t) {
    const char *s = lx->src->text;
    for (lx->pos++;;) {
        while (is_follow(s[lx->pos])) lx->pos++;
        if (s[lx->pos] != ':' || s[lx->pos + 1] != ':') break;
        lx->pos += 2;
    }
    t->kind = WG_TK_DOT;
}

static void lex_string(struct wg_lexer *lx, struct wg_token *t) {
    const char *s = lx->src->text;
    for (lx->pos++; lx->pos < lx->src->len && s[lx->pos] != '"' && s[lx->pos] != '\n'; lx->pos++)
        if (s[lx->pos] == '\\' && s[lx->pos + 1] != '\n' && lx->pos + 1 < lx->src->len) lx->pos++;
    t->kind = WG_TK_STRING;
    if (s[lx->pos] == '"')
        lx->pos++;
    else {
        wg_ptx_error(lx->src, t->off, "unterminated string: '\"' is missing");
        t->kind = WG_TK_BAD;
    }
}

static void lex_sign(struct wg_lexer *lx, struct wg_token *t) {
    static const struct {
        char s[3];
        uint8_t kind;
    } two[] = {{"<<", WG_TK_SHL}, {">>", WG_TK_SHR}, {"<=", WG_TK_LE},  {">=", WG_TK_GE},
               {"==", WG_TK_EQ},  {"!=", WG_TK_NE},  {"&&", WG_TK_AND}, {"||", WG_TK_OR}};
    const char *s = lx->src->text + lx->pos;
    for (size_t i = 0; i < sizeof two / sizeof *two; i++)
        if (s[0] == two[i].s[0] && s[1] == two[i].s[1]) {
            t->kind = two[i].kind;
            lx->pos += 2;
            return;
        }
    lx->pos++;
    if (strchr(",;:{}[]()<>@!|&^~+-*/%?=.", *s) && *s) {
        t->kind = (uint8_t)*s;
        return;
    }
    t->kind = WG_TK_BAD;
    if (*s > 32 && *s < 127)
        wg_ptx_error(lx->src, t->off, "stray '%c'", *s);
    else
        wg_ptx_error(lx->src, t->off, "stray byte 0x%02x: not PTX text", (uint8_t)*s);
}

struct wg_token wg_lex(struct wg_lexer *lx) {
    bool ok = skip_blank(lx);
    struct wg_token t = {.kind = WG_TK_EOF, .off = lx->pos, .line = lx->line};
    if (!ok || lx->pos >= lx->src->len) return t;
    const char *s = lx->src->text + lx->pos;
    if (is_digit(*s))
        lex_number(lx, &t);
    else if (is_alpha(*s) || *s == '_' || *s == '$' || (*s == '%' && is_follow(s[1])))
        lex_word(lx, &t);
    else if (*s == '.' && is_follow(s[1]))
        lex_dot(lx, &t);
    else if (*s == '"')
        lex_string(lx, &t);
    else
        lex_sign(lx, &t);
    t.len = lx->pos - t.off;
    return t;
}
