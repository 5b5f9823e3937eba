/* Device memory that the host program accesses as if it were its own (host_memory.c looks for it). */
#include "machine/watch/check.h"

void wg_check_host_accesses(struct wg_device *dev, uint64_t address, uint64_t pc, bool write) {
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
