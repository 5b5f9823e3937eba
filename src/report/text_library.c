/* The calls of cuBLAS in the terminal report, those alike in one row, with the figures of each: see text.h.
 *
 *      each call of cuBLAS    calls  operations      read   written
 *      cublasSgemm                3       524 k  32.0 KiB  16.0 KiB
 *        m 64, n 64, k 64
 */
#include "report/figure.h"
#include "report/text.h"

enum { NAME = 26, CALLS = 8, OPERATIONS = 12, SIZE = 10, WIDE = 120 };

void wg_text_library(const struct wg_text *t, const struct wg_profile *r) {
    struct wg_arena *a = t->arena;
    uint32_t shown = r->library_count < t->rows ? r->library_count : t->rows;
    bool wide = t->paint.width >= WIDE;
    if (!r->library_count) return;
    wg_paint(&t->paint, WG_INK_FAINT, "\n  %-*s%*s%*s%*s%*s%s\n", NAME, "each call of cuBLAS", CALLS, "calls",
             OPERATIONS, "operations", SIZE, "read", SIZE, "written", wide ? "  sizes" : "");
    for (uint32_t i = 0; i < shown; i++) {
        const struct wg_profile_library *l = &r->library[i];
        wg_paint(&t->paint, WG_INK_BOLD, "  %-*s", NAME, l->name);
        wg_paint(&t->paint, WG_INK_PLAIN, "%*s%*s%*s%*s", CALLS, wg_figure(a, l->calls), OPERATIONS,
                 wg_figure_short(a, l->operations), SIZE, wg_figure_bytes(a, l->bytes_read), SIZE,
                 wg_figure_bytes(a, l->bytes_written));
        wg_paint(&t->paint, WG_INK_FAINT, wide ? "  %s\n" : "\n    %s\n", l->sizes);
    }
    if (shown < r->library_count)
        wg_paint(&t->paint, WG_INK_FAINT, "  and %u others: --top %u shows all\n", r->library_count - shown,
                 r->library_count);
}
