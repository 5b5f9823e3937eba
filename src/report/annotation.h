/* Annotations for GitHub Actions: lines of output that the service displays next to the source in a pull request.
 *
 *     ::error file=src/a.cu,line=12,col=5,title=race-block::a write of 4 bytes races with a read
 */
#ifndef WG_REPORT_ANNOTATION_H
#define WG_REPORT_ANNOTATION_H
#include "report/expect.h"
#include "report/findings.h"

/* Whether this process is a step of GitHub Actions. */
bool wg_annotation_wanted(void);
/* Files are named from `root` (source_root.h). A benign finding is a notice; what is suppressed is none. */
void wg_annotate_findings(struct wg_strbuf *out, const char *root, const struct wg_findings_file *f);
void wg_annotate_broken(struct wg_strbuf *out, struct wg_arena *a, const char *root,
                        const struct wg_broken_list *broken);
#endif
