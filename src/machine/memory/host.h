/* How much memory the host has available now. */
#ifndef WG_MACHINE_MEMORY_HOST_H
#define WG_MACHINE_MEMORY_HOST_H
#include <stdint.h>

/* Bytes that could be used without swapping: what is available, within the limits of the control groups (v1
 * and v2) that the process is in; without /proc, what is not used. UINT64_MAX: nothing says so. `root`: where /proc and /sys are found; "" but
 * in tests. */
uint64_t wg_host_available(const char *root);
#endif
