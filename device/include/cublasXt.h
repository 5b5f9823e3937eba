/* cublasXt.h: what a program is told that includes it. */
#error "cublasXt, which spreads work over several GPUs, is not supported by Warpglass: use cublas_v2.h, with a handle for each device"
