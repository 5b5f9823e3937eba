/* Launches of a microsecond that run on the thread that launches them, if their stream is idle: another thread would take
 * longer to begin.
 *
 * That is only for what surely ends soon: a brief job (pool.h) of code without loops, calls and sleep. A launch that could
 * wait for what the thread does next must leave the thread to it.
 */
#ifndef WG_MACHINE_HERE_H
#define WG_MACHINE_HERE_H
#include "machine/grid.h"

enum wg_here {
    WG_HERE_NOT,   /* it is not run here */
    WG_HERE_ENDED, /* all its units have ended */
    WG_HERE_TELLS, /* they have, and there is a fault or the like to be told of, which takes a worker: wg_here_rest */
};
enum wg_here wg_here_run(struct wg_grid *g);
/* Whether a kernel's blocks surely end soon, whatever others do: without loops, calls and sleep. */
bool wg_here_ends_soon(struct wg_func *f);
/* Runs these units of a launch that touches no memory; calls `ended` after each. False: they could not be run, or there was
 * a fault. */
typedef void wg_here_ended(void *user, uint32_t i);
bool wg_here_run_units(struct wg_grid *g, const uint64_t *units, uint32_t n, wg_here_ended *ended,
                       void *user);
/* The job that completes a launch that tells. */
struct wg_job *wg_here_rest(struct wg_grid *g);
/* No launch may be under way. */
void wg_here_close(struct wg_device *dev);
#endif
