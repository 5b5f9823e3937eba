/* Kernels of one text that the tools are asked about together, since nvdisasm takes a third of a second to start and a hundred
 * kernels hardly more; and one kernel's part of what it says of several.
 *
 *     .entry a ... .entry b ... .entry c        the program launches b     ptxas --entry=b --entry=c --entry=a
 *     .text.c: BRA `(.L_x_0)   .text.b: BRA `(.L_x_7)                      b's part: .text.b: BRA `(.L_x_0)
 *
 * The part is what nvdisasm would have said of the kernel alone, so nothing depends on which were asked about together. In
 * texts that define functions it might: those are compiled for all that call them.
 */
#ifndef WG_ANALYSIS_SASS_SHARED_H
#define WG_ANALYSIS_SASS_SHARED_H
#include "base/arena.h"
#include "base/strbuf.h"
#include <stdint.h>

/* The kernels of `ptx`: `kernel`, and then those that are worth the assembler's time; the ones after it first. NULL: its text
 * has functions, or not this kernel. */
const char **wg_sass_shared(struct wg_arena *a, const char *ptx, const char *kernel, uint32_t *n);
/* Appends the kernel's part of a listing. False where it has none. */
bool wg_sass_cut(const char *listing, const char *kernel, struct wg_strbuf *out);
#endif
