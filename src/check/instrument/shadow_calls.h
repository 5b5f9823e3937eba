/* Shadows of parameters and results of functions that are not kernels: see shadow_calls.c. */
#ifndef WG_CHECK_SHADOW_CALLS_H
#define WG_CHECK_SHADOW_CALLS_H
#include "check/instrument/shadow_emit.h"

/* Which functions of the module pass shadows: [nfuncs]. */
const bool *wg_shadow_passing(struct wg_arena *a, const struct wg_ir_module *m);
/* Whether registers, or the carry, may be read before they are written. */
bool wg_shadow_begins_undefined(const struct wg_ir_module *m, const struct wg_ir_func *f);
/* Whether that goes for any function, where some pass shadows on to others: all have to be careful then. */
bool wg_shadow_is_careful(const struct wg_ir_module *m, const bool *passes);
/* Whether a call passes shadows, or a load of a parameter or store of a result does so in its function. */
bool wg_shadow_is_passed(const struct wg_shadow *s, const struct wg_ir_instr *in);
/* At such a load or store; before such a call, and after it. */
void wg_shadow_place(struct wg_shadow *s);
void wg_shadow_call(struct wg_shadow *s);
void wg_shadow_called(struct wg_shadow *s);
/* The function's frame, as its callers lay it out. */
void wg_shadow_frame(const struct wg_instrument *x, struct wg_ir_func *to);
#endif
