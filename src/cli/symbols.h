/* Code addresses of host programs as functions and lines, by llvm-symbolizer, which is part of the LLVM that
 * Warpglass is built with. Where it is missing, addresses stay addresses. */
#ifndef WG_CLI_SYMBOLS_H
#define WG_CLI_SYMBOLS_H
#include "report/findings.h"

/* Fills in the frames of all of them; `arena`, a struct wg_arena, is where they lie. */
void wg_symbols_look(void *arena, struct wg_found_code *codes[], size_t n);
#endif
