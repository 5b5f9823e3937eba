/*
 * plain.h: the benchmark's problems in plain C and OpenMP, as a good programmer would write them when
 * no GPU is in sight: not the GPU's steps, but the best simple way for a CPU. One file for each topic,
 * compiled by gcc and by clang with -O3 -march=native; the better of the two counts.
 */
#ifndef BENCH_PLAIN_H
#define BENCH_PLAIN_H

#include "../problem.h"

#define P(name, s0, s1, s2) void plain_##name(const struct problem *p);
PROBLEMS(P)
#undef P

#endif
