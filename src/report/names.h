/* Names of memory as the source has them. Line information does not name what an address comes from, PTX
 * does, in the compiler's words:
 *
 *     _Z9transposePKiPi_param_0        ->  in      the kernel's first parameter, from the source's text
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
