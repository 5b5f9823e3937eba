/* See gcc_lines.h. */
#include "report/gcc_lines.h"
#include "report/advice.h"
#include "report/finding_words.h"

#include <string.h>

/* Text of several lines in one. */
static void put(struct wg_strbuf *out, const char *text) {
    struct wg_strbuf shown = {0};
    wg_strbuf_shown(&shown, text, strlen(text));
    for (char *at = shown.s; at && *at; at++)
        if (*at == '\n' || *at == '\t') *at = ' ';
    wg_strbuf_puts(out, shown.s ? shown.s : "");
    wg_strbuf_free(&shown);
}

static void place(struct wg_strbuf *out, const struct wg_frame *at) {
    put(out, at && at->file ? at->file : "warpglass");
    wg_strbuf_puts(out, ":");
    if (at && at->file && at->line) wg_strbuf_printf(out, "%u:", at->line);
    if (at && at->file && at->line && at->column) wg_strbuf_printf(out, "%u:", at->column);
}

static void line(struct wg_strbuf *out, const struct wg_frame *at, const char *level, const char *message,
                 const char *kind) {
    place(out, at);
    wg_strbuf_printf(out, " %s: ", level);
    put(out, message);
    if (kind) wg_strbuf_printf(out, " [%s]", kind);
    wg_strbuf_puts(out, "\n");
}

void wg_gcc_findings(struct wg_strbuf *out, const struct wg_findings_file *file) {
    for (uint32_t i = 0; i < file->found_count; i++) {
        const struct wg_found *f = &file->found[i];
        if (f->suppressed) continue;
        line(out, wg_found_where(f), f->benign ? "warning" : "error", wg_found_message(file->arena, f),
             wg_finding_info(f->kind)->name);
        const struct wg_frame *here = wg_found_where(f),
                              *other = f->has_other && f->other.frame_count ? &f->other.frames[0] : NULL;
        if (other && !(here && here->line == other->line && here->column == other->column &&
                       !strcmp(here->file, other->file)))
            line(out, other, "note", "the other access", NULL);
    }
}

void wg_gcc_broken(struct wg_strbuf *out, const struct wg_broken_list *broken) {
    for (uint32_t i = 0; i < broken->all.n; i++) {
        const struct wg_broken *b = &broken->all.v[i];
        line(out, &(struct wg_frame){.file = b->file, .line = b->line}, "error", b->text, "expectation");
    }
}

static void advice(struct wg_strbuf *out, struct wg_arena *a, const struct wg_summary *s,
                   const struct wg_advice *x) {
    const char *win = wg_advice_win(a, x), *time = wg_advice_time(a, x);
    const struct wg_line_summary *first = wg_kernel_first_line(s);
    struct wg_frame at = {0};
    if (x->site && x->site->frame_count)
        at = x->site->frames[0];
    else if (first)
        at.file = first->file, at.line = first->line;
    line(out, &at, "warning",
         wg_arena_printf(a, "%s: %s%s%s", x->title,
                         win    ? win
                         : time ? ""
                                : x->text,
                         win && time ? " " : "", time ? time : ""),
         x->kind);
}

void wg_gcc_advice(struct wg_strbuf *out, struct wg_arena *a, const struct wg_summaries *s,
                   struct wg_sources *sources) {
    for (uint32_t i = 0; i < s->n; i++) {
        struct wg_advice_list list = wg_advise(a, &s->v[i], sources);
        for (uint32_t k = 0; k < list.n; k++) advice(out, a, &s->v[i], &list.v[k]);
    }
}
