/* Device code that lies in libraries: see device_link.h.
 *
 * An object of clang's -fgpu-rdc has its device code as PTX, in a section of its own, and a symbol with a name like no
 * other's (relocatable.h). What a file has for others and what it wants of them are lines of that text:
 *
 *     .extern .func  (.param .b32 func_retval0) _Z7doubledi
 *     .visible .global .align 4 .u32 bias = 1;
 */
#include "cli/device_link.h"
#include "base/arena.h"
#include "base/object_file.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

struct name {
    const char *s;
    size_t n;
};

/* One object. The names lie in the file's bytes. */
struct unit {
    struct name id;
    WG_VEC(struct name) has, wants;
    bool linked;
};

struct units {
    WG_VEC(struct unit) units;
    WG_VEC(struct wg_strbuf) files;
};

/* ---- An object's names ----------------------------------------------------------------------------------
 */

static bool is_name_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
}

/* What a line of PTX declares, from behind ".extern" or ".visible" on: the first word that is no directive, no
 * number and not in parentheses. */
static struct name declared(const char *at, const char *end) {
    while (at < end && *at != '\n' && *at != ';') {
        if (*at == '(') {
            while (at < end && *at != ')' && *at != '\n') at++;
        } else if (*at == '.' || (*at >= '0' && *at <= '9')) {
            while (at + 1 < end && (at[1] == '.' || is_name_character(at[1]))) at++;
        } else if (is_name_character(*at)) {
            const char *begin = at;
            while (at < end && is_name_character(*at)) at++;
            return (struct name){begin, (size_t)(at - begin)};
        }
        at++;
    }
    return (struct name){0};
}

static bool begins(const char *at, const char *end, const char *word) {
    size_t n = strlen(word);
    return (size_t)(end - at) > n && !memcmp(at, word, n);
}

static void read_text(struct unit *u, const char *at, const char *end) {
    while (at < end) {
        const char *line = at + strspn(at, " \t");
        bool wants = begins(line, end, ".extern ");
        bool has = begins(line, end, ".visible ") || begins(line, end, ".weak ");
        struct name name = wants || has ? declared(line, end) : (struct name){0};
        if (name.n && wants) *WG_PUSH(&u->wants) = name;
        if (name.n && has) *WG_PUSH(&u->has) = name;
        const char *next = memchr(at, '\n', (size_t)(end - at));
        at = next ? next + 1 : end;
    }
}

static struct name find_id(const char *names, size_t n) {
    static const char beginning[] = "__fatbinwrap__nv_";
    const char *at = memmem(names, n, beginning, sizeof beginning - 1);
    return at ? (struct name){at, strnlen(at, n - (size_t)(at - names))} : (struct name){0};
}

/* `bytes` end with a NUL that is not theirs. False: there is no linkable device code in it. */
static bool read_object(struct unit *u, const char *bytes, size_t size) {
    struct wg_section s;
    for (uint32_t i = 0; wg_object_next_section(bytes, size, &i, &s);) {
        if (s.type == SHT_STRTAB && !u->id.n) u->id = find_id(s.bytes, s.size);
        if (!strcmp(s.name, "__nv_relfatbin")) read_text(u, s.bytes, s.bytes + s.size);
    }
    return u->id.n > 0;
}

/* ---- Files ----------------------------------------------------------------------------------------------
 */

static void add_object(struct units *all, const char *bytes, size_t size, bool linked) {
    struct unit u = {.linked = linked};
    if (read_object(&u, bytes, size)) {
        *WG_PUSH(&all->units) = u;
    } else {
        free(u.has.v);
        free(u.wants.v);
    }
}

static void add_library(struct units *all, const char *bytes, size_t size) {
    struct wg_member m;
    for (size_t at = 0; wg_archive_next(bytes, size, &at, &m);) add_object(all, m.bytes, m.size, false);
}

/* False when there is no such file. */
static bool add_file(struct units *all, const char *path) {
    struct wg_strbuf text = {0};
    if (!wg_file_read(path, &text)) return false;
    if (wg_is_archive(text.s, text.n))
        add_library(all, text.s, text.n);
    else if (text.n)
        add_object(all, text.s, text.n, true);
    *WG_PUSH(&all->files) = text;
    return true;
}

/* -lNAME, in the folders of -L: a shared library is no concern of ours. */
static void add_named(struct units *all, const struct wg_args *words, const char *name) {
    for (size_t i = 0; i < words->n; i++) {
        struct wg_strbuf path = {0};
        if (strncmp(words->v[i], "-L", 2) != 0) continue;
        wg_strbuf_printf(&path, "%s/lib%s.a", words->v[i] + 2, name);
        bool found = add_file(all, path.s);
        wg_strbuf_free(&path);
        if (found) return;
    }
}

static void add_words(struct units *all, const struct wg_args *words) {
    for (size_t i = 0; i < words->n; i++) {
        const char *word = words->v[i], *end = strrchr(word, '.');
        if (!strncmp(word, "-l", 2))
            add_named(all, words, word + 2);
        else if (*word != '-' && end && (!strcmp(end, ".o") || !strcmp(end, ".a")))
            add_file(all, word);
    }
}

/* ---- Who needs whom -------------------------------------------------------------------------------------
 */

static bool same(const struct name *a, const struct name *b) {
    return a->n == b->n && !memcmp(a->s, b->s, a->n);
}

static bool has(const struct unit *u, const struct name *wanted) {
    for (uint32_t i = 0; i < u->has.n; i++)
        if (same(&u->has.v[i], wanted)) return true;
    return false;
}

/* The file that has it, unless one that is linked does; NULL: none is needed, or there is none. */
static struct unit *who_has(struct units *all, const struct name *wanted) {
    struct unit *first = NULL;
    for (uint32_t i = 0; i < all->units.n; i++) {
        struct unit *u = &all->units.v[i];
        if ((first && !u->linked) || !has(u, wanted)) continue;
        if (u->linked) return NULL;
        first = u;
    }
    return first;
}

static bool link_what_is_wanted(struct units *all, const struct unit *by, struct wg_args *names) {
    bool any = false;
    for (uint32_t i = 0; i < by->wants.n; i++) {
        struct unit *u = who_has(all, &by->wants.v[i]);
        if (!u) continue;
        u->linked = any = true;
        wg_args_addf(names, "%.*s", (int)u->id.n, u->id.s);
    }
    return any;
}

/* Also for what other files of libraries want: host code may bring those into the program, and with -dlink nobody says which. */
void wg_device_link_look(const struct wg_args *words, struct wg_args *names) {
    struct units all = {0};
    add_words(&all, words);
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < all.units.n; i++) more |= link_what_is_wanted(&all, &all.units.v[i], names);
    }
    for (uint32_t i = 0; i < all.units.n; i++) {
        free(all.units.v[i].has.v);
        free(all.units.v[i].wants.v);
    }
    for (uint32_t i = 0; i < all.files.n; i++) wg_strbuf_free(&all.files.v[i]);
    free(all.units.v);
    free(all.files.v);
}
