/* curand_poisson.h: what a program is told that includes it. */
#error "curand_poisson.h: Poisson distributions (cuRAND) is not supported by Warpglass"
