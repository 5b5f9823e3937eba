/* A timeline in the Chrome trace format, which Perfetto (ui.perfetto.dev) and chrome://tracing display.
 *
 *     This run (real time here)        a row for each thread: the program's CUDA calls
 *     NVIDIA H200 (model)              a row for each stream: kernels and copies, with modelled durations
 *     transpose_naive, blocks by SM    a row for each SM: which blocks of a kernel's first launch are on it, wave
 *                                      by wave
 *
 * The two clocks are unrelated: a launch takes longer here than on a GPU. Device work is laid out from time 0. Work in a
 * stream runs in order; the default stream synchronises with all others; and work that was submitted after a call that
 * waited (cudaDeviceSynchronize, cudaMemcpy) begins after what that call waited for.
 */
#ifndef WG_REPORT_TRACE_H
#define WG_REPORT_TRACE_H
#include "report/profile.h"

/* False with a message when the result has no launch of a known chip and no call to show. */
bool wg_write_trace(struct wg_strbuf *out, struct wg_arena *arena, const struct wg_profile *p,
                    struct wg_strbuf *why);
#endif
