/* sm_32_intrinsics.h: kept for programs that name it; cuda_runtime.h has everything. */
#include "cuda_runtime.h"
