/* The calls of cuBLAS on the page, in a table like that of the kernels, and copies between devices: see html.h. */
#include "report/figure.h"
#include "report/html.h"
#include "report/links.h"

static void copies(struct wg_page *p, const struct wg_profile *r) {
    uint32_t at = 0;
    for (const char *text; (text = wg_link_copies(p->arena, r, &at));) {
        wg_strbuf_puts(p->out, "<p class=\"model\">");
        wg_html_text(p->out, text);
        wg_strbuf_puts(p->out, "</p>");
    }
}

void wg_html_library(struct wg_page *p, const struct wg_profile *r) {
    copies(p, r);
    struct wg_arena *a = p->arena;
    if (!r->library_count) return;
    wg_strbuf_puts(p->out, "<div class=\"scroll\"><table class=\"sortable\" id=\"library\"><thead><tr>");
    wg_html_head(p, "cuBLAS", "the function; calls that are alike are one row, with the figures of each");
    wg_html_head(p, "sizes", "the arguments that say how large its operands are");
    wg_html_head(p, "calls", "how often it was called like this");
    wg_html_head(p, "operations", "additions and multiplications of real numbers, by LAPACK's formulas");
    wg_html_head(p, "read", "bytes of its operands that it reads");
    wg_html_head(p, "written", "bytes of its operands that it writes");
    wg_strbuf_puts(p->out, "</tr></thead><tbody>\n");
    for (uint32_t i = 0; i < r->library_count; i++) {
        const struct wg_profile_library *l = &r->library[i];
        wg_strbuf_puts(p->out, "<tr><td>");
        wg_html_text(p->out, l->name);
        wg_strbuf_puts(p->out, "</td><td>");
        wg_html_text(p->out, l->sizes);
        wg_strbuf_puts(p->out, "</td>");
        wg_html_cell(p->out, "", wg_figure(a, l->calls), (double)l->calls);
        wg_html_cell(p->out, "", wg_figure(a, l->operations), (double)l->operations);
        wg_html_cell(p->out, "", wg_figure_bytes(a, l->bytes_read), (double)l->bytes_read);
        wg_html_cell(p->out, "", wg_figure_bytes(a, l->bytes_written), (double)l->bytes_written);
        wg_strbuf_puts(p->out, "</tr>\n");
    }
    wg_strbuf_puts(p->out, "</tbody></table></div>");
}
