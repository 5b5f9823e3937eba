/* Random kernels: the reference against a real GPU, where there is one.
 *
 *     generated_hardware [--from SEED] [--count N] [--size N] [--keep FOLDER] [--optimise 0..4]
 *
 * Programs are made without what PTX leaves approximate; one that differs is cut down and kept.
 * (The driver's compiler is at fault now and then: --optimise 0 tells.) Not a test:
 * see tests/rows/hardware.c. */
#include "tests/generated/cut.h"
#include "tests/generated/memory.h"
#include "tests/rows/gpu.h"
#include "tests/rows/harness.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool run_reference(const struct program *p, const char *ptx, struct memory *m) {
    struct harness_kernel k;
    struct harness_result r = {0};
    struct memory_params params = memory_params(m, p);
    struct harness_launch l = {.kernel = &k, .params = &params, .param_bytes = sizeof params};
    memcpy(l.grid, p->grid, sizeof l.grid);
    memcpy(l.block, p->block, sizeof l.block);
    memory_reset(m);
    bool ok = harness_open(&k, "made.ptx", ptx, "made") && harness_run(&l, &r);
    if (!ok)
        printf("seed %llu: %s%s\n", (unsigned long long)p->seed, k.diag.text.s ? k.diag.text.s : "",
               r.message);
    wg_strbuf_free(&r.printed);
    harness_close(&k);
    return ok;
}

static bool run_gpu(const struct program *p, const char *ptx, struct memory *m, const uint64_t at[4]) {
    memory_reset(m);
    uint32_t *const host[] = {m->in, m->own, m->out, m->counts};
    for (int k = 0; k < 4; k++) gpu_write(at[k], host[k], memory_bytes(k));
    uint64_t a[4] = {at[0], at[1], at[2], at[3]};
    uint32_t q[2] = {p->q[0], p->q[1]};
    void *params[] = {&a[0], &a[1], &a[2], &a[3], &q[0], &q[1]};
    if (!gpu_run(ptx, "made", p->grid, p->block, params)) {
        printf("seed %llu: the driver does not take it\n", (unsigned long long)p->seed);
        return false;
    }
    for (int k = 0; k < 4; k++) gpu_read(host[k], at[k], memory_bytes(k));
    return true;
}

struct stage {
    struct memory ours, theirs;
    uint64_t at[4];
    char why[256];
};
static bool differs(void *user, const struct program *p) {
    struct stage *s = user;
    struct wg_strbuf ptx = {0};
    program_print(p, &ptx);
    bool ran = run_reference(p, ptx.s, &s->ours) && run_gpu(p, ptx.s, &s->theirs, s->at);
    wg_strbuf_free(&ptx);
    return ran && memory_differs(&s->ours, &s->theirs, s->why, sizeof s->why);
}

int main(int argc, char **argv) {
    uint64_t from = 1, n = 100;
    uint32_t size = 60, wrong = 0;
    const char *keep = ".";
    struct stage s;
    for (int k = 1; k + 1 < argc; k += 2) {
        uint64_t v = strtoull(argv[k + 1], NULL, 10);
        if (!strcmp(argv[k], "--from"))
            from = v;
        else if (!strcmp(argv[k], "--count"))
            n = v;
        else if (!strcmp(argv[k], "--size"))
            size = (uint32_t)v;
        else if (!strcmp(argv[k], "--optimise"))
            gpu_optimise = (unsigned)v;
        else if (!strcmp(argv[k], "--keep"))
            keep = argv[k + 1];
        else
            return fprintf(stderr, "generated_hardware: unknown option '%s'\n", argv[k]), 2;
    }
    gpu_open();
    memory_open(&s.ours);
    memory_open(&s.theirs);
    for (int k = 0; k < 4; k++) s.at[k] = gpu_alloc(memory_bytes(k));
    for (uint64_t seed = from; seed < from + n; seed++) {
        struct program p;
        program_make(&p, seed, 8 + (uint32_t)(seed * 7 % size), FOR_A_GPU);
        if (differs(&s, &p)) {
            wrong++;
            cut_down(&p, differs, &s, 300);
            differs(&s, &p);
            keep_program(&p, keep, s.why);
        }
        program_free(&p);
        fprintf(stderr, "\rseed %llu ", (unsigned long long)seed);
    }
    printf("%llu kernels, %u not as on the GPU\n", (unsigned long long)n, wrong);
    return wrong != 0;
}
