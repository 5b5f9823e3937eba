/* The access pass: inserts a check before each access to memory: check.access.
 *
 * Where only the memory check is on and the answer is known statically, the check is left out: an access at a
 * constant place in a variable.
 */
#ifndef WG_CHECK_ACCESS_H
#define WG_CHECK_ACCESS_H
#include "check/instrument/pass.h"

extern const struct wg_instrument_pass wg_access_pass;
/* How many accesses are split off from it: it addresses memory itself, but is no load or store. */
uint32_t wg_instrument_parts(const struct wg_ir_instr *in);
#endif
