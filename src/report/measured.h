/* Measurements from any source: kernels with a value for each metric, as comparisons and series use them.
 *
 * One side of a comparison may be a profiler's CSV from a real GPU, which has some of the metrics, by Nsight Compute's names:
 *     ncu --csv --page raw ./program > gpu.csv        a row for each launch, a column for each metric
 *     ncu --csv --page details ./program > gpu.csv    a row for each metric
 */
#ifndef WG_REPORT_MEASURED_H
#define WG_REPORT_MEASURED_H
#include "report/metric.h"

struct wg_measured_kernel {
    const char *display;
    uint32_t launches;
    double seconds;                   /* of all launches: a profiler's, or the model's; NAN: not known */
    double *value;                    /* in the order of wg_metric_list; NAN: not measured */
    const struct wg_summary *summary; /* NULL: a profiler's, which has no lines */
};
struct wg_measured {
    const char *name;    /* of the file or program */
    bool profiler;       /* a real GPU's */
    const char *version; /* of the Warpglass that counted; NULL: a profiler did */
    WG_VEC(struct wg_measured_kernel) kernels;
};

void wg_measured_of(struct wg_arena *a, const struct wg_summaries *s, const char *name,
                    struct wg_measured *out);
/* False with a message: no such file, or no CSV that Nsight Compute wrote. Lines before the table, which ncu
 * prints of its own and of the program, are passed over. A launch's number is its ID. */
bool wg_measured_read_csv(struct wg_arena *a, const char *path, const struct wg_choice *choice,
                          struct wg_measured *out, struct wg_strbuf *why);
void wg_measured_free(struct wg_measured *m);
#endif
