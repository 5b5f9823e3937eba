/* Metrics by name, for budgets, comparisons and the JSON report: a counter of a class of accesses
 * ("shared_store_conflicts"), of all classes of one memory ("global_sectors"), of the whole kernel ("instructions"), or a
 * ratio of two ("global_load_sectors_per_request").
 *
 *     struct wg_metric m;
 *     if (wg_metric_find("shared_conflicts", &m)) double n = wg_metric_value(&m, &summary->classes);
 *
 * Nsight Compute's names are accepted where their meaning is the same.
 */
#ifndef WG_REPORT_METRIC_H
#define WG_REPORT_METRIC_H
#include "report/summary.h"

/* What a metric is of: counters, or the kernel as a whole, which no line has. */
enum wg_metric_of {
    WG_OF_COUNTERS,
    WG_OF_REGISTERS,
    WG_OF_OCCUPANCY,
    WG_OF_ACHIEVED,
    WG_OF_TIME,
    WG_OF_FP32,
    WG_OF_FP64
};

struct wg_metric {
    const char *name, *unit, *meaning;
    const char *profiler;  /* Nsight Compute's name, or NULL */
    uint32_t classes;      /* bits 1 << WG_CLASS_...: where it is counted */
    int8_t counter, minus; /* minus: a counter to take away, or -1 */
    int8_t over;           /* a counter to divide by, or -1 */
    bool percent;          /* of `over` */
    bool exact;            /* equal to the hardware's */
    bool more_is_better;
    enum wg_metric_of of;
};

/* All of them, in one order: whole kernel, memories, classes. */
const struct wg_metric *wg_metric_list(size_t *count);
bool wg_metric_find(const char *name, struct wg_metric *out);
/* The nearest name, or NULL. */
const char *wg_metric_near(const char *name);
/* 0 where nothing was counted; of quotients, and of what is not made of counters, NAN. */
double wg_metric_value(const struct wg_metric *m, const struct wg_by_class *c);
/* The same of a kernel; NAN also for what a chip that is not known would say. */
double wg_metric_of_kernel(const struct wg_metric *m, const struct wg_summary *s);
bool wg_metric_is_whole(const struct wg_metric *m);
/* "16,252,928", "4.25" */
const char *wg_metric_text(struct wg_arena *a, const struct wg_metric *m, double value);
/* For it: whole numbers that are no metric of a kernel. */
extern const struct wg_metric wg_metric_whole;
#endif
