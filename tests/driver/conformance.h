/* What the files of the driver's conformance probe share. */
#ifndef WG_TESTS_DRIVER_CONFORMANCE_H
#define WG_TESTS_DRIVER_CONFORMANCE_H
#include <cuda.h>
#include "tests/runtime/probe.h"

static CUcontext context;
/* The primary context, current. */
static inline void start(void) {
    if (cuInit(0) || cuDevicePrimaryCtxRetain(&context, 0) || cuCtxSetCurrent(context)) {
        printf("%s: no context\n", probe_name);
        exit(1);
    }
}
#endif
