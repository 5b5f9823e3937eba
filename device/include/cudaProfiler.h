/* cudaProfiler.h: cuProfilerStart and cuProfilerStop are with the rest of the driver API. */
#ifndef WG_CUDA_PROFILER_H
#define WG_CUDA_PROFILER_H
#include "cuda.h"

typedef enum CUoutput_mode_enum {
    CU_OUT_KEY_VALUE_PAIR = 0,
    CU_OUT_CSV = 1,
} CUoutput_mode;

#ifdef __cplusplus
extern "C"
#endif
    /* Deprecated: CUDA_ERROR_NOT_SUPPORTED. */
    CUresult
    cuProfilerInitialize(const char *__config_file, const char *__output_file, CUoutput_mode __output_mode);
#endif
