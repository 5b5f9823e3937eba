/* curand_mtgp32_kernel.h: what a program is told that includes it. */
#error                                                                                                       \
    "curand_mtgp32_kernel.h: MTGP32 (cuRAND) is not supported by Warpglass: curand_kernel.h has XORWOW and Philox"
