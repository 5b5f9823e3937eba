/* curand_discrete2.h: what a program is told that includes it. */
#error "curand_discrete2.h: discrete distributions (cuRAND) is not supported by Warpglass"
