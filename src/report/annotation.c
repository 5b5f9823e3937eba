/* See annotation.h. */
#include "report/annotation.h"
#include "report/finding_words.h"
#include "report/source_root.h"

#include <stdlib.h>
#include <string.h>

bool wg_annotation_wanted(void) {
    const char *there = getenv("GITHUB_ACTIONS");
    return there && !strcmp(there, "true");
}

/* A command is one line; in what stands before the message colons and commas have a meaning, too. */
static void put(struct wg_strbuf *out, const char *text, const char *special) {
    for (; *text; text++)
        if (strchr(special, *text))
            wg_strbuf_printf(out, "%%%02X", (unsigned char)*text);
        else
            wg_strbuf_add(out, text, 1);
}

static void annotate(struct wg_strbuf *out, const char *level, const struct wg_frame *at, const char *title,
                     const char *message) {
    static const char in_message[] = "%\r\n", in_property[] = "%\r\n:,";
    wg_strbuf_printf(out, "::%s ", level);
    if (at && at->file) {
        wg_strbuf_puts(out, "file=");
        put(out, at->file, in_property);
        if (at->line) wg_strbuf_printf(out, ",line=%u", at->line);
        if (at->line && at->column) wg_strbuf_printf(out, ",col=%u", at->column);
        wg_strbuf_puts(out, ",");
    }
    wg_strbuf_puts(out, "title=");
    put(out, title, in_property);
    wg_strbuf_puts(out, "::");
    put(out, message, in_message);
    wg_strbuf_puts(out, "\n");
}

void wg_annotate_findings(struct wg_strbuf *out, const char *root, const struct wg_findings_file *file) {
    for (uint32_t i = 0; i < file->found_count; i++) {
        const struct wg_found *f = &file->found[i];
        const struct wg_frame *where = wg_found_where(f);
        struct wg_frame at = {0};
        if (f->suppressed) continue;
        if (where) at = *where;
        at.file = wg_source_root_name(file->arena, root, at.file);
        annotate(out, f->benign ? "notice" : "error", &at, wg_finding_info(f->kind)->name,
                 wg_found_message(file->arena, f));
    }
}

void wg_annotate_broken(struct wg_strbuf *out, struct wg_arena *a, const char *root,
                        const struct wg_broken_list *broken) {
    for (uint32_t i = 0; i < broken->all.n; i++) {
        const struct wg_broken *b = &broken->all.v[i];
        struct wg_frame at = {.file = wg_source_root_name(a, root, b->file), .line = b->line};
        annotate(out, "error", &at, "expectation", b->text);
    }
}
