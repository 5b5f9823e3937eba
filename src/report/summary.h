/* A kernel's counters summed as reports show them: over the selected launches, by class of memory, by site, and by source
 * line.
 *
 * Everything that displays or judges figures uses these sums instead of the result (profile.h). A line's figures are those
 * of its own instructions (`own`) and, separately, those of functions that were called from it and inlined (`called`);
 * the sum of `own` over all lines is the kernel's, the sum of `called` is not.
 *
 *     line 12  float v = tile_load(p, i);    own: 1 instruction   called: 1 global load, from line 5
 *     line  5  return p[i * stride];         own: 1 global load
 */
#ifndef WG_REPORT_SUMMARY_H
#define WG_REPORT_SUMMARY_H
#include "report/profile.h"

struct wg_by_class {
    struct wg_counts of[WG_CLASSES];
};

struct wg_line_summary {
    const char *file; /* NULL: the site has no line information, and `line` is the PTX's */
    uint32_t line;
    struct wg_by_class own, called;
};

struct wg_site_summary {
    const struct wg_site *site;
    struct wg_counts counts;
    const struct wg_recorded *first, *worst;             /* recorded accesses, or NULL */
    const struct wg_launch *first_launch, *worst_launch; /* that they are of */
};

struct wg_summary {
    const struct wg_profile *result;
    const struct wg_profile_kernel *kernel;
    const struct wg_launch **launches; /* those that were chosen */
    uint32_t launch_count;
    struct wg_counts totals;
    struct wg_by_class classes;
    struct wg_site_summary *sites; /* one for each of the kernel's sites, executed or not */
    struct wg_line_summary *lines; /* by file and line */
    uint32_t line_count;
    bool has_lines; /* the program has line information */
};

/* The chip or arch that it ran on. */
static inline const char *wg_summary_chip(const struct wg_summary *s) {
    return s->kernel->chip ? s->kernel->chip : s->result->arch;
}

/* Which kernels and launches a report is about. */
struct wg_choice {
    const char *kernel;   /* a regular expression for names; NULL: all */
    uint32_t first, last; /* launches, by their number in the process */
};
#define WG_CHOOSE_ALL ((struct wg_choice){NULL, 0, UINT32_MAX})

struct wg_summaries {
    struct wg_summary *v;
    uint32_t n;
};
/* Kernels in the order of their first launch; those without a chosen launch are left out. False with a
 * message when the regular expression is none. */
bool wg_summarise(struct wg_arena *arena, const struct wg_profile *r, const struct wg_choice *choice,
                  struct wg_summaries *out, struct wg_strbuf *why);

/* The sum over the classes of a space. */
struct wg_counts wg_memory_counts(const struct wg_by_class *c, enum wg_class_memory memory);
/* What memory had to do: sectors of global and local memory, and wavefronts of shared memory. Its shares are
 * the heat of lines. */
uint64_t wg_work(const struct wg_by_class *c);
/* The part of it that a perfect layout would not need. */
uint64_t wg_waste(const struct wg_by_class *c);

/* "transpose<1>" of "void transpose<1>(int *, int *)". */
const char *wg_short_name(struct wg_arena *arena, const char *display);
#endif
