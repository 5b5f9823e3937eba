/* Stopping: what rows that end, wait or yield ask of run.c. */
#ifndef WG_REF_WAIT_H
#define WG_REF_WAIT_H
#include "ref/lane.h"

/* The lane waits for the machine: `wait` has kind, id, red, threads and predicate (0 or 1). */
void wg_ref_wait(struct ref_lane *l, const struct wg_wait *wait);
void wg_ref_exit(struct ref_lane *l);
enum wg_warp_status wg_ref_run(struct wg_warp *wg);
#endif
