/* See header_names.h. */
#include "cli/header_names.h"
#include "base/hash.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool is_part(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$' || (c & 0x80); }

/* Offsets into the text of names, by the names' hashes. */
struct set {
    uint32_t *at; /* 0: empty */
    size_t n, room;
};

/* Where it stands, or would. */
static uint32_t *place_of(const struct set *set, const struct wg_strbuf *names, const char *name,
                          size_t len) {
    struct wg_hash h = WG_HASH_INIT;
    wg_hash_add(&h, name, len);
    size_t i = h.a & (set->room - 1);
    for (; set->at[i]; i = (i + 1) & (set->room - 1)) {
        const char *other = names->s + set->at[i];
        if (!strncmp(other, name, len) && other[len] == '\n') break;
    }
    return &set->at[i];
}

static void grow(struct set *set, const struct wg_strbuf *names) {
    struct set more = {.room = set->room ? 2 * set->room : 1024, .n = set->n};
    more.at = wg_xcalloc(more.room, sizeof *more.at);
    for (size_t i = 0; i < set->room; i++) {
        if (!set->at[i]) continue;
        const char *name = names->s + set->at[i];
        *place_of(&more, names, name, strcspn(name, "\n")) = set->at[i];
    }
    free(set->at);
    *set = more;
}

static void add(struct set *set, struct wg_strbuf *names, const char *name, size_t len) {
    if (2 * set->n >= set->room) grow(set, names);
    uint32_t *place = place_of(set, names, name, len);
    if (*place) return;
    *place = (uint32_t)names->n;
    wg_strbuf_add(names, name, len);
    wg_strbuf_puts(names, "\n");
    set->n++;
}

/* The end of a comment that begins at `s`, or `s`. */
static const char *after_comment(const char *s) {
    if (s[0] != '/' || (s[1] != '/' && s[1] != '*')) return s;
    const char *end = s[1] == '/' ? strchr(s, '\n') : strstr(s + 2, "*/");
    if (!end) return s + strlen(s);
    return s[1] == '/' ? end : end + 2;
}

/* The quote that ends a text or a character which begins at `s`, on the same line; `s` where there is none. */
static const char *closing_quote(const char *s) {
    for (const char *at = s + 1; *at && *at != '\n'; at++) {
        if (*at == '\\' && at[1])
            at++;
        else if (*at == *s)
            return at;
    }
    return s;
}

/* A macro with parameters, whose names are its own. */
struct macro {
    const char *params, *end; /* between parentheses; the end of its last line, or NULL: there is none here */
    size_t len;
};

/* `s` stands behind "define" in a text that begins at `text`. */
static struct macro find_macro(const char *text, const char *s) {
    const char *before = s - strlen("define");
    while (before > text && (before[-1] == ' ' || before[-1] == '\t')) before--;
    if (before == text || before[-1] != '#') return (struct macro){0};
    s += strspn(s, " \t");
    while (is_part(*s)) s++;
    const char *end = s, *close = *s == '(' ? strchr(s, ')') : NULL;
    if (!close) return (struct macro){0};
    while (*end && (*end != '\n' || end[-1] == '\\')) end++;
    return (struct macro){s + 1, end, (size_t)(close - s - 1)};
}

static bool is_parameter(const struct macro *m, const char *name, size_t len) {
    if (!m->end || name >= m->end) return false;
    for (const char *at = m->params, *end = at + m->len; at < end;) {
        const char *from = at;
        while (at < end && is_part(*at)) at++;
        if ((size_t)(at - from) == len && !strncmp(from, name, len)) return true;
        at += at == from;
    }
    return false;
}

static void add_names(struct set *set, struct wg_strbuf *names, const char *text) {
    const char *quoted = NULL; /* the end of the character that s is in: nothing begins a comment there */
    struct macro macro = {0};
    for (const char *s = text; *s;) {
        const char *from = s;
        if (s == quoted) {
            quoted = NULL;
            s++;
        } else if (is_part(*s)) {
            while (is_part(*s)) s++;
            size_t len = (size_t)(s - from);
            if (len == strlen("define") && !strncmp(from, "define", len)) macro = find_macro(text, s);
            if (!isdigit((unsigned char)*from) && !is_parameter(&macro, from, len))
                add(set, names, from, len);
        } else if (!quoted && after_comment(s) != s) {
            s = after_comment(s);
        } else if (!quoted && *s == '"') {
            s = closing_quote(s) + 1;
        } else {
            /* Names count here: 1'000 is a number, and the next ' may be anywhere. */
            if (!quoted && *s == '\'' && closing_quote(s) != s) quoted = closing_quote(s);
            s++;
        }
    }
}

bool wg_header_names(const struct wg_args *files, struct wg_strbuf *names) {
    struct set set = {0};
    bool good = true;
    wg_strbuf_puts(names, "\n");
    for (size_t i = 0; i < files->n && good; i++) {
        struct wg_strbuf text = {0};
        good = wg_file_read(files->v[i], &text);
        if (good && text.s) add_names(&set, names, text.s);
        wg_strbuf_free(&text);
    }
    free(set.at);
    return good;
}

bool wg_header_names_macro(const struct wg_strbuf *names, const char *word) {
    struct wg_strbuf line = {0};
    const char *name = word + 2; /* behind -D or -U */
    wg_strbuf_puts(&line, "\n");
    wg_strbuf_add(&line, name, strcspn(name, "=("));
    wg_strbuf_puts(&line, "\n");
    bool has = strstr(names->s, line.s) != NULL;
    wg_strbuf_free(&line);
    return has;
}
