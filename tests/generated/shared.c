/* Random kernels that do all sorts of things to shared memory, between barriers of all sorts: a program of
 * the driver API for shared.sh, which looks at what `warpglass check` finds in them.
 *
 *     warpglass check generated_shared -- [--from SEED] [--count N]
 *
 * Most have races. Each kernel is run as it was made, and once more without one of its barriers.
 */
#include "base/strbuf.h"
#include "tests/rows/gpu.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct maker {
    struct wg_strbuf *out;
    uint64_t random;
    uint32_t threads, labels, barriers, left_out; /* left_out: the number of the barrier that is not there */
    uint32_t loops;                               /* around this place */
    bool cluster, calm;                           /* calm: no more than loads, stores and plain barriers */
};

static uint32_t roll(struct maker *m, uint32_t n) {
    m->random = m->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((m->random >> 33) % n);
}

#define PUT(...) wg_strbuf_printf(m->out, __VA_ARGS__)

/* ---- accesses ---- */

/* %i: an element below 640, mostly another one in each thread. */
static void put_index(struct maker *m) {
    switch (roll(m, m->loops ? 9 : 7)) {
    case 0: PUT("  sub.u32 %%i, %u, %%t;\n", m->threads - 1); break;
    case 1: PUT("  mul.lo.u32 %%i, %%t, %u; and.b32 %%i, %%i, 255;\n", 1 + roll(m, 5)); break;
    case 2: PUT("  mov.u32 %%i, %u;\n", roll(m, 64)); break;
    case 3: PUT("  add.u32 %%i, %%t, %u;\n", roll(m, 70)); break;
    case 4: PUT("  shr.u32 %%i, %%t, %u;\n", 1 + roll(m, 5)); break;
    case 7: PUT("  mad.lo.u32 %%i, %%j%u, %%n, %%t;\n", m->loops - 1); break;
    case 8: PUT("  add.u32 %%i, %%t, %%j%u;\n", m->loops - 1); break;
    default: PUT("  mov.u32 %%i, %%t;\n"); break;
    }
}

static const char *variable(struct maker *m) {
    static const char *const names[] = {"a", "b", "c"};
    return names[roll(m, 3)];
}

/* The access's address space; %a or %d is where. */
static const char *put_address(struct maker *m, uint32_t bytes) {
    put_index(m);
    PUT("  mul.lo.u32 %%i, %%i, %u; mov.u32 %%a, %s; add.u32 %%a, %%a, %%i;\n", bytes, variable(m));
    bool remote = m->cluster && roll(m, 3) == 0;
    if (remote) PUT("  mapa.shared::cluster.u32 %%a, %%a, %%rank;\n");
    if (m->calm || roll(m, 5)) return remote ? "shared::cluster." : "shared.";
    PUT("  cvt.u64.u32 %%d, %%a; cvta.shared.u64 %%d, %%d;\n");
    return "";
}

static void put_access(struct maker *m) {
    static const char *const types[] = {"u8", "u32", "u32", "u32", "v2.u32"};
    uint32_t kind = roll(m, 10), type = m->calm || kind >= 8 ? 1 : roll(m, 5);
    uint32_t bytes = type == 0 ? 1 : type == 4 ? 8 : 4;
    const char *space = put_address(m, bytes), *at = *space ? "%a" : "%d", *sem = "", *guard = "";
    const char *value = roll(m, 3) ? "%t" : "%one";
    if (!m->calm && roll(m, 12) == 0 && type != 4) sem = "volatile.";
    if (roll(m, 4) == 0) {
        PUT("  setp.lt.u32 %%q, %%t, %u;\n", 1 + roll(m, m->threads));
        guard = roll(m, 2) ? "@%q " : "@!%q ";
    }
    if (kind < 5)
        PUT("  %sld.%s%s%s %s, [%s];\n", guard, sem, space, types[type], type == 4 ? "{%x, %y}" : "%x", at);
    else if (kind < 8)
        PUT("  %sst.%s%s%s [%s], %s;\n", guard, sem, space, types[type], at,
            type == 4 ? "{%t, %one}" : value);
    else
        PUT("  %s%s.%sadd.u32 %s[%s], 1;\n", guard, kind == 8 ? "atom" : "red", space,
            kind == 8 ? "%x, " : "", at);
}

/* ---- barriers ---- */

static void put_barrier(struct maker *m) {
    uint32_t kind = m->calm ? 0 : roll(m, 14);
    if (m->barriers++ == m->left_out) return;
    switch (kind) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4: PUT("  bar.sync 0;\n"); break;
    case 5: PUT("  barrier.sync 0;\n"); break;
    case 6: PUT("  bar.sync 1;\n"); break;
    case 7: PUT("  setp.eq.u32 %%q, %%t, 3; bar.red.popc.u32 %%x, 0, %%q;\n"); break;
    case 8: m->threads % 32 ? PUT("  bar.sync 0;\n") : PUT("  bar.sync 2, %u;\n", m->threads); break;
    case 9: PUT("  bar.warp.sync -1;\n"); break;
    case 10: PUT("  membar.cta;\n"); break;
    default: PUT(m->cluster ? "  barrier.cluster.arrive; barrier.cluster.wait;\n" : "  bar.sync 0;\n"); break;
    }
}

static void put_split_barrier(struct maker *m) {
    PUT("  barrier.cluster.arrive;\n");
    put_access(m);
    PUT("  barrier.cluster.wait;\n");
}

/* ---- statements ---- */

static void put_some(struct maker *m, uint32_t n, uint32_t depth);

/* Threads go different ways, each with as many barriers. */
static void put_either(struct maker *m) {
    uint32_t label = m->labels++, at = roll(m, 2) ? 32 : roll(m, m->threads), barriers = roll(m, 3);
    bool calm = m->calm;
    uint32_t left_out = m->left_out;
    PUT("  setp.lt.u32 %%p, %%t, %u; @%%p bra OTHER%u;\n", at, label);
    m->calm = true;
    m->left_out = UINT32_MAX;
    for (uint32_t way = 0; way < 2; way++) {
        for (uint32_t i = 0; i <= barriers; i++) {
            for (uint32_t n = roll(m, 3); n > 0; n--) put_access(m);
            if (i < barriers) PUT("  barrier.sync 0;\n");
        }
        if (way) continue;
        PUT("  bra.uni BOTH%u;\nOTHER%u:\n", label, label);
    }
    PUT("BOTH%u:\n", label);
    m->calm = calm;
    m->left_out = left_out;
}

static void put_loop(struct maker *m, uint32_t depth) {
    uint32_t label = m->labels++, j = m->loops;
    PUT("  mov.u32 %%j%u, 0;\nLOOP%u:\n", j, label);
    m->loops++;
    put_some(m, 1 + roll(m, 5), depth + 1);
    m->loops--;
    PUT("  add.u32 %%j%u, %%j%u, 1; setp.lt.u32 %%p, %%j%u, %u; @%%p bra LOOP%u;\n", j, j, j, 2 + roll(m, 2),
        label);
}

/* Threads go round as often as there are elements for them. */
static void put_strided_loop(struct maker *m) {
    uint32_t label = m->labels++, n = roll(m, 400);
    PUT("  mov.u32 %%k, %%t; setp.ge.u32 %%p, %%k, %u; @%%p bra NONE%u;\nROUND%u:\n", n, label, label);
    PUT("  shl.b32 %%a, %%k, 2; mov.u32 %%i, %s; add.u32 %%a, %%a, %%i;\n", variable(m));
    PUT(roll(m, 2) ? "  st.shared.u32 [%%a], %%one;\n" : "  ld.shared.u32 %%x, [%%a];\n");
    PUT("  add.u32 %%k, %%k, %%n; setp.lt.u32 %%p, %%k, %u; @%%p bra ROUND%u;\nNONE%u:\n", n, label, label);
}

/* Alike in all threads. */
static void put_if(struct maker *m, uint32_t depth) {
    uint32_t label = m->labels++;
    PUT("  setp.%s.u32 %%p, %%n, 77; @%%p bra NOT%u;\n", roll(m, 2) ? "eq" : "ne", label);
    put_some(m, 1 + roll(m, 4), depth + 1);
    PUT("NOT%u:\n", label);
}

static void put_some(struct maker *m, uint32_t n, uint32_t depth) {
    for (; n > 0; n--) {
        uint32_t kind = roll(m, 20);
        if (kind < 8)
            put_access(m);
        else if (kind < 14)
            put_barrier(m);
        else if (kind < 15 && depth < 2)
            put_if(m, depth);
        else if (kind < 16 && depth < 2)
            put_loop(m, depth);
        else if (kind < 17)
            put_strided_loop(m);
        else if (kind < 18)
            put_either(m);
        else if (kind < 19 && m->cluster && !m->calm && roll(m, 4) == 0)
            put_split_barrier(m);
        else if (depth == 0 && roll(m, 8) == 0)
            PUT("  setp.ge.u32 %%p, %%t, %u; @%%p exit;\n", 1 + roll(m, m->threads));
    }
}

/* What findings say of memory does not depend on what ran before. */
static void put_zeros(struct maker *m) {
    static const char *const names[] = {"a", "b", "c"};
    PUT("  mov.u32 %%k, %%t; mov.u32 %%x, 0;\nZERO:\n  shl.b32 %%i, %%k, 4;\n");
    for (int i = 0; i < 3; i++)
        PUT("  mov.u32 %%a, %s; add.u32 %%a, %%a, %%i; st.shared.v4.u32 [%%a], {%%x, %%x, %%x, %%x};\n",
            names[i]);
    PUT("  add.u32 %%k, %%k, %%n; setp.lt.u32 %%p, %%k, 320; @%%p bra ZERO;\n");
    PUT(m->cluster ? "  barrier.cluster.arrive; barrier.cluster.wait;\n" : "  bar.sync 0;\n");
}

static uint32_t put_kernel(struct wg_strbuf *out, uint64_t seed, uint32_t left_out, uint32_t *threads,
                           bool *cluster) {
    static const uint32_t sizes[] = {32, 48, 64, 96, 128};
    struct maker own = {.out = out, .random = seed * 7919, .left_out = left_out}, *m = &own;
    for (int i = 0; i < 3; i++) roll(m, 2);
    *threads = m->threads = sizes[roll(m, 5)];
    *cluster = m->cluster = roll(m, 4) == 0;
    m->calm = roll(m, 2);
    PUT(".version 8.0\n.target sm_90\n.address_size 64\n");
    PUT(".visible .entry made()%s\n{\n", m->cluster ? " .explicitcluster .reqnctapercluster 2, 1, 1" : "");
    PUT("  .reg .b32 %%t, %%n, %%i, %%a, %%x, %%y, %%k, %%one, %%rank, %%j<3>;\n  .reg .b64 %%d;\n"
        "  .reg .pred %%p, %%q;\n"
        "  .shared .align 16 .b8 a[5120];\n  .shared .align 16 .b8 b[5120];\n  .shared .align 16 .b8 "
        "c[5120];\n"
        "  mov.u32 %%t, %%tid.x; mov.u32 %%n, %%ntid.x; mov.u32 %%one, 1;\n"
        "  mov.u32 %%rank, %%cluster_ctarank; xor.b32 %%rank, %%rank, 1;\n");
    put_zeros(m);
    put_some(m, 6 + roll(m, 14), 0);
    if (m->cluster) PUT("  barrier.cluster.arrive; barrier.cluster.wait;\n");
    PUT("  ret;\n}\n");
    return m->barriers;
}

static uint32_t run(uint64_t seed, uint32_t left_out, uint32_t *number) {
    struct wg_strbuf ptx = {0};
    uint32_t threads;
    bool cluster;
    uint32_t barriers = put_kernel(&ptx, seed, left_out, &threads, &cluster);
    if (!gpu_run(ptx.s, "made", (uint32_t[]){2, 1, 1}, (uint32_t[]){threads, 1, 1}, NULL)) {
        fprintf(stderr, "seed %llu: the driver does not take it\n%s", (unsigned long long)seed, ptx.s);
        exit(1);
    }
    printf("launch %u: seed %llu, barrier %d of %u left out\n", (*number)++, (unsigned long long)seed,
           (int)left_out, barriers);
    wg_strbuf_free(&ptx);
    return barriers;
}

int main(int argc, char **argv) {
    uint64_t from = 1, n = 100;
    uint32_t number = 0;
    for (int k = 1; k + 1 < argc; k += 2) {
        if (!strcmp(argv[k], "--from"))
            from = strtoull(argv[k + 1], NULL, 10);
        else if (!strcmp(argv[k], "--count"))
            n = strtoull(argv[k + 1], NULL, 10);
        else
            return fprintf(stderr, "generated_shared: unknown option '%s'\n", argv[k]), 2;
    }
    gpu_open();
    for (uint64_t seed = from; seed < from + n; seed++) {
        uint32_t barriers = run(seed, UINT32_MAX, &number);
        if (barriers) run(seed, (uint32_t)(seed % barriers), &number);
    }
    return 0;
}
