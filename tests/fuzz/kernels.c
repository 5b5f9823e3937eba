/* Idioms, reference against generated code: as many as are asked for, each in a few of the ways that code is
 * made.
 *
 *     fuzz_kernels [--from SEED] [--count N] [--seconds S] [--kind NAME] [--keep FOLDER] [--most N]
 *                  [--plans yes] [--gpu yes] [--edited yes]
 *     fuzz_kernels --ptx FILE [--twisted yes] ...  kernels of a file: what cuda.py writes, or a near miss
 *     fuzz_kernels --seeds A,B,C                  those, up to one that is not well
 *     fuzz_kernels --print SEED [--kind NAME]     the kernel's PTX
 *     fuzz_kernels --ptx FILE --twist SEED...     what is done to the file's kernel, as a near miss has it
 *     fuzz_kernels --replay FILE...               kept ones, in all ways
 *     fuzz_kernels --near FILE...                 near misses of forms: near.h
 *     fuzz_kernels --reorder FILE.ptx SEED        a module with its statements in another order that means
 *                                                 the same
 *
 * A seed's kernel is the same on every machine. What differs is cut down and written to KIND-SEED.ptx, `most`
 * of each kind; the rest is counted. --edited: with statements in another way (edit.h); --twisted: with other
 * operands, operations and conditions (twist.h). --plans prints which forms each kernel's code has, to stderr;
 * --gpu runs each on a real GPU, too, and compares: not edited ones, nor twisted ones.
 */
#include "tests/fuzz/edit.h"
#include "tests/fuzz/idiom.h"
#include "tests/fuzz/machines.h"
#include "tests/fuzz/near.h"
#include "tests/fuzz/text.h"
#include "tests/fuzz/twist.h"
#include "warp/warp.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

/* A launch of a kernel of a file. */
struct wanted {
    char entry[64];
    uint32_t grid[3], block[3], q[2], data;
};
struct session {
    struct wg_strbuf ptx; /* of a file; empty: idioms */
    const char *path;
    WG_VEC(struct wanted) wanted;
    struct machines *machines;
    const char *kind; /* NULL: all in turn */
    uint32_t most;
    uint32_t kept[64];
    uint32_t dump;
    bool gpu, edited, twisted;
};

static const struct idiom *idiom_of(const struct session *s, uint64_t seed) {
    for (uint32_t k = 0; s->kind && k < nidioms; k++)
        if (!strcmp(idioms[k].name, s->kind)) return &idioms[k];
    return &idioms[seed % nidioms];
}

/* The file's launches in turn: at first as they are, then with statements in other orders. */
static void make_of_text(const struct session *s, uint64_t seed, struct program *p) {
    const struct wanted *w = &s->wanted.v[seed % s->wanted.n];
    *p = (struct program){.seed = seed, .kind = "cuda", .data = (enum data)w->data};
    memcpy(p->grid, w->grid, sizeof p->grid);
    memcpy(p->block, w->block, sizeof p->block);
    memcpy(p->q, w->q, sizeof p->q);
    text_program(p, s->ptx.s, w->entry);
    if (seed >= s->wanted.n && !s->twisted) text_reorder(p, seed, 20 + (uint32_t)(seed * 7919 % 400));
}

static void twist_kernel(struct wg_strbuf *ptx, uint64_t seed) {
    struct wg_strbuf edits = {0};
    twist_draw(ptx->s, seed, &edits);
    if (edits.s) near_edit(ptx, edits.s);
    wg_strbuf_free(&edits);
}

static void make(void *user, uint64_t seed, struct program *p) {
    const struct session *s = user;
    if (s->wanted.n)
        make_of_text(s, seed, p);
    else
        idiom_make(p, idiom_of(s, seed), seed);
    if (s->edited) p->edit = edit_kernel;
    if (s->twisted) p->edit = twist_kernel;
}

/* A seed's way, by what each is worth: 128 bits cost most, and the higher levels find most. */
static struct way way_of(uint64_t seed) {
    struct way all[MOST_WAYS];
    uint32_t n = ways_list(all), sum = 0, k = 0;
    for (uint32_t w = 0; w < n; w++) sum += all[w].often;
    uint32_t at = (uint32_t)(seed * UINT64_C(0x9e3779b97f4a7c15) >> 40) % sum;
    while (at >= all[k].often) at -= all[k++].often;
    return all[k];
}

static void open(void *user) {
    struct session *s = user;
    s->machines = machines_new(s->dump, s->gpu);
    if (s->twisted) machines_option(s->machines, "timeout=1"); /* many no longer end */
}

static enum verdict judge(void *user, const struct program *p, char *why, size_t size) {
    struct session *s = user;
    struct wg_strbuf ptx = {0};
    struct way way = way_of(p->seed);
    if (s->twisted)
        way.threads = 1; /* what an atomic gives may be looked at now: the order of blocks shows */
    program_print(p, &ptx);
    enum verdict v = machines_judge(s->machines, p, ptx.s, &way, 1, why, size);
    wg_strbuf_free(&ptx);
    return v == BROKEN && (s->edited || s->twisted) ? MOOT : v; /* an edit may make a race, or a fault */
}

static bool enough(void *user, const struct program *p, enum verdict v) {
    struct session *s = user;
    uint32_t k = s->wanted.n ? nidioms : (uint32_t)(idiom_of(s, p->seed) - idioms);
    if (v == BROKEN) return false;
    return s->kept[k]++ >= s->most;
}

static void print(struct session *s, uint64_t seed) {
    struct program p;
    struct wg_strbuf ptx = {0};
    make(s, seed, &p);
    program_print(&p, &ptx);
    fputs(ptx.s, stdout);
    wg_strbuf_free(&ptx);
    program_free(&p);
}

/* Gives false where it is not as the reference has it. */
static bool replay(struct machines *x, const char *path) {
    struct program p = {0};
    char why[640], entry[64];
    struct way ways[MOST_WAYS];
    struct wg_strbuf text = {0};
    if (!wg_file_read(path, &text) || !kept_read(text.s, &p, entry)) {
        printf("%s: not a kept kernel\n", path);
        return false;
    }
    enum verdict v = machines_judge(x, &p, text.s, ways, ways_list(ways), why, sizeof why);
    if (v == SAME && machines_race(x, &p, text.s, why, sizeof why)) v = BROKEN;
    if (v != SAME) printf("%s: %s\n", path, why);
    wg_strbuf_free(&text);
    return v == SAME;
}

/* FILE begins with a line for each launch, as cuda.py writes it, or is a near miss, which has one. */
static bool read_ptx(struct session *s, const char *path) {
    s->path = path;
    if (!wg_file_read(path, &s->ptx)) return false;
    for (const char *at = s->ptx.s; !strncmp(at, "//@ ", 4); at += strcspn(at, "\n") + 1) {
        struct wanted w;
        if (sscanf(at, "//@ %63s %u %u %u %u %u %u %u %u %u", w.entry, &w.grid[0], &w.grid[1], &w.grid[2],
                   &w.block[0], &w.block[1], &w.block[2], &w.q[0], &w.q[1], &w.data) == 10)
            *WG_PUSH(&s->wanted) = w;
    }
    struct program p = {0};
    struct wanted w;
    if (kept_read(s->ptx.s, &p, w.entry)) {
        memcpy(w.grid, p.grid, sizeof w.grid);
        memcpy(w.block, p.block, sizeof w.block);
        memcpy(w.q, p.q, sizeof w.q);
        w.data = p.data;
        *WG_PUSH(&s->wanted) = w;
    }
    return s->wanted.n > 0;
}

static int tell_twists(struct session *s, char **seed, int n) {
    s->twisted = true;
    for (int k = 0; k < n; k++) {
        struct program p;
        struct wg_strbuf ptx = {0}, edits = {0};
        uint64_t number = strtoull(seed[k], NULL, 10);
        make(s, number, &p);
        p.edit = NULL;
        program_print(&p, &ptx);
        twist_draw(ptx.s, number, &edits);
        printf("%s %u bits: %s\n", seed[k], way_of(number).width, edits.s ? edits.s : "");
        wg_strbuf_free(&ptx);
        wg_strbuf_free(&edits);
        program_free(&p);
    }
    return 0;
}

static int reorder(const char *path, const char *seed) {
    struct wg_strbuf ptx = {0}, out = {0};
    if (!wg_file_read(path, &ptx)) return 1;
    text_reorder_module(ptx.s, strtoull(seed, NULL, 10), &out);
    fputs(out.s, stdout);
    wg_strbuf_free(&ptx);
    wg_strbuf_free(&out);
    return 0;
}

/* In one process. */
static int run_seeds(struct apart *a, const char *text) {
    enum { MOST_SEEDS = 400 };
    uint64_t seeds[MOST_SEEDS];
    uint32_t n = apart_read_seeds(text, seeds, MOST_SEEDS);
    return !n || apart_first(a, seeds, n) != n;
}

static int near_all(char **path, uint32_t n) {
    struct machines *x = machines_new(WG_DUMP_PLAN, false);
    uint32_t wrong = 0;
    for (uint32_t k = 0; k < n; k++) wrong += !near_misses(x, path[k]);
    printf("near misses of %u kernels, %u not as they should be\n", n, wrong);
    return wrong != 0;
}

static int usage(void) {
    fprintf(stderr, "fuzz_kernels: see the top of tests/fuzz/kernels.c\n");
    return 2;
}

static int replay_all(const struct session *s, char **path, uint32_t n) {
    struct machines *x = machines_new(s->dump, s->gpu);
    uint32_t wrong = 0;
    for (uint32_t k = 0; k < n; k++) wrong += !replay(x, path[k]);
    printf("%u kept kernels, %u differ\n", n, wrong);
    return wrong != 0;
}

struct range {
    uint64_t from, n, printed;
    double seconds;
};

/* An option and its value; false: there is no such option. */
static bool take_option(struct session *s, struct apart *a, struct range *r, const char *option,
                        const char *value) {
    bool yes = !strcmp(value, "yes");
    if (!strcmp(option, "--from"))
        r->from = strtoull(value, NULL, 10);
    else if (!strcmp(option, "--count"))
        r->n = strtoull(value, NULL, 10);
    else if (!strcmp(option, "--seconds"))
        r->seconds = strtod(value, NULL);
    else if (!strcmp(option, "--kind"))
        s->kind = value;
    else if (!strcmp(option, "--keep"))
        a->keep = value;
    else if (!strcmp(option, "--edited"))
        s->edited = yes;
    else if (!strcmp(option, "--twisted"))
        s->twisted = yes;
    else if (!strcmp(option, "--plans")) /* of what is run: to stderr */
        s->dump = yes ? WG_DUMP_PLAN : 0;
    else if (!strcmp(option, "--gpu")) { /* and its results are the reference's */
        s->gpu = yes;
        a->batch = 1000; /* a process has to open it */
    } else if (!strcmp(option, "--most"))
        s->most = (uint32_t)strtoul(value, NULL, 10);
    else if (!strcmp(option, "--print"))
        r->printed = strtoull(value, NULL, 10);
    else
        return false;
    return true;
}

static int run_all(struct session *s, struct apart *a, const struct range *r) {
    time_t end = time(NULL) + (time_t)r->seconds;
    uint64_t seed = r->from;
    while (seed - r->from < r->n && (!r->seconds || time(NULL) < end))
        seed = apart_run(a, seed, r->n == UINT64_MAX ? r->n : r->from + r->n);
    uint64_t compared = seed - r->from - a->count[MOOT];
    printf("%llu kernels from seed %llu on: %u same, %u different, %u crash, %u never end, %u not run, "
           "%u not as a GPU has them",
           (unsigned long long)compared, (unsigned long long)r->from, a->count[SAME], a->count[DIFFERENT],
           a->count[CRASHED], a->count[ENDLESS], a->count[BROKEN], a->count[STRANGE]);
    if (s->edited || s->twisted) printf("; %u more were of no worth", a->count[MOOT]);
    printf("\n");
    struct rusage used;
    getrusage(RUSAGE_CHILDREN, &used);
    printf("%.1f ms of a core each\n", ((double)used.ru_utime.tv_sec + 1e-6 * (double)used.ru_utime.tv_usec) *
                                           1e3 / (double)(seed - r->from));
    return a->count[SAME] != compared;
}

int main(int argc, char **argv) {
    struct session s = {.most = 3};
    struct apart a = {
        .open = open, .make = make, .judge = judge, .enough = enough, .user = &s, .keep = ".", .batch = 100};
    struct range r = {.from = 1, .n = UINT64_MAX};
    for (int k = 1; k < argc; k += 2) {
        char **rest = argv + k + 1;
        int n = argc - k - 1;
        if (!strcmp(argv[k], "--replay")) return replay_all(&s, rest, (uint32_t)n);
        if (!strcmp(argv[k], "--near")) return near_all(rest, (uint32_t)n);
        if (!strcmp(argv[k], "--reorder") && n >= 2) return reorder(rest[0], rest[1]);
        if (!strcmp(argv[k], "--twist")) return tell_twists(&s, rest, n);
        if (!n) return usage();
        if (!strcmp(argv[k], "--seeds")) return run_seeds(&a, *rest);
        if (!strcmp(argv[k], "--ptx")) {
            if (!read_ptx(&s, *rest)) return fprintf(stderr, "fuzz_kernels: no launches in %s\n", *rest), 2;
        } else if (!take_option(&s, &a, &r, argv[k], *rest)) {
            return usage();
        }
    }
    /* One that leaves its memory ends the GPU's context, for all that follow. */
    if (s.gpu && (s.edited || s.twisted))
        return fprintf(stderr, "fuzz_kernels: edited kernels are not for a GPU: they may have faults\n"), 2;
    if (r.printed) return print(&s, r.printed), 0;
    return run_all(&s, &a, &r);
}
