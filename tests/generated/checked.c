/* Random kernels for `warpglass check`: a program of the driver API that runs them one after the other.
 *
 *     warpglass check generated_checked -- [--from SEED] [--count N] [--size N] [--fault barrier|bound]
 *
 * As they are made they are right, and nothing is to be found. With --fault each launch is of a kernel that
 * has one thing wrong: a barrier between a write and a read of shared memory left out, or a bound a million
 * bytes too large, at a place that all threads come to. Seeds whose kernel has no such place are passed over.
 */
#include "tests/generated/generate.h"
#include "tests/generated/memory.h"
#include "tests/rows/gpu.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* `s` with the first `old` in it replaced; NULL where there is none. */
static char *replaced(struct wg_arena *a, const char *s, const char *old, const char *new) {
    const char *at = strstr(s, old);
    return at ? wg_arena_printf(a, "%.*s%s%s", (int)(at - s), s, new, at + strlen(old)) : NULL;
}

/* The barrier between the write and the read of threads that mirror each other. */
static char *without_barrier(struct program *p, const char *text) {
    if (p->block[0] * p->block[1] * p->block[2] < 2 || !strstr(text, "sub.u32 %i, %threads, 1")) return NULL;
    const char *second = strstr(text, "\n    bar.sync ");
    char *line = second ? wg_arena_strndup(&p->arena, second, strcspn(second + 1, "\n") + 1) : NULL;
    return line ? replaced(&p->arena, text, line, "") : NULL;
}

static char *beyond_bound(struct program *p, const char *text) {
    if (!strstr(text, "add.s64 %a, %own") && !strstr(text, "add.s64 %a, %mine")) return NULL;
    return replaced(&p->arena, text, "; mul.wide.u32 %a, %i, 4",
                    "; add.u32 %i, %i, 262144; mul.wide.u32 %a, %i, 4");
}

/* A barrier behind threads that left is a fault by itself, which the machine's own tests want to be there. */
static void keep_all(struct program *p) {
    for (uint32_t k = 0; k < p->kernel->nkids; k++) {
        struct node *n = p->kernel->kids[k];
        n->removed |= n->kind == NODE_TEXT && (strstr(n->text, " exit;") || strstr(n->text, "bra DONE"));
    }
}

/* Where all threads come: at the kernel's top. */
static bool plant(struct program *p, const char *fault) {
    for (uint32_t k = 0; k < p->kernel->nkids; k++) {
        struct node *n = p->kernel->kids[k];
        if (n->kind != NODE_TEXT || n->removed) continue;
        char *text = !strcmp(fault, "barrier") ? without_barrier(p, n->text) : beyond_bound(p, n->text);
        if (!text) continue;
        n->text = text;
        return true;
    }
    return false;
}

/* Functions find the counts by a variable, which all threads of the kernel write, and race for. Here it has
 * its value from the start. */
static const char *with_counts(struct program *p, const char *ptx, uint64_t counts) {
    const char *variable = wg_arena_printf(&p->arena, "u64 counts_at = %llu;", (unsigned long long)counts);
    ptx = replaced(&p->arena, ptx, "u64 counts_at;", variable);
    return replaced(&p->arena, ptx, "  st.global.u64 [counts_at], %counts;\n", "");
}

static void run(struct program *p, const uint64_t at[4]) {
    struct wg_strbuf ptx = {0};
    uint64_t a[4] = {at[0], at[1], at[2], at[3]};
    uint32_t q[2] = {p->q[0], p->q[1]};
    void *params[] = {&a[0], &a[1], &a[2], &a[3], &q[0], &q[1]};
    program_print(p, &ptx);
    if (!gpu_run(with_counts(p, ptx.s, at[3]), "made", p->grid, p->block, params)) {
        fprintf(stderr, "seed %llu: the driver does not take it\n", (unsigned long long)p->seed);
        exit(1);
    }
    wg_strbuf_free(&ptx);
}

int main(int argc, char **argv) {
    uint64_t from = 1, n = 100, at[4], ran = 0;
    uint32_t size = 30;
    const char *fault = NULL;
    struct memory m;
    for (int k = 1; k + 1 < argc; k += 2) {
        if (!strcmp(argv[k], "--from"))
            from = strtoull(argv[k + 1], NULL, 10);
        else if (!strcmp(argv[k], "--count"))
            n = strtoull(argv[k + 1], NULL, 10);
        else if (!strcmp(argv[k], "--size"))
            size = (uint32_t)strtoul(argv[k + 1], NULL, 10);
        else if (!strcmp(argv[k], "--fault"))
            fault = argv[k + 1];
        else
            return fprintf(stderr, "generated_checked: unknown option '%s'\n", argv[k]), 2;
    }
    gpu_open();
    memory_open(&m);
    memory_reset(&m);
    uint32_t *const host[] = {m.in, m.own, m.out, m.counts};
    for (int k = 0; k < 4; k++) gpu_write(at[k] = gpu_alloc(memory_bytes(k)), host[k], memory_bytes(k));
    for (uint64_t seed = from; ran < n; seed++) {
        struct program p;
        program_make(&p, seed, 8 + (uint32_t)(seed * 7 % size), FOR_CHECKS);
        keep_all(&p);
        if (!fault || plant(&p, fault)) {
            run(&p, at);
            printf("launch %llu: seed %llu\n", (unsigned long long)ran++, (unsigned long long)seed);
        }
        program_free(&p);
    }
    memory_close(&m);
    return 0;
}
