/* See paint.h. */
#include "report/paint.h"
#include <stdio.h>
#include <string.h>

static const char *const inks[] = {[WG_INK_PLAIN] = "",  [WG_INK_BOLD] = "1", [WG_INK_FAINT] = "2",
                                   [WG_INK_GOOD] = "32", [WG_INK_BAD] = "31", [WG_INK_MARK] = "33"};

void wg_paint(const struct wg_paint *p, enum wg_ink ink, const char *fmt, ...) {
    bool colour = p->colour && ink != WG_INK_PLAIN;
    struct wg_strbuf text = {0};
    va_list ap;
    if (colour) wg_strbuf_printf(p->out, "\033[%sm", inks[ink]);
    va_start(ap, fmt);
    wg_strbuf_vprintf(&text, fmt, ap);
    va_end(ap);
    if (text.n)
        wg_strbuf_shown(p->out, text.s, text.n); /* names and sources have colours of their own, or worse */
    wg_strbuf_free(&text);
    if (colour) wg_strbuf_puts(p->out, "\033[0m");
}

int wg_columns(const char *text) {
    int n = 0;
    for (; *text; text++) n += (*text & 0xc0) != 0x80;
    return n;
}

size_t wg_fitting(const char *text, int columns) {
    size_t n = 0;
    for (; text[n]; n++)
        if ((text[n] & 0xc0) != 0x80 && columns-- == 0) break;
    return n;
}

void wg_paint_wrapped(const struct wg_paint *p, int indent, enum wg_ink ink, const char *text) {
    int column = indent;
    wg_paint(p, WG_INK_PLAIN, "%*s", indent, "");
    while (*text) {
        size_t n = strcspn(text, " ");
        char word[512];
        if (n >= sizeof word) n = sizeof word - 1;
        snprintf(word, sizeof word, "%.*s", (int)n, text);
        int columns = wg_columns(word);
        if (column > indent && column + 1 + columns > p->width) {
            wg_paint(p, WG_INK_PLAIN, "\n%*s", indent, "");
            column = indent;
        }
        wg_paint(p, ink, "%s%s", column > indent ? " " : "", word);
        column += columns + (column > indent);
        text += n;
        while (*text == ' ') text++;
    }
    wg_paint(p, WG_INK_PLAIN, "\n");
}

void wg_paint_bar(const struct wg_paint *p, int cells, uint64_t part, uint64_t whole) {
    static const char *const eighths[] = {" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};
    int full = whole ? (int)((double)part / (double)whole * cells * 8 + 0.5) : 0;
    if (part && !full) full = 1;
    for (int i = 0; i < cells; i++) {
        int cell = full - i * 8;
        cell = cell < 0 ? 0 : cell > 8 ? 8 : cell;
        wg_paint(p, part * 4 > whole ? WG_INK_BAD : WG_INK_MARK, "%s",
                 p->plain ? cell >= 4 || (cell && !i) ? "#" : " " : eighths[cell]);
    }
}

void wg_paint_end_line(const struct wg_paint *p) {
    while (p->out->n && p->out->s[p->out->n - 1] == ' ') p->out->s[--p->out->n] = 0;
    wg_strbuf_puts(p->out, "\n");
}
