/* Launches in device code: see respell.h. clang has no words for them, and says so at "<<<". */
#include "cli/respell.h"

#include <ctype.h>
#include <string.h>

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
        while (begin && wg_respell_in_name(s[begin - 1])) begin--;
        if (begin == name || isdigit((unsigned char)s[begin])) return end;
        size_t before = before_spaces(s, begin);
        if (ends_with(s, before, "template")) {
            begin = before - strlen("template");
            before = before_spaces(s, begin);
        }
        if (!ends_with(s, before, "::")) return begin;
        p = before_spaces(s, before - 2);
        if (!p || !(wg_respell_in_name(s[p - 1]) || s[p - 1] == '>')) return before - 2; /* ::kernel */
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
    while (name && wg_respell_in_name(s[name - 1])) name--;
    for (const char *d = s; end > name && (d = strstr(d, "#define")); d++) {
        const char *word = d + strlen("#define");
        word += strspn(word, " \t");
        if (strncmp(word, s + name, end - name) == 0 && word[end - name] == '(')
            return launch_in(s, (size_t)(word - s), "\n");
    }
    return 0;
}

/* The parts of a launch in the text. */
struct launch {
    size_t name, name_end, brackets, shape, shape_end;
};

static bool find_launch(const char *s, size_t at, struct launch *l) {
    size_t own = launch_in(s, at, ";");
    l->brackets = own ? own : launch_of_macro(s, at);
    l->shape = l->brackets + 3;
    l->name_end = l->brackets ? before_spaces(s, l->brackets) : 0;
    l->name = name_before(s, l->name_end);
    l->shape_end = l->brackets ? end_of_shape(s, l->shape) : 0;
    return l->name < l->name_end && l->shape_end;
}

static void add(struct wg_strbuf *out, const char *s, size_t from, size_t to) {
    wg_strbuf_add(out, s + from, to - from);
}

/* In one line, without comments. */
static void add_flat(struct wg_strbuf *out, const char *s, size_t from, size_t to) {
    while (from < to) {
        if (!strncmp(s + from, "//", 2)) {
            from += strcspn(s + from, "\n");
        } else if (!strncmp(s + from, "/*", 2)) {
            const char *end = strstr(s + from + 2, "*/");
            from = end ? (size_t)(end + 2 - s) : to;
        } else {
            size_t then = next(s, from);
            if (s[from] == '\n')
                wg_strbuf_puts(out, " ");
            else
                add(out, s, from, then);
            from = then;
        }
    }
}

/* Past the bracket that closes the one at `p`; 0: none does. */
static size_t past_closing(const char *s, size_t p, char open, char close) {
    size_t depth = 0;
    for (; s[p] && s[p] != ';'; p = next(s, p)) {
        depth += s[p] == open;
        if (s[p] == close && --depth == 0) return p + 1;
    }
    return 0;
}

static void replace(struct wg_strbuf *text, struct wg_strbuf *whole) {
    wg_strbuf_free(text);
    *text = *whole;
}

bool wg_respell_child(struct wg_strbuf *text, size_t at) {
    const char *s = text->s;
    struct wg_strbuf whole = {0};
    struct launch l;
    if (!find_launch(s, at, &l)) return false;
    add(&whole, s, 0, l.name);
    wg_strbuf_puts(&whole, "::__wg_child<decltype(&");
    add(&whole, s, l.name, l.name_end);
    wg_strbuf_puts(&whole, "), ");
    add(&whole, s, l.name, l.brackets);
    wg_strbuf_puts(&whole, ">::__at(");
    add(&whole, s, l.shape, l.shape_end);
    wg_strbuf_puts(&whole, ")");
    add(&whole, s, l.shape_end + 3, text->n);
    replace(text, &whole);
    return true;
}

bool wg_respell_is_of_several(const struct wg_strbuf *text, size_t at) {
    struct launch l;
    return find_launch(text->s, at, &l) && text->s[l.name_end - 1] != '>';
}

bool wg_respell_child_of_several(struct wg_strbuf *text, size_t at) {
    const char *s = text->s;
    struct wg_strbuf whole = {0};
    struct launch l;
    if (!find_launch(s, at, &l)) return false;
    if (!wg_respell_is_of_several(text, at)) return wg_respell_child(text, at);
    size_t open = l.shape_end + 3 + strspn(s + l.shape_end + 3, " \t\n"), own = l.name_end,
           close = s[open] == '(' ? past_closing(s, open, '(', ')') : 0;
    while (own > l.name && wg_respell_in_name(s[own - 1])) own--;
    if (!close) return false;
    add(&whole, s, 0, l.name);
    wg_strbuf_puts(&whole, "decltype(");
    add_flat(&whole, s, l.name, own);
    wg_strbuf_puts(&whole, "__wg_twin_");
    add(&whole, s, own, l.name_end);
    add_flat(&whole, s, open, close);
    wg_strbuf_puts(&whole, ")::__at(");
    add(&whole, s, l.shape, l.shape_end);
    wg_strbuf_puts(&whole, ")");
    add(&whole, s, l.shape_end + 3, text->n);
    replace(text, &whole);
    return true;
}

bool wg_respell_twin(struct wg_strbuf *text, size_t at) {
    const char *s = text->s;
    struct wg_strbuf head = {0}, parameters = {0}, twin = {0}, whole = {0};
    size_t end = at, start = wg_respell_declaration_of(text, at);
    while (wg_respell_in_name(s[end])) end++;
    size_t open = end + strspn(s + end, " \t\n"),
           close = s[open] == '(' ? past_closing(s, open, '(', ')') : 0,
           arguments = strncmp(s + start, "template", 8) ? 0 : past_closing(s, start, '<', '>');
    if (end == at || !close) return false;
    add_flat(&head, s, start, at);
    add_flat(&parameters, s, open, close);
    add_flat(&twin, s, start, arguments ? arguments : start);
    wg_strbuf_printf(
        &twin, " __host__ __device__ auto __wg_twin_%.*s%s -> ::__wg_child<void (*)%s, (void (*)%s)%.*s>; ",
        (int)(end - at), s + at, parameters.s, parameters.s, parameters.s, (int)(end - at), s + at);
    bool there =
        strchr(head.s, '=') || strchr(parameters.s, '=') || strstr(s, twin.s); /* a default stands once */
    if (!there) {
        add(&whole, s, 0, start);
        wg_strbuf_printf(&whole, "%s%.*s%s; %s", head.s, (int)(end - at), s + at, parameters.s, twin.s);
        add(&whole, s, start, text->n);
        replace(text, &whole);
    }
    wg_strbuf_free(&head);
    wg_strbuf_free(&parameters);
    wg_strbuf_free(&twin);
    return !there;
}
