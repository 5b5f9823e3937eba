/* Where a tool of the CUDA toolkit is, such as ptxas or nvdisasm, and where its answers are kept.
 *
 * It is named by its variable (WARPGLASS_PTXAS, WARPGLASS_NVDISASM; empty: none), or looked for in PATH, CUDA_HOME/bin
 * and /usr/local/cuda/bin. What it says of a text is cached.
 */
#ifndef WG_ANALYSIS_CUDA_TOOL_H
#define WG_ANALYSIS_CUDA_TOOL_H
#include "base/hash.h"
#include "base/strbuf.h"

/* A text, the chip that it is for, and those of its kernels that are asked for (0: all). */
struct wg_cuda_text {
    const char *ptx, *arch;
    const char *const *kernels;
    uint32_t nkernels;
};

/* The path of `name` in `path`. False where there is none, and for a program that has more rights than its user: the
 * environment is not its own. */
bool wg_cuda_tool_find(const char *name, const char *variable, struct wg_strbuf *path);
/* Adds what tells a tool from another version of it. False where there is no such file. */
bool wg_cuda_tool_hash(const char *path, struct wg_hash *h);

/* Where what a tool says of a text's kernels is cached: CACHE/FOLDER/KEY. NULL s when nothing is kept. `h`: of the tools. */
struct wg_strbuf wg_cuda_tool_kept_in(const char *folder, struct wg_hash h, const struct wg_cuda_text *t);
/* Keeps it there, and no more files than `files` and megabytes than `megabytes`. `path` is cut to the folder. */
void wg_cuda_tool_keep(char *path, const struct wg_strbuf *said, uint32_t files, uint32_t megabytes);
#endif
