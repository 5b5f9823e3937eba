/* cuda_occupancy.h: CUB and Thrust include it, and use nothing of it. What it has is the calculator that
 * takes a device and a kernel by their figures; that one is not there: `warpglass occupancy` and the
 * runtime's functions tell the same. */
#ifndef WARPGLASS_CUDA_OCCUPANCY_H
#define WARPGLASS_CUDA_OCCUPANCY_H
#include "cuda_runtime_api.h"

#ifdef __cplusplus
typedef enum cudaOccError_enum {
    CUDA_OCC_SUCCESS = 0,
    CUDA_OCC_ERROR_INVALID_INPUT = 1,
    CUDA_OCC_ERROR_UNKNOWN_DEVICE = 2,
} cudaOccError;

#define WARPGLASS_NO_CALCULATOR(instead)                                                                     \
    __attribute__((__unavailable__("Warpglass has no occupancy calculator in a header: use " instead)))
cudaOccError cudaOccMaxActiveBlocksPerMultiprocessor(...)
    WARPGLASS_NO_CALCULATOR("cudaOccupancyMaxActiveBlocksPerMultiprocessor");
cudaOccError cudaOccMaxPotentialOccupancyBlockSize(...)
    WARPGLASS_NO_CALCULATOR("cudaOccupancyMaxPotentialBlockSize");
cudaOccError cudaOccAvailableDynamicSMemPerBlock(...)
    WARPGLASS_NO_CALCULATOR("cudaOccupancyAvailableDynamicSMemPerBlock");
#undef WARPGLASS_NO_CALCULATOR
#endif
#endif
