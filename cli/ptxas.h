/* NVIDIA's assembler, where the CUDA toolkit is installed: what it says of a PTX file's kernels.
 *
 * It is looked for in PATH, CUDA_HOME/bin and /usr/local/cuda/bin, or named by WARPGLASS_PTXAS (empty: none).
 *
 *     ptxas -v -arch=sm_90 k.ptx -o /dev/null
 *     ptxas info    : Compiling entry function '_Z4axpyPf' for 'sm_90'
 *     ptxas info    : Used 28 registers, used 1 barriers, 2560 bytes smem
 */
#ifndef WG_CLI_PTXAS_H
#define WG_CLI_PTXAS_H
#include "cli/process.h"
#include <stdint.h>

/* The assembler's path in `path`; false when there is none. */
bool wg_ptxas_find(struct wg_strbuf *path);
/* What it says of a text's kernels (`kernels`: of these alone; NULL: of all), for `arch` ("sm_90") or the
 * chip that the text is for alone ("sm_90a"), in `out`. False when it does not take the text, or not in so
 * many seconds (0: any): why is then in `out`. A text for debuggers is made one to be optimised. */
bool wg_ptxas_run(const char *ptxas, const struct wg_strbuf *ptx, const char *arch,
                  const struct wg_args *kernels, double timeout, struct wg_strbuf *out);
/* Out of that: a kernel's registers a thread; barriers a block, 0 when it names none; bytes of the stack
 * frame. False when the kernel is not there. */
struct wg_ptxas_figures {
    uint32_t registers, barriers, stack;
};
bool wg_ptxas_look(const char *said, const char *kernel, struct wg_ptxas_figures *f);
#endif
