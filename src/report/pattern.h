/* Regular expressions given by users, such as --kernel: POSIX extended syntax, searched for anywhere in a name.
 *
 *     struct wg_pattern *p = wg_pattern_make("^(scan|sum)<", &why);
 *     if (wg_pattern_fits(p, "scan<float>(float*)")) ...
 *
 * The C library's implementation needs unbounded time and memory for some expressions: (a*)*b, (x{100}){100}, ten thousand
 * parentheses. Here, an expression is a list of steps (an NFA) that is simulated with a set of states, one character at a
 * time: a name of n characters takes at most n times the number of steps, and expressions with too many steps are
 * refused. Characters are bytes.
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
