/* Builds the list of metrics from counters, memories and classes on first use: see metric.h. */
#include "report/metric.h"
#include "base/suggestion.h"
#include "report/figure.h"
#include "report/light.h"
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 512 };
static struct {
    pthread_once_t once;
    struct wg_arena arena;
    struct wg_metric v[MOST];
    const char *names[MOST + 1];
    size_t n;
} list = {.once = PTHREAD_ONCE_INIT};

static struct wg_metric *add(const char *name, const char *unit, const char *meaning, uint32_t classes,
                             int counter) {
    struct wg_metric *m = &list.v[list.n];
    *m = (struct wg_metric){.name = name,
                            .unit = unit,
                            .meaning = meaning,
                            .classes = classes,
                            .counter = (int8_t)counter,
                            .minus = -1,
                            .over = -1,
                            .exact = true};
    list.names[list.n++] = name;
    return m;
}

static const char *joined(const char *prefix, const char *name) {
    return wg_arena_printf(&list.arena, "%s_%s", prefix, name);
}

/* Does the counter mean anything for this memory? */
static bool counts(enum wg_counter c, enum wg_class_memory m) {
    switch (c) {
    case WG_C_requests:
    case WG_C_bytes_asked: return true;
    case WG_C_sectors:
    case WG_C_ideal_sectors:
    case WG_C_bytes_moved: return m == WG_MEMORY_GLOBAL || m == WG_MEMORY_LOCAL || m == WG_MEMORY_BULK;
    case WG_C_l1_sectors:
    case WG_C_tags: return m == WG_MEMORY_GLOBAL || m == WG_MEMORY_LOCAL;
    case WG_C_wavefronts:
    case WG_C_ideal_wavefronts:
    case WG_C_conflicts:
    case WG_C_ways: return m == WG_MEMORY_SHARED || m == WG_MEMORY_REMOTE;
    default: return false;
    }
}

/* Nsight Compute's name of a counter of one class, or of all of global or shared memory. */
static const char *profiler_name(enum wg_counter c, const struct wg_class_info *class, const char *memory) {
    const char *own = class ? wg_counter_profiler_name((enum wg_class)(class - wg_class_infos), c) : NULL;
    if (own) return own;
    const char *class_ncu = class ? class->ncu : NULL;
    const char *ncu = wg_counter_infos[c].ncu, *hole = strstr(ncu, "%s");
    if (!*ncu) return NULL;
    if (hole && class_ncu && *class_ncu)
        return wg_arena_printf(&list.arena, "%.*s%s%s", (int)(hole - ncu), ncu, class_ncu, hole + 2);
    if (!hole && memory && strstr(ncu, memory)) return ncu;
    return NULL;
}

static void add_memory(const char *prefix, enum wg_class_memory m, uint32_t classes,
                       const struct wg_class_info *class) {
    for (int c = 0; c < WG_COUNTERS; c++) {
        if (!counts(c, m)) continue;
        const struct wg_counter_info *info = &wg_counter_infos[c];
        struct wg_metric *t = add(joined(prefix, info->name), info->unit, info->meaning, classes, c);
        t->exact = info->exact;
        t->profiler = profiler_name(c, class, class ? NULL : prefix);
    }
    if (counts(WG_C_sectors, m)) {
        struct wg_metric *t = add(joined(prefix, "excess_sectors"), "sectors",
                                  "sectors moved beyond the ideal", classes, WG_C_sectors);
        t->minus = WG_C_ideal_sectors;
        t = add(joined(prefix, "sectors_per_request"), "sectors", "average sectors per access", classes,
                WG_C_sectors);
        t->over = WG_C_requests;
        t = add(joined(prefix, "efficiency"), "%", "ideal sectors as a percentage of those moved", classes,
                WG_C_ideal_sectors);
        t->over = WG_C_sectors;
        t->percent = t->more_is_better = true;
    }
    if (counts(WG_C_wavefronts, m)) {
        struct wg_metric *t = add(joined(prefix, "wavefronts_per_request"), "wavefronts",
                                  "average wavefronts per access", classes, WG_C_wavefronts);
        t->over = WG_C_requests;
    }
}

static void build(void) {
    static const struct {
        const char *name;
        enum wg_class_memory memory;
    } memories[] = {{"global", WG_MEMORY_GLOBAL},
                    {"local", WG_MEMORY_LOCAL},
                    {"shared", WG_MEMORY_SHARED},
                    {"dsmem", WG_MEMORY_REMOTE},
                    {"bulk", WG_MEMORY_BULK}};
    for (int i = 0; i < WG_COUNTERS; i++) {
        if (i > WG_C_machine_instructions && i < WG_ACCESS_COUNTERS) continue; /* of a memory */
        const struct wg_counter_info *info = &wg_counter_infos[i];
        uint32_t classes = i < WG_C_machine_instructions ? 1u << WG_CLASS_line : ~0u;
        struct wg_metric *m = add(info->name, info->unit, info->meaning, classes, i);
        m->exact = info->exact;
        m->profiler = *info->ncu ? info->ncu : NULL;
    }
    struct wg_metric *m = add("lanes_per_instruction", "lanes", "average active lanes per instruction",
                              1u << WG_CLASS_line, WG_C_threads);
    m->over = WG_C_instructions;
    m->exact = false;
    m->more_is_better = true;
    m = add("branch_efficiency", "%", "branches at which all lanes went the same way, as a share of all", ~0u,
            WG_C_branches);
    m->minus = WG_C_divergent_branches, m->over = WG_C_branches;
    m->exact = false, m->percent = m->more_is_better = true;
    for (size_t i = 0; i < sizeof memories / sizeof *memories; i++) {
        uint32_t classes = 0;
        for (int c = 0; c < WG_CLASSES; c++)
            if (wg_class_infos[c].memory == memories[i].memory) classes |= 1u << c;
        add_memory(memories[i].name, memories[i].memory, classes, NULL);
    }
    for (int c = 0; c < WG_CLASSES; c++) {
        const struct wg_class_info *info = &wg_class_infos[c];
        if (info->memory != WG_MEMORY_NONE && info->memory != WG_MEMORY_CONSTANT)
            add_memory(info->name, info->memory, 1u << c, info);
    }
}

static void add_kernels(void) {
    static const struct {
        const char *name, *unit, *meaning;
        enum wg_metric_of of;
        bool more;
    } all[] = {
        {"registers", "registers", "registers per thread: the assembler's, or an estimate", WG_OF_REGISTERS,
         false},
        {"occupancy", "%", "warps that fit on an SM, as a share of those it can hold", WG_OF_OCCUPANCY, true},
        {"achieved_occupancy", "%",
         "warps on an SM on average over the modelled time, as a share of those it can hold", WG_OF_ACHIEVED,
         true},
        {"modelled_time", "seconds", "the modelled time of all launches; 5us, 2.5ms and 1s are valid numbers",
         WG_OF_TIME, false},
        {"flops_fp32", "operations",
         "additions and multiplications of single precision: fadd + fmul + 2 ffma", WG_OF_FP32, false},
        {"flops_fp64", "operations", "the same of double precision: dadd + dmul + 2 dfma", WG_OF_FP64,
         false}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct wg_metric *m = add(all[i].name, all[i].unit, all[i].meaning, 0, 0);
        m->of = all[i].of;
        m->exact = false, m->more_is_better = all[i].more;
        m->percent = *all[i].unit == '%';
    }
}

static void build_all(void) {
    build();
    add_kernels();
}

const struct wg_metric *wg_metric_list(size_t *count) {
    pthread_once(&list.once, build_all);
    *count = list.n;
    return list.v;
}

bool wg_metric_find(const char *name, struct wg_metric *out) {
    size_t n;
    const struct wg_metric *v = wg_metric_list(&n);
    for (size_t i = 0; i < n; i++)
        if (!strcmp(v[i].name, name) || (v[i].profiler && !strcmp(v[i].profiler, name))) {
            *out = v[i];
            return true;
        }
    return false;
}

const char *wg_metric_near(const char *name) {
    size_t n;
    wg_metric_list(&n);
    const char *near = wg_suggestion(name, list.names);
    /* "conflicts" is not far from "shared_conflicts", whatever the number of letters. */
    for (size_t i = 0; !near && i < n; i++)
        if (strstr(list.names[i], name)) near = list.names[i];
    return near;
}

static uint64_t sum(const struct wg_metric *m, const struct wg_by_class *c, int counter) {
    uint64_t n = 0;
    for (int i = 0; i < WG_CLASSES; i++) {
        if (!(m->classes >> i & 1)) continue;
        uint64_t v = c->of[i].v[counter];
        n = wg_counter_infos[counter].most ? (v > n ? v : n) : n + v;
    }
    return n;
}

double wg_metric_value(const struct wg_metric *m, const struct wg_by_class *c) {
    if (m->of != WG_OF_COUNTERS) return NAN;
    double n = (double)sum(m, c, m->counter);
    if (m->minus >= 0) n -= (double)sum(m, c, m->minus);
    if (m->over < 0) return n;
    double whole = (double)sum(m, c, m->over);
    return whole > 0 ? n / whole * (m->percent ? 100 : 1) : NAN;
}

double wg_metric_of_kernel(const struct wg_metric *m, const struct wg_summary *s) {
    const uint64_t *v = s->totals.v;
    struct wg_light l;
    switch (m->of) {
    case WG_OF_COUNTERS:
        if (m->counter == WG_C_machine_instructions && !s->classes.of[WG_CLASS_line].v[m->counter])
            return (double)v[m->counter]; /* an empty kernel has no lines */
        return wg_metric_value(m, &s->classes);
    case WG_OF_REGISTERS: return s->kernel->registers;
    case WG_OF_FP32: return (double)(v[WG_C_fadd] + v[WG_C_fmul] + 2 * v[WG_C_ffma]);
    case WG_OF_FP64: return (double)(v[WG_C_dadd] + v[WG_C_dmul] + 2 * v[WG_C_dfma]);
    default: break;
    }
    if (!wg_light_of(s, &l)) return NAN;
    return m->of == WG_OF_TIME ? l.seconds : 100 * (m->of == WG_OF_OCCUPANCY ? l.occupancy : l.achieved);
}

bool wg_metric_is_whole(const struct wg_metric *m) {
    return m->over < 0 && !m->percent && m->of != WG_OF_TIME;
}

const struct wg_metric wg_metric_whole = {.counter = 0, .minus = -1, .over = -1};

const char *wg_metric_text(struct wg_arena *a, const struct wg_metric *m, double value) {
    if (isnan(value)) return "-";
    if (m->of == WG_OF_TIME) return wg_figure_time(a, value);
    if (wg_metric_is_whole(m) && value >= 0) return wg_figure(a, (uint64_t)(value + 0.5));
    return wg_arena_printf(a, "%.4g%s", value, m->percent ? " %" : "");
}
