/* main.c: times plain C on one of the programs' problems; prints `time NAME MS ms`, like the CUDA program.
   `plain-gcc [--repeat N] [--for MS] NAME [SIZE [SIZE]]`. */
#include "plain.h"
#include "../../problem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct solver {
    const char *name;
    void (*solve)(struct program *p);
} solvers[] = {
#define P(name, ...) {#name, plain_##name},
    PROGRAMS(P)
#undef P
};

static bool measure(struct program *p, const struct arguments *arguments, const char *who) {
    const struct solver *solver = solvers;
    while (strcmp(solver->name, p->name) != 0) solver++;
    double least = 0, all = 0;
    const double begin = now_ms();
    for (int i = 0; arguments_again(arguments, i, all, now_ms() - begin); i++) {
        program_restart(p);
        const double start = now_ms();
        solver->solve(p);
        const double ms = now_ms() - start;
        if (i == 0 || ms < least) least = ms;
        all += ms;
    }
    if (!program_is_right(p, who)) return false;
    printf("time %s %.4f ms\n", p->name, least);
    return true;
}

int main(int argc, char **argv) {
    const struct arguments arguments = arguments_read(argc, argv);
    struct program p;
    const int count = arguments.topic_count;
    if (count < 1 || count > 3 || !program_find(arguments.topics[0], &p)) {
        fprintf(stderr, "usage: %s [--repeat N] [--for MS] NAME [SIZE [SIZE]]\n", argv[0]);
        return 2;
    }
    for (int i = 1; i < count; i++) {
        char *end;
        p.n[i - 1] = (int)strtol(arguments.topics[i], &end, 10);
        if (!*end && p.n[i - 1] >= p.least[i - 1] && p.n[i - 1] <= p.most[i - 1]) continue;
        fprintf(stderr, "%s: %s: from %d to %d, not '%s'\n", argv[0], p.size_names[i - 1], p.least[i - 1],
                p.most[i - 1], arguments.topics[i]);
        return 2;
    }
    program_make(&p);
    return measure(&p, &arguments, argv[0]) ? 0 : 1;
}
