/* Budgets: what a kernel may cost, as checked by tests and continuous integration.
 *
 *     transpose_padded: shared_conflicts == 0
 *     transpose_padded@transpose.cu:43: global_load_sectors_per_request <= 4
 *     *: local_requests == 0
 *
 * A kernel is given by its full name, its name without arguments ("tile<1>"), that without template arguments ("tile"), or a
 * pattern with * and ?. A budget applies to each kernel that the name matches, over the launches of the report.
 */
#ifndef WG_REPORT_EXPECT_H
#define WG_REPORT_EXPECT_H
#include "report/metric.h"

struct wg_expectation {
    const char *text;  /* as written */
    const char *where; /* "budget.txt:3", or NULL */
    const char *kernel, *file;
    uint32_t line;
    struct wg_metric metric;
    enum { WG_EQUAL, WG_NOT_EQUAL, WG_LESS, WG_AT_MOST, WG_MORE, WG_AT_LEAST } compare;
    double value;
};
struct wg_expectations {
    WG_VEC(struct wg_expectation) all;
};

/* Adds what `text` says. False with a message in `why`. */
bool wg_expect_add(struct wg_arena *a, struct wg_expectations *e, const char *text, const char *where,
                   struct wg_strbuf *why);
/* One a line; '#' begins a comment. */
bool wg_expect_read(struct wg_arena *a, struct wg_expectations *e, const char *path, struct wg_strbuf *why);

/* One that does not hold, in a sentence, and the line of source that it is about: its own, or the kernel's first; of a
 * kernel that was not launched, the budget's. */
struct wg_broken {
    const char *text, *file; /* NULL: nothing is known of a file */
    uint32_t line;
};
struct wg_broken_list {
    WG_VEC(struct wg_broken) all;
};
void wg_expect_check(struct wg_arena *a, const struct wg_expectations *e, const struct wg_summaries *s,
                     struct wg_broken_list *broken);
void wg_broken_free(struct wg_broken_list *b);
/* Where a kernel begins, as far as its lines tell: the first of those that did something, or NULL. */
const struct wg_line_summary *wg_kernel_first_line(const struct wg_summary *s);
void wg_expect_free(struct wg_expectations *e);

/* Does the user's word for a kernel mean this one? */
bool wg_kernel_is(struct wg_arena *a, const char *word, const struct wg_profile_kernel *k);
#endif
