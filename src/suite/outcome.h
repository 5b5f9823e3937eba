/* What a suite's report tells of each program: how it ended, what it took, what its report of profile or check says, and
 * which counters are others than in the last run. */
#ifndef WG_SUITE_OUTCOME_H
#define WG_SUITE_OUTCOME_H
#include "report/compare.h"
#include "suite/result.h"

struct wg_suite_change {
    const char *kernel, *metric, *before, *after; /* as text */
    enum wg_change change;
};

struct wg_suite_outcome {
    const struct wg_suite_program *program;
    const struct wg_suite_result *result; /* NULL: it has not ended */
    double last;                          /* seconds in the last run; negative: not known */
    bool good;                            /* the status is the one expected */
    const char *words;                    /* "as expected", "status 3, expected 0" */
    const char *again;                    /* who began it before and was killed, in a sentence; or NULL */
    const char *tail;                     /* the end of what it wrote, of those that are not good; or NULL */
    const char **findings;                /* of check: "race.cu:7: ..." */
    uint32_t finding_count;
    struct wg_suite_change *changes;
    uint32_t change_count;
};

struct wg_suite_outcomes {
    const struct wg_suite *suite;
    const struct wg_suite_run *run;
    struct wg_suite_outcome *v; /* in the order of the file */
    uint32_t n, good, bad, unended;
    uint32_t before;      /* how many had ended before this start */
    double seconds, wall; /* of all programs; from the first's begin to the last's end */
    const char *missing;  /* ranks that did not join, or "" */
    double since;         /* when this start began, since 1970 */
};

void wg_suite_outcomes(struct wg_arena *a, const struct wg_suite *s, const struct wg_suite_run *run,
                       double since, const char *missing, struct wg_suite_outcomes *out);

/* "0.82 s"; "-" for what is not known */
const char *wg_suite_time(struct wg_arena *a, double seconds);
/* How many ended as expected, in which time; the ranks that are missing. Sentences. */
const char *wg_suite_summary(struct wg_arena *a, const struct wg_suite_outcomes *o);
const char *wg_suite_missing(struct wg_arena *a, const struct wg_suite_outcomes *o);

/* report_text.c, report_html.c, report_json.c, report_junit.c */
void wg_suite_text(const struct wg_paint *p, struct wg_arena *a, const struct wg_suite_outcomes *o);
void wg_suite_html(struct wg_strbuf *out, struct wg_arena *a, const struct wg_suite_outcomes *o);
void wg_suite_json(struct wg_strbuf *out, const struct wg_suite_outcomes *o);
void wg_suite_junit(struct wg_strbuf *out, const struct wg_suite_outcomes *o);
#endif
