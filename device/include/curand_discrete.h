/* curand_discrete.h: what a program is told that includes it. */
#error "curand_discrete.h: discrete distributions (cuRAND) are not supported by Warpglass"
