/* Device memory closed to the host program: on a GPU it cannot access it at all, here it could, because all memory is
 * the process's. The pages of device memory are inaccessible while the program runs code of its own between two calls
 * of CUDA and the devices are idle. Whatever else accesses them opens them again by faulting; but the program may have
 * a handler of its own, so little should.
 *
 * Closing costs system calls, so only the first calls of a process close, and of these no more than takes a little of its
 * time; and none after the first access that was told of, nor in programs with MPI, which gives addresses of device memory to the operating system. Memory that the
 * host may access by any way is never closed.
 */
#ifndef WG_MACHINE_MEMORY_GATE_H
#define WG_MACHINE_MEMORY_GATE_H
#include "machine/memory/memory.h"

/* The host program's code at `pc` accesses the memory. In a signal handler, on the thread that does. True: the program
 * goes on, and the access is made; false: the fault is the program's. */
typedef bool (*wg_gate_told)(void *user, uint64_t address, uint64_t pc, bool write);
struct wg_gate_use {
    wg_gate_told told;
    bool (*idle)(void *user); /* nothing accesses the memory but the calling thread; must not wait */
    void *user;
    uint32_t calls; /* the first calls of a process, after which memory may close */
    uint64_t bytes; /* closed by all of them together; each page that was touched costs some nanoseconds */
    uint64_t
        ns; /* of processor time that closing and opening may take, beside a fiftieth of the process's time */
};
void wg_gate_add(struct wg_memory *m, const struct wg_gate_use *use);
void wg_gate_remove(const struct wg_memory *m);
/* False: nothing closes any more in this process, and calls of CUDA need not be told of. */
bool wg_gate_closes(void);
/* The calling thread begins an outermost call of CUDA, and is back in the program. */
void wg_gate_enter(void);
void wg_gate_leave(void);
/* Opens what is closed: a system call is about to be given its addresses. */
void wg_gate_open(void);
/* The same, and knows nothing any more of these addresses, whose pages are about to change hands. */
void wg_gate_forget(uint64_t base, uint64_t end);
/* An access faulted. All that was closed is open now. */
enum wg_gate_answer {
    WG_GATE_NONE,    /* because of something else */
    WG_GATE_RESTART, /* the access can be restarted */
    WG_GATE_FAULT,   /* the program faults, as it does on a GPU */
};
enum wg_gate_answer wg_gate_fault(uint64_t address, uint64_t pc, bool write);
#endif
