/* Processes for seeds: see apart.h. */
#include "tests/generated/apart.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS = 60, CUT_SECONDS = 15, CUTS = 400, EXIT_OF_SAME = 100, WHY = 640 };

/* Ends the process after so many seconds of its own work: on a busy machine the clock says nothing. */
static void limit(long seconds) {
    struct itimerval t = {.it_value = {.tv_sec = seconds}};
    setitimer(ITIMER_PROF, &t, NULL);
}

/* The verdict of a process of its own, and why. */
static enum verdict judge_apart(struct apart *a, const struct program *p, char *why) {
    int ends[2], status = 0;
    if (pipe(ends)) exit((perror("pipe"), 1));
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        char words[WHY] = "";
        limit(CUT_SECONDS);
        if (a->open) a->open(a->user);
        enum verdict v = a->judge(a->user, p, words, sizeof words);
        if (write(ends[1], words, sizeof words) != sizeof words) _exit(1);
        _exit(EXIT_OF_SAME + (int)v);
    }
    close(ends[1]);
    if (read(ends[0], why, WHY) != WHY) *why = 0;
    close(ends[0]);
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) return WTERMSIG(status) == SIGPROF ? ENDLESS : CRASHED;
    int v = WEXITSTATUS(status) - EXIT_OF_SAME;
    return v >= 0 && v < VERDICTS ? (enum verdict)v : CRASHED; /* sanitizers exit, too */
}

struct question {
    struct apart *a;
    enum verdict v;
};
static bool still_so(void *user, const struct program *p) {
    const struct question *q = user;
    char why[WHY];
    return judge_apart(q->a, p, why) == q->v;
}

/* What was wrong with the seed, `first`, may have had to do with the kernels before it, or with the moment.
 */
static void look_into(struct apart *a, uint64_t seed, enum verdict v, const char *first) {
    struct program p;
    char why[WHY] = "";
    a->make(a->user, seed, &p);
    if (a->enough && a->enough(a->user, &p, v)) {
        program_free(&p);
        return;
    }
    struct question q = {a, v};
    if (*first && !still_so(&q, &p)) {
        printf("seed %llu: by itself it is not so any more: %s\n", (unsigned long long)seed, first);
        keep_program(&p, a->keep, first);
        program_free(&p);
        return;
    }
    if (v != BROKEN) cut_down(&p, still_so, &q, v == ENDLESS ? CUTS / 20 : CUTS);
    judge_apart(a, &p, why); /* of what is left */
    keep_program(&p, a->keep, v == ENDLESS ? "the code never ends" : v == CRASHED ? "the code crashes" : why);
    program_free(&p);
}

/* One verdict a seed goes into the pipe, and why it is not well. */
static void batch(struct apart *a, uint64_t from, uint64_t to, int out) {
    char why[WHY] = "";
    if (a->open) a->open(a->user);
    for (uint64_t seed = from; seed < to; seed++) {
        struct program p;
        limit(SECONDS);
        a->make(a->user, seed, &p);
        uint8_t v = (uint8_t)a->judge(a->user, &p, why, sizeof why);
        program_free(&p);
        if (write(out, &v, 1) != 1 || (!is_well(v) && write(out, why, WHY) != WHY)) _exit(1);
    }
    _exit(0);
}

static void judged(struct apart *a, uint64_t seed, enum verdict v, const char *why) {
    a->count[v]++;
    if (!is_well(v)) look_into(a, seed, v, why);
}

uint64_t apart_run(struct apart *a, uint64_t from, uint64_t to) {
    int ends[2], status = 0;
    uint64_t seed = from;
    if (to > from + a->batch) to = from + a->batch;
    if (pipe(ends)) exit((perror("pipe"), 1));
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        batch(a, from, to, ends[1]);
    }
    close(ends[1]);
    for (uint8_t v; read(ends[0], &v, 1) == 1; seed++) {
        char why[WHY] = "";
        if (!is_well(v) && read(ends[0], why, WHY) != WHY) break;
        judged(a, seed, (enum verdict)v, why);
    }
    close(ends[0]);
    waitpid(child, &status, 0);
    if (status != 0) /* a signal, or a sanitizer's exit */
        judged(a, seed++, WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF ? ENDLESS : CRASHED, "");
    return seed;
}

uint32_t apart_first(struct apart *a, const uint64_t *seeds, uint32_t n) {
    int ends[2], status = 0;
    char why[WHY] = "";
    uint32_t good = 0;
    uint8_t v = SAME;
    if (pipe(ends)) exit((perror("pipe"), 1));
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        if (a->open) a->open(a->user);
        for (uint32_t k = 0; k < n && is_well(v); k++) {
            struct program p;
            limit(SECONDS);
            a->make(a->user, seeds[k], &p);
            v = (uint8_t)a->judge(a->user, &p, why, sizeof why);
            program_free(&p);
            if (!is_well(v)) printf("seed %llu: %s\n", (unsigned long long)seeds[k], why);
            if (write(ends[1], &v, 1) != 1) _exit(1);
        }
        fflush(stdout);
        _exit(0);
    }
    close(ends[1]);
    while (read(ends[0], &v, 1) == 1 && is_well(v)) good++;
    close(ends[0]);
    waitpid(child, &status, 0);
    bool endless = WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF;
    if (status != 0)
        printf("seed %llu: the code %s\n", (unsigned long long)seeds[good],
               endless ? "never ends" : "crashes");
    return good;
}

uint32_t apart_read_seeds(const char *text, uint64_t *seeds, uint32_t most) {
    uint32_t n = 0;
    for (char *end; *text && n < most; text = end + (*end == ',')) {
        seeds[n++] = strtoull(text, &end, 10);
        if (end == text || (*end && *end != ',')) return 0;
    }
    return n;
}
