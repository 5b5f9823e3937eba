/* Random kernels: the reference against generated code.
 *
 *     generated_test [--from SEED] [--count N] [--size N] [--keep FOLDER]      default: 1, 100, 12
 *     generated_test --print SEED                                              the kernel's PTX
 *
 * Kernels are made and run in child processes, some at a time, so that code that crashes or never ends costs
 * its own seed only. One whose results differ is cut down as far as it still differs and written to
 * seed-N.ptx. Generated code is made in turn for each vector width and level of optimisation.
 */
#include "tests/generated/cut.h"
#include "tests/generated/memory.h"
#include "tests/rows/harness.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BATCH = 25, SECONDS = 60, CUT_SECONDS = 15, CUTS = 200, EXIT_OF_SAME = 100 };
enum verdict { SAME, DIFFERENT, BROKEN, CRASHED, ENDLESS, VERDICTS };

struct session {
    struct memory m[HARNESS_BACKENDS];
    const char *keep;
    uint32_t size;
    char why[640];
};

static bool run(struct session *s, const struct program *p, struct harness_kernel *k,
                enum harness_backend b) {
    static const uint16_t widths[] = {0, 256, 0, 0, 128, 0};
    static const uint8_t levels[] = {3, 2, 3, 1}; /* of harness_launch; the quick one more often */
    struct memory *m = &s->m[b];
    struct memory_params params = memory_params(m, p);
    struct harness_launch l = {.kernel = k,
                               .backend = b,
                               .grid = {p->grid, 1, 1},
                               .params = &params,
                               .param_bytes = sizeof params,
                               .fuel = 1000,
                               .whole = p->seed / 2 % 2,
                               .opt_level = levels[p->seed / 3 % 4],
                               .width = widths[p->seed % 6]};
    struct harness_result r;
    memcpy(l.block, p->block, sizeof l.block);
    memory_reset(m);
    harness_reset(k);
    harness_run(&l, &r);
    if (!r.ok) snprintf(s->why, sizeof s->why, "%s", r.message);
    wg_strbuf_free(&r.printed);
    return r.ok;
}

static enum verdict judge(struct session *s, const struct program *p) {
    struct wg_strbuf ptx = {0};
    struct harness_kernel k;
    enum verdict v = BROKEN;
    char name[64];
    snprintf(name, sizeof name, "seed-%llu.ptx", (unsigned long long)p->seed);
    program_print(p, &ptx);
    if (!harness_open(&k, name, ptx.s, "made")) {
        snprintf(s->why, sizeof s->why, "%s", k.diag.text.s ? k.diag.text.s : "not built");
    } else if (run(s, p, &k, HARNESS_REF)) {
        if (!harness_has(HARNESS_JIT))
            v = SAME;
        else if (run(s, p, &k, HARNESS_JIT))
            v = memory_differs(&s->m[HARNESS_REF], &s->m[HARNESS_JIT], s->why, sizeof s->why) ? DIFFERENT
                                                                                              : SAME;
    }
    harness_close(&k);
    wg_strbuf_free(&ptx);
    return v;
}

/* Ends the process after so many seconds of its own work: on a busy machine the clock says nothing. */
static void limit(long seconds) {
    struct itimerval t = {.it_value = {.tv_sec = seconds}};
    setitimer(ITIMER_PROF, &t, NULL);
}

/* The verdict of a process of its own. */
static enum verdict judge_apart(struct session *s, const struct program *p, long seconds) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        limit(seconds);
        _exit(EXIT_OF_SAME + (int)judge(s, p));
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) return WTERMSIG(status) == SIGPROF ? ENDLESS : CRASHED;
    int v = WEXITSTATUS(status) - EXIT_OF_SAME;
    return v >= 0 && v < VERDICTS ? (enum verdict)v : CRASHED; /* sanitizers exit, too */
}

struct question {
    struct session *s;
    enum verdict v;
};
static bool still_so(void *user, const struct program *p) {
    const struct question *q = user;
    return judge_apart(q->s, p, CUT_SECONDS) == q->v;
}

static uint32_t size_of(const struct session *s, uint64_t seed) { return 8 + (uint32_t)(seed * 7 % s->size); }

/* One verdict a seed goes into the pipe. */
static void batch(struct session *s, uint64_t from, uint64_t to, int out) {
    for (uint64_t seed = from; seed < to; seed++) {
        struct program p;
        limit(SECONDS);
        program_make(&p, seed, size_of(s, seed), FOR_GENERATED_CODE);
        uint8_t v = (uint8_t)judge(s, &p);
        program_free(&p);
        if (write(out, &v, 1) != 1) _exit(1);
        if (v == DIFFERENT || v == BROKEN) break; /* the parent looks into it */
    }
    _exit(0);
}

static void look_into(struct session *s, uint64_t seed, enum verdict v) {
    struct program p;
    program_make(&p, seed, size_of(s, seed), FOR_GENERATED_CODE);
    struct question q = {s, v};
    cut_down(&p, still_so, &q, v == ENDLESS ? CUTS / 10 : CUTS);
    if (v == DIFFERENT || v == BROKEN) judge(s, &p); /* why: of what is left */
    keep_program(&p, s->keep,
                 v == ENDLESS   ? "the code never ends"
                 : v == CRASHED ? "the code crashes"
                                : s->why);
    program_free(&p);
}

/* Runs seeds from `from` until `to` or one that is not well: gives the next seed to run. */
static uint64_t run_batch(struct session *s, uint64_t from, uint64_t to, uint32_t count[VERDICTS]) {
    int ends[2];
    if (pipe(ends)) exit((perror("pipe"), 1));
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        batch(s, from, to, ends[1]);
    }
    close(ends[1]);
    uint8_t v = SAME;
    uint64_t seed = from;
    while (read(ends[0], &v, 1) == 1) {
        count[v]++;
        seed++;
    }
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    if (status != 0) { /* a signal, or a sanitizer's exit */
        v = WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF ? ENDLESS : CRASHED;
        count[v]++;
        seed++;
    }
    if (v != SAME) look_into(s, seed - 1, (enum verdict)v);
    return seed;
}

int main(int argc, char **argv) {
    struct session s = {.keep = ".", .size = 12};
    uint64_t from = 1, n = 100, print = 0;
    for (int k = 1; k + 1 < argc; k += 2) {
        uint64_t v = strtoull(argv[k + 1], NULL, 10);
        if (!strcmp(argv[k], "--from"))
            from = v;
        else if (!strcmp(argv[k], "--count"))
            n = v;
        else if (!strcmp(argv[k], "--size"))
            s.size = (uint32_t)v;
        else if (!strcmp(argv[k], "--print"))
            print = v;
        else if (!strcmp(argv[k], "--keep"))
            s.keep = argv[k + 1];
        else
            return fprintf(stderr, "generated_test: unknown option '%s'\n", argv[k]), 2;
    }
    if (print) {
        struct program p;
        struct wg_strbuf ptx = {0};
        program_make(&p, print, size_of(&s, print), FOR_GENERATED_CODE);
        program_print(&p, &ptx);
        fputs(ptx.s, stdout);
        return 0;
    }
    uint32_t count[VERDICTS] = {0};
    for (int b = 0; b < HARNESS_BACKENDS; b++) memory_open(&s.m[b]);
    for (uint64_t seed = from; seed < from + n;) {
        uint64_t to = seed + BATCH < from + n ? seed + BATCH : from + n;
        seed = run_batch(&s, seed, to, count);
    }
    for (int b = 0; b < HARNESS_BACKENDS; b++) memory_close(&s.m[b]);
    printf("%llu kernels: %u same, %u different, %u crash, %u never end, %u not run\n", (unsigned long long)n,
           count[SAME], count[DIFFERENT], count[CRASHED], count[ENDLESS], count[BROKEN]);
    return count[SAME] != n;
}
