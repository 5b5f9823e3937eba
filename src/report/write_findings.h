/* Findings as files for other programs: our own JSON (docs/check.schema.json), SARIF 2.1.0 for services that display
 * findings next to the source, and JUnit XML for those that display tests.
 *
 * Each function returns the whole text; the caller writes it to the file that the user named.
 */
#ifndef WG_REPORT_WRITE_FINDINGS_H
#define WG_REPORT_WRITE_FINDINGS_H
#include "report/findings.h"
#include "report/source.h"
#include "report/suppress.h"

void wg_findings_json(struct wg_strbuf *out, const struct wg_findings_file *f,
                      const struct wg_suppressions *s);
/* `status`: the program's own exit status. `root`: where relative names start (source_root.h), or NULL. */
void wg_findings_sarif(struct wg_strbuf *out, const struct wg_findings_file *f, const char *root, int status);
void wg_findings_junit(struct wg_strbuf *out, const struct wg_findings_file *f, struct wg_sources *sources,
                       int status);

/* JSON's values, built: a text with no UTF-8 in it becomes one with U+FFFD for it; NULL becomes null. */
struct json_t;
struct json_t *wg_json_text(const char *s);
/* Adds the whole of it to `out`, and frees it. */
void wg_json_print(struct wg_strbuf *out, struct json_t *root);
#endif
