/* Device memory closed to the host program: on a GPU it cannot access it at all, here it could, because all memory is
 * the process's. Under `check` the pages of device memory are inaccessible while the program runs code of its own
 * between two calls of CUDA; kernels, copies and whatever else runs meanwhile open them again by faulting.
 *
 * Closing costs system calls, so only the first WG_GATE_TIMES calls of a process close, and none after the first
 * access that was told of, nor in programs with MPI, which gives addresses of device memory to the operating system.
 * Memory that the host may access by any way is never closed.
 */
#ifndef WG_MACHINE_MEMORY_GATE_H
#define WG_MACHINE_MEMORY_GATE_H
#include "machine/memory/memory.h"

enum { WG_GATE_TIMES = 256 };

/* The host program's code at `pc` accesses the memory. In a signal handler, on the thread that does. */
typedef void (*wg_gate_told)(void *user, uint64_t address, uint64_t pc, bool write);
void wg_gate_add(struct wg_memory *m, wg_gate_told told, void *user);
void wg_gate_remove(const struct wg_memory *m);
/* The calling thread begins an outermost call of CUDA, and is back in the program. */
void wg_gate_enter(void);
void wg_gate_leave(void);
/* Opens what is closed: a system call is about to be given its addresses. */
void wg_gate_open(void);
/* The same, and knows nothing any more of these addresses, whose pages are about to change hands. */
void wg_gate_forget(uint64_t base, uint64_t end);
/* An access faulted. True: it was closed, and the access can be restarted. */
bool wg_gate_fault(uint64_t address, uint64_t pc, bool write);
#endif
