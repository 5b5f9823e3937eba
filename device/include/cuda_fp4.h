/* cuda_fp4.h: what a program is told that includes it. */
#error "cuda_fp4.h: __nv_fp4 (floating-point numbers of four bits) is not supported by Warpglass"
