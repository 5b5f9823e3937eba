/* curand_mrg32k3a.h: what a program is told that includes it. */
#error                                                                                                       \
    "curand_mrg32k3a.h: MRG32k3a (cuRAND) is not supported by Warpglass: curand_kernel.h has XORWOW and Philox"
