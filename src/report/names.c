/* See names.h. The text of a kernel's parameters is searched for in the source, from the first line of it
 * that executed upwards: NAME( int *in, int n ) -> "in", "n". */
#include "report/names.h"
#include "report/summary.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Joins lines into one text from the one that has NAME( on, at most `most` of them. */
static bool parameter_text(const struct wg_source_file *f, uint32_t line, const char *name,
                           struct wg_strbuf *out) {
    size_t n = strlen(name);
    for (; line >= 1; line--) {
        const char *text = wg_source_line(f, line);
        for (const char *at = text ? strstr(text, name) : NULL; at; at = strstr(at + 1, name)) {
            const char *behind = at + n + strspn(at + n, " ");
            if ((at > text && is_word(at[-1])) || *behind != '(') continue;
            wg_strbuf_puts(out, behind + 1);
            for (uint32_t i = 1; i < 20 && !strpbrk(out->s, "{;"); i++) {
                const char *more = wg_source_line(f, line + i);
                wg_strbuf_printf(out, " %s", more ? more : "");
            }
            return true;
        }
    }
    return false;
}

/* The last word of the `number`-th parameter of "int *in, int n) {". */
static const char *parameter_of(struct wg_arena *a, const char *text, unsigned number) {
    int depth = 0;
    const char *begin = text;
    for (const char *s = text; *s; s++) {
        bool end = !depth && (*s == ',' || *s == ')');
        if (end && !number) {
            const char *last = s;
            while (last > begin && !is_word(last[-1])) last--;
            const char *first = last;
            while (first > begin && is_word(first[-1])) first--;
            return last > first && !isdigit((unsigned char)*first)
                       ? wg_arena_strndup(a, first, (size_t)(last - first))
                       : NULL;
        }
        if (end && *s == ')') return NULL;
        if (end) number--, begin = s + 1;
        depth += *s == '(' || *s == '<' || *s == '[';
        depth -= *s == ')' || *s == '>' || *s == ']';
    }
    return NULL;
}

/* The function that the outermost frame is in begins above its first line. */
static const char *parameter_name(struct wg_arena *a, const struct wg_profile_kernel *k,
                                  const struct wg_site *s, struct wg_sources *sources, unsigned number) {
    if (!s->frame_count) return NULL;
    const struct wg_frame *outer = &s->frames[s->frame_count - 1];
    const char *name = wg_short_name(a, k->display), *found = NULL;
    name = wg_arena_strndup(a, name, strcspn(name, "<"));
    const char *colon = strrchr(name, ':');
    struct wg_strbuf text = {0};
    const struct wg_source_file *f = wg_source_find(sources, outer->file);
    const char *last = colon ? colon + 1 : name;
    /* Where the compiler hides that code was inlined, the kernel may stand below. */
    if (parameter_text(f, outer->line, last, &text) || parameter_text(f, f->lines, last, &text))
        found = parameter_of(a, text.s, number);
    wg_strbuf_free(&text);
    return found;
}

static const char *better_name(struct wg_arena *a, const struct wg_profile_kernel *k, const struct wg_site *s,
                               struct wg_sources *sources) {
    size_t n = strlen(k->name);
    if (!strncmp(s->what, k->name, n) && !strncmp(s->what + n, "_param_", 7)) {
        unsigned number = (unsigned)strtoul(s->what + n + 7, NULL, 10);
        const char *name = parameter_name(a, k, s, sources, number);
        return name ? name : wg_arena_printf(a, "parameter %u", number + 1);
    }
    return wg_variable_name(a, s->what);
}

/* Of an address whose origin the compiler hid: the word at the place of the access, when it is an array's. */
static const char *name_in_source(struct wg_arena *a, const struct wg_site *s, struct wg_sources *sources) {
    if (!s->frame_count || wg_class_infos[s->class].memory == WG_MEMORY_NONE) return NULL;
    const struct wg_source_file *f = wg_source_find(sources, s->frames[0].file);
    uint32_t line = s->frames[0].line, column = s->frames[0].column;
    const char *name = wg_source_array(a, f, line, column);
    bool load = s->class == WG_CLASS_global_load || s->class == WG_CLASS_shared_load ||
                s->class == WG_CLASS_local_load;
    return name && load && wg_source_many_arrays(f, line, column, name) ? NULL : name;
}

void wg_name_memory(struct wg_arena *arena, struct wg_profile *r, struct wg_sources *sources) {
    for (uint32_t i = 0; i < r->kernel_count; i++)
        for (uint32_t j = 0; j < r->kernels[i].site_count; j++) {
            struct wg_site *s = &r->kernels[i].sites[j];
            s->what =
                s->what ? better_name(arena, &r->kernels[i], s, sources) : name_in_source(arena, s, sources);
        }
}
