/* Located diagnostics with a caret: see diag.h. */
#include "base/diag.h"

#include <string.h>

static void add_caret(struct wg_strbuf *out, const char *line, uint32_t col) {
    size_t len = strcspn(line, "\r\n");
    wg_strbuf_puts(out, "    ");
    wg_strbuf_add(out, line, len);
    wg_strbuf_puts(out, "\n    ");
    /* Tabs are repeated so that the caret stands under its column whatever a tab's width is. */
    for (uint32_t i = 1; i < col && i <= len; i++) wg_strbuf_add(out, line[i - 1] == '\t' ? "\t" : " ", 1);
    wg_strbuf_puts(out, "^\n");
}

void wg_diag_verror(struct wg_diag *d, struct wg_pos at, const char *line, const char *fmt, va_list ap) {
    if (d->errors++ == 0) d->first = at;
    struct wg_strbuf text = {0};
    wg_strbuf_printf(&text, "%s:", at.file ? at.file : "<ptx>");
    if (at.line) wg_strbuf_printf(&text, "%u:", at.line);
    if (at.col) wg_strbuf_printf(&text, "%u:", at.col);
    wg_strbuf_puts(&text, " error: ");
    wg_strbuf_vprintf(&text, fmt, ap);
    wg_strbuf_puts(&text, "\n");
    if (line && at.col) add_caret(&text, line, at.col);
    wg_strbuf_shown(&d->text, text.s, text.n); /* text that others wrote is shown, not acted upon */
    wg_strbuf_free(&text);
}

void wg_diag_error(struct wg_diag *d, struct wg_pos at, const char *line, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    wg_diag_verror(d, at, line, fmt, ap);
    va_end(ap);
}

void wg_diag_append(struct wg_diag *d, const struct wg_diag *from) {
    if (!d->errors) d->first = from->first;
    d->errors += from->errors;
    wg_strbuf_add(&d->text, from->text.s, from->text.n);
}

void wg_diag_free(struct wg_diag *d) {
    wg_strbuf_free(&d->text);
    *d = (struct wg_diag){0};
}
