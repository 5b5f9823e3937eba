/* See suppress.h. */
#include "report/suppress.h"
#include "base/suggestion.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool choose_kinds(struct wg_suppression *s, const char *word) {
    bool any = false;
    for (int k = 0; k < WG_FINDING_KINDS; k++) {
        const struct wg_finding_info *i = wg_finding_info(k);
        s->kinds[k] = !strcmp(word, "*") || !strcmp(word, i->name) || !strcmp(word, wg_check_name(i->check));
        any |= s->kinds[k];
    }
    return any;
}

static void say_unknown_kind(const char *at, const char *word, struct wg_strbuf *why) {
    const char *names[WG_FINDING_KINDS + WG_CHECKS_NAMED + 1];
    size_t n = 0;
    for (int k = 0; k < WG_FINDING_KINDS; k++) names[n++] = wg_finding_info(k)->name;
    for (int c = 0; c < WG_CHECKS_NAMED; c++) names[n++] = wg_check_name(c);
    names[n] = NULL;
    const char *meant = wg_suggestion(word, names);
    wg_strbuf_printf(why, "%s: unknown kind of finding '%s'", at, word);
    if (meant)
        wg_strbuf_printf(why, ": did you mean '%s'?", meant);
    else
        wg_strbuf_puts(why, "; kinds are listed in docs/check.md");
}

static void read_place(struct wg_arena *a, struct wg_suppression *s, const char *word, size_t n) {
    size_t digits = n;
    while (digits && word[digits - 1] >= '0' && word[digits - 1] <= '9') digits--;
    bool line = digits < n && digits > 1 && word[digits - 1] == ':';
    s->file = wg_arena_strndup(a, word, line ? digits - 1 : n);
    s->line = line ? (uint32_t)strtoul(word + digits, NULL, 10) : 0;
}

static bool read_kernel(struct wg_suppression *s, const char *expression, struct wg_strbuf *why) {
    struct wg_strbuf wrong = {0};
    s->name = expression;
    s->kernel = wg_pattern_make(expression, &wrong);
    if (!s->kernel) wg_strbuf_printf(why, "%s: 'kernel=%s", s->at, wrong.s + 1);
    wg_strbuf_free(&wrong);
    return s->kernel != NULL;
}

/* `line` has neither comment nor blanks around it. */
static bool read_line(struct wg_arena *a, struct wg_suppression *s, const char *line, struct wg_strbuf *why) {
    static const char blanks[] = " \t";
    size_t n = strcspn(line, blanks);
    const char *kind = wg_arena_strndup(a, line, n);
    s->text = wg_arena_strdup(a, line);
    if (!choose_kinds(s, kind)) {
        say_unknown_kind(s->at, kind, why);
        return false;
    }
    for (const char *word = line + n + strspn(line + n, blanks); *word; word += strspn(word, blanks)) {
        if (!strncmp(word, "kernel=", 7)) return read_kernel(s, word + 7, why);
        bool quoted = *word == '"' && strchr(word + 1, '"');
        word += quoted;
        n = strcspn(word, quoted ? "\"" : blanks);
        if (s->file) {
            wg_strbuf_printf(why,
                             "%s: '%.*s': a line has one place, FILE or FILE:LINE (in \"quotes\" if it has "
                             "spaces), and then kernel=REGEX",
                             s->at, (int)n, word);
            return false;
        }
        read_place(a, s, word, n);
        word += n + quoted;
    }
    return true;
}

bool wg_suppressions_read(struct wg_arena *a, struct wg_suppressions *s, const char *path,
                          struct wg_strbuf *why) {
    struct wg_strbuf text = {0};
    bool good = wg_file_read(path, &text);
    uint32_t number = 0;
    if (!good) wg_strbuf_printf(why, "%s: %s", path, strerror(errno));
    for (char *line = text.s, *next; good && line && *line; line = next) {
        size_t n = strcspn(line, "\n");
        next = line + n + (line[n] == '\n');
        number++;
        n = strcspn(line, "#\n");
        while (n && strchr(" \t\r", line[n - 1])) n--;
        size_t begin = strspn(line, " \t");
        if (begin >= n) continue;
        struct wg_suppression *x = WG_PUSH(&s->all);
        x->at = wg_arena_printf(a, "%s:%u", path, number);
        good = read_line(a, x, wg_arena_strndup(a, line + begin, n - begin), why);
    }
    wg_strbuf_free(&text);
    return good;
}

/* ---- What fits --------------------------------------------------------------------------------------------
 */

static bool file_fits(const char *pattern, const char *file) {
    size_t n = strlen(pattern), m = strlen(file);
    return n <= m && !strcmp(file + m - n, pattern) && (n == m || file[m - n - 1] == '/');
}

static bool frames_fit(const struct wg_suppression *s, const struct wg_frame *frames, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        if (file_fits(s->file, frames[i].file) && (!s->line || s->line == frames[i].line)) return true;
    return false;
}

static bool place_fits(const struct wg_suppression *s, const struct wg_found *f) {
    const struct wg_found_code *made = &f->memory.made_at;
    return !s->file || frames_fit(s, f->here.frames, f->here.frame_count) ||
           frames_fit(s, f->other.frames, f->other.frame_count) ||
           frames_fit(s, f->host.frames, f->host.frame_count) ||
           (!f->kernel && frames_fit(s, made->frames, made->frame_count));
}

static bool fits(const struct wg_suppression *s, const struct wg_found *f) {
    return s->kinds[f->kind] && place_fits(s, f) &&
           (!s->kernel || (f->kernel && wg_kernel_fits(s->kernel, s->name, f->kernel)));
}

void wg_suppressions_apply(struct wg_suppressions *s, struct wg_findings_file *f) {
    for (uint32_t i = 0; i < f->found_count; i++)
        for (uint32_t j = 0; j < s->all.n; j++) {
            if (!fits(&s->all.v[j], &f->found[i])) continue;
            s->all.v[j].used++;
            if (!f->found[i].suppressed) f->found[i].suppressed = s->all.v[j].at;
        }
}

void wg_suppressions_free(struct wg_suppressions *s) {
    for (uint32_t i = 0; i < s->all.n; i++) wg_pattern_free(s->all.v[i].kernel);
    free(s->all.v);
    *s = (struct wg_suppressions){0};
}
