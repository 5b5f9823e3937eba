/*
 * plain.h: the problems of programs.h in plain C and OpenMP, as a good programmer would write them for a CPU: not the
 * steps of the CUDA program, but the best simple way. One file for each, compiled by gcc and by clang with -O3
 * -march=native; the better of the two counts.
 */
#ifndef BENCH_PROGRAMS_PLAIN_H
#define BENCH_PROGRAMS_PLAIN_H

#include "../programs.h"

#define P(name, ...) void plain_##name(struct program *p);
PROGRAMS(P)
#undef P

#endif
