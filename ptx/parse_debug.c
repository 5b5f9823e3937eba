/* .file, .pragma and .section. Of the DWARF sections only the strings matter: .loc's function_name points
 * there. */
#include "ptx/parser.h"

#include <stdlib.h>
#include <string.h>

bool wg_parse_pragma(struct wg_parser *p) {
    do {
        if (p->t.kind != WG_TK_STRING) return wg_parse_fail(p, "a string is expected behind .pragma");
        wg_advance(p);
    } while (wg_accept(p, ','));
    return wg_expect(p, ';', "behind .pragma");
}

/* The string's bytes without its quotes; a path of Windows may hold backslashes, so escapes stay as they are.
 */
static const char *string_text(struct wg_parser *p) {
    return wg_arena_strndup(p->lx.names->arena, p->src->text + p->t.off + 1, p->t.len - 2);
}

/* .file 1 "name", time, size */
bool wg_parse_file(struct wg_parser *p) {
    struct wg_ptx_file f = {0};
    uint64_t n;
    if (!wg_parse_count(p, UINT32_MAX, "a file's number", &n)) return false;
    f.index = (uint32_t)n;
    if (p->t.kind != WG_TK_STRING) return wg_parse_fail(p, "a file's name in quotes is expected here");
    f.path = string_text(p);
    wg_advance(p);
    while (wg_accept(p, ','))
        if (!wg_parse_count(p, UINT64_MAX, "a file's time or size", &n)) return false;
    *WG_PUSH(&p->out->files) = f;
    return true;
}

struct section {
    struct wg_strbuf bytes;
    WG_VEC(struct wg_ptx_string) labels; /* len: the offset of the label, until the section is complete */
    bool strings;                        /* it is .debug_str */
};

/* One value of a section: numbers, labels, label + n, label - label. Only bytes are kept. */
static bool parse_value(struct wg_parser *p, struct section *s) {
    uint64_t byte = 0;
    for (bool more = true; more; more = wg_accept(p, '+') || wg_accept(p, '-')) {
        if (p->t.kind == '-') wg_advance(p);
        if (p->t.kind != WG_TK_INT && p->t.kind != WG_TK_IDENT && p->t.kind != WG_TK_DOT)
            return wg_parse_fail(p, "a number or a label is expected in a section");
        if (p->t.kind == WG_TK_INT) byte = p->t.bits;
        wg_advance(p);
    }
    if (s->strings) wg_strbuf_add(&s->bytes, (char[]){(char)byte}, 1);
    return true;
}

static bool parse_section_line(struct wg_parser *p, struct section *s) {
    if (p->t.kind == WG_TK_IDENT && wg_peek(p).kind == ':') {
        *WG_PUSH(&s->labels) = (struct wg_ptx_string){.label = p->t.name, .len = (uint32_t)s->bytes.n};
        wg_advance(p);
        wg_advance(p);
        return true;
    }
    if (!wg_is_dot(p, "b8") && !wg_is_dot(p, "b16") && !wg_is_dot(p, "b32") && !wg_is_dot(p, "b64"))
        return wg_parse_fail(p, "a label, .b8, .b16, .b32 or .b64 is expected in a section");
    wg_advance(p);
    do
        if (!parse_value(p, s)) return false;
    while (wg_accept(p, ','));
    wg_accept(p, ';');
    return true;
}

static void keep_strings(struct wg_parser *p, struct section *s) {
    const char *bytes = wg_arena_strndup(p->lx.names->arena, s->bytes.s, s->bytes.n);
    for (uint32_t i = 0; i < s->labels.n; i++) {
        uint32_t at = s->labels.v[i].len;
        *WG_PUSH(&p->out->strings) = (struct wg_ptx_string){
            .label = s->labels.v[i].label, .bytes = bytes + at, .len = (uint32_t)s->bytes.n - at};
    }
}

bool wg_parse_section(struct wg_parser *p) {
    struct section s = {.strings = wg_is_dot(p, "debug_str")};
    if (p->t.kind != WG_TK_DOT && p->t.kind != WG_TK_IDENT)
        return wg_parse_fail(p, "the name of a section is expected here");
    wg_advance(p);
    bool ok = wg_expect(p, '{', "behind the name of a section");
    while (ok && p->t.kind != '}' && p->t.kind != WG_TK_EOF) ok = parse_section_line(p, &s);
    ok = ok && wg_expect(p, '}', "behind a section");
    if (ok && s.strings) keep_strings(p, &s);
    wg_strbuf_free(&s.bytes);
    free(s.labels.v);
    return ok;
}
