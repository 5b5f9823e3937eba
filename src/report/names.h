/* Names of memory as in the source. Line information does not contain them, but PTX does, in mangled form:
 *
 *     _Z9transposePKiPi_param_0        ->  in      the kernel's first parameter, from the source text
 *     _ZZ5tiledPKiE4part               ->  part    a variable of the function
 */
#ifndef WG_REPORT_NAMES_H
#define WG_REPORT_NAMES_H
#include "base/mangled.h"
#include "report/profile.h"
#include "report/source.h"

/* Changes `what` of every site where a better name is found; where none is, a parameter is "parameter 1". */
void wg_name_memory(struct wg_arena *arena, struct wg_profile *r, struct wg_sources *sources);
#endif
