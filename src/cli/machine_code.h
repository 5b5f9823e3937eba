/* Machine code of profiled kernels and how often each of its instructions was executed, where ptxas and nvdisasm are
 * installed (analysis/sass.h).
 *
 *     result file: executions of each line of the PTX
 *         --ptxas, nvdisasm--> blocks --analysis/sass_counts.h--> executions of each machine instruction
 */
#ifndef WG_CLI_MACHINE_CODE_H
#define WG_CLI_MACHINE_CODE_H
#include "report/profile.h"

/* Puts what the machine code executes in the place of the estimate, kernel by kernel: the counter machine_instructions
 * of each line, in all launches of a kernel. Where a tool is missing, or what is counted does not fit the machine code, the
 * estimate stays. */
void wg_machine_code_ask(struct wg_arena *arena, struct wg_profile *p);
#endif
