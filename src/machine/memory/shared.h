/* Memory that several processes map: its pages are in a file in memory (memfd), which other processes open as
 * /proc/PID/fd/N.
 *
 * All allocations begin with pages of the process alone, which are faster to make and may be large. Those of
 * which a handle is asked for are moved: copied into a file, which is then mapped at the same address. While
 * they are copied they can be read; a write waits, in the handler of page faults.
 */
#ifndef WG_MACHINE_MEMORY_SHARED_H
#define WG_MACHINE_MEMORY_SHARED_H
#include <stdbool.h>
#include <stdint.h>

/* Whole pages. Returns the file; less than 0, with errno: the host refused it, and nothing has changed. */
int wg_shared_move(uint64_t base, uint64_t bytes);
/* The memory at `base` is unmapped: closes its file. Less than 0: it has none. */
void wg_shared_free(int file, uint64_t base);
/* A write faulted at this address. True: its page was moved, and the write can be restarted. On any thread,
 * in a signal handler. */
bool wg_shared_fault(uint64_t address);
#endif
