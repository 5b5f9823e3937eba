/* Instructions: guard, opcode with its dotted words, operands. */
#include "ptx/parser.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORDS = 24, MAX_OPERANDS = 4096 };

void wg_keep_operands(struct wg_parser *p, struct wg_ptx_opd_list *list, struct wg_ptx_opd **out,
                      uint32_t *n) {
    *n = list->n;
    *out = WG_NEW_N(p->arena, struct wg_ptx_opd, list->n);
    if (list->n) memcpy(*out, list->v, list->n * sizeof *list->v);
    free(list->v);
}

static bool parse_elements(struct wg_parser *p, int close, const char *where, struct wg_ptx_opd *out) {
    struct wg_ptx_opd_list elems = {0};
    bool ok = wg_deeper(p);
    for (bool more = p->t.kind != close; ok && more; more = ok && wg_accept(p, ',')) {
        struct wg_ptx_opd e = {0};
        ok = wg_parse_operand(p, false, &e);
        if (ok) *WG_PUSH(&elems) = e;
    }
    ok = ok && wg_expect(p, close, where);
    p->depth--;
    wg_keep_operands(p, &elems, &out->elem, &out->nelem);
    return ok;
}

/* name, name.x, name+4, name|name */
static bool parse_name(struct wg_parser *p, struct wg_ptx_opd *out) {
    out->kind = strcmp(p->t.name->s, "_") == 0 ? WG_P_SINK : WG_P_NAME;
    out->name = p->t.name;
    wg_advance(p);
    if (p->t.kind == WG_TK_DOT) {
        uint32_t len;
        const char *w = wg_dot_word(p, &len);
        out->suffix = wg_name_intern(p->lx.names, w, len);
        wg_advance(p);
    }
    if (!wg_parse_addends(p, &out->has_plus, &out->plus)) return false;
    if (p->t.kind != '|') return true;
    struct wg_ptx_opd *pair = WG_NEW_N(p->arena, struct wg_ptx_opd, 2);
    pair[0] = *out;
    *out = (struct wg_ptx_opd){.kind = WG_P_PAIR, .off = out->off, .elem = pair, .nelem = 2};
    wg_advance(p);
    pair[1].off = p->t.off;
    if (p->t.kind != WG_TK_IDENT) return wg_parse_fail(p, "expected a predicate after '|'");
    pair[1].kind = strcmp(p->t.name->s, "_") == 0 ? WG_P_SINK : WG_P_NAME;
    pair[1].name = p->t.name;
    wg_advance(p);
    return true;
}

bool wg_parse_operand(struct wg_parser *p, bool call, struct wg_ptx_opd *out) {
    out->off = p->t.off;
    if (p->t.kind == '!' && wg_peek(p).kind == WG_TK_IDENT) {
        wg_advance(p);
        out->negated = true;
    } else if (p->t.kind == '-' && wg_peek(p).kind == WG_TK_IDENT &&
               strcmp(wg_peek(p).name->s, "WARP_SZ") != 0) {
        wg_advance(p);
        out->minus = true;
    }
    switch (p->t.kind) {
    case '{':
        wg_advance(p);
        out->kind = WG_P_VECTOR;
        return parse_elements(p, '}', "after a vector", out);
    case '[':
        wg_advance(p);
        out->kind = WG_P_ADDRESS;
        return parse_elements(p, ']', "after an address", out);
    case '(':
        if (!call) break;
        wg_advance(p);
        out->kind = WG_P_LIST;
        return parse_elements(p, ')', "after a call's list", out);
    case WG_TK_IDENT:
        if (strcmp(p->t.name->s, "WARP_SZ") == 0) break;
        return parse_name(p, out);
    case WG_TK_INT:
    case WG_TK_F32:
    case WG_TK_F64:
    case '-':
    case '+':
    case '~':
    case '!': break;
    case WG_TK_BAD: return false;
    default: return wg_parse_fail(p, "expected an operand");
    }
    out->kind = WG_P_VALUE;
    return wg_parse_constant(p, &out->value);
}

/* m64n256k16 and the like: every shape is a word of the ISA. */
static bool is_shape(const char *s, uint32_t len) {
    static const char letters[] = "mnk";
    uint32_t i = 0, part = 0;
    for (; part < 3 && i < len && s[i] == letters[part]; part++) {
        uint32_t digits = ++i;
        while (i < len && isdigit((unsigned char)s[i])) i++;
        if (i == digits) return false;
    }
    return part >= 2 && i == len;
}

struct words {
    const struct wg_spelling *v[MAX_WORDS]; /* NULL: a shape, which no row has */
    uint32_t n;
    uint16_t columns;
};

/* m64n128k16 is the word m64nNk16, and 128 columns. */
static const struct wg_spelling *wide_shape(const char *s, uint32_t len, uint16_t *columns) {
    char *end, word[16];
    if (len < 8 || memcmp(s, "m64n", 4) != 0) return NULL;
    unsigned long n = strtoul(s + 4, &end, 10);
    if (n == 0 || n > 256 || n % 8 || *end != 'k') return NULL;
    int k = snprintf(word, sizeof word, "m64nN%.*s", (int)(s + len - end), end);
    const struct wg_spelling *known = k < (int)sizeof word ? wg_spelling(word, (uint32_t)k) : NULL;
    if (known) *columns = (uint16_t)n;
    return known;
}

/* The dotted words behind the opcode. */
static bool parse_words(struct wg_parser *p, const char *opcode, struct words *w) {
    w->columns = 0;
    for (w->n = 0; p->t.kind == WG_TK_DOT; wg_advance(p)) {
        uint32_t len;
        const char *s = wg_dot_word(p, &len);
        if (w->n == MAX_WORDS) return wg_parse_fail(p, "more than %d modifiers", MAX_WORDS);
        if (w->n && len == 3 && memcmp(s, "abs", 3) == 0 && memcmp(s - 9, ".xorsign.", 9) == 0) {
            w->v[w->n - 1] = wg_spelling("xorsign.abs", 11);
            continue;
        }
        const struct wg_spelling *known = wg_spelling(s, len);
        if (!known) known = wide_shape(s, len, &w->columns);
        if ((known || !is_shape(s, len)) && (!known || !known->known_word))
            return wg_parse_fail(p, "unknown modifier '.%.*s' of instruction '%s'", (int)len, s, opcode);
        w->v[w->n++] = known;
    }
    return true;
}

static bool has_shape(const struct words *w) {
    for (uint32_t i = 0; i < w->n; i++)
        if (!w->v[i]) return true;
    return false;
}

static bool parse_opcode(struct wg_parser *p, struct wg_ptx_instr *out) {
    uint32_t off = p->t.off;
    if (p->t.kind != WG_TK_IDENT) return wg_parse_fail(p, "expected an instruction");
    out->opcode = p->t.name;
    const struct wg_spelling *known = wg_spelling(out->opcode->s, out->opcode->len);
    if (!known || !known->known_opcode) return wg_parse_fail(p, "unknown instruction '%s'", out->opcode->s);
    wg_advance(p);
    struct words w;
    if (!parse_words(p, out->opcode->s, &w)) return false;
    if (has_shape(&w) || !known->row || !wg_row_match(known->row, w.v, w.n, &out->match)) {
        out->match = (struct wg_match){.columns = 0};
        out->unsupported = wg_arena_strndup(p->arena, p->src->text + off, p->last_end - off);
    }
    out->match.columns = w.columns;
    p->out->ntextures += wg_op_is(out->match.op, WG_IS_TEXTURE);
    return true;
}

/* tex.2d.v4.f32.f32 {a, b, c, d}|p, ...: p says whether the texel is there, in textures of which only parts are. */
static bool parse_residency(struct wg_parser *p, uint32_t begin, struct wg_ptx_instr *out) {
    wg_advance(p);
    if (p->t.kind != WG_TK_IDENT) return wg_parse_fail(p, "expected a predicate after '|'");
    wg_advance(p);
    out->match = (struct wg_match){.columns = 0};
    out->unsupported = wg_arena_strndup(p->arena, p->src->text + begin, p->last_end - begin);
    return true;
}

bool wg_parse_instr(struct wg_parser *p, struct wg_ptx_instr *out) {
    if (wg_accept(p, '@')) {
        out->guard_neg = wg_accept(p, '!');
        out->guard_off = p->t.off;
        if (p->t.kind != WG_TK_IDENT) return wg_parse_fail(p, "expected a predicate register after '@'");
        out->guard = p->t.name;
        wg_advance(p);
    }
    uint32_t begin = p->t.off;
    if (!parse_opcode(p, out)) return false;
    bool call = strcmp(out->opcode->s, "call") == 0;
    struct wg_ptx_opd_list opds = {0};
    bool ok = true;
    for (bool more = p->t.kind != ';'; ok && more; more = ok && wg_accept(p, ',')) {
        struct wg_ptx_opd o = {0};
        ok = wg_parse_operand(p, call, &o);
        if (ok && o.kind == WG_P_VECTOR && p->t.kind == '|' && wg_op_is(out->match.op, WG_IS_TEXTURE))
            ok = parse_residency(p, begin, out);
        if (ok) *WG_PUSH(&opds) = o;
        if (opds.n > MAX_OPERANDS) ok = wg_parse_fail(p, "too many operands");
    }
    ok = ok && wg_expect(p, ';', "after an instruction");
    wg_keep_operands(p, &opds, &out->opd, &out->nopd);
    return ok;
}
