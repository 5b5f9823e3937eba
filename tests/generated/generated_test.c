/* Random kernels: the reference against generated code.
 *
 *     generated_test [--from SEED] [--count N] [--size N] [--keep FOLDER]      default: 1, 100, 12
 *     generated_test --seeds A,B,C                                             up to one that is not well
 *     generated_test --print SEED                                              the kernel's PTX
 *
 * Kernels are made and run in child processes, some at a time, so that code that crashes or never ends costs
 * its own seed only. One whose results differ is cut down as far as it still differs and written to
 * seed-N.ptx. Generated code is made in turn for each vector width and level of optimisation.
 */
#include "tests/generated/apart.h"
#include "tests/generated/memory.h"
#include "tests/rows/harness.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct session {
    struct memory m[HARNESS_BACKENDS];
    uint32_t size;
};

static bool run(struct session *s, const struct program *p, struct harness_kernel *k, enum harness_backend b,
                char *why, size_t size) {
    static const uint16_t widths[] = {0, 256, 0, 0, 128, 0};
    static const enum harness_code codes[] = {HARNESS_LEVEL_0, HARNESS_BEST,    HARNESS_LEVEL_0,
                                              HARNESS_LEVEL_1, HARNESS_LEVEL_0, HARNESS_QUICK,
                                              HARNESS_LEVEL_0, HARNESS_LEVEL_1};
    struct memory *m = &s->m[b];
    struct memory_params params = memory_params(m, p);
    struct harness_launch l = {.kernel = k,
                               .backend = b,
                               .params = &params,
                               .param_bytes = sizeof params,
                               .fuel = 1000,
                               .whole = p->seed / 2 % 2,
                               .code = codes[p->seed / 3 % 8],
                               .width = widths[p->seed % 6]};
    struct harness_result r;
    memcpy(l.grid, p->grid, sizeof l.grid);
    memcpy(l.block, p->block, sizeof l.block);
    memory_reset(m);
    harness_reset(k);
    harness_run(&l, &r);
    if (!r.ok) snprintf(why, size, "%s", r.message);
    wg_strbuf_free(&r.printed);
    return r.ok;
}

static enum verdict judge(void *user, const struct program *p, char *why, size_t size) {
    struct session *s = user;
    struct wg_strbuf ptx = {0};
    struct harness_kernel k;
    enum verdict v = BROKEN;
    char name[64];
    snprintf(name, sizeof name, "seed-%llu.ptx", (unsigned long long)p->seed);
    program_print(p, &ptx);
    if (!harness_open(&k, name, ptx.s, "made")) {
        snprintf(why, size, "%s", k.diag.text.s ? k.diag.text.s : "not built");
    } else if (run(s, p, &k, HARNESS_REF, why, size)) {
        if (!harness_has(HARNESS_JIT))
            v = SAME;
        else if (run(s, p, &k, HARNESS_JIT, why, size))
            v = memory_differs(&s->m[HARNESS_REF], &s->m[HARNESS_JIT], why, size) ? DIFFERENT : SAME;
    }
    harness_close(&k);
    wg_strbuf_free(&ptx);
    return v;
}

static uint32_t size_of(const struct session *s, uint64_t seed) { return 8 + (uint32_t)(seed * 7 % s->size); }

static void make(void *user, uint64_t seed, struct program *p) {
    program_make(p, seed, size_of(user, seed), FOR_GENERATED_CODE);
}

int main(int argc, char **argv) {
    struct session s = {.size = 12};
    struct apart a = {.make = make, .judge = judge, .user = &s, .keep = ".", .batch = 25};
    enum { MOST_SEEDS = 400 };
    uint64_t from = 1, n = 100, print = 0, seeds[MOST_SEEDS];
    uint32_t nseeds = 0;
    for (int k = 1; k + 1 < argc; k += 2) {
        uint64_t v = strtoull(argv[k + 1], NULL, 10);
        if (!strcmp(argv[k], "--from"))
            from = v;
        else if (!strcmp(argv[k], "--count"))
            n = v;
        else if (!strcmp(argv[k], "--size"))
            s.size = (uint32_t)v;
        else if (!strcmp(argv[k], "--seeds"))
            nseeds = apart_read_seeds(argv[k + 1], seeds, MOST_SEEDS);
        else if (!strcmp(argv[k], "--print"))
            print = v;
        else if (!strcmp(argv[k], "--keep"))
            a.keep = argv[k + 1];
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
    for (int b = 0; b < HARNESS_BACKENDS; b++) memory_open(&s.m[b]);
    if (nseeds) return apart_first(&a, seeds, nseeds) != nseeds;
    for (uint64_t seed = from; seed < from + n;) seed = apart_run(&a, seed, from + n);
    for (int b = 0; b < HARNESS_BACKENDS; b++) memory_close(&s.m[b]);
    printf("%llu kernels: %u same, %u different, %u crash, %u never end, %u not run\n", (unsigned long long)n,
           a.count[SAME], a.count[DIFFERENT], a.count[CRASHED], a.count[ENDLESS], a.count[BROKEN]);
    return a.count[SAME] != n;
}
