/* main.c: times plain C on the benchmark's problems; prints `time PROBLEM MS ms` for each, like the
   gallery's programs. `plain-gcc --repeat 5 transpose` times the problems of one topic. */
#include "plain.h"

#include <stdio.h>

struct solver {
    const char *topic, *problem;
    void (*solve)(const struct problem *p);
};

static bool measure(const struct solver *solver, const struct arguments *arguments, const char *who) {
    struct problem p;
    if (!problem_make(solver->problem, &p)) return false;
    double least = 0, all = 0;
    const double begin = now_ms();
    for (int i = 0; arguments_again(arguments, i, all, now_ms() - begin); i++) {
        problem_restart(&p);
        const double start = now_ms();
        solver->solve(&p);
        const double ms = now_ms() - start;
        if (i == 0 || ms < least) least = ms;
        all += ms;
    }
    const bool right = problem_is_right(&p, who);
    if (right) printf("time %s %.4f ms\n", p.name, least);
    fflush(stdout);
    problem_free(&p);
    return right;
}

int main(int argc, char **argv) {
    static const struct solver solvers[] = {
#define V(topic, variant, problem) {#topic, #problem, plain_##problem},
        VARIANTS(V)
#undef V
    };
    const struct arguments arguments = arguments_read(argc, argv);
    bool right = true;
    /* Variants of one problem stand side by side; it is solved once. */
    const struct solver *last = NULL;
    for (size_t i = 0; i < sizeof solvers / sizeof *solvers; i++) {
        if (!arguments_want(&arguments, solvers[i].topic)) continue;
        if (!last || last->solve != solvers[i].solve) right &= measure(&solvers[i], &arguments, argv[0]);
        last = &solvers[i];
    }
    return right ? 0 : 1;
}
