/* How many registers a compiler for the real machine might give a thread: an estimate, and shown as one.
 *
 * Warpglass has no ptxas. The most 32-bit words that are alive at one point, and a few for addresses and the
 * stack, come close enough for occupancy to be a fair estimate. docs/occupancy.md says how close.
 */
#ifndef WG_ANALYSIS_REGISTERS_H
#define WG_ANALYSIS_REGISTERS_H
#include "ir/ir.h"

uint32_t wg_registers_estimate(const struct wg_ir_func *f);
#endif
