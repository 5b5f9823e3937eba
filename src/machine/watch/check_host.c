/* Device memory that the host program accesses as if it were its own: memory/gate.h tells of the first access. */
#include "machine/fleet.h"
#include "machine/memory/gate.h"
#include "machine/watch/check.h"
#include "machine/worker.h"

static void tell(void *user, uint64_t address, uint64_t pc, bool write) {
    struct wg_device *dev = user;
    uint64_t at = pc + 1; /* as a return address */
    struct wg_finding x = {
        .kind = WG_F_device_memory,
        .site = at,
        .host_at = at,
        .here = {.access = write ? "write" : "read", .asked_at = at},
        .detail = "On a GPU the program ends there with a segmentation fault, so later accesses are not "
                  "looked for. Copy it with cudaMemcpy, or use memory that both may access: "
                  "cudaMallocManaged, cudaMallocHost",
    };
    wg_check_describe_global(dev, NULL, address, &x.memory);
    wg_findings_add(dev->options.findings, &x);
}

void wg_host_enters(void) { wg_gate_enter(); }

void wg_host_leaves(void) {
    wg_trap_install(); /* before a handler of the program's: what is closed opens by faults */
    wg_gate_leave();
}

void wg_check_host_open(struct wg_device *dev) {
    if (dev->options.findings && wg_checks(dev) & 1u << WG_CHECK_memory) wg_gate_add(&dev->memory, tell, dev);
}

void wg_check_host_close(struct wg_device *dev) { wg_gate_remove(&dev->memory); }
