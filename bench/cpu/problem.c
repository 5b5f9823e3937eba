/* problem.c: inputs and right answers of the benchmark's problems; see problem.h. */
#include "problem.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { HUGE_PAGE = 2 << 20, FIELDS = 8 };

static size_t whole_pages(size_t bytes) { return (bytes / HUGE_PAGE + 1) * HUGE_PAGE; }

void *problem_memory(size_t bytes) {
    bytes = whole_pages(bytes);
    char *start = mmap(NULL, bytes + HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED) {
        fprintf(stderr, "no memory for %zu bytes\n", bytes);
        exit(1);
    }
    const size_t before = (HUGE_PAGE - (uintptr_t)start % HUGE_PAGE) % HUGE_PAGE;
    if (before) munmap(start, before);
    if (before != HUGE_PAGE) munmap(start + before + bytes, HUGE_PAGE - before);
    madvise(start + before, bytes, MADV_HUGEPAGE); /* only a wish */
    memset(start + before, 1, bytes);
    return start + before;
}

static void give_back(void *memory, size_t bytes) {
    if (memory) munmap(memory, whole_pages(bytes));
}

static uint32_t random_seed;

/* A number from 0 to range - 1, the same in every run. */
static int random_below(int range) {
    random_seed = random_seed * 1664525u + 1013904223u;
    return (int)(((uint64_t)random_seed * (uint64_t)range) >> 32);
}

static void buffers(struct problem *p, size_t in0, size_t in1, size_t out) {
    const size_t bytes[2] = {in0, in1};
    for (int i = 0; i < 2; i++) {
        p->in_bytes[i] = bytes[i];
        if (bytes[i]) p->in[i] = problem_memory(bytes[i]);
    }
    p->out_bytes = out;
    p->out = problem_memory(out);
    p->expected = calloc(1, out);
    if (!p->expected) {
        fprintf(stderr, "no memory for %zu bytes\n", out);
        exit(1);
    }
}

static int *random_ints(void *to, size_t count, int range) {
    int *values = to;
    for (size_t i = 0; i < count; i++) values[i] = random_below(range);
    return values;
}

static void make_vector_add(struct problem *p) {
    const int n = p->size[0];
    buffers(p, n * sizeof(int), n * sizeof(int), n * sizeof(int));
    const int *a = random_ints(p->in[0], n, 1000000000), *b = random_ints(p->in[1], n, 1000000000);
    int *sum = p->expected;
    for (int i = 0; i < n; i++) sum[i] = a[i] + b[i];
}

/* Fields: red, green, blue, hue, saturation, brightest, darkest, mixed. Element (i, field) lies at
   i * pixel_step + field * field_step: that is all the difference between the two layouts. */
static void make_pixels(struct problem *p, int pixel_step, int field_step) {
    const int n = p->size[0];
    const size_t bytes = (size_t)n * FIELDS * sizeof(int);
    buffers(p, bytes, 0, bytes);
    p->in_place = true;
    random_ints(p->in[0], (size_t)n * FIELDS, 256);
    memcpy(p->expected, p->in[0], bytes);
    for (int i = 0; i < n; i++) {
        int *f = (int *)p->expected + (size_t)i * pixel_step;
        const int r = f[0], g = f[field_step], b = f[2 * field_step], gray = (r + g + b) / 3;
        const int high = r > g ? r : g, low = r < g ? r : g;
        f[3 * field_step] = gray * 10 / 4;
        f[4 * field_step] = gray % 15;
        f[5 * field_step] = high > b ? high : b;
        f[6 * field_step] = low < b ? low : b;
        f[7 * field_step] = gray * (gray * 10 / 4) + gray % 15;
    }
}

static void make_array_of_structures(struct problem *p) { make_pixels(p, FIELDS, 1); }

static void make_structure_of_arrays(struct problem *p) { make_pixels(p, 1, p->size[0]); }

static void make_transpose(struct problem *p) {
    const int rows = p->size[0], columns = p->size[1];
    const size_t count = (size_t)rows * columns;
    buffers(p, count * sizeof(int), 0, count * sizeof(int));
    const int *in = random_ints(p->in[0], count, 1000000000);
    int *out = p->expected;
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < columns; x++) out[(size_t)x * rows + y] = in[(size_t)y * columns + x];
}

static void make_reverse(struct problem *p) {
    const int n = p->size[0];
    buffers(p, n * sizeof(int), 0, n * sizeof(int));
    const int *in = random_ints(p->in[0], n, 1000000000);
    int *out = p->expected;
    for (int i = 0; i < n; i++) out[n - 1 - i] = in[i];
}

/* One buffer: n int, n float, n char; each stretch of BLOCK is turned round. */
static void make_divided_shared(struct problem *p) {
    const int n = p->size[0];
    const size_t bytes = (size_t)n * (sizeof(int) + sizeof(float) + 1);
    buffers(p, bytes, 0, bytes);
    p->in_place = true;
    const int *ints = random_ints(p->in[0], n, 1000000);
    float *floats = (float *)p->in[0] + n;
    char *chars = (char *)(floats + n);
    for (int i = 0; i < n; i++) {
        floats[i] = (float)random_below(1000000);
        chars[i] = (char)random_below(128);
    }
    int *int_out = p->expected;
    float *float_out = (float *)p->expected + n;
    char *char_out = (char *)(float_out + n);
    for (int i = 0; i < n; i++) {
        const int from = i / BLOCK * BLOCK + BLOCK - 1 - i % BLOCK;
        int_out[i] = ints[from];
        float_out[i] = floats[from];
        char_out[i] = chars[from];
    }
}

/* One sum for each block. */
static void make_reduction(struct problem *p) {
    const int n = p->size[0];
    buffers(p, n * sizeof(int), 0, n / BLOCK * sizeof(int));
    const int *values = random_ints(p->in[0], n, 1000000);
    int *sums = p->expected;
    for (int i = 0; i < n; i++) sums[i / BLOCK] += values[i];
}

static void make_product(struct problem *p) {
    const int rows = p->size[0], inner = p->size[1], columns = p->size[2];
    buffers(p, (size_t)rows * inner * sizeof(int), (size_t)inner * columns * sizeof(int),
            (size_t)rows * columns * sizeof(int));
    const int *a = random_ints(p->in[0], (size_t)rows * inner, 100);
    const int *b = random_ints(p->in[1], (size_t)inner * columns, 100);
    int *c = p->expected;
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < inner; k++)
            for (int j = 0; j < columns; j++) c[i * columns + j] += a[i * inner + k] * b[k * columns + j];
}

/* The border keeps the input's bytes, so the output starts as a copy. */
static void make_mean(struct problem *p) {
    const int width = p->size[0], height = p->size[1], reach = p->size[2], side = 2 * reach + 1;
    const size_t bytes = (size_t)width * height;
    buffers(p, bytes, 0, bytes);
    p->in_place = true;
    unsigned char *in = p->in[0], *out = p->expected;
    for (size_t i = 0; i < bytes; i++) in[i] = (unsigned char)random_below(256);
    memcpy(out, in, bytes);
    for (int y = reach; y < height - reach; y++) {
        for (int x = reach; x < width - reach; x++) {
            int sum = 0;
            for (int dy = -reach; dy <= reach; dy++)
                for (int dx = -reach; dx <= reach; dx++) sum += in[(size_t)(y + dy) * width + x + dx];
            out[(size_t)y * width + x] = (unsigned char)(sum / (side * side));
        }
    }
}

static void make_mean3(struct problem *p) { make_mean(p); }
static void make_mean5(struct problem *p) { make_mean(p); }

static void make_histogram(struct problem *p) {
    const int n = p->size[0], bins = p->size[1];
    buffers(p, n * sizeof(int), 0, bins * sizeof(int));
    const int *values = random_ints(p->in[0], n, bins);
    int *count = p->expected;
    for (int i = 0; i < n; i++) count[values[i]]++;
}

static void make_histogram_256(struct problem *p) { make_histogram(p); }
static void make_histogram_8192(struct problem *p) { make_histogram(p); }
static void make_histogram_49152(struct problem *p) { make_histogram(p); }
static void make_histogram_131072(struct problem *p) { make_histogram(p); }

bool problem_make(const char *name, struct problem *p) {
    static const struct {
        const char *name;
        int size[3];
        void (*make)(struct problem *);
    } all[] = {
#define P(name, s0, s1, s2) {#name, {s0, s1, s2}, make_##name},
        PROBLEMS(P)
#undef P
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (strcmp(all[i].name, name) != 0) continue;
        memset(p, 0, sizeof *p);
        p->name = all[i].name;
        memcpy(p->size, all[i].size, sizeof p->size);
        random_seed = 1;
        all[i].make(p);
        problem_restart(p);
        return true;
    }
    return false;
}

void problem_restart(struct problem *p) {
    if (p->in_place)
        memcpy(p->out, p->in[0], p->out_bytes);
    else
        memset(p->out, 0, p->out_bytes);
}

void problem_free(struct problem *p) {
    for (int i = 0; i < 2; i++) give_back(p->in[i], p->in_bytes[i]);
    give_back(p->out, p->out_bytes);
    free(p->expected);
    memset(p, 0, sizeof *p);
}

bool problem_is_right(const struct problem *p, const char *who) {
    if (!memcmp(p->out, p->expected, p->out_bytes)) return true;
    const unsigned char *got = p->out, *want = p->expected;
    size_t at = 0;
    while (got[at] == want[at]) at++;
    fprintf(stderr, "%s: %s is wrong, first in byte %zu of %zu\n", who, p->name, at, p->out_bytes);
    return false;
}

double now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e3 + t.tv_nsec * 1e-6;
}

struct arguments arguments_read(int argc, char **argv) {
    struct arguments a = {5, 0, argv + 1, argc - 1};
    bool fine = true;
    while (fine && a.topic_count > 1 && a.topics[0][0] == '-') {
        char *end;
        const int value = (int)strtol(a.topics[1], &end, 10);
        const bool repeat = !strcmp(a.topics[0], "--repeat");
        fine = !*end && value > 0 && (repeat || !strcmp(a.topics[0], "--for"));
        *(repeat ? &a.repeat : &a.for_ms) = value;
        a.topics += 2;
        a.topic_count -= 2;
    }
    if (!fine || (a.topic_count && a.topics[0][0] == '-')) {
        fprintf(stderr, "usage: %s [--repeat N] [--for MS] [TOPIC...]\n", argv[0]);
        exit(2);
    }
    return a;
}

bool arguments_again(const struct arguments *arguments, int launches, double all_ms, double since_ms) {
    if (launches == 0) return true;
    return since_ms < PATIENCE_MS && (launches < arguments->repeat || all_ms < arguments->for_ms);
}

bool arguments_want(const struct arguments *arguments, const char *topic) {
    for (int i = 0; i < arguments->topic_count; i++)
        if (!strcmp(arguments->topics[i], topic)) return true;
    return arguments->topic_count == 0;
}
