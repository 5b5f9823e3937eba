/* curand_poisson.h: what a program is told that includes it. */
#error "curand_poisson.h: Poisson distributions (cuRAND) are not supported by Warpglass"
