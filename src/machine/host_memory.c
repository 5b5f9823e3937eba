/* Device memory that the host program accesses as if it were its own: what memory/gate.h finds is a finding under
 * `check`, and otherwise what it is on a GPU, a segmentation fault.
 */
#include "machine/fleet.h"
#include "machine/memory/gate.h"
#include "machine/watch/watch.h"
#include "machine/worker.h"
#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

/* What closing may cost; docs/check/device-memory.md says so, too. */
enum { CALLS = 1024 };
#define BYTES         (UINT64_C(4) << 30)
#define CHECKED_BYTES (UINT64_C(16) << 30)
#define NS            UINT64_C(2000000)
#define CHECKED_NS    UINT64_C(500000000)

static bool is_idle(void *user) {
    struct wg_device *dev = user;
    if (pthread_mutex_trylock(dev->lock) != 0) return false;
    bool idle = !dev->running;
    pthread_mutex_unlock(dev->lock);
    if (!idle || pthread_mutex_trylock(&dev->pool.lock) != 0) return false;
    idle = !dev->pool.first;
    pthread_mutex_unlock(&dev->pool.lock);
    return idle;
}

static bool finds(void *user, uint64_t address, uint64_t pc, bool write) {
    wg_check_host_accesses(user, address, pc, write);
    return true;
}

/* In a handler, so nothing is allocated. */
static bool ends(void *user, uint64_t address, uint64_t pc, bool write) {
    struct wg_device *dev = user;
    struct wg_span span;
    char text[1024], where[64] = "";
    Dl_info code = {0};
    if (wg_memory_find(&dev->memory, address, &span))
        snprintf(where, sizeof where, ", in an allocation of %" PRIu64 " bytes", span.end - span.base);
    dladdr((void *)pc, &code);
    int n = snprintf(text, sizeof text,
                     "warpglass: the host program %s device memory at 0x%" PRIx64 "%s\n"
                     "    the code is at %.500s+0x%" PRIx64 " (`warpglass check` gives the line)\n"
                     "    on a GPU that is a segmentation fault, so it is one here: copy the memory with\n"
                     "    cudaMemcpy, or allocate it with cudaMallocManaged or cudaMallocHost\n",
                     write ? "writes" : "reads", address, where, code.dli_fname ? code.dli_fname : "?",
                     pc - (uint64_t)code.dli_fbase);
    wg_write_all(STDERR_FILENO, text, (size_t)n);
    return false;
}

bool wg_host_memory_closes(void) { return wg_gate_closes(); }

void wg_host_enters(void) { wg_gate_enter(); }

void wg_host_leaves(void) {
    /* Before a handler of the program's: what is closed opens by faults. */
    if (wg_gate_closes()) wg_trap_install();
    wg_gate_leave();
}

/* Not while launches run twice: what closes memory for a snapshot (memory/snapshot.h) would be opened. Checks may
 * cost more than a plain run. */
void wg_host_memory_open(struct wg_device *dev) {
    bool checks = dev->options.findings != NULL;
    struct wg_gate_use use = {.told = checks ? finds : ends,
                              .idle = is_idle,
                              .user = dev,
                              .calls = CALLS,
                              .bytes = checks ? CHECKED_BYTES : BYTES,
                              .ns = checks ? CHECKED_NS : NS};
    if (checks ? wg_checks(dev) & 1u << WG_CHECK_memory : !dev->options.verify)
        wg_gate_add(&dev->memory, &use);
}

void wg_host_memory_close(struct wg_device *dev) { wg_gate_remove(&dev->memory); }
