/* Reads a result file: JSON into the structs of profile.h, with each value validated (reader.h). */
#include "model/occupancy.h"
#include "report/code.h"
#include "report/mix.h"
#include "report/profile.h"
#include "report/reader.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* ---- Kernels ----------------------------------------------------------------------------------------------
 */

static enum wg_class class_of(struct wg_reader *r, const json_t *o) {
    const char *name = wg_read_text_needed(r, o, "class");
    for (int i = 0; i < WG_CLASSES; i++)
        if (!strcmp(name, wg_class_infos[i].name)) return (enum wg_class)i;
    wg_read_fail(r, "class", wg_arena_printf(r->arena, "unknown class '%s'", name));
    return WG_CLASS_line;
}

static struct wg_mix read_mix(struct wg_reader *r, const json_t *site) {
    const json_t *v = json_object_get(site, "mix");
    if (!v) return (struct wg_mix){0};
    return (struct wg_mix){.all = wg_read_small(r, v, "all", 0),
                           .doubles = wg_read_small(r, v, "doubles", 0),
                           .conversions = wg_read_small(r, v, "conversions", 0),
                           .divisions = wg_read_small(r, v, "divisions", 0),
                           .divisions64 = wg_read_small(r, v, "divisions64", 0)};
}

static void read_sites(struct wg_reader *r, const json_t *o, struct wg_profile_kernel *k) {
    const json_t *a = wg_read_array(r, o, "sites", true);
    size_t n = json_array_size(a);
    k->sites = WG_NEW_N(r->arena, struct wg_site, n);
    k->site_count = (uint32_t)n;
    for (size_t i = 0; i < n && !r->failed; i++) {
        const json_t *v = json_array_get(a, i);
        size_t before = wg_read_enter(r, "sites", i);
        struct wg_site *s = &k->sites[i];
        *s = (struct wg_site){.id = wg_read_small(r, v, "id", (uint32_t)i),
                              .ptx_line = wg_read_small(r, v, "ptx_line", 0),
                              .op = wg_read_text(r, v, "op"),
                              .class = class_of(r, v),
                              .bytes = wg_read_small(r, v, "bytes", 0),
                              .joined = wg_read_small(r, v, "joined", 1),
                              .mix = read_mix(r, v),
                              .what = wg_read_text(r, v, "what"),
                              .becomes = wg_read_text(r, v, "becomes")};
        if (!s->op) s->op = "";
        if (s->becomes && strcmp(s->becomes, "loop") != 0 && strcmp(s->becomes, "swap") != 0)
            wg_read_fail(r, "becomes", "an atomic becomes a loop or a swap");
        if (s->bytes > 16 || (s->bytes & (s->bytes - 1)))
            wg_read_fail(r, "bytes", "an access has 1, 2, 4, 8 or 16 bytes");
        if (s->id != i) wg_read_fail(r, "id", "sites are numbered from 0 in their order");
        s->frames = wg_read_frames(r, v, &s->frame_count);
        wg_read_leave(r, before);
    }
}

/* [[63, 8, 9], ...]: a line of the PTX, the sites of its source line and block; in reports also its text. */
static void read_code(struct wg_reader *r, const json_t *o, struct wg_profile_kernel *k) {
    const json_t *a = wg_read_array(r, o, "code", false);
    size_t n = json_array_size(a);
    k->code = WG_NEW_N(r->arena, struct wg_code, n + 1);
    k->code_count = (uint32_t)n;
    for (size_t i = 0; i < n && !r->failed; i++) {
        const json_t *row = json_array_get(a, i);
        size_t before = wg_read_enter(r, "code", i);
        uint32_t v[3] = {0};
        for (size_t j = 0; j < 3 && !r->failed; j++)
            v[j] = (uint32_t)wg_read_count(r, NULL, json_array_get(row, j), UINT32_MAX);
        const char *text = json_string_value(json_array_get(row, 3));
        k->code[i] =
            (struct wg_code){v[0], v[1], v[2], UINT32_MAX, text ? wg_arena_strdup(r->arena, text) : NULL};
        if (v[1] >= k->site_count || v[2] >= k->site_count)
            wg_read_fail(r, NULL, "it names a site that the kernel does not have");
        wg_read_leave(r, before);
    }
}

/* [[9, 4], ...]: the site of a block in a loop, and of the block that enters the loop. */
static void read_loops(struct wg_reader *r, const json_t *o, struct wg_profile_kernel *k) {
    const json_t *a = wg_read_array(r, o, "loops", false);
    uint32_t *enters = WG_NEW_N(r->arena, uint32_t, k->site_count + 1);
    memset(enters, 0xff, (k->site_count + 1) * sizeof *enters);
    for (size_t i = 0; i < json_array_size(a) && !r->failed; i++) {
        const json_t *row = json_array_get(a, i);
        size_t before = wg_read_enter(r, "loops", i);
        uint64_t block = wg_read_count(r, NULL, json_array_get(row, 0), UINT32_MAX);
        uint64_t entry = wg_read_count(r, NULL, json_array_get(row, 1), UINT32_MAX);
        if (block >= k->site_count || entry >= k->site_count)
            wg_read_fail(r, NULL, "it names a site that the kernel does not have");
        else
            enters[block] = (uint32_t)entry;
        wg_read_leave(r, before);
    }
    for (uint32_t i = 0; i < k->code_count; i++) k->code[i].enters = enters[k->code[i].block];
}

/* [[51, 8, 2, 0, "LDG.E R2, ..."], ...]: a line of the PTX, the site of a source line, a block of the code, whether it is
 * a spill. */
static void read_machine_code(struct wg_reader *r, const json_t *o, struct wg_profile_kernel *k) {
    const json_t *a = wg_read_array(r, o, "sass", false);
    size_t n = json_array_size(a);
    k->machine = WG_NEW_N(r->arena, struct wg_machine_code, n + 1);
    k->machine_count = (uint32_t)n;
    for (size_t i = 0; i < n && !r->failed; i++) {
        const json_t *row = json_array_get(a, i);
        size_t before = wg_read_enter(r, "sass", i);
        uint32_t v[4] = {0};
        for (size_t j = 0; j < 4 && !r->failed; j++)
            v[j] = (uint32_t)wg_read_count(r, NULL, json_array_get(row, j), UINT32_MAX);
        const char *text = json_string_value(json_array_get(row, 4));
        k->machine[i] = (struct wg_machine_code){.text = wg_arena_strdup(r->arena, text ? text : ""),
                                                 .ptx_line = v[0],
                                                 .line = v[1],
                                                 .block = v[2],
                                                 .spill = v[3] != 0};
        if (!text) wg_read_fail(r, NULL, "an instruction's text was expected");
        if (v[1] >= k->site_count) wg_read_fail(r, NULL, "it names a site that the kernel does not have");
        wg_read_leave(r, before);
    }
}

/* ---- Launches ---------------------------------------------------------------------------------------------
 */

static int counter_of(const char *name) {
    for (int i = 0; i < WG_COUNTERS; i++)
        if (!strcmp(name, wg_counter_infos[i].name)) return i;
    return -1;
}

static void read_totals(struct wg_reader *r, const json_t *o, struct wg_counts *c) {
    const json_t *totals = json_object_get(o, "totals"), *value;
    const char *name;
    if (!json_is_object(totals)) {
        wg_read_fail(r, "totals", totals ? "expected an object" : "missing");
        return;
    }
    /* Counters that this version does not know are somebody else's. */
    json_object_foreach((json_t *)totals, name, value) {
        int i = counter_of(name);
        if (i >= 0) c->v[i] = wg_read_count(r, name, value, INT64_MAX);
    }
}

/* {"columns": ["site", "requests", ...], "rows": [[0, 512, ...], ...]} */
static void read_site_counts(struct wg_reader *r, const json_t *o, const struct wg_profile_kernel *k,
                             struct wg_launch *l) {
    enum { MOST = 64, SITE = -2, UNKNOWN = -1 };
    const json_t *table = json_object_get(o, "sites");
    if (!json_is_object(table)) {
        wg_read_fail(r, "sites", table ? "expected an object" : "missing");
        return;
    }
    const json_t *columns = wg_read_array(r, table, "columns", true),
                 *rows = wg_read_array(r, table, "rows", true);
    int column[MOST];
    bool estimated = false;
    size_t width = json_array_size(columns), n = json_array_size(rows);
    if (width > MOST) width = MOST;
    for (size_t i = 0; i < width; i++) {
        const char *name = json_string_value(json_array_get(columns, i));
        column[i] = !name ? UNKNOWN : !strcmp(name, "site") ? SITE : counter_of(name);
        estimated |= column[i] == WG_C_machine_instructions;
    }
    l->sites = WG_NEW_N(r->arena, struct wg_site_counts, n);
    l->site_count = (uint32_t)n;
    for (size_t i = 0; i < n && !r->failed; i++) {
        const json_t *row = json_array_get(rows, i);
        size_t before = wg_read_enter(r, "sites.rows", i);
        if (json_array_size(row) != json_array_size(columns))
            wg_read_fail(r, NULL, "it has fewer or more values than there are columns");
        for (size_t j = 0; j < width && !r->failed; j++) {
            uint64_t v = wg_read_count(r, NULL, json_array_get(row, j), INT64_MAX);
            if (column[j] == SITE)
                l->sites[i].site = v < k->site_count ? (uint32_t)v : UINT32_MAX;
            else if (column[j] >= 0)
                l->sites[i].counts.v[column[j]] = v;
        }
        uint64_t *v = l->sites[i].counts.v; /* older files have the PTX's instructions alone */
        if (!estimated && l->sites[i].site < k->site_count &&
            k->sites[l->sites[i].site].class == WG_CLASS_line)
            v[WG_C_machine_instructions] = v[WG_C_instructions];
        if (l->sites[i].site == UINT32_MAX)
            wg_read_fail(r, NULL,
                         "it names a site that the kernel does "
                         "not have");
        wg_read_leave(r, before);
    }
}

static void read_sample(struct wg_reader *r, const json_t *v, const struct wg_profile_kernel *k,
                        struct wg_recorded *s) {
    *s = (struct wg_recorded){.site = wg_read_small(r, v, "site", UINT32_MAX),
                              .warp = wg_read_small(r, v, "warp", 0),
                              .lanes = wg_read_small(r, v, "mask", 0),
                              .base = wg_read_text(r, v, "base")};
    if (s->site >= k->site_count) wg_read_fail(r, "site", "the kernel has no such site");
    wg_read_shape(r, v, "block", false, 0, s->block);
    unsigned id;
    if (s->base && sscanf(s->base, "allocation %u", &id) == 1) s->allocation = id;
    const json_t *addresses = wg_read_array(r, v, "addresses", true);
    if (json_array_size(addresses) != 32) wg_read_fail(r, "addresses", "expected one for each of 32 lanes");
    for (size_t i = 0; i < 32 && !r->failed; i++) {
        const json_t *a = json_array_get(addresses, i);
        if (!(s->lanes >> i & 1)) continue;
        if (!json_is_integer(a)) wg_read_fail(r, "addresses", "the address of an active lane is missing");
        s->address[i] = (uint64_t)json_integer_value(a); /* a lane below the allocation: a number below 0 */
    }
}

static void read_samples(struct wg_reader *r, const json_t *o, const struct wg_profile_kernel *k,
                         struct wg_launch *l) {
    const json_t *a = wg_read_array(r, o, "samples", false);
    size_t n = json_array_size(a);
    l->samples = WG_NEW_N(r->arena, struct wg_recorded, n);
    l->sample_count = (uint32_t)n;
    for (size_t i = 0; i < n && !r->failed; i++) {
        size_t before = wg_read_enter(r, "samples", i);
        read_sample(r, json_array_get(a, i), k, &l->samples[i]);
        wg_read_leave(r, before);
    }
}

/* How often warps executed each instruction of the machine code. */
static void read_machine_counts(struct wg_reader *r, const json_t *o, const struct wg_profile_kernel *k,
                                struct wg_launch *l) {
    const json_t *a = wg_read_array(r, o, "sass", false);
    if (!a) return;
    if (json_array_size(a) != k->machine_count)
        wg_read_fail(r, "sass", "it has fewer or more values than the kernel has instructions");
    uint64_t *machine = WG_NEW_N(r->arena, uint64_t, k->machine_count + 1);
    for (uint32_t i = 0; i < k->machine_count && !r->failed; i++) {
        machine[i] = wg_read_count(r, "sass", json_array_get(a, i), INT64_MAX);
        if (k->machine[i].spill) l->spills += machine[i];
    }
    l->machine = machine;
}

void wg_launch_share(struct wg_launch *l, const struct wg_launch *like) {
    l->alike = like->alike;
    l->totals = like->totals;
    l->sites = like->sites;
    l->site_count = like->site_count;
    l->samples = like->samples;
    l->sample_count = like->sample_count;
    l->spills = like->spills;
    l->machine = like->machine;
}

static bool has_shape_of(const struct wg_launch *l, const struct wg_launch *like) {
    return !memcmp(l->grid, like->grid, sizeof l->grid) && !memcmp(l->block, like->block, sizeof l->block) &&
           !memcmp(l->cluster, like->cluster, sizeof l->cluster) && l->dynamic_shared == like->dynamic_shared;
}

/* What was counted of launch i: its own, or that of an earlier one, by its position in the file. */
static void read_counted(struct wg_reader *r, const json_t *v, struct wg_profile_kernel *k, uint32_t i) {
    struct wg_launch *l = &k->launches[i];
    const json_t *like = json_object_get(v, "like");
    if (like) {
        uint64_t at = wg_read_count(r, "like", like, INT64_MAX);
        if (!r->failed && at >= i)
            wg_read_fail(r, "like", "expected the position of an earlier launch of the kernel");
        if (!r->failed && !has_shape_of(l, &k->launches[at]))
            wg_read_fail(r, "like", "expected a launch of the same shape");
        if (!r->failed) wg_launch_share(l, &k->launches[at]);
        return;
    }
    l->alike = k->alike_count++;
    read_totals(r, v, &l->totals);
    if (!r->failed) read_site_counts(r, v, k, l);
    if (!r->failed) read_machine_counts(r, v, k, l);
    if (!r->failed) read_samples(r, v, k, l);
}

/* A file has launches as they ended. */
static int by_index(const void *a, const void *b) {
    const struct wg_launch *x = a, *y = b;
    return (x->index > y->index) - (x->index < y->index);
}

static void read_launches(struct wg_reader *r, const json_t *o, struct wg_profile_kernel *k) {
    const json_t *a = wg_read_array(r, o, "launches", true);
    size_t n = json_array_size(a);
    k->launches = WG_NEW_N(r->arena, struct wg_launch, n);
    k->launch_count = (uint32_t)n;
    for (size_t i = 0; i < n && !r->failed; i++) {
        const json_t *v = json_array_get(a, i);
        struct wg_launch *l = &k->launches[i];
        size_t before = wg_read_enter(r, "launches", i);
        *l = (struct wg_launch){.index = wg_read_small(r, v, "index", (uint32_t)i),
                                .dynamic_shared = wg_read_large(r, v, "dynamic_shared"),
                                .stream = wg_read_large(r, v, "stream"),
                                .start_ns = wg_read_large(r, v, "start_ns"),
                                .end_ns = wg_read_large(r, v, "end_ns"),
                                .device = -1,
                                .status = wg_read_text(r, v, "status")};
        if (json_object_get(v, "device")) l->device = (int)wg_read_small(r, v, "device", 0);
        if (!l->status) l->status = "success";
        if (json_object_get(v, "launched_by")) l->launched_by = wg_read_text(r, v, "launched_by");
        wg_read_shape(r, v, "grid", true, 1, l->grid);
        wg_read_shape(r, v, "block", true, 1, l->block);
        wg_read_shape(r, v, "cluster", false, 1, l->cluster);
        if (!r->failed) read_counted(r, v, k, (uint32_t)i);
        wg_read_leave(r, before);
    }
    k->estimates = WG_NEW_N(r->arena, struct wg_estimate *, k->alike_count + 1);
    if (!r->failed) qsort(k->launches, n, sizeof *k->launches, by_index);
}

/* The text of the kernel's module, of which kernels share one copy. */
static const char *read_ptx(struct wg_reader *r, const json_t *o, const char *const *texts, size_t n) {
    const json_t *v = json_object_get(o, "ptx");
    if (!v || json_is_null(v)) return NULL;
    uint64_t at = wg_read_count(r, "ptx", v, INT64_MAX);
    if (!r->failed && at >= n) wg_read_fail(r, "ptx", "the file does not have this text");
    return r->failed ? NULL : texts[at];
}

static const char **read_texts(struct wg_reader *r, const json_t *o, size_t *n) {
    const json_t *a = wg_read_array(r, o, "ptx", false);
    *n = json_array_size(a);
    const char **texts = WG_NEW_N(r->arena, const char *, *n + 1);
    for (size_t i = 0; i < *n; i++) {
        const char *s = json_string_value(json_array_get(a, i));
        if (!s) wg_read_fail(r, "ptx", "texts were expected");
        texts[i] = wg_arena_strdup(r->arena, s ? s : "");
    }
    return texts;
}

static void read_kernels(struct wg_reader *r, const json_t *o, struct wg_profile *result) {
    size_t text_count;
    const char **texts = read_texts(r, o, &text_count);
    const json_t *a = wg_read_array(r, o, "kernels", true);
    size_t n = json_array_size(a);
    result->kernels = WG_NEW_N(r->arena, struct wg_profile_kernel, n);
    result->kernel_count = (uint32_t)n;
    for (size_t i = 0; i < n && !r->failed; i++) {
        const json_t *v = json_array_get(a, i);
        struct wg_profile_kernel *k = &result->kernels[i];
        size_t before = wg_read_enter(r, "kernels", i);
        *k = (struct wg_profile_kernel){.name = wg_read_text_needed(r, v, "name"),
                                        .display = wg_read_text(r, v, "display"),
                                        .module = wg_read_text(r, v, "module"),
                                        .chip = wg_read_text(r, v, "chip"),
                                        .ptx = read_ptx(r, v, texts, text_count),
                                        .registers_least = wg_read_small(r, v, "registers_least", 0),
                                        .max_threads = wg_read_small(r, v, "max_threads", 0),
                                        .static_shared = wg_read_large(r, v, "static_shared"),
                                        .local = wg_read_large(r, v, "local"),
                                        .counted = wg_read_text(r, v, "counted"),
                                        .assembler = wg_read_text(r, v, "assembler")};
        uint32_t registers = wg_read_small(r, v, "registers", 0);
        if (registers) k->registers = wg_occupancy_launch_registers(registers);
        const char *from = wg_read_text(r, v, "registers_from");
        k->registers_estimated = !from || strcmp(from, "ptxas") != 0;
        if (!k->display) k->display = k->name;
        if (!k->counted) k->counted = "ptx";
        if (!r->failed) read_sites(r, v, k);
        if (!r->failed) read_code(r, v, k);
        if (!r->failed) read_loops(r, v, k);
        if (!r->failed) read_machine_code(r, v, k);
        if (!r->failed && k->ptx) wg_mix_lines(k), wg_code_texts(r->arena, k);
        if (!r->failed) read_launches(r, v, k);
        wg_read_leave(r, before);
    }
}

/* ---- The whole file ---------------------------------------------------------------------------------------
 */

static void read_allocations(struct wg_reader *r, const json_t *o, struct wg_profile *result) {
    const json_t *a = wg_read_array(r, o, "allocations", false);
    size_t n = json_array_size(a);
    result->allocations = WG_NEW_N(r->arena, struct wg_profile_allocation, n);
    result->allocation_count = (uint32_t)n;
    for (size_t i = 0; i < n && !r->failed; i++) {
        const json_t *v = json_array_get(a, i);
        size_t before = wg_read_enter(r, "allocations", i);
        const json_t *device = json_object_get(v, "device");
        result->allocations[i] =
            (struct wg_profile_allocation){.id = wg_read_small(r, v, "id", 0),
                                           .device = device ? (int)json_integer_value(device) : -1,
                                           .bytes = wg_read_large(r, v, "bytes"),
                                           .kind = wg_read_text(r, v, "kind"),
                                           .call = wg_read_text(r, v, "call")};
        wg_read_leave(r, before);
    }
}

static void read_calls(struct wg_reader *r, const json_t *o, struct wg_profile *result) {
    const json_t *a = wg_read_array(r, o, "api", false);
    size_t n = json_array_size(a);
    result->calls = WG_NEW_N(r->arena, struct wg_profile_call, n);
    result->call_count = (uint32_t)n;
    for (size_t i = 0; i < n && !r->failed; i++) {
        const json_t *v = json_array_get(a, i);
        size_t before = wg_read_enter(r, "api", i);
        result->calls[i] = (struct wg_profile_call){.name = wg_read_text_needed(r, v, "name"),
                                                    .start_ns = wg_read_large(r, v, "start_ns"),
                                                    .end_ns = wg_read_large(r, v, "end_ns"),
                                                    .thread = wg_read_large(r, v, "thread"),
                                                    .status = wg_read_small(r, v, "result", 0),
                                                    .kind = wg_read_text(r, v, "kind"),
                                                    .bytes = wg_read_large(r, v, "bytes"),
                                                    .stream = wg_read_large(r, v, "stream")};
        wg_read_leave(r, before);
    }
}

static int by_work(const void *x, const void *y) {
    const struct wg_profile_library *a = x, *b = y;
    uint64_t of_a = a->calls * a->operations, of_b = b->calls * b->operations;
    uint64_t bytes_a = a->calls * (a->bytes_read + a->bytes_written);
    uint64_t bytes_b = b->calls * (b->bytes_read + b->bytes_written);
    if (of_a != of_b) return of_a < of_b ? 1 : -1;
    if (bytes_a != bytes_b) return bytes_a < bytes_b ? 1 : -1;
    int names = strcmp(a->name, b->name);
    return names ? names : strcmp(a->sizes, b->sizes);
}

static void read_library(struct wg_reader *r, const json_t *o, struct wg_profile *result) {
    const json_t *a = wg_read_array(r, o, "library", false);
    size_t n = json_array_size(a);
    result->library = WG_NEW_N(r->arena, struct wg_profile_library, n);
    for (size_t i = 0; i < n && !r->failed; i++) {
        const json_t *v = json_array_get(a, i);
        size_t before = wg_read_enter(r, "library", i);
        const char *sizes = wg_read_text(r, v, "sizes");
        result->library[i] =
            (struct wg_profile_library){.name = wg_read_text_needed(r, v, "name"),
                                        .sizes = sizes ? sizes : "",
                                        .calls = wg_read_large(r, v, "calls"),
                                        .operations = wg_read_large(r, v, "operations"),
                                        .bytes_read = wg_read_large(r, v, "bytes_read"),
                                        .bytes_written = wg_read_large(r, v, "bytes_written")};
        wg_read_leave(r, before);
    }
    if (r->failed) return;
    result->library_count = (uint32_t)n;
    qsort(result->library, n, sizeof *result->library, by_work);
}

static void read_copies(struct wg_reader *r, const json_t *o, struct wg_profile *result) {
    const json_t *a = wg_read_array(r, o, "copies", false);
    size_t n = json_array_size(a);
    result->copies = WG_NEW_N(r->arena, struct wg_profile_copy, n);
    result->copy_count = (uint32_t)n;
    for (size_t i = 0; i < n && !r->failed; i++) {
        const json_t *v = json_array_get(a, i);
        size_t before = wg_read_enter(r, "copies", i);
        result->copies[i] =
            (struct wg_profile_copy){.from = wg_read_small(r, v, "from", 0),
                                     .to = wg_read_small(r, v, "to", 0),
                                     .peer_access = json_is_true(json_object_get(v, "peer_access")),
                                     .bytes = wg_read_large(r, v, "bytes"),
                                     .count = wg_read_large(r, v, "count")};
        wg_read_leave(r, before);
    }
}

static void read_sources(struct wg_reader *r, const json_t *o, struct wg_profile *result) {
    const json_t *a = wg_read_array(r, o, "sources", false);
    size_t n = json_array_size(a);
    result->sources = WG_NEW_N(r->arena, struct wg_profile_source, n);
    result->source_count = (uint32_t)n;
    for (size_t i = 0; i < n && !r->failed; i++) {
        size_t before = wg_read_enter(r, "sources", i);
        result->sources[i].name = wg_read_text_needed(r, json_array_get(a, i), "name");
        result->sources[i].text = wg_read_text_needed(r, json_array_get(a, i), "text");
        wg_read_leave(r, before);
    }
}

static void read_devices(struct wg_reader *r, const json_t *o, struct wg_profile *p) {
    const json_t *a = wg_read_array(r, o, "devices", false);
    size_t n = json_array_size(a);
    p->devices = WG_NEW_N(r->arena, struct wg_profile_device, n);
    p->device_count = (uint32_t)n;
    for (size_t i = 0; i < n && !r->failed; i++) {
        const json_t *v = json_array_get(a, i);
        size_t before = wg_read_enter(r, "devices", i);
        p->devices[i] = (struct wg_profile_device){.arch = wg_read_text_needed(r, v, "arch"),
                                                   .name = wg_read_text_needed(r, v, "name"),
                                                   .sms = wg_read_small(r, v, "sms", 0)};
        wg_read_leave(r, before);
    }
}

static void read_program(struct wg_reader *r, const json_t *o, struct wg_profile *result) {
    const json_t *arguments = wg_read_array(r, o, "arguments", false), *device = json_object_get(o, "device");
    size_t n = json_array_size(arguments);
    result->warpglass = wg_read_text(r, o, "warpglass");
    result->program = wg_read_text(r, o, "program");
    if (!result->program) result->program = "the program";
    result->note = wg_read_text(r, o, "note");
    result->ended = wg_read_text(r, o, "ended");
    if (!result->ended) result->ended = "exit";
    const json_t *status = json_object_get(o, "status");
    result->status = json_is_integer(status) ? json_integer_value(status) : 0;
    result->arguments = WG_NEW_N(r->arena, const char *, n + 1);
    result->argument_count = (uint32_t)n;
    for (size_t i = 0; i < n; i++) {
        const char *s = json_string_value(json_array_get(arguments, i));
        result->arguments[i] = wg_arena_strdup(r->arena, s ? s : "");
    }
    result->arch = wg_read_text(r, device, "arch");
    result->device = wg_read_text(r, device, "name");
    if (!result->arch && json_is_object(device)) wg_read_fail(r, "device.arch", "missing");
    if (!result->arch) result->arch = ""; /* it never came to the device */
    if (!result->device) result->device = "";
    result->sms = wg_read_small(r, device, "sms", 0);
    read_devices(r, o, result);
}

/* Is it a file of ours, of a version that we read? */
static bool check_kind(struct wg_reader *r, const json_t *o) {
    const char *format = json_string_value(json_object_get(o, "format"));
    const json_t *version = json_object_get(o, "version");
    if (!format || (strcmp(format, "warpglass-result") != 0 && strcmp(format, "warpglass-report") != 0)) {
        wg_strbuf_printf(r->why, "%s: this is JSON, but not a Warpglass report%s%s%s", r->path,
                         format ? " (its format is '" : "", format ? format : "", format ? "')" : "");
        return false;
    }
    if (json_integer_value(version) != WG_PROFILE_VERSION) {
        const char *who = json_string_value(json_object_get(o, "warpglass"));
        wg_strbuf_printf(r->why,
                         "%s: this is a report of version %lld%s%s, and this Warpglass reads version %d: "
                         "profile the program again",
                         r->path, (long long)json_integer_value(version),
                         who ? ", written by Warpglass " : "", who ? who : "", WG_PROFILE_VERSION);
        return false;
    }
    return true;
}

struct wg_profile *wg_profile_parse(struct wg_arena *arena, const char *text, size_t length, const char *path,
                                    struct wg_strbuf *why) {
    struct wg_reader r = {.arena = arena, .why = why, .path = path};
    json_t *root = wg_read_json(&r, text, length);
    struct wg_profile *result = NULL;
    if (!root) return NULL;
    if (check_kind(&r, root)) {
        result = WG_NEW(arena, struct wg_profile);
        result->arena = arena;
        result->path = wg_arena_strdup(arena, path);
        read_program(&r, root, result);
        read_allocations(&r, root, result);
        read_calls(&r, root, result);
        read_copies(&r, root, result);
        read_library(&r, root, result);
        read_sources(&r, root, result);
        if (!r.failed) read_kernels(&r, root, result);
    }
    json_decref(root);
    return r.failed ? NULL : result;
}

struct wg_profile *wg_profile_read(struct wg_arena *arena, const char *path, struct wg_strbuf *why) {
    struct wg_strbuf file = {0};
    struct wg_profile *result = NULL;
    if (wg_file_read(path, &file))
        result = wg_profile_parse(arena, file.s ? file.s : "", file.n, path, why);
    else
        wg_strbuf_printf(why, "%s: %s", path, strerror(errno));
    wg_strbuf_free(&file);
    return result;
}
