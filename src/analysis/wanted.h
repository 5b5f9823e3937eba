/* Registers that something with an effect is made of: what the assembler keeps. An instruction that writes no other is
 * dropped, and so are shuffles and votes, and loads that are not volatile.
 */
#ifndef WG_ANALYSIS_WANTED_H
#define WG_ANALYSIS_WANTED_H
#include "cfg/bits.h"
#include "ir/ir.h"

wg_bits wg_wanted(struct wg_arena *a, const struct wg_ir_func *f);
#endif
