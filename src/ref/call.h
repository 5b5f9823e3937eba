/* Calls: a lane enters a function, returns from it, and gives its activations back. */
#ifndef WG_REF_CALL_H
#define WG_REF_CALL_H
#include "ref/lane.h"

/* Lane l enters f through the CALL i: false after a fault (local memory used up). */
bool wg_ref_enter(struct ref_lane *l, const struct ref_ins *i, const struct ref_func *f);
/* Leaves the present activation: false when it was the kernel's. */
bool wg_ref_return(struct ref_lane *l);
/* Gives back the lane's activations, all but the kernel's. */
void wg_ref_unwind(struct ref_lane *l);

/* Where the activations of called functions come from. */
struct ref_pool *wg_ref_pool_new(void);
void wg_ref_pool_free(struct ref_pool *p);
#endif
