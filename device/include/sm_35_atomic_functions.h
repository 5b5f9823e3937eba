/* sm_35_atomic_functions.h: kept for programs that name it; cuda_runtime.h has everything. */
#include "cuda_runtime.h"
