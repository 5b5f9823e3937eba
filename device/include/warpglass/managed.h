/* managed.h: __managed__ variables, one storage for host and device.
 *
 * clang knows __managed__ only for HIP. Here a managed variable is a __device__ variable whose host shadow
 * lies in a section of its own. The machine's addresses are the process's addresses, so the runtime makes the
 * device variable live where the shadow lies: at start it is told the section's range, and a variable
 * registered inside it is managed.
 */
#ifndef WARPGLASS_MANAGED_H
#define WARPGLASS_MANAGED_H

#include "../host_defines.h"

#define __managed__ __device__ __attribute__((__section__("warpglass_managed")))

#if !defined(__CUDA_ARCH__)
extern "C" {
int dprintf(int, const char *, ...);
void __warpglass_managed_range(void *__begin, void *__end) __attribute__((__weak__));
extern char __start_warpglass_managed[] __attribute__((__weak__, __visibility__("hidden")));
extern char __stop_warpglass_managed[] __attribute__((__weak__, __visibility__("hidden")));
}
/* Priority 101 is before the registration of this file's variables, which clang emits with the lowest
 * priority. */
static __attribute__((__constructor__(101), __used__)) void wg_tell_managed_range() {
    if (__start_warpglass_managed == __stop_warpglass_managed) return;
    if (!__warpglass_managed_range) {
        dprintf(2, "warpglass: this program has __managed__ variables, which the CUDA runtime that it found "
                   "does not know; use cudaMallocManaged instead\n");
        abort();
    }
    __warpglass_managed_range(__start_warpglass_managed, __stop_warpglass_managed);
}
#endif

#endif
