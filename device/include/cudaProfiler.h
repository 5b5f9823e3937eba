/* cudaProfiler.h: cuProfilerStart and cuProfilerStop are with the rest of the driver API. */
#include "cuda.h"
