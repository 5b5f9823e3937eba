/* A timeline in the Chrome trace format, which Perfetto (ui.perfetto.dev) and chrome://tracing open.
 *
 *     This run (real time here)        a row a thread: the program's calls of CUDA
 *     NVIDIA H200 (model)              a row a stream: kernels and copies, as long as the model says
 *     transpose_naive, blocks by SM    a row an SM: which blocks of a kernel's first launch are on it, wave
 *                                      by wave
 *
 * The two clocks have nothing to do with each other: a launch takes longer here than on a GPU. Device work is
 * laid out from 0 on. What is in a stream runs in order; the default stream waits for all others and they for
 * it; and what began after a call that waited (cudaDeviceSynchronize, cudaMemcpy) begins after what that call
 * waited for.
 */
#ifndef WG_REPORT_TRACE_H
#define WG_REPORT_TRACE_H
#include "report/profile.h"

/* False with a message when the result has no launch of a known chip and no call to show. */
bool wg_write_trace(struct wg_strbuf *out, struct wg_arena *arena, const struct wg_profile *p,
                    struct wg_strbuf *why);
#endif
