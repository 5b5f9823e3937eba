/* Text for terminals: colours where they are wanted, and lines no wider than the terminal.
 *
 *     struct wg_paint p = {.out = &text, .width = 80, .colour = true};
 *     wg_paint(&p, WG_INK_BAD, "%s wavefronts", "32");
 *     wg_paint_wrapped(&p, 4, "A sentence ...");      breaks at spaces, indented by 4 columns
 */
#ifndef WG_REPORT_PAINT_H
#define WG_REPORT_PAINT_H
#include "base/strbuf.h"
#include <stdint.h>

enum wg_ink { WG_INK_PLAIN, WG_INK_BOLD, WG_INK_FAINT, WG_INK_GOOD, WG_INK_BAD, WG_INK_MARK };

struct wg_paint {
    struct wg_strbuf *out;
    int width;
    bool colour;
    bool plain; /* ASCII alone */
};

void wg_paint(const struct wg_paint *p, enum wg_ink ink, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void wg_paint_wrapped(const struct wg_paint *p, int indent, enum wg_ink ink, const char *text);
/* Ends a line, without the blanks at its end. */
void wg_paint_end_line(const struct wg_paint *p);
/* A bar of `cells` characters that is part / whole full. */
void wg_paint_bar(const struct wg_paint *p, int cells, uint64_t part, uint64_t whole);
/* How many columns UTF-8 text takes. */
int wg_columns(const char *text);
/* How many bytes of it fit in so many columns. */
size_t wg_fitting(const char *text, int columns);
#endif
