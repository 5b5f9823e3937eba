/* Demangling: names as the source has them. */
#ifndef WG_BASE_MANGLED_H
#define WG_BASE_MANGLED_H
#include "base/arena.h"

/* "part" of "_ZZ5tiledPKiE4part"; the name itself where it is nothing mangled. */
const char *wg_variable_name(struct wg_arena *a, const char *name);
/* "add(int*)" of "_Z3addPi"; a copy of the name itself where it is nothing mangled, or there is no C++
 * library in the system. The caller frees it. */
char *wg_function_name(const char *name);
#endif
