/* Block remapping at launch: threads are regrouped into internal blocks (analysis/bands.h). Decides which
 * launches are remapped, and maps threads back to the program's own block and thread indices. */
#ifndef WG_MACHINE_BANDS_H
#define WG_MACHINE_BANDS_H
#include "machine/grid.h"
#include "machine/module.h"

/* Whether the launch gains. Then *as_run is what is run in its place; dealt->threads stays 0 otherwise. */
bool wg_bands_deal(const struct wg_launch *l, const struct wg_how *how, const uint8_t *params,
                   struct wg_launch *as_run, struct wg_dealt *dealt);

/* When it has ended: the grid is the program's again, and what stopped or failed is in blocks and warps of
 * the program's. Where a signal told of it, its row is not known: the first of the band stands for all. */
void wg_bands_undo(struct wg_grid *g);
#endif
