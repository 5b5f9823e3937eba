/* What the files of the runtime's conformance probe share. */
#ifndef WG_TESTS_CONFORMANCE_H
#define WG_TESTS_CONFORMANCE_H
#include <cuda_runtime_api.h>
#include "tests/runtime/probe.h"

extern cudaLibrary_t library;          /* of probe_ptx; NULL until a kernel is asked for */
cudaKernel_t kernel(const char *name); /* loads the library first */

#define arena  probe_arena
#define LAST() E(cudaGetLastError())
#define D1(X)  ((dim3){X, 1, 1})
#define LAUNCH(K, GRID, BLOCK, ARGS, SHARED, STREAM)                                                         \
    E(cudaLaunchKernel((const void *)(K), GRID, BLOCK, ARGS, SHARED, STREAM))
#endif
