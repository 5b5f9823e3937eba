/* cuda_fp6.h: what a program is told that includes it. */
#error "cuda_fp6.h: __nv_fp6 (floating-point numbers of six bits) is not supported by Warpglass"
