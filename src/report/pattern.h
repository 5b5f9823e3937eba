/* Regular expressions that users give, such as --kernel: POSIX's extended ones, looked for anywhere in a
 * name.
 *
 *     struct wg_pattern *p = wg_pattern_make("^(scan|sum)<", &why);
 *     if (wg_pattern_fits(p, "scan<float>(float*)")) ...
 *
 * The C library's take time and memory without bound for some: (a*)*b, (x{100}){100}, ten thousand
 * parentheses. Here an expression is a list of steps, of which all that may come next are followed together,
 * a character at a time: a name of n characters takes n times the steps at most, and what would be too many
 * steps is refused. Characters are bytes.
 */
#ifndef WG_REPORT_PATTERN_H
#define WG_REPORT_PATTERN_H
#include "base/strbuf.h"

struct wg_pattern;

/* NULL after a reason was added to `why`. */
struct wg_pattern *wg_pattern_make(const char *expression, struct wg_strbuf *why);
bool wg_pattern_fits(const struct wg_pattern *p, const char *text);
void wg_pattern_free(struct wg_pattern *p); /* NULL is nothing */

#endif
