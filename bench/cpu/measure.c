/*
 * measure.c: the benchmark's referee. Runs the timing programs of all columns in turn, round after
 * round, so that a slow minute of the machine strikes all alike; keeps the least time of each kernel,
 * prints one table and writes JSON.
 *
 *   measure BUILD [--repeat N] [--rounds R] [--json FILE] [TOPIC...]
 *
 * Each program prints lines "time NAME MS ms". Plain C's names are problems, the others' are kernel
 * variants; problem.h says which variant solves which problem. A program that is not in BUILD is a
 * missing column, and BUILD/COLUMN.missing says why.
 */
#include "problem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Column: name in table and JSON, program in BUILD, whether its names are problems. */
#define COLUMNS(C)                                                                                           \
    C(warpglass, "gallery", false)                                                                           \
    C(profile, "gallery", false) /* the same, counting what every line does to memory */                     \
    C(check, "gallery", false)   /* with all checks, and with the one of memory alone */                     \
    C(check_memory, "gallery", false)                                                                        \
    C(plain_gcc, "plain-gcc", true)                                                                          \
    C(plain_clang, "plain-clang", true)                                                                      \
    C(pocl, "bench-opencl", false)                                                                           \
    C(oclgrind, "oclgrind", false)

enum {
#define C(name, program, by_problem) COLUMN_##name,
    COLUMNS(C)
#undef C
        COLUMN_COUNT,
    MAX_ROUNDS = 100,
    MAX_VARIANTS = 64,
    /* A kernel of a tenth of a millisecond is launched hundreds of times: a few launches say more of when the
       system woke a thread, and of cold caches, than of the kernel. */
    ENOUGH_MS = 40
};

static const struct column {
    const char *name, *program;
    bool by_problem;
} columns[] = {
#define C(name, program, by_problem) {#name, program, by_problem},
    COLUMNS(C)
#undef C
};

static const struct variant {
    const char *topic, *name, *problem;
} variants[] = {
#define V(topic, variant, problem) {#topic, #variant, #problem},
    VARIANTS(V)
#undef V
};
enum { VARIANT_COUNT = sizeof variants / sizeof *variants };
_Static_assert((int)VARIANT_COUNT <= (int)MAX_VARIANTS, "raise MAX_VARIANTS");

struct samples {
    int count;
    int round; /* of the last one, from 1 on */
    double ms[MAX_ROUNDS];
};

struct run {
    const char *build, *json;
    int repeat, rounds;
    int round; /* from 1 on */
    char **topics;
    int topic_count;
    struct samples samples[MAX_VARIANTS][COLUMN_COUNT];
    bool failed[COLUMN_COUNT];
};

static bool wanted(const struct run *run, const char *topic) {
    for (int i = 0; i < run->topic_count; i++)
        if (!strcmp(run->topics[i], topic)) return true;
    return run->topic_count == 0;
}

static bool present(const struct run *run, int column) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", run->build, columns[column].program);
    return access(path, X_OK) == 0;
}

/* Oclgrind takes hours for the larger problems; what it finishes, it runs once, with two launches. */
static bool can(const struct run *run, int column, const char *topic) {
    return column != COLUMN_oclgrind ||
           (run->round == 1 && (!strcmp(topic, "array_of_structures") || !strcmp(topic, "divided_shared")));
}

/* What the column's program is told by its environment. */
static int environment_for(const struct run *run, int column, char *command, size_t size) {
    switch (column) {
    case COLUMN_profile: return snprintf(command, size, "WARPGLASS_PROFILE='%s/profile.json' ", run->build);
    case COLUMN_check: return snprintf(command, size, "WARPGLASS_CHECK='%s/check.json' ", run->build);
    case COLUMN_check_memory:
        return snprintf(command, size, "WARPGLASS_CHECK='%s/check_memory.json' WARPGLASS_CHECK_ONLY=memory ",
                        run->build);
    default: return 0;
    }
}

/* The gallery is a folder with a program for each topic; the others take the topic as an argument. */
static void command_for(const struct run *run, int column, const char *topic, char *command, size_t size) {
    const char *build = run->build, *program = columns[column].program;
    if (column == COLUMN_pocl || column == COLUMN_oclgrind) {
        const bool slow = column == COLUMN_oclgrind;
        snprintf(command, size, "'%s/%s' '%s/gallery.cl' --repeat %d --for %d %s", build, program, build,
                 slow ? 1 : run->repeat, slow ? 1 : ENOUGH_MS, topic);
        return;
    }
    if (columns[column].by_problem) {
        snprintf(command, size, "'%s/%s' --repeat %d --for %d %s", build, program, run->repeat, ENOUGH_MS,
                 topic);
        return;
    }
    int length = environment_for(run, column, command, size);
    length += snprintf(command + length, size - length, "'%s/%s/%s' --repeat %d --for %d --only ", build,
                       program, topic, run->repeat, ENOUGH_MS);
    for (int i = 0; i < VARIANT_COUNT; i++)
        if (!strcmp(variants[i].topic, topic))
            length += snprintf(command + length, size - length, "%s,", variants[i].name);
    command[length - 1] = '\0';
}

/* A program may go on to further sizes under the same names: the first, the full size, is the one measured.
 */
static void keep(struct run *run, int column, const char *topic, const char *name, double ms) {
    for (int i = 0; i < VARIANT_COUNT; i++) {
        const char *mine = columns[column].by_problem ? variants[i].problem : variants[i].name;
        struct samples *samples = &run->samples[i][column];
        if (strcmp(variants[i].topic, topic) != 0 || strcmp(mine, name) != 0 || samples->round == run->round)
            continue;
        samples->round = run->round;
        if (samples->count < MAX_ROUNDS) samples->ms[samples->count++] = ms;
    }
}

static void run_once(struct run *run, int column, const char *topic) {
    char command[8192], line[512], name[128];
    double ms;
    command_for(run, column, topic, command, sizeof command);
    FILE *output = popen(command, "r");
    if (!output) return;
    while (fgets(line, sizeof line, output))
        if (sscanf(line, "time %127s %lf ms", name, &ms) == 2) keep(run, column, topic, name, ms);
    if (pclose(output) != 0) {
        run->failed[column] = true;
        fprintf(stderr, "bench: failed: %s\n", command);
    }
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void sort_samples(struct run *run) {
    for (int i = 0; i < VARIANT_COUNT; i++)
        for (int c = 0; c < COLUMN_COUNT; c++)
            qsort(run->samples[i][c].ms, run->samples[i][c].count, sizeof(double), ascending);
}

static double least(const struct samples *sorted) { return sorted->count ? sorted->ms[0] : NAN; }

/* How far the middle sample lies above the least, in percent. */
static double spread(const struct samples *sorted) {
    return 100 * (sorted->ms[sorted->count / 2] / sorted->ms[0] - 1);
}

static double best_plain(const struct run *run, int variant) {
    return fmin(least(&run->samples[variant][COLUMN_plain_gcc]),
                least(&run->samples[variant][COLUMN_plain_clang]));
}

static void size_text(const char *problem, char *text, size_t size) {
    static const struct {
        const char *name;
        int size[3];
    } all[] = {
#define P(name, s0, s1, s2) {#name, {s0, s1, s2}},
        PROBLEMS(P)
#undef P
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (strcmp(all[i].name, problem) != 0) continue;
        int length = snprintf(text, size, "%d", all[i].size[0]);
        for (int d = 1; d < 3 && all[i].size[d]; d++)
            length += snprintf(text + length, size - length, "x%d", all[i].size[d]);
    }
}

static void print_cell(const struct samples *samples) {
    if (samples->count)
        printf(" %9.3f %+4.0f%%", least(samples), spread(samples));
    else
        printf(" %9s %5s", "-", "");
}

static void print_ratio(double value) {
    if (isnan(value))
        printf(" %10s", "-");
    else
        printf(" %10.2f", value);
}

/* What is compared of a kernel, each as a ratio to Warpglass's time; Oclgrind to Warpglass's with all checks.
 */
enum { PLAIN, POCL, PROFILE, CHECK, CHECK_MEMORY, OCLGRIND, RATIO_COUNT };
static const char *const ratio_names[RATIO_COUNT] = {"plain/wg", "PoCL/wg",   "profile/wg",
                                                     "check/wg", "memory/wg", "oclg/check"};
static const char *const ratio_keys[RATIO_COUNT] = {"plain_over_warpglass",        "pocl_over_warpglass",
                                                    "profile_over_warpglass",      "check_over_warpglass",
                                                    "check_memory_over_warpglass", "oclgrind_over_check"};

static double ratio(const struct run *run, int variant, int which) {
    const struct samples *samples = run->samples[variant];
    const double mine = least(&samples[COLUMN_warpglass]);
    switch (which) {
    case PLAIN: return best_plain(run, variant) / mine;
    case POCL: return least(&samples[COLUMN_pocl]) / mine;
    case PROFILE: return least(&samples[COLUMN_profile]) / mine;
    case CHECK: return least(&samples[COLUMN_check]) / mine;
    case CHECK_MEMORY: return least(&samples[COLUMN_check_memory]) / mine;
    default: return least(&samples[COLUMN_oclgrind]) / least(&samples[COLUMN_check]);
    }
}

/* Geometric means of the ratios over the kernels that have them. */
struct means {
    double log[RATIO_COUNT];
    int count[RATIO_COUNT];
};

static void add_mean(struct means *means, int which, double value) {
    if (isnan(value)) return;
    means->log[which] += log(value);
    means->count[which]++;
}

static double mean(const struct means *means, int which) {
    return means->count[which] ? exp(means->log[which] / means->count[which]) : NAN;
}

/* Three ways to weigh: every kernel alike; every topic alike, since the histogram has eleven kernels and the
   vector sum one; of each problem only the kernel that is fastest here, which is what a user would run. */
enum { OF_KERNELS, OF_TOPICS, OF_BEST, MEAN_COUNT };
static const char *const mean_names[MEAN_COUNT] = {"of the kernels", "of the topics' means",
                                                   "of each problem's fastest kernel"};
static const char *const mean_keys[MEAN_COUNT] = {"geometric_mean_of_kernels", "geometric_mean_of_topics",
                                                  "geometric_mean_of_fastest"};

static bool is_fastest(const struct run *run, int variant) {
    const double mine = least(&run->samples[variant][COLUMN_warpglass]);
    for (int i = 0; i < VARIANT_COUNT; i++)
        if (!strcmp(variants[i].problem, variants[variant].problem) &&
            least(&run->samples[i][COLUMN_warpglass]) < mine)
            return false;
    return true;
}

static void means_of(const struct run *run, struct means means[MEAN_COUNT]) {
    memset(means, 0, MEAN_COUNT * sizeof *means);
    struct means topic = {0};
    for (int i = 0; i < VARIANT_COUNT; i++) {
        for (int r = 0; r < RATIO_COUNT; r++) {
            add_mean(&means[OF_KERNELS], r, ratio(run, i, r));
            add_mean(&topic, r, ratio(run, i, r));
            if (is_fastest(run, i)) add_mean(&means[OF_BEST], r, ratio(run, i, r));
        }
        if (i + 1 < VARIANT_COUNT && !strcmp(variants[i + 1].topic, variants[i].topic)) continue;
        for (int r = 0; r < RATIO_COUNT; r++) add_mean(&means[OF_TOPICS], r, mean(&topic, r));
        topic = (struct means){0};
    }
}

static void print_missing(const struct run *run) {
    char path[4096], line[512];
    for (int c = 0; c < COLUMN_COUNT; c++) {
        if (run->failed[c]) printf("%s: at least one run failed, see the messages above\n", columns[c].name);
        if (present(run, c)) continue;
        snprintf(path, sizeof path, "%s/%s.missing", run->build, columns[c].program);
        FILE *why = fopen(path, "r");
        printf("%s: missing: %s", columns[c].name,
               why && fgets(line, sizeof line, why) ? line : "not built\n");
        if (why) fclose(why);
    }
}

static void print_table(const struct run *run) {
    printf("\n%-26s %-15s %15s %15s %15s %15s %15s %15s %15s %15s", "kernel", "size", "warpglass", "profile",
           "check", "check memory", "plain gcc", "plain clang", "PoCL", "Oclgrind");
    for (int r = 0; r < RATIO_COUNT; r++) printf(" %10s", ratio_names[r]);
    printf("\n");
    for (int i = 0; i < VARIANT_COUNT; i++) {
        if (!wanted(run, variants[i].topic)) continue;
        char size[64] = "";
        size_text(variants[i].problem, size, sizeof size);
        const bool cluster = strstr(variants[i].name, "cluster") != NULL;
        printf("%-26s %-15s", variants[i].name, size);
        for (int c = 0; c < COLUMN_COUNT; c++) print_cell(&run->samples[i][c]);
        for (int r = 0; r < RATIO_COUNT; r++) print_ratio(ratio(run, i, r));
        printf("%s\n", cluster ? "  *" : "");
    }
    struct means means[MEAN_COUNT];
    means_of(run, means);
    for (int m = 0; m < MEAN_COUNT; m++) {
        printf("geometric mean %-155s", mean_names[m]);
        for (int r = 0; r < RATIO_COUNT; r++) print_ratio(mean(&means[m], r));
        printf("\n");
    }
    printf(
        "\nTimes in ms: the least of %d rounds of %d launches or more; +N%%: how far the middle round lies "
        "above it.\n"
        "plain/wg: how many times faster Warpglass is than the better of the two plain C versions.\n"
        "profile: the same programs, with every access to memory counted.\n"
        "check: with every access looked at by all checks, and by the one of memory alone. oclg/check: how "
        "many\ntimes faster that is than Oclgrind, which looks for races as well (--data-races).\n"
        "* OpenCL has no clusters: PoCL runs the shared-memory kernel there, or the global one where the "
        "bins "
        "do not fit.\n",
        run->rounds, run->repeat);
    print_missing(run);
}

static void json_number(FILE *f, const char *key, double value) {
    if (isnan(value))
        fprintf(f, "\"%s\": null", key);
    else
        fprintf(f, "\"%s\": %.6g", key, value);
}

static void json_kernel(FILE *f, const struct run *run, int i) {
    char size[64] = "";
    size_text(variants[i].problem, size, sizeof size);
    fprintf(f, "    {\"kernel\": \"%s\", \"topic\": \"%s\", \"problem\": \"%s\", \"size\": \"%s\"",
            variants[i].name, variants[i].topic, variants[i].problem, size);
    for (int c = 0; c < COLUMN_COUNT; c++) {
        const struct samples *samples = &run->samples[i][c];
        fprintf(f, ",\n     \"%s\": {", columns[c].name);
        json_number(f, "least_ms", least(samples));
        fprintf(f, ", \"rounds_ms\": [");
        for (int k = 0; k < samples->count; k++) fprintf(f, "%s%.4f", k ? ", " : "", samples->ms[k]);
        fprintf(f, "]}");
    }
    fprintf(f, "}");
}

static void json_means(FILE *f, const char *key, const struct means *means) {
    fprintf(f, "  \"%s\": {", key);
    for (int r = 0; r < RATIO_COUNT; r++) {
        if (r) fprintf(f, ", ");
        json_number(f, ratio_keys[r], mean(means, r));
    }
    fprintf(f, "},\n");
}

static bool write_json(const struct run *run) {
    FILE *f = fopen(run->json, "w");
    if (!f) {
        fprintf(stderr, "bench: cannot write %s\n", run->json);
        return false;
    }
    struct means means[MEAN_COUNT];
    means_of(run, means);
    fprintf(f, "{\n  \"cores\": %ld, \"rounds\": %d, \"launches\": %d,\n", sysconf(_SC_NPROCESSORS_ONLN),
            run->rounds, run->repeat);
    for (int m = 0; m < MEAN_COUNT; m++) json_means(f, mean_keys[m], &means[m]);
    fprintf(f, "  \"kernels\": [\n");
    bool first = true;
    for (int i = 0; i < VARIANT_COUNT; i++) {
        if (!wanted(run, variants[i].topic)) continue;
        fprintf(f, "%s", first ? "" : ",\n");
        json_kernel(f, run, i);
        first = false;
    }
    fprintf(f, "\n  ]\n}\n");
    return fclose(f) == 0;
}

static int positive(const char *text, const char *option, int most) {
    char *end;
    const long value = strtol(text, &end, 10);
    if (end == text || *end || value < 1 || value > most) {
        fprintf(stderr, "bench: %s must be a whole number from 1 to %d, not '%s'\n", option, most, text);
        exit(2);
    }
    return (int)value;
}

static void read_arguments(struct run *run, int argc, char **argv) {
    run->build = argv[1];
    for (int i = 2; i < argc; i++) {
        const bool option = argv[i][0] == '-', value = i + 1 < argc;
        if (!option) {
            bool known = false;
            for (int v = 0; v < VARIANT_COUNT; v++) known |= !strcmp(variants[v].topic, argv[i]);
            if (!known) {
                fprintf(stderr, "bench: no topic is named '%s'\n", argv[i]);
                exit(2);
            }
            run->topics[run->topic_count++] = argv[i];
        } else if (!strcmp(argv[i], "--repeat") && value) {
            run->repeat = positive(argv[++i], "--repeat", 1000000);
        } else if (!strcmp(argv[i], "--rounds") && value) {
            run->rounds = positive(argv[++i], "--rounds", MAX_ROUNDS);
        } else if (!strcmp(argv[i], "--json") && value) {
            run->json = argv[++i];
        } else {
            fprintf(stderr, "bench: unknown option, or no value after it: '%s'\n", argv[i]);
            exit(2);
        }
    }
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: measure BUILD [--repeat N] [--rounds R] [--json FILE] [TOPIC...]\n");
        return 2;
    }
    static struct run run = {.repeat = 5, .rounds = 5};
    run.topics = calloc(argc, sizeof *run.topics);
    if (!run.topics) return 1;
    read_arguments(&run, argc, argv);

    for (run.round = 1; run.round <= run.rounds; run.round++) {
        for (int i = 0; i < VARIANT_COUNT; i++) {
            const char *topic = variants[i].topic;
            if ((i && !strcmp(variants[i - 1].topic, topic)) || !wanted(&run, topic)) continue;
            if (isatty(2)) fprintf(stderr, "\rround %d of %d: %-24s", run.round, run.rounds, topic);
            for (int c = 0; c < COLUMN_COUNT; c++)
                if (present(&run, c) && can(&run, c, topic)) run_once(&run, c, topic);
        }
    }
    if (isatty(2)) fprintf(stderr, "\r%48s\r", "");
    sort_samples(&run);
    print_table(&run);
    int measured = 0;
    for (int i = 0; i < VARIANT_COUNT; i++)
        for (int c = 0; c < COLUMN_COUNT; c++) measured += run.samples[i][c].count;
    const bool written = !run.json || write_json(&run);
    free(run.topics);
    return measured && written ? 0 : 1;
}
