/* curand_discrete2.h: what a program is told that includes it. */
#error "curand_discrete2.h: discrete distributions (cuRAND) are not supported by Warpglass"
