/* How many registers a compiler for the real machine might give a thread: an estimate, and shown as one.
 *
 * Warpglass has no ptxas. It counts the 32-bit words that are alive at one point of the PTX, and allows for
 * what ptxas is known to do with them:
 *   - what is the same for the whole launch (parameters, sizes of the grid, sums of these) stands in constant
 *     memory or in uniform registers, and costs little;
 *   - loads are moved up, so that they are under way together, as long as that costs no occupancy;
 *   - division, square roots and the like become code of their own, calls a convention of their own.
 * The weights are fitted to what ptxas 13 gives for 581 kernels; docs/occupancy.md says how close it comes,
 * by kernels that the fit did not see.
 *
 *     vector_add: 5 words and 4 of the launch alive -> 12; ptxas: 12
 */
#ifndef WG_ANALYSIS_REGISTERS_H
#define WG_ANALYSIS_REGISTERS_H
#include "ir/ir.h"

uint32_t wg_registers_estimate(const struct wg_ir_module *m, uint32_t func);
#endif
