/* Calls and activations: a lane enters a function, returns from it, and frees its activations. */
#ifndef WG_REF_CALL_H
#define WG_REF_CALL_H
#include "ref/lane.h"

/* Lane l enters f through the CALL i: false after a fault (local memory used up). */
bool wg_ref_enter(struct ref_lane *l, const struct ref_ins *i, const struct ref_func *f);
/* Returns from the current activation: false when it is the kernel's. */
bool wg_ref_return(struct ref_lane *l);
/* Frees the lane's activations, all but the kernel's. */
void wg_ref_unwind(struct ref_lane *l);

/* The pool from which activations of called functions are allocated. */
struct ref_pool *wg_ref_pool_new(void);
void wg_ref_pool_free(struct ref_pool *p);
#endif
