/* A model of `warpglass suite` on up to a thousand ranks: what part of the ranks' time goes into programs.
 *
 *     cc -O2 simulate.c -o simulate -lm && ./simulate PROGRAMS SECONDS START CLAIM RESULT REPORT
 *
 * PROGRAMS of SECONDS on average, exponentially distributed, which is worse than real suites; those of known times begin with
 * the longest. The other figures are in milliseconds, as `run` measures them: START of a program by the command; CLAIM, during
 * which one lock is held that all ranks wait for; RESULT, to note how a program ended; REPORT, for each program at the end, on
 * rank 0. Prints a row for each number of ranks: the time from the first claim to the report, the efficiency (the programs' own
 * time over that of all ranks), what of it is lost to waiting for the lock, and how long the longest program takes alone. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct costs {
    double start, claim, result, report;
};

static int falling(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* The rank that is free first. */
static int earliest(const double *free_at, int ranks) {
    int best = 0;
    for (int i = 1; i < ranks; i++)
        if (free_at[i] < free_at[best]) best = i;
    return best;
}

static void simulate(const double *seconds, int programs, int ranks, const struct costs *c) {
    double *free_at = calloc((size_t)ranks, sizeof *free_at), lock = 0, waited = 0, end = 0, own = 0;
    if (!free_at) exit(1);
    for (int i = 0; i < programs; i++) {
        int r = earliest(free_at, ranks);
        double got = fmax(free_at[r], lock);
        waited += got - free_at[r];
        lock = got + c->claim;
        free_at[r] = lock + c->start + seconds[i] + c->result;
        end = fmax(end, free_at[r]);
        own += seconds[i];
    }
    end += c->report * programs;
    printf("%6d %12.1f %10.3f %12.4f %12.1f\n", ranks, end, own / (end * ranks), waited / (end * ranks),
           seconds[0]);
    free(free_at);
}

int main(int argc, char **argv) {
    if (argc != 7) {
        fprintf(stderr,
                "usage: simulate PROGRAMS SECONDS START CLAIM RESULT REPORT (milliseconds from START on)\n");
        return 2;
    }
    int programs = atoi(argv[1]);
    double mean = atof(argv[2]);
    struct costs c = {atof(argv[3]) / 1000, atof(argv[4]) / 1000, atof(argv[5]) / 1000, atof(argv[6]) / 1000};
    if (programs < 1 || programs > 10000000 || !(mean > 0)) return 2;
    double *seconds = malloc((size_t)programs * sizeof *seconds);
    if (!seconds) return 1;
    srand48(1);
    for (int i = 0; i < programs; i++) seconds[i] = -mean * log(1 - drand48());
    qsort(seconds, (size_t)programs, sizeof *seconds, falling);
    printf("%6s %12s %10s %12s %12s\n", "ranks", "seconds", "efficiency", "lock", "longest");
    for (int ranks = 1; ranks <= 1000; ranks = ranks < 512 ? ranks * 2 : ranks == 512 ? 1000 : 1001)
        simulate(seconds, programs, ranks, &c);
    free(seconds);
    return 0;
}
