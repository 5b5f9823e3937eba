/* Sums counters by launch, class, site and line: see summary.h. */
#include "report/summary.h"
#include "model/banks.h"
#include "model/coalesce.h"
#include "report/pattern.h"
#include <stdlib.h>
#include <string.h>

struct wg_counts wg_memory_counts(const struct wg_by_class *c, enum wg_class_memory memory) {
    struct wg_counts sum = {0};
    for (int i = 0; i < WG_CLASSES; i++)
        if (wg_class_infos[i].memory == memory) wg_counts_add(&sum, &c->of[i]);
    return sum;
}

/* Sectors of global and local memory less `ideal` ones, and wavefronts likewise. */
static uint64_t memory_units(const struct wg_by_class *c, bool waste) {
    uint64_t sum = 0;
    for (int i = 0; i < WG_CLASSES; i++) {
        const uint64_t *v = c->of[i].v;
        if (wg_class_infos[i].memory == WG_MEMORY_GLOBAL || wg_class_infos[i].memory == WG_MEMORY_LOCAL)
            sum += v[WG_C_sectors] - (waste ? v[WG_C_ideal_sectors] : 0);
        if (wg_class_infos[i].memory == WG_MEMORY_SHARED || wg_class_infos[i].memory == WG_MEMORY_REMOTE)
            sum += waste ? v[WG_C_conflicts] : v[WG_C_wavefronts];
    }
    return sum;
}
uint64_t wg_work(const struct wg_by_class *c) { return memory_units(c, false); }
uint64_t wg_waste(const struct wg_by_class *c) { return memory_units(c, true); }

/* ---- Lines ------------------------------------------------------------------------------------------------
 */

struct lines {
    WG_VEC(struct wg_line_summary) all;
};

static struct wg_line_summary *line_of(struct lines *l, const char *file, uint32_t line) {
    for (uint32_t i = 0; i < l->all.n; i++) {
        struct wg_line_summary *s = &l->all.v[i];
        if (s->line == line && (s->file == file || (file && s->file && !strcmp(file, s->file)))) return s;
    }
    struct wg_line_summary *s = WG_PUSH(&l->all);
    s->file = file;
    s->line = line;
    return s;
}

static void add_to_lines(struct lines *l, const struct wg_site *s, const struct wg_counts *c) {
    if (s->class == WG_CLASS_block || s->class == WG_CLASS_slow_path) return; /* of the machine code */
    if (!s->frame_count) {
        if (s->ptx_line) wg_counts_add(&line_of(l, NULL, s->ptx_line)->own.of[s->class], c);
        return;
    }
    for (uint32_t i = 0; i < s->frame_count; i++) {
        const struct wg_frame *f = &s->frames[i];
        bool seen = false; /* a line that calls itself has its figures once */
        for (uint32_t j = 0; j < i; j++)
            seen |= s->frames[j].line == f->line && !strcmp(s->frames[j].file, f->file);
        if (seen) continue;
        struct wg_line_summary *line = line_of(l, f->file, f->line);
        wg_counts_add(i ? &line->called.of[s->class] : &line->own.of[s->class], c);
    }
}

static int by_place(const void *a, const void *b) {
    const struct wg_line_summary *p = a, *q = b;
    if (p->file != q->file) {
        if (!p->file || !q->file) return p->file ? -1 : 1;
        int files = strcmp(p->file, q->file);
        if (files) return files;
    }
    return p->line < q->line ? -1 : p->line > q->line;
}

/* ---- Kernels ----------------------------------------------------------------------------------------------
 */

static uint32_t cost_of(const struct wg_recorded *r, const struct wg_site *s) {
    uint32_t offset[32];
    for (int i = 0; i < 32; i++) offset[i] = (uint32_t)r->address[i];
    enum wg_class_memory m = wg_class_infos[s->class].memory;
    if (m == WG_MEMORY_SHARED || m == WG_MEMORY_REMOTE)
        return wg_banks(WG_SHARED_STORE, offset, r->lanes, s->bytes).wavefronts;
    return wg_coalesce(r->address, r->lanes, s->bytes).sectors;
}

static void keep_samples(struct wg_summary *s, const struct wg_launch *l) {
    for (uint32_t i = 0; i < l->sample_count; i++) {
        struct wg_site_summary *site = &s->sites[l->samples[i].site];
        if (!site->first) site->first = &l->samples[i], site->first_launch = l;
        if (!site->worst || cost_of(&l->samples[i], site->site) > cost_of(site->worst, site->site))
            site->worst = &l->samples[i], site->worst_launch = l;
    }
}

static void sum_kernel(struct wg_arena *arena, struct wg_summary *s) {
    const struct wg_profile_kernel *k = s->kernel;
    struct lines lines = {0};
    s->sites = WG_NEW_N(arena, struct wg_site_summary, k->site_count);
    for (uint32_t i = 0; i < k->site_count; i++) {
        s->sites[i].site = &k->sites[i];
        s->has_lines |= k->sites[i].frame_count > 0;
    }
    for (uint32_t i = 0; i < s->launch_count; i++) {
        const struct wg_launch *l = s->launches[i];
        wg_counts_add(&s->totals, &l->totals);
        for (uint32_t j = 0; j < l->site_count; j++)
            wg_counts_add(&s->sites[l->sites[j].site].counts, &l->sites[j].counts);
        keep_samples(s, l);
    }
    for (uint32_t i = 0; i < k->site_count; i++) {
        const struct wg_counts *c = &s->sites[i].counts;
        wg_counts_add(&s->classes.of[k->sites[i].class], c);
        bool executed = false;
        for (int j = 0; j < WG_COUNTERS; j++) executed |= c->v[j] != 0;
        if (executed) add_to_lines(&lines, &k->sites[i], c);
    }
    if (lines.all.n) qsort(lines.all.v, lines.all.n, sizeof *lines.all.v, by_place);
    s->lines = WG_NEW_N(arena, struct wg_line_summary, lines.all.n);
    s->line_count = lines.all.n;
    if (lines.all.n) memcpy(s->lines, lines.all.v, lines.all.n * sizeof *s->lines);
    free(lines.all.v);
}

static int by_first_launch(const void *a, const void *b) {
    const struct wg_summary *p = a, *q = b;
    return p->launches[0]->index < q->launches[0]->index ? -1 : 1;
}

static bool name_fits(const struct wg_pattern *pattern, const struct wg_profile_kernel *k) {
    return wg_pattern_fits(pattern, k->display) || wg_pattern_fits(pattern, k->name);
}

bool wg_summarise(struct wg_arena *arena, const struct wg_profile *r, const struct wg_choice *choice,
                  struct wg_summaries *out, struct wg_strbuf *why) {
    struct wg_pattern *pattern = choice->kernel ? wg_pattern_make(choice->kernel, why) : NULL;
    if (choice->kernel && !pattern) return false;
    out->v = WG_NEW_N(arena, struct wg_summary, r->kernel_count);
    out->n = 0;
    for (uint32_t i = 0; i < r->kernel_count; i++) {
        const struct wg_profile_kernel *k = &r->kernels[i];
        if (choice->kernel && !name_fits(pattern, k)) continue;
        struct wg_summary *s = &out->v[out->n];
        *s = (struct wg_summary){.result = r, .kernel = k};
        s->launches = WG_NEW_N(arena, const struct wg_launch *, k->launch_count);
        for (uint32_t j = 0; j < k->launch_count; j++)
            if (k->launches[j].index >= choice->first && k->launches[j].index <= choice->last)
                s->launches[s->launch_count++] = &k->launches[j];
        if (!s->launch_count) continue;
        sum_kernel(arena, s);
        out->n++;
    }
    if (out->n) qsort(out->v, out->n, sizeof *out->v, by_first_launch);
    wg_pattern_free(pattern);
    return true;
}

const char *wg_short_name(struct wg_arena *arena, const char *display) {
    /* The argument list is the last parenthesis at depth 0 of angle brackets; the return type ends at the
     * last blank before it at depth 0. */
    size_t end = strlen(display), begin = 0;
    int depth = 0;
    for (size_t i = 0; display[i]; i++) {
        if (display[i] == '<') depth++;
        if (display[i] == '>') depth--;
        if (display[i] == '(' && !depth && i && strncmp(display + i, "(anonymous namespace)", 21) != 0) {
            end = i;
            break;
        }
        if (!strncmp(display + i, "(anonymous namespace)", 21)) i += 20;
        if (display[i] == ' ' && !depth) begin = i + 1;
    }
    if (begin >= end) begin = 0;
    return wg_arena_strndup(arena, display + begin, end - begin);
}
