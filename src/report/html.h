/* Components of the HTML pages, for write_html.c and the comparisons. */
#ifndef WG_REPORT_HTML_H
#define WG_REPORT_HTML_H
#include "report/overview.h"
#include "report/source.h"
#include "report/statement.h"
#include "report/summary.h"

struct wg_page {
    struct wg_strbuf *out;
    struct wg_arena *arena;
    struct wg_sources *sources;
    uint32_t kernel;   /* the number of the one being written: part of ids */
    enum wg_heat heat; /* of this kernel's lines */
    bool with_ptx;     /* of kernels, while there is room */
    size_t ptx_room;   /* in bytes */
    bool ptx;          /* this kernel's is shown */
    bool sass;         /* machine code is shown, where it is known */
    bool closed;       /* kernels show only their names until they are chosen */
    WG_VEC(const char *) tips;
};

/* All of a page up to its <main>; `title` is the browser's. */
void wg_html_open(struct wg_strbuf *out, const char *title);
/* What the figures mean, and the page's end. `version`: of the Warpglass that counted, or NULL. */
void wg_html_close(struct wg_page *p, const char *version);
/* "good", "bad" or "": the class of a statement. */
const char *wg_html_verdict(enum wg_verdict v);
/* Text with what HTML would act on made harmless; also within quotes. */
void wg_html_text(struct wg_strbuf *out, const char *text);
/* The attribute with what something means; the page holds each text once, and later uses name it ("#3"). */
void wg_html_tip(struct wg_page *p, const char *text);
/* A table's head that sorts and says what the column means. */
void wg_html_head(struct wg_page *p, const char *name, const char *meaning);
/* A cell with a figure and the number it sorts by. */
void wg_html_cell(struct wg_strbuf *out, const char *class, const char *figure, double value);
/* html_overview.c: all kernels in a table; a kernel's launches, where there are several. */
void wg_html_overview(struct wg_page *p, const struct wg_overview *o, enum wg_order order);
void wg_html_shapes(struct wg_page *p, const struct wg_summary *s);
/* html_library.c: the calls of cuBLAS in a table. */
void wg_html_library(struct wg_page *p, const struct wg_profile *r);
/* html_light.c: how near it comes to the chip's peaks, its roofline and mix of instructions. */
void wg_html_light(struct wg_page *p, const struct wg_summary *s);
/* html_source.c */
void wg_html_source(struct wg_page *p, const struct wg_summary *s);
#endif
