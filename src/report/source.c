/* See source.h. */
#include "report/source.h"
#include "base/strbuf.h"
#include <ctype.h>
#include <string.h>

const char *wg_source_base(const char *name) {
    const char *slash = strrchr(name, '/');
    return slash ? slash + 1 : name;
}

bool wg_source_is_system(const char *name) {
    return strstr(name, "/warpglass/include/") || strstr(name, "/device/include/") ||
           !strncmp(name, "/usr/", 5);
}

static const char *folder_of(struct wg_arena *a, const char *path) {
    const char *slash = path ? strrchr(path, '/') : NULL;
    return slash ? wg_arena_strndup(a, path, (size_t)(slash - path)) : ".";
}

void wg_sources_beside(struct wg_sources *s, struct wg_arena *arena, const char *one, const char *other) {
    *s = (struct wg_sources){.arena = arena, .beside = {folder_of(arena, one), folder_of(arena, other)}};
}

void wg_sources_init(struct wg_sources *s, struct wg_arena *arena, const struct wg_profile *r) {
    wg_sources_beside(s, arena, r->path, r->program);
    s->profile = r;
}

/* The text of a module's PTX, when one module alone has this name. */
static const char *ptx_of(const struct wg_profile *r, const char *module) {
    const char *found = NULL;
    for (uint32_t i = 0; i < r->kernel_count; i++) {
        const struct wg_profile_kernel *k = &r->kernels[i];
        if (!k->module || !k->ptx || strcmp(k->module, module) != 0) continue;
        if (found && found != k->ptx) return NULL;
        found = k->ptx;
    }
    return found;
}

/* Text that the report brought along. */
static bool read_inside(const struct wg_profile *r, const char *name, struct wg_strbuf *text) {
    for (uint32_t i = 0; i < r->source_count; i++)
        if (!strcmp(r->sources[i].name, name)) {
            wg_strbuf_puts(text, r->sources[i].text);
            return true;
        }
    const char *ptx = ptx_of(r, name);
    if (ptx) wg_strbuf_puts(text, ptx);
    return ptx != NULL;
}

static bool read_beside(struct wg_sources *s, const char *name, struct wg_strbuf *text) {
    if (s->profile && read_inside(s->profile, name, text)) return true;
    if (wg_file_read(name, text)) return true;
    if (s->root && *name != '/' && wg_file_read(wg_arena_printf(s->arena, "%s/%s", s->root, name), text))
        return true;
    for (int i = 0; i < 2; i++) {
        if (*name != '/' && wg_file_read(wg_arena_printf(s->arena, "%s/%s", s->beside[i], name), text))
            return true;
        if (wg_file_read(wg_arena_printf(s->arena, "%s/%s", s->beside[i], wg_source_base(name)), text))
            return true;
    }
    return false;
}

enum { TAB = 4 };

/* A line with its tabs as blanks. */
static const char *tidy(struct wg_arena *a, const char *s, size_t n) {
    char *out = wg_arena_alloc(a, n * TAB + 1);
    size_t column = 0;
    for (size_t i = 0; i < n; i++) {
        if (s[i] == '\r') continue;
        if (s[i] != '\t') {
            out[column++] = s[i];
            continue;
        }
        do out[column++] = ' ';
        while (column % TAB);
    }
    return out;
}

static void split(struct wg_arena *a, struct wg_source_file *f, const struct wg_strbuf *text) {
    const char *at = text->s ? text->s : "", *end = at + text->n;
    uint32_t lines = 1;
    for (const char *p = at; p < end; p++) lines += *p == '\n';
    f->line = WG_NEW_N(a, const char *, lines);
    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        if (!newline) newline = end;
        f->line[f->lines++] = tidy(a, at, (size_t)(newline - at));
        at = newline + 1;
    }
}

struct wg_source_file *wg_source_find(struct wg_sources *s, const char *name) {
    for (struct wg_source_file *f = s->files; f; f = f->next)
        if (!strcmp(f->name, name)) return f;
    struct wg_source_file *f = WG_NEW(s->arena, struct wg_source_file);
    struct wg_strbuf text = {0};
    f->name = wg_arena_strdup(s->arena, name);
    f->found = read_beside(s, name, &text);
    f->text = f->found && text.s ? wg_arena_strdup(s->arena, text.s) : "";
    if (f->found) split(s->arena, f, &text);
    wg_strbuf_free(&text);
    f->next = s->files;
    s->files = f;
    return f;
}

const char *wg_source_line(const struct wg_source_file *f, uint32_t line) {
    return f && line >= 1 && line <= f->lines ? f->line[line - 1] : NULL;
}

int wg_source_column(const struct wg_source_file *f, uint32_t line, uint32_t column) {
    const char *at = f->text;
    int n = 0;
    while (at && line-- > 1) at = (at = strchr(at, '\n')) ? at + 1 : NULL;
    for (; at && *at && *at != '\n' && column-- > 1; at++)
        if (*at == '\t')
            n += TAB - n % TAB;
        else
            n += (*at & 0xc0) != 0x80;
    return n;
}

size_t wg_source_offset(const struct wg_source_file *f, uint32_t line, uint32_t column) {
    const char *at = f->text;
    size_t n = 0;
    while (at && line-- > 1) at = (at = strchr(at, '\n')) ? at + 1 : NULL;
    for (; at && *at && *at != '\n' && column-- > 1; at++) n += *at == '\t' ? TAB - n % TAB : *at != '\r';
    return n;
}

static bool is_letter(char c) { return isalnum((unsigned char)c) || c == '_'; }

const char *wg_source_array(struct wg_arena *a, const struct wg_source_file *f, uint32_t line,
                            uint32_t column) {
    const char *s = wg_source_line(f, line);
    size_t end = s && column ? wg_source_offset(f, line, column) : 0;
    if (!s || !column || end >= strlen(s)) return NULL;
    if (is_letter(s[end])) {
        while (is_letter(s[end])) end++;
    } else {
        while (end && s[end - 1] == ' ') end--;
        while (end && s[end - 1] == ']') {
            int depth = 0;
            do depth += s[end - 1] == ']' ? 1 : s[end - 1] == '[' ? -1 : 0;
            while (--end && depth);
        }
    }
    size_t begin = end;
    while (begin && is_letter(s[begin - 1])) begin--;
    bool array = begin < end && s[end] == '[' && !isdigit((unsigned char)s[begin]);
    return array ? wg_arena_strndup(a, s + begin, end - begin) : NULL;
}

bool wg_source_many_arrays(const struct wg_source_file *f, uint32_t line, uint32_t column, const char *name) {
    const char *s = wg_source_line(f, line);
    size_t n = strlen(name), at = s && column ? wg_source_offset(f, line, column) : 0;
    if (!s || strspn(s, " \t") < at) return false;
    for (const char *open = strchr(s, '['); open; open = strchr(open + 1, '[')) {
        const char *end = open, *begin;
        while (end > s && end[-1] == ' ') end--;
        for (begin = end; begin > s && is_letter(begin[-1]);) begin--;
        if (end > begin && ((size_t)(end - begin) != n || strncmp(begin, name, n) != 0)) return true;
    }
    return false;
}

const char *wg_source_word(struct wg_arena *a, const struct wg_source_file *f, uint32_t line,
                           uint32_t column) {
    const char *s = wg_source_line(f, line);
    size_t begin = s && column ? wg_source_offset(f, line, column) : 0, n = 0;
    if (!s || !column || begin >= strlen(s)) return NULL;
    while (begin && is_letter(s[begin - 1]) && is_letter(s[begin])) begin--;
    while (is_letter(s[begin + n])) n++;
    return n && !isdigit((unsigned char)s[begin]) ? wg_arena_strndup(a, s + begin, n) : NULL;
}
