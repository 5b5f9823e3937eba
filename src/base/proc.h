/* What Linux says of a process in /proc/PID/stat. */
#ifndef WG_BASE_PROC_H
#define WG_BASE_PROC_H
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct wg_proc {
    pid_t parent;
    char state;     /* as `ps` has it; Z: it has ended, and nobody has asked for its status */
    uint64_t began; /* in ticks since the system did: with its number, no two processes have it */
};
/* False: there is no such process, or /proc is not mounted. */
bool wg_proc_read(pid_t pid, struct wg_proc *out);
#endif
