/* Estimate of register pressure: how many registers ptxas might allocate to a thread. Shown as an estimate.
 *
 * Warpglass has no ptxas. It counts the 32-bit words that are live at each point of the PTX, and allows for
 * what ptxas is known to do with them:
 *   - values that are uniform for the whole launch (parameters, sizes of the grid, sums of these) are in
 *     constant memory or in uniform registers, and cost little;
 *   - loads are hoisted, so that they overlap, as long as that costs no occupancy;
 *   - division, square roots and the like become code of their own, calls a convention of their own.
 * The weights are fitted to what ptxas 13 gives for 581 kernels; docs/occupancy.md states the error on
 * kernels that the fit did not see.
 *
 *     vector_add: 5 words and 4 of the launch live -> 12; ptxas: 12
 */
#ifndef WG_ANALYSIS_REGISTERS_H
#define WG_ANALYSIS_REGISTERS_H
#include "ir/ir.h"

uint32_t wg_registers_estimate(const struct wg_ir_module *m, uint32_t func);
#endif
