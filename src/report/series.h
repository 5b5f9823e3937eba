/* A series of any number of measurements: which kernels correspond to each other, and each metric's values from the first to
 * the last. Comparisons of three or more show it as a table with a column for each, trends as a line for each metric.
 *
 *     struct wg_series s = wg_series_of(&arena, measured, n);
 *     s.kernels[0].of[2]                   the kernel in the third measurement, or NULL: it is not in there
 *     wg_series_rows(&arena, &s, 0)        its metrics that are not the same everywhere
 */
#ifndef WG_REPORT_SERIES_H
#define WG_REPORT_SERIES_H
#include "report/compare.h"

struct wg_series_kernel {
    const char *display;
    const struct wg_measured_kernel **of; /* one for each measurement */
};
struct wg_series {
    const struct wg_measured *const *measured;
    const char **label; /* short names of the measurements, all of them different */
    uint32_t n;
    struct wg_series_kernel *kernels;
    uint32_t kernel_count;
    bool gpu; /* some measurement is a profiler's */
};
struct wg_series wg_series_of(struct wg_arena *a, const struct wg_measured *const *measured, uint32_t n);

/* A figure of a kernel. The modelled time is one of them, which has no metric. */
struct wg_series_row {
    const struct wg_metric *metric; /* NULL: the time */
    const char *name;
    double *value;        /* NAN: not measured */
    uint32_t first, last; /* measurements that have it */
    uint32_t changed;     /* the last one whose value is another than that before it; 0: none is */
};
struct wg_series_rows {
    struct wg_series_row *v;
    uint32_t n, same; /* same: how many figures were left out because they never change */
};
/* The figures that change, in the order of wg_metric_list; the time comes last, always. */
struct wg_series_rows wg_series_rows(struct wg_arena *a, const struct wg_series *s, uint32_t kernel);
/* Whether the value at `to` is better or worse than that at `from`. */
enum wg_change wg_series_change(const struct wg_series *s, const struct wg_series_row *r, uint32_t from,
                                uint32_t to);
/* "16,252,928", "4.25 us", "-" */
const char *wg_series_text(struct wg_arena *a, const struct wg_series_row *r, double value);

/* series_text.c: a column for each measurement. */
void wg_series_table(const struct wg_paint *p, struct wg_arena *a, const struct wg_series *s);
/* A line for each figure: first and last value, their ratio, and how it went. */
void wg_series_trend(const struct wg_paint *p, struct wg_arena *a, const struct wg_series *s);
/* series_html.c: both at once. */
void wg_series_html(struct wg_strbuf *out, struct wg_arena *a, const struct wg_series *s);
#endif
