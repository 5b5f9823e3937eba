/* What the host program itself reads and writes, where `warpglass check` compiled it so that it tells: the
 * runtime has the functions that such code calls (runtime/host_access.c), the machine judges. */
#ifndef WG_DRIVER_HOST_ACCESS_H
#define WG_DRIVER_HOST_ACCESS_H
#include "count/result.h"
#include "driver/entry.h"
#include "machine/machine.h"

#pragma GCC visibility push(default)
extern struct wg_host_watch wg_host_watch;
void wg_host_accessed(const void *p, uint32_t bytes, bool write, const void *at);
/* blas/: the one function by which libraries have their work done when a stream comes to it (cuLaunchHostFunc); and in it,
 * before it does anything to the device's memory, what that is. False: it must not. */
void wg_library_function(CUhostFn function);
/* Under profile: whether a call made now is to be counted, and one that was, as a row of the report. */
bool wg_library_is_counted(void);
void wg_library_counted(const struct wg_result_library *what);
bool wg_library_touches(const struct wg_toucher *by, const struct wg_operand_touch *t, unsigned n);
#pragma GCC visibility pop
#endif
