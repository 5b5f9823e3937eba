/* See respell.h. */
#include "cli/respell.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void insert(struct wg_strbuf *text, size_t at, const char *word) {
    struct wg_strbuf whole = {0};
    wg_strbuf_add(&whole, text->s, at);
    wg_strbuf_puts(&whole, word);
    wg_strbuf_add(&whole, text->s + at, text->n - at);
    wg_strbuf_free(text);
    *text = whole;
}

/* ---- launches ---- */

/* After the comment or the quoted text that begins at p; p itself where none does. */
static char *after_quoted(char *p) {
    if (!strncmp(p, "//", 2)) return p + strcspn(p, "\n");
    if (!strncmp(p, "/*", 2)) {
        char *end = strstr(p + 2, "*/");
        return end ? end + 2 : p + strlen(p);
    }
    if (!strncmp(p, "R\"", 2)) {
        char *open = strchr(p, '(');
        if (!open || open - p > 18) return p + 2;
        char close[20];
        snprintf(close, sizeof close, ")%.*s\"", (int)(open - p - 2), p + 2);
        char *end = strstr(open, close);
        return end ? end + strlen(close) : p + strlen(p);
    }
    if (*p != '"' && *p != '\'') return p;
    char *end = p + 1;
    while (*end && *end != *p && *end != '\n') end += *end == '\\' && end[1] ? 2 : 1;
    return *end ? end + 1 : end;
}

bool wg_respell_launches(struct wg_strbuf *text) {
    bool any = false;
    for (char *p = text->s; *p;) {
        char *after = after_quoted(p);
        /* 10'000 is a number. */
        if (after != p && !(*p == '\'' && p > text->s && strchr("0123456789abcdefABCDEF", p[-1]))) {
            p = after;
            continue;
        }
        char c = *p++;
        if ((c != '<' && c != '>') || *p != c || p[1] == c) continue;
        char *third = p + 1 + strspn(p + 1, " \t");
        if (third != p + 1 && *third == c && third[1] != c && third[1] != '=') {
            *third = ' ';
            p[1] = c;
            any = true;
        }
        p++;
    }
    return any;
}

/* Where the parentheses of the launch around byte `at` begin, past "<<<"; 0: it is in none. */
static size_t launch_around(const struct wg_strbuf *text, size_t at) {
    for (size_t p = at; p >= 3 && text->s[p - 1] != ';'; p--) {
        if (!strncmp(text->s + p - 3, "<<<", 3)) return p;
        if (!strncmp(text->s + p - 3, ">>>", 3)) return 0;
    }
    return 0;
}

bool wg_respell_shape(struct wg_strbuf *text, size_t at) {
    size_t begin = launch_around(text, at), depth = 0;
    if (!begin || text->s[at] != '{') return false;
    char before = ',';
    for (size_t p = begin; text->s[p] && text->s[p] != ';' && strncmp(text->s + p, ">>>", 3) != 0; p++) {
        char c = text->s[p];
        if (c == '{' && before == ',' && !depth) {
            insert(text, p, "dim3");
            p += strlen("dim3");
        }
        depth += c == '{' || c == '(' || c == '[';
        depth -= depth && (c == '}' || c == ')' || c == ']');
        if (!isspace((unsigned char)c)) before = c;
    }
    return true;
}

/* ---- inline PTX ---- */

/* A register's name. "%h0" and "%h[name]" are operands, as C has them. */
static bool is_register(const char *percent) {
    char first = percent[1];
    return (isalpha((unsigned char)first) || first == '_' || first == '$') &&
           !isdigit((unsigned char)percent[2]) && percent[2] != '[';
}

/* Where the quoted text that follows the one that ends at `end` begins, past its quote; 0: none does. */
static size_t next_quoted(const struct wg_strbuf *text, size_t end) {
    size_t p = end + 1;
    while (isspace((unsigned char)text->s[p]) || (text->s[p] == '\\' && text->s[p + 1] == '\n')) p++;
    return text->s[p] == '"' ? p + 1 : 0;
}

bool wg_respell_operands(struct wg_strbuf *text, size_t at) {
    size_t p = at + 1, before = at;
    if (text->s[at] != '"') return false;
    while (before && isspace((unsigned char)text->s[before - 1])) before--;
    p += strspn(text->s + p, "=+&");
    if (!before || text->s[before - 1] != ')' || !isalpha((unsigned char)text->s[p])) return false;
    if (text->s[p + 1] != '"' || text->s[p + 2 + strspn(text->s + p + 2, " \t")] != '(') return false;
    insert(text, before, ",");
    return true;
}

bool wg_respell_percents(struct wg_strbuf *text, size_t at) {
    bool any = false;
    size_t p = at;
    for (size_t back = 0; back < 3 && p && text->s[p] != '%'; back++) p--;
    if (text->s[p] != '%') return false;
    while (p && text->s[p] && text->s[p] != '\n') {
        if (text->s[p] == '\\' && text->s[p + 1]) {
            p += 2;
        } else if (!strncmp(text->s + p, "%%", 2)) {
            p += 2;
        } else if (text->s[p] == '"') {
            p = next_quoted(text, p);
        } else {
            if (text->s[p] == '%' && is_register(text->s + p)) {
                insert(text, p++, "%");
                any = true;
            }
            p++;
        }
    }
    return any;
}

/* ---- templates ---- */

bool wg_respell_template_name(struct wg_strbuf *text, size_t at) {
    for (size_t p = at; text->s[p] && !strchr(";{}", text->s[p]); p++) {
        if (strncmp(text->s + p, "::", 2) != 0) continue;
        size_t before = p, name = p + 2;
        while (before > at && isspace((unsigned char)text->s[before - 1])) before--;
        while (isspace((unsigned char)text->s[name])) name++;
        size_t end = name;
        while (wg_respell_in_name(text->s[end])) end++;
        bool is_argument_list = text->s[end + strspn(text->s + end, " \t")] == '<';
        if (before == at || text->s[before - 1] != '>' || end == name || !is_argument_list) continue;
        insert(text, name, "template ");
        return true;
    }
    return false;
}

/* ---- prototypes ---- */

/* Past what stands before the declaration around byte `at`: another one, a block, or a directive. */
size_t wg_respell_declaration_of(const struct wg_strbuf *text, size_t at) {
    size_t p = at;
    while (p && !strchr(";{}", text->s[p - 1])) {
        p--;
        if (text->s[p] != '\n') continue;
        size_t line = p;
        while (line && text->s[line - 1] != '\n') line--;
        line += strspn(text->s + line, " \t");
        if (text->s[line] == '#' || !strncmp(text->s + line, "//", 2)) break;
    }
    for (;;) {
        p += strspn(text->s + p, " \t\n");
        if (strncmp(text->s + p, "/*", 2) != 0) return p;
        p = (size_t)(after_quoted(text->s + p) - text->s);
    }
}

bool wg_respell_prototype(struct wg_strbuf *text, size_t at) {
    size_t end = at + strcspn(text->s + at, ";{"), start = wg_respell_declaration_of(text, at);
    if (text->s[end] != ';' || start > at || !strncmp(text->s + start, "__device__", 10)) return false;
    insert(text, start, "__device__ ");
    return true;
}

bool wg_respell_defines_for_device(const struct wg_strbuf *text, const char *name, size_t n) {
    for (char *p = text->s; (p = strstr(p, "__device__"));) {
        p += strlen("__device__");
        size_t end = strcspn(p, ";{"), open = strcspn(p, "(");
        if (p[end] != '{' || open > end) continue;
        while (open && p[open - 1] == ' ') open--;
        if (open > n && !strncmp(p + open - n, name, n) && !wg_respell_in_name(p[open - n - 1])) return true;
    }
    return false;
}

/* ---- pragmas ---- */

bool wg_respell_pragma(struct wg_strbuf *text, size_t at) {
    static const char word[] = "pragma";
    struct wg_strbuf pragma = {0};
    if (text->s[at] != '#') return false;
    const char *p = text->s + at + 1 + strspn(text->s + at + 1, " \t");
    if (strncmp(p, word, sizeof word - 1) != 0 || wg_respell_in_name(p[sizeof word - 1])) return false;
    p += sizeof word - 1 + strspn(p + sizeof word - 1, " \t");
    size_t n = strcspn(p, "\r\n"), end = (size_t)(p - text->s) + n;
    if (n && p[n - 1] == '\\') return false;
    wg_strbuf_puts(&pragma, "_Pragma(\"");
    for (size_t i = 0; i < n && strncmp(p + i, "//", 2) != 0 && strncmp(p + i, "/*", 2) != 0; i++) {
        if (p[i] == '"' || p[i] == '\\') wg_strbuf_puts(&pragma, "\\");
        wg_strbuf_add(&pragma, p + i, 1);
    }
    wg_strbuf_puts(&pragma, "\")");
    memset(text->s + at, ' ', end - at);
    insert(text, at, pragma.s);
    wg_strbuf_free(&pragma);
    return true;
}

/* ---- variables in shared memory ---- */

bool wg_respell_shared_variable(struct wg_strbuf *text, size_t at) {
    static const char device[] = "__device__", shared[] = "__shared__";
    size_t start = wg_respell_declaration_of(text, at), end = at + strcspn(text->s + at, ";{=");
    if (strncmp(text->s + at, device, sizeof device - 1) != 0) return false;
    if (!memmem(text->s + start, end - start, shared, sizeof shared - 1)) return false;
    memset(text->s + at, ' ', sizeof device - 1);
    return true;
}

/* ---- arrays of variable size ---- */

/* After the bracket that closes the one at p, both of the text's own; NULL: there is none. */
static char *after_bracket(char *p) {
    int depth = 0;
    for (char *after; *p; p = after) {
        after = after_quoted(p);
        if (after != p) continue;
        depth += strchr("([{", *p) != NULL;
        depth -= strchr(")]}", *p) != NULL;
        after = p + 1;
        if (!depth) return after;
    }
    return NULL;
}

static char *after_space(char *p) { return p + strspn(p, " \t\r\n"); }

/* "const" of the elements whose declaration ends at p: nothing could be written to them. What they point to, and a template's
 * arguments, stay as they are. */
static void drop_const(const char *text, char *p) {
    enum { LENGTH = 5 };
    int depth = 0;
    while (p > text && !strchr(depth ? ";{}" : ";{}*", p[-1])) {
        p--;
        depth += (*p == '>') - (*p == '<');
        if (!depth && !strncmp(p, "const", LENGTH) && !wg_respell_in_name(p[LENGTH]) &&
            (p == text || !wg_respell_in_name(p[-1])))
            memset(p, ' ', LENGTH);
    }
}

/* ", sizes, " of an array of so many dimensions */
static void add_sizes(struct wg_strbuf *call, const char *name, int length, int dimensions) {
    for (int i = 0; i < dimensions; i++) {
        wg_strbuf_printf(call, "%ssizeof(%.*s", i ? ", " : ", {", length, name);
        for (int k = 0; k < i; k++) wg_strbuf_puts(call, "[0]");
        wg_strbuf_puts(call, ")");
    }
    wg_strbuf_puts(call, "}, ");
}

bool wg_respell_variable_array(struct wg_strbuf *text, size_t at) {
    static const char firsts[] = "[0][0][0][0]";
    struct wg_strbuf call = {0};
    int dimensions = 0;
    while (at && text->s[at - 1] != '[') at--; /* clang shows the first size */
    while (at && !wg_respell_in_name(text->s[at - 1])) at--;
    char *p = text->s + at, *name = p, *end, *begin;
    while (name > text->s && wg_respell_in_name(name[-1])) name--;
    int length = (int)(p - name);
    for (p = after_space(p); *p == '['; p = after_space(end), dimensions++)
        if (!(end = after_bracket(p))) return false;
    if (!length || *p != '=' || dimensions < 1 || dimensions * 3 > (int)sizeof firsts - 1) return false;
    begin = after_space(p + 1);
    end = *begin == '{' ? after_bracket(begin) : NULL;
    if (!end || *after_space(end) != ';') return false;
    wg_strbuf_printf(&call, "; ::warpglass_initialise<decltype(%.*s%.*s)>(&%.*s%.*s", length, name,
                     dimensions * 3, firsts, length, name, dimensions * 3, firsts);
    add_sizes(&call, name, length, dimensions);
    drop_const(text->s, name);
    *p = ' ';
    size_t assignment = (size_t)(p - text->s);
    insert(text, (size_t)(end - text->s), ")");
    insert(text, assignment, call.s);
    wg_strbuf_free(&call);
    return true;
}
