/* Block remapping at launch: threads are regrouped into internal blocks (analysis/bands.h). Decides which
 * launches are remapped, and maps threads back to the program's own block and thread indices. */
#ifndef WG_MACHINE_BANDS_H
#define WG_MACHINE_BANDS_H
#include "machine/grid.h"
#include "machine/module.h"

/* Whether remapping is profitable. Then *as_run is the launch to run in its place; else dealt->threads stays
 * 0. */
bool wg_bands_deal(const struct wg_launch *l, const struct wg_how *how, const uint8_t *params,
                   struct wg_launch *as_run, struct wg_dealt *dealt);

/* When it has ended: the grid is the program's again, and what stopped or failed is in blocks and warps of
 * the program's. After a signal the row is not known: the first of the band is reported. */
void wg_bands_undo(struct wg_grid *g);
#endif
