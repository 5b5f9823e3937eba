/* .file, .pragma and .section. Of the DWARF sections the strings matter, where .loc's function_name points,
 * and what says which code was inlined where: ir/inlined.c reads it. */
#include "ptx/parser.h"

#include <stdlib.h>
#include <string.h>

bool wg_parse_pragma(struct wg_parser *p) {
    do {
        if (p->t.kind != WG_TK_STRING) return wg_parse_fail(p, "expected a string after .pragma");
        const struct wg_ptx_stmt *last = p->stmts.n ? &p->stmts.v[p->stmts.n - 1] : NULL;
        bool nounroll = p->t.len == 10 && memcmp(p->src->text + p->t.off, "\"nounroll\"", 10) == 0;
        if (nounroll && last && last->kind == WG_ST_LABEL) last->label->nounroll = true;
        wg_advance(p);
    } while (wg_accept(p, ','));
    return wg_expect(p, ';', "after .pragma");
}

/* A byte beyond ASCII as clang writes it, \303: 0 where `s` is none. */
static uint32_t escaped_byte(const char *s) {
    if (s[0] != '\\' || (s[1] != '2' && s[1] != '3')) return 0;
    if (s[2] < '0' || s[2] > '7' || s[3] < '0' || s[3] > '7') return 0;
    return (uint32_t)((s[1] - '0') << 6 | (s[2] - '0') << 3 | (s[3] - '0'));
}

/* The string's bytes without its quotes. A path of Windows may hold backslashes, so other escapes than those
 * of bytes beyond ASCII, quotes and backslashes stay as they are. */
static const char *string_text(struct wg_parser *p) {
    char *text = wg_arena_strndup(p->lx.names->arena, p->src->text + p->t.off + 1, p->t.len - 2), *to = text;
    for (const char *from = text; *from; to++) {
        uint32_t byte = escaped_byte(from);
        if (from[0] == '\\' && (from[1] == '"' || from[1] == '\\')) from++;
        *to = byte ? (char)byte : *from;
        from += byte ? 4 : 1;
    }
    *to = 0;
    return text;
}

/* .file 1 "name", time, size */
bool wg_parse_file(struct wg_parser *p) {
    struct wg_ptx_file f = {0};
    uint64_t n;
    if (!wg_parse_count(p, UINT32_MAX, "a file's number", &n)) return false;
    f.index = (uint32_t)n;
    if (p->t.kind != WG_TK_STRING) return wg_parse_fail(p, "expected a file name in quotes");
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
    WG_VEC(struct wg_ptx_debug_ref) refs;
};

/* One value of a section: numbers, labels, label + n, label - label; `width` bytes. */
static bool parse_value(struct wg_parser *p, struct section *s, uint32_t width) {
    uint64_t value = 0;
    bool labelled = false, minus = false;
    for (bool more = true; more;) {
        if (p->t.kind == '-') minus = true, wg_advance(p);
        if (p->t.kind != WG_TK_INT && p->t.kind != WG_TK_IDENT && p->t.kind != WG_TK_DOT)
            return wg_parse_fail(p, "expected a number or a label in a section");
        if (p->t.kind == WG_TK_INT) value = minus ? value - p->t.bits : value + p->t.bits;
        if (p->t.kind == WG_TK_IDENT && !labelled) {
            *WG_PUSH(&s->refs) = (struct wg_ptx_debug_ref){(uint32_t)s->bytes.n, p->t.name};
            labelled = true;
        }
        wg_advance(p);
        minus = p->t.kind == '-';
        more = wg_accept(p, '+') || wg_accept(p, '-');
    }
    for (uint32_t i = 0; i < width; i++) wg_strbuf_add(&s->bytes, (char[]){(char)(value >> 8 * i)}, 1);
    return true;
}

static bool parse_section_line(struct wg_parser *p, struct section *s) {
    if (p->t.kind == WG_TK_IDENT && wg_peek(p).kind == ':') {
        *WG_PUSH(&s->labels) = (struct wg_ptx_string){.label = p->t.name, .len = (uint32_t)s->bytes.n};
        wg_advance(p);
        wg_advance(p);
        return true;
    }
    uint32_t width = wg_is_dot(p, "b8") ? 1 : wg_is_dot(p, "b16") ? 2 : wg_is_dot(p, "b32") ? 4 : 8;
    if (width == 8 && !wg_is_dot(p, "b64"))
        return wg_parse_fail(p, "expected a label, .b8, .b16, .b32 or .b64 in a section");
    wg_advance(p);
    do
        if (!parse_value(p, s, width)) return false;
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

static void keep(struct wg_parser *p, const struct section *s, struct wg_ptx_debug *out) {
    struct wg_arena *arena = p->lx.names->arena;
    struct wg_ptx_debug_ref *refs = WG_NEW_N(arena, struct wg_ptx_debug_ref, s->refs.n + 1);
    if (s->refs.n) memcpy(refs, s->refs.v, s->refs.n * sizeof *refs);
    *out = (struct wg_ptx_debug){
        .bytes = (const uint8_t *)wg_arena_strndup(arena, s->bytes.s ? s->bytes.s : "", s->bytes.n),
        .n = (uint32_t)s->bytes.n,
        .refs = refs,
        .nrefs = s->refs.n};
}

bool wg_parse_section(struct wg_parser *p) {
    struct section s = {0};
    bool strings = wg_is_dot(p, "debug_str");
    struct wg_ptx_debug *debug = wg_is_dot(p, "debug_abbrev")   ? &p->out->abbrev
                                 : wg_is_dot(p, "debug_info")   ? &p->out->info
                                 : wg_is_dot(p, "debug_ranges") ? &p->out->ranges
                                                                : NULL;
    if (p->t.kind != WG_TK_DOT && p->t.kind != WG_TK_IDENT)
        return wg_parse_fail(p, "expected the name of a section");
    wg_advance(p);
    bool ok = wg_expect(p, '{', "after the name of a section");
    while (ok && p->t.kind != '}' && p->t.kind != WG_TK_EOF) ok = parse_section_line(p, &s);
    ok = ok && wg_expect(p, '}', "after a section");
    if (ok && strings) keep_strings(p, &s);
    if (ok && debug) keep(p, &s, debug);
    wg_strbuf_free(&s.bytes);
    free(s.labels.v);
    free(s.refs.v);
    return ok;
}
