/* Ranges that a program marks with NVTX, and whether a thread's calls are inside the selected ones.
 *
 * NVTX is a header: the first call looks for a tool, a library that has a function InitializeInjectionNvtx2, and that
 * puts its functions into the header's tables. Warpglass's own nvtx3/nvToolsExt.h does the same, so that a program
 * marks ranges for us whichever of the two it was compiled with.
 *
 *     --nvtx step            a range "step" of the default domain, pushed or started
 *     --nvtx step/           pushed alone, as Nsight Compute writes it
 *     --nvtx step/load/      "load" pushed directly within "step"; step/.../load with a * between: anywhere within it
 *     --nvtx [step/load/]    nothing is around "step", nothing within "load"
 *     --nvtx step,copy       both are open
 *     --nvtx "io@step*"      of the domain "io", names that begin so
 */
#ifndef WG_DRIVER_NVTX_H
#define WG_DRIVER_NVTX_H
#include "base/strbuf.h"
#include <stdbool.h>

/* Reads WARPGLASS_NVTX, expressions each on a line of its own. False: there is none. */
bool wg_nvtx_choose(void);
/* Whether the calling thread is in a range that was chosen. */
bool wg_nvtx_is_within(void);
/* "'a', 'b'": what was chosen; and "a, io@b, ...": ranges that the program marked, "" for none. */
void wg_nvtx_put_chosen(struct wg_strbuf *out);
void wg_nvtx_put_seen(struct wg_strbuf *out);
#endif
