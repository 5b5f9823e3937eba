/* Where a tool of the CUDA toolkit is, such as ptxas or nvdisasm.
 *
 * It is named by its variable (WARPGLASS_PTXAS, WARPGLASS_NVDISASM; empty: none), or looked for in PATH, CUDA_HOME/bin
 * and /usr/local/cuda/bin.
 */
#ifndef WG_ANALYSIS_CUDA_TOOL_H
#define WG_ANALYSIS_CUDA_TOOL_H
#include "base/hash.h"
#include "base/strbuf.h"

/* The path of `name` in `path`. False where there is none, and for a program that has more rights than its user: the
 * environment is not its own. */
bool wg_cuda_tool_find(const char *name, const char *variable, struct wg_strbuf *path);
/* Adds what tells a tool from another version of it. False where there is no such file. */
bool wg_cuda_tool_hash(const char *path, struct wg_hash *h);
#endif
