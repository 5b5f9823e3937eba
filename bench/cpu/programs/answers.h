/* answers.h: what makes the inputs and the right answers of programs.h, as simply as it can be said. */
#ifndef BENCH_ANSWERS_H
#define BENCH_ANSWERS_H

#include "programs.h"

#define P(name, ...) void answer_##name(struct program *p);
PROGRAMS(P)
#undef P

/* Memory of a problem, touched. The result is for whoever fills it. */
void *answer_in(struct program *p, int which, size_t bytes);
/* Returns the right answer, zeros at first; `bytes` of it. */
void *answer_out(struct program *p, size_t bytes);
void answer_work(struct program *p, size_t bytes);

/* The same numbers in every run: from 0 to range - 1; and from 0 to 1. */
int answer_random(int range);
float answer_fraction(void);

#endif
