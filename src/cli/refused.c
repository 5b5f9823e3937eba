/* See refused.h. Two habits of programs: alignas behind __shared__ and other qualifiers, as NVIDIA's own
 * examples have it; and launches as editors space them out, kernel << <grid, block >> >(x), which nvcc reads
 * like kernel<<<grid, block>>>(x). The second is mended in a copy of the file, in which everything else keeps
 * its place, and clang takes the copy for the file.
 */
#include "cli/refused.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- launches ---- */

/* Behind the comment or the quoted text that begins at p; p itself where none does. */
static char *behind_quoted(char *p) {
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

bool wg_refused_join_chevrons(char *text) {
    bool any = false;
    for (char *p = text; *p;) {
        char *behind = behind_quoted(p);
        /* 10'000 is a number. */
        if (behind != p && !(*p == '\'' && p > text && strchr("0123456789abcdefABCDEF", p[-1]))) {
            p = behind;
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

/* What a terminal shows of a message: without colours. */
static void drop_colours(char *text) {
    char *to = text;
    for (const char *from = text; *from;) {
        if (*from == '\033') {
            from += strcspn(from, "m");
            from += *from != '\0';
        } else {
            *to++ = *from++;
        }
    }
    *to = '\0';
}

static bool has_word(const struct wg_args *words, const char *start) {
    for (size_t i = 0; i < words->n; i++)
        if (!strncmp(words->v[i], start, strlen(start))) return true;
    return false;
}

static bool join_in_file(const char *path, const char *messages, struct wg_args *words) {
    struct wg_strbuf text = {0}, from = {0}, copy = {0};
    wg_strbuf_printf(&from, "%s;", path);
    wg_strbuf_printf(&copy, "%s.%zu.cu", messages, words->n);
    bool joined = !has_word(words, from.s) && wg_file_read(path, &text) && text.n &&
                  wg_refused_join_chevrons(text.s) && wg_file_write(copy.s, text.s, text.n);
    if (joined) {
        wg_args_add_list(words, "-Xclang,-remap-file,-Xclang");
        wg_args_addf(words, "%s%s", from.s, copy.s);
    }
    wg_strbuf_free(&text);
    wg_strbuf_free(&from);
    wg_strbuf_free(&copy);
    return joined;
}

/* "file:line:column: error: expected expression" */
static bool join_where_stumbled(char *text, const char *messages, struct wg_args *words) {
    bool any = false;
    for (char *line = text, *next; line; line = next) {
        next = strchr(line, '\n');
        if (next) *next++ = '\0';
        char *end = strstr(line, ": error: expected expression");
        for (int number = 0; end && number < 2; number++) {
            *end = '\0';
            end = strrchr(line, ':');
        }
        if (!end) continue;
        *end = '\0';
        any |= join_in_file(line, messages, words);
    }
    return any;
}

bool wg_refused_words(const char *messages, struct wg_args *words) {
    struct wg_strbuf text = {0};
    bool any = false;
    if (wg_file_read(messages, &text) && text.n) {
        any = strstr(text.s, "an attribute list cannot appear here") && strstr(text.s, "alignas(") &&
              !has_word(words, "warpglass/alignas");
        if (any) wg_args_add_list(words, "-include,warpglass/alignas_anywhere.h");
        drop_colours(text.s);
        any |= join_where_stumbled(text.s, messages, words);
    }
    wg_strbuf_free(&text);
    return any;
}
