/* Suppressions: findings that were reviewed and accepted, one for each line of a file.
 *
 *     # what        where              in which kernels
 *     race-grid     histogram.cu:31
 *     init          kernel=^legacy_
 *     *             vendor/fft.cu      kernel=fft<float, 16>
 *
 * A line has a kind of finding (check/kinds.def), a check, or * for all; then, both optional, a file or a line of it, in
 * "quotes" if its name contains spaces, and a regular expression for the kernel's name, or the name itself, which extends
 * to the end of the line. All of them have to match. A file matches by its last components: main.cu:3 is that line of
 * src/main.cu.
 */
#ifndef WG_REPORT_SUPPRESS_H
#define WG_REPORT_SUPPRESS_H
#include "report/findings.h"

struct wg_suppression {
    const char *at, *text; /* where it stands, "FILE:LINE", and what it says */
    bool kinds[WG_FINDING_KINDS];
    const char *file;          /* NULL: any */
    uint32_t line;             /* 0: any */
    struct wg_pattern *kernel; /* NULL: any */
    const char *name;          /* what it was made from */
    uint64_t used;
};
struct wg_suppressions {
    WG_VEC(struct wg_suppression) all;
};

/* Adds those of a file. False with a message, without newline, in `why`. */
bool wg_suppressions_read(struct wg_arena *a, struct wg_suppressions *s, const char *path,
                          struct wg_strbuf *why);
/* Marks what they fit, and counts what each was good for. */
void wg_suppressions_apply(struct wg_suppressions *s, struct wg_findings_file *f);
void wg_suppressions_free(struct wg_suppressions *s);
#endif
