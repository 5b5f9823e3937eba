/* NVIDIA's assembler, ptxas, where the CUDA toolkit is installed: its resource usage report of a text's
 * kernels.
 *
 * It is found as cuda_tool.h says, or named by WARPGLASS_PTXAS.
 *
 *     ptxas -v -arch=sm_90 k.ptx -o /dev/null
 *     ptxas info    : Compiling entry function '_Z4axpyPf' for 'sm_90'
 *     ptxas info    : Used 28 registers, used 1 barriers, 2560 bytes smem
 *
 * That takes a tenth of a second and more, so the report is cached (CACHE/registers/): a file for each text,
 * choice of kernels, chip and ptxas.
 */
#ifndef WG_ANALYSIS_PTXAS_H
#define WG_ANALYSIS_PTXAS_H
#include "analysis/cuda_tool.h"
#include "base/strbuf.h"
#include <stdint.h>

/* The report of these kernels of a text (nkernels 0: all), for `arch` ("sm_90") or, if the text is for one
 * chip alone, for that ("sm_90a"), in `said`. False where there is no ptxas, and where it rejects the text or
 * takes longer than `timeout` seconds (0: no limit): `said` is then the reason. A text for debuggers is
 * compiled with optimisation, too. */
bool wg_ptxas_ask(const char *ptx, const char *arch, const char *const *kernels, uint32_t nkernels,
                  double timeout, struct wg_strbuf *said);
/* Runs it with one more option ("-v") on the text's kernels, and what it makes goes to the file `out`. False where it
 * rejects the text or takes too long. The text is given without the debuggers' mark, for `arch` or the one chip that it
 * is for. */
bool wg_ptxas_run(char *ptxas, const char *option, const struct wg_cuda_text *t, const char *out,
                  double timeout, struct wg_strbuf *said);
/* Parses the report: a kernel's registers per thread; barriers per block, 0 when it names none; bytes of the
 * stack frame. False when the kernel is not there. */
struct wg_ptxas_figures {
    uint32_t registers, barriers, stack;
};
bool wg_ptxas_look(const char *said, const char *kernel, struct wg_ptxas_figures *f);
#endif
