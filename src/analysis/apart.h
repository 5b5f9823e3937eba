/* Tail duplication: lanes that the hardware does not let meet (meetings.h) run copies of what follows, so that it is executed,
 * and counted, as often as there. Only kernels that are counted are changed.
 *
 *     first test ----> J --> K         first test --> J  --> K
 *        |             ^                  |
 *     second test -----+               second test -> J' ----^
 *
 * What follows a loop that is left in several iterations is moved into the loop, by an edge back that is never taken, where
 * those who leave run it before the others go on. The copies keep their instructions' numbers, and so share their sites.
 */
#ifndef WG_ANALYSIS_APART_H
#define WG_ANALYSIS_APART_H
#include "ir/ir.h"

/* In place; not if there is nothing to copy, or too much. `f`: an entry of the module. */
void wg_keep_apart(struct wg_ir_module *m, struct wg_ir_func *f);
#endif
