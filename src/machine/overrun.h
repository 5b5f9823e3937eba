/* Overruns of shared memory: stores past the end of a block's shared memory, in the last page of its window,
 * where nothing faults:
 *
 *     [variables, dynamic memory| known bytes ]  nothing is mapped
 *                               ^ window_bytes ^ the page's end
 *
 * These canary bytes are checked when a unit's memory is released. A store that changed them is reported as a
 * stray (stray.h), or is the launch's fault (options.strict). Loads are not detected.
 */
#ifndef WG_MACHINE_OVERRUN_H
#define WG_MACHINE_OVERRUN_H
#include <stdint.h>

struct wg_unit;
struct wg_grid;
struct wg_shape;

/* Bytes of a block's window that have memory. */
uint64_t wg_window_mapped(const struct wg_shape *s);
/* The memory is new. */
void wg_overrun_begin(const struct wg_unit *u);
/* Checks the known bytes after units from `first` on ran in it. */
void wg_overrun_look(const struct wg_unit *u, uint64_t first);
/* replay.c. All units have ended: a store that was detected becomes the launch's fault, if options.strict
 * asks for it. On a worker. */
void wg_overrun_fault(struct wg_grid *g);
/* One unit after another that may have stored there; UINT64_MAX: no more. */
uint64_t wg_overrun_unit(const struct wg_grid *g, uint32_t i);
#endif
