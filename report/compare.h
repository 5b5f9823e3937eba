/* Two measurements side by side: which kernels belong together, and what got better and worse.
 *
 * Kernels are matched by their whole names, however types are spelled; then by their names without arguments;
 * then without template arguments and with namespaces left off; what is left on both sides is matched in
 * order, when it is one kernel on each. Each match says how it was found.
 */
#ifndef WG_REPORT_COMPARE_H
#define WG_REPORT_COMPARE_H
#include "report/measured.h"
#include "report/paint.h"

void wg_compare_text(struct wg_paint *p, struct wg_arena *a, const struct wg_measured *before,
                     const struct wg_measured *after);
#endif
