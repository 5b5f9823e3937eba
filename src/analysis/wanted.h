/* Dead-code analysis as ptxas does it: the live registers, from which something with an effect is computed.
 * An instruction that writes no such register is dropped, including shuffles and votes, and loads that are
 * not volatile.
 */
#ifndef WG_ANALYSIS_WANTED_H
#define WG_ANALYSIS_WANTED_H
#include "cfg/bits.h"
#include "ir/ir.h"

wg_bits wg_wanted(struct wg_arena *a, const struct wg_ir_func *f);
#endif
