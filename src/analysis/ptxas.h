/* NVIDIA's assembler, where the CUDA toolkit is installed: what it says of a PTX text's kernels.
 *
 * It is looked for in PATH, CUDA_HOME/bin and /usr/local/cuda/bin, or named by WARPGLASS_PTXAS (empty: none).
 *
 *     ptxas -v -arch=sm_90 k.ptx -o /dev/null
 *     ptxas info    : Compiling entry function '_Z4axpyPf' for 'sm_90'
 *     ptxas info    : Used 28 registers, used 1 barriers, 2560 bytes smem
 *
 * That takes a tenth of a second and more, so what it said is kept (CACHE/registers/): a file for each text,
 * choice of kernels, chip and ptxas.
 */
#ifndef WG_ANALYSIS_PTXAS_H
#define WG_ANALYSIS_PTXAS_H
#include "base/strbuf.h"
#include <stdint.h>

/* What it says of these of a text's kernels (none: of all), for `arch` ("sm_90") or the chip that the text is
 * for alone ("sm_90a"), in `said`. False where there is none, and where it does not take the text, or not in
 * so many seconds (0: any): why is then in `said`. A text for debuggers is asked about as one to be optimised. */
bool wg_ptxas_ask(const char *ptx, const char *arch, const char *const *kernels, uint32_t nkernels,
                  double timeout, struct wg_strbuf *said);
/* Out of that: a kernel's registers a thread; barriers a block, 0 when it names none; bytes of the stack
 * frame. False when the kernel is not there. */
struct wg_ptxas_figures {
    uint32_t registers, barriers, stack;
};
bool wg_ptxas_look(const char *said, const char *kernel, struct wg_ptxas_figures *f);
#endif
