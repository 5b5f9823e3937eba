/* What the host program itself reads and writes, where `warpglass check` compiled it so that it tells: the
 * runtime has the functions that such code calls (runtime/host_access.c), the machine judges. */
#ifndef WG_DRIVER_HOST_ACCESS_H
#define WG_DRIVER_HOST_ACCESS_H
#include "machine/machine.h"

#pragma GCC visibility push(default)
extern struct wg_host_watch wg_host_watch;
void wg_host_accessed(const void *p, uint32_t bytes, bool write, const void *at);
#pragma GCC visibility pop
#endif
