/* cublasXt.h: what a program is told that includes it. */
#error                                                                                                       \
    "cublasXt (products over several GPUs) is not supported by Warpglass: use a handle of cublas_v2.h for each"
