/* Launches in device code: see respell.h. clang has no words for them, and says so at "<<<". */
#include "cli/respell.h"

#include <ctype.h>
#include <string.h>

static bool in_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

static size_t before_spaces(const char *s, size_t p) {
    while (p && (isspace((unsigned char)s[p - 1]) || s[p - 1] == '\\')) p--;
    return p;
}

static bool ends_with(const char *s, size_t p, const char *word) {
    size_t n = strlen(word);
    return p >= n && !memcmp(s + p - n, word, n);
}

/* The bracket that the one before `end` closes; `end` itself where there is none. What stands in other brackets does
 * not count. */
static size_t opening(const char *s, size_t end) {
    static const char open[] = "<([{", close[] = ">)]}";
    char stack[64];
    size_t depth = 0;
    for (size_t p = end; p-- > 0 && s[p] != ';';) {
        const char *c = strchr(close, s[p]), *o = strchr(open, s[p]);
        bool compares = depth && stack[depth - 1] != '<' && (s[p] == '<' || s[p] == '>');
        if (!s[p] || compares || (s[p] == '>' && p && s[p - 1] == '-')) continue;
        if (c && depth < sizeof stack) stack[depth++] = open[c - close];
        if (o && (!depth || stack[--depth] != *o)) return end;
        if (o && !depth) return p;
    }
    return end;
}

/* Where the kernel's name, with its template's arguments and all that it is a member of, begins; `end`: it is no
 * name. */
static size_t name_before(const char *s, size_t end) {
    size_t p = end;
    for (;;) {
        size_t arguments = p && s[p - 1] == '>' ? opening(s, p) : p;
        size_t name = before_spaces(s, arguments), begin = name;
        while (begin && in_name(s[begin - 1])) begin--;
        if (begin == name || isdigit((unsigned char)s[begin])) return end;
        size_t before = before_spaces(s, begin);
        if (ends_with(s, before, "template")) {
            begin = before - strlen("template");
            before = before_spaces(s, begin);
        }
        if (!ends_with(s, before, "::")) return begin;
        p = before_spaces(s, before - 2);
        if (!p || !(in_name(s[p - 1]) || s[p - 1] == '>')) return before - 2; /* ::kernel */
    }
}

/* Past the quoted text that begins at p, or one byte on. */
static size_t next(const char *s, size_t p) {
    char quote = s[p];
    if (quote != '"' && quote != '\'') return p + 1;
    for (p++; s[p] && s[p] != quote && s[p] != '\n'; p++) p += s[p] == '\\' && s[p + 1];
    return s[p] ? p + 1 : p;
}

/* The ">>>" that ends what stands from `p` on; 0: none does. */
static size_t end_of_shape(const char *s, size_t p) {
    size_t depth = 0;
    for (; s[p] && s[p] != ';'; p = next(s, p)) {
        if (!depth && !strncmp(s + p, ">>>", 3)) return p;
        depth += s[p] == '(' || s[p] == '{' || s[p] == '[';
        if (s[p] == ')' || s[p] == '}' || s[p] == ']') {
            if (!depth) return 0;
            depth--;
        }
    }
    return 0;
}

/* The "<<<" of the statement from `at` on; 0: it has none. */
static size_t launch_in(const char *s, size_t at, const char *end) {
    for (; s[at] && !strchr(end, s[at]); at++) {
        if (!strncmp(s + at, "\\\n", 2))
            at++;
        else if (!strncmp(s + at, "<<<", 3))
            return at;
    }
    return 0;
}

/* The same of the macro whose arguments stand around `at`, where the text defines it. */
static size_t launch_of_macro(const char *s, size_t at) {
    size_t depth = 0, p = at;
    while (p && s[p - 1] != ';' && (depth || s[p - 1] != '(')) {
        p--;
        depth += s[p] == ')';
        depth -= s[p] == '(';
    }
    size_t end = p && s[p - 1] == '(' ? before_spaces(s, p - 1) : 0, name = end;
    while (name && in_name(s[name - 1])) name--;
    for (const char *d = s; end > name && (d = strstr(d, "#define")); d++) {
        const char *word = d + strlen("#define");
        word += strspn(word, " \t");
        if (strncmp(word, s + name, end - name) == 0 && word[end - name] == '(')
            return launch_in(s, (size_t)(word - s), "\n");
    }
    return 0;
}

bool wg_respell_child(struct wg_strbuf *text, size_t at) {
    const char *s = text->s;
    struct wg_strbuf whole = {0};
    size_t launch = launch_in(s, at, ";");
    at = launch ? launch : launch_of_macro(s, at);
    if (!at) return false;
    size_t name_end = before_spaces(s, at), name = name_before(s, name_end), shape = at + 3,
           end = end_of_shape(s, shape);
    if (name == name_end || !end) return false;
    wg_strbuf_add(&whole, s, name);
    wg_strbuf_puts(&whole, "::__wg_child<decltype(&");
    wg_strbuf_add(&whole, s + name, name_end - name);
    wg_strbuf_puts(&whole, "), ");
    wg_strbuf_add(&whole, s + name, at - name);
    wg_strbuf_puts(&whole, ">::__at(");
    wg_strbuf_add(&whole, s + shape, end - shape);
    wg_strbuf_puts(&whole, ")");
    wg_strbuf_add(&whole, s + end + 3, text->n - (end + 3));
    wg_strbuf_free(text);
    *text = whole;
    return true;
}
