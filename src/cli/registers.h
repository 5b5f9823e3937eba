/* Registers a thread of profiled kernels, from NVIDIA's assembler where it is installed (ptxas.h).
 *
 *     result file: kernel, estimate, PTX of its module
 *         --ptxas, or what it said before (CACHE/registers/)--> registers
 */
#ifndef WG_CLI_REGISTERS_H
#define WG_CLI_REGISTERS_H
#include "report/profile.h"

/* Puts the assembler's number in the place of the estimate, for each kernel that was launched and whose PTX
 * is known; where there is no ptxas, or it does not take the text, the estimate stays. */
void wg_registers_ask(struct wg_profile *p);
#endif
