/* cudaProfilerTypedefs.h: what a program is told that includes it. */
#error                                                                                                       \
    "cudaProfilerTypedefs.h: the profiler's function types are not supported by Warpglass: cudaProfiler.h declares the functions"
