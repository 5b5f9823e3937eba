/* See machine_code.h. */
#include "cli/machine_code.h"
#include "analysis/sass_counts.h"
#include "analysis/sass_hoists.h"
#include "analysis/sass_slow.h"
#include "analysis/slow_paths.h"
#include "cli/say.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A kernel with the functions that it calls. */
struct whole {
    const struct wg_sass_func **funcs;
    struct wg_sass_flow *flows;
    uint32_t n, ninstrs, most; /* instructions of all, blocks of the largest */
};

/* ---- Which code ---- */

static bool add_func(struct wg_arena *a, const struct wg_sass *s, const char *name, struct whole *k) {
    const struct wg_sass_func *f = wg_sass_find(s, name);
    for (uint32_t i = 0; i < k->n; i++)
        if (k->funcs[i] == f) return true;
    if (!f) return k->n > 0; /* printf and its kind */
    if (!wg_sass_flow_find(a, f, 0, &k->flows[k->n])) return false;
    k->funcs[k->n++] = f;
    k->ninstrs += f->ninstrs;
    if (f->nblocks > k->most) k->most = f->nblocks;
    for (uint32_t b = 0; b < f->nblocks; b++)
        if (f->blocks[b].calls && f->blocks[b].callee == WG_SASS_NONE &&
            !add_func(a, s, f->blocks[b].calls, k))
            return false;
    return true;
}

/* The site of the source line that each line of the PTX counts for: its own or that of the nearest one before it. An empty
 * kernel has none. */
static uint32_t *sites_of_lines(struct wg_arena *a, const struct wg_profile_kernel *k, uint32_t nlines) {
    uint32_t *site = WG_NEW_N(a, uint32_t, nlines + 1), last = UINT32_MAX;
    for (uint32_t i = 0; i < nlines; i++) site[i] = UINT32_MAX;
    for (uint32_t i = k->code_count; i-- > 0;) site[k->code[i].ptx_line] = k->code[i].line;
    for (uint32_t i = 0; i < nlines; i++) {
        if (site[i] == UINT32_MAX) site[i] = last;
        last = site[i];
    }
    for (uint32_t i = 0; i < nlines && site[i] == UINT32_MAX; i++)
        site[i] = k->code_count ? k->code[0].line : 0;
    return site;
}

static uint32_t count_ptx_lines(const struct wg_profile_kernel *k) {
    uint32_t n = 1;
    for (uint32_t i = 0; i < k->code_count; i++)
        if (k->code[i].ptx_line >= n) n = k->code[i].ptx_line + 1;
    return n;
}

/* An access to local memory that was made of something else: of a register that the assembler keeps there. */
static bool is_spill(const struct wg_sass_instr *in, const struct wg_profile_kernel *k) {
    if (!wg_sass_is(in, "STL") && !wg_sass_is(in, "LDL")) return false;
    for (uint32_t i = 0; i < k->site_count; i++)
        if (wg_class_infos[k->sites[i].class].memory == WG_MEMORY_LOCAL &&
            k->sites[i].ptx_line == in->ptx_line)
            return false;
    return true;
}

static void set_code(struct wg_arena *a, const struct whole *w, struct wg_profile_kernel *k) {
    uint32_t nlines = count_ptx_lines(k);
    const uint32_t *site = sites_of_lines(a, k, nlines);
    uint32_t n = 0, blocks = 0;
    k->machine = WG_NEW_N(a, struct wg_machine_code, w->ninstrs + 1);
    for (uint32_t i = 0; i < w->n; i++) {
        const struct wg_sass_func *f = w->funcs[i];
        for (uint32_t b = 0; b < f->nblocks; b++, blocks++)
            for (uint32_t j = f->blocks[b].from; j < f->blocks[b].to; j++) {
                uint32_t line = f->instrs[j].ptx_line;
                k->machine[n++] = (struct wg_machine_code){.text = wg_arena_strdup(a, f->instrs[j].text),
                                                           .ptx_line = line,
                                                           .line = site[line < nlines ? line : 0],
                                                           .block = blocks,
                                                           .load = wg_sass_loads(&f->instrs[j]),
                                                           .spill = is_spill(&f->instrs[j], k)};
            }
    }
    k->machine_count = n;
}

/* ---- How often ---- */

/* What a site of a slow path counts. */
static uint64_t *slow_of(struct wg_sass_line *line, const char *op) {
    for (int i = WG_SLOW_ANY + 1; i < WG_SLOW_PATHS; i++)
        if (!strcmp(op, wg_slow_path_name((enum wg_slow_path)i))) return &line->slow[i];
    return &line->slow[WG_SLOW_ANY];
}

static void count_lines(const struct wg_profile_kernel *k, const struct wg_launch *l,
                        struct wg_sass_line *lines, uint32_t nlines) {
    const struct wg_counts **of = wg_xcalloc(k->site_count + 1, sizeof(void *));
    for (uint32_t i = 0; i < l->site_count; i++) of[l->sites[i].site] = &l->sites[i].counts;
    for (uint32_t i = 0; i < k->code_count; i++) {
        struct wg_sass_line *line = &lines[k->code[i].ptx_line];
        line->times = line->parted = 0;
        memset(line->slow, 0, sizeof line->slow);
        line->full = true;
    }
    for (uint32_t i = 0; i < k->code_count; i++) {
        const struct wg_counts *c = of[k->code[i].block];
        struct wg_sass_line *line = &lines[k->code[i].ptx_line];
        if (!c) continue;
        line->times += c->v[WG_C_instructions];
        line->full &= c->v[WG_C_threads] == 32 * c->v[WG_C_instructions];
    }
    for (uint32_t i = 0; i < k->site_count; i++)
        if (of[i] && k->sites[i].class == WG_CLASS_branch && k->sites[i].ptx_line < nlines)
            lines[k->sites[i].ptx_line].parted += of[i]->v[WG_C_divergent_branches];
    for (uint32_t i = 0; i < k->site_count; i++)
        if (of[i] && k->sites[i].class == WG_CLASS_slow_path && k->sites[i].ptx_line < nlines)
            *slow_of(&lines[k->sites[i].ptx_line], k->sites[i].op) += of[i]->v[WG_C_instructions];
    for (uint32_t i = 0; i < k->site_count; i++) /* turns of the loop that an atomic becomes */
        if (of[i] && k->sites[i].becomes && k->sites[i].ptx_line < nlines &&
            lines[k->sites[i].ptx_line].known)
            lines[k->sites[i].ptx_line].times = of[i]->v[WG_C_instructions];
    free(of);
}

/* [line of the PTX] where the loads are that are counted there. */
static enum wg_sass_place *find_places(struct wg_arena *a, const struct whole *w,
                                       const struct wg_profile_kernel *k, const struct wg_sass_line *lines,
                                       uint32_t nlines) {
    struct wg_sass_placed *v = WG_NEW_N(a, struct wg_sass_placed, k->code_count + 1);
    enum wg_sass_place *place = WG_NEW_N(a, enum wg_sass_place, nlines + 1);
    for (uint32_t i = 0; i < k->code_count; i++)
        v[i] =
            (struct wg_sass_placed){k->code[i].ptx_line, k->code[i].block, lines[k->code[i].ptx_line].branch,
                                    k->code[i].text && strstr(k->code[i].text, ".local")};
    for (uint32_t i = 0; i < w->n; i++) wg_sass_hoists(a, &w->flows[i], v, k->code_count, nlines, place);
    return place;
}

static struct wg_sass_line *lines_of(struct wg_arena *a, const struct wg_profile_kernel *k, uint32_t *n) {
    *n = count_ptx_lines(k);
    struct wg_sass_line *lines = WG_NEW_N(a, struct wg_sass_line, *n + 1);
    for (uint32_t i = 0; i < k->code_count; i++) {
        const char *text = k->code[i].text ? k->code[i].text : "";
        struct wg_sass_line *line = &lines[k->code[i].ptx_line];
        line->known = true;
        line->guarded = *text == '@';
        line->several = strstr(text, "mma.") || strstr(text, ".v2.") || strstr(text, ".v4.");
        line->test = strstr(text, "setp");
        line->branch =
            line->guarded && (strstr(text, " bra") || strstr(text, " exit") || strstr(text, " ret"));
    }
    return lines;
}

static bool has_known_line(const struct wg_sass_flow *w, const struct wg_sass_line *lines, uint32_t nlines) {
    for (uint32_t b = 0; b < w->f->nblocks; b++)
        for (uint32_t i = w->f->blocks[b].from; w->dominator[b] != WG_SASS_NONE && i < w->f->blocks[b].to;
             i++)
            if (w->f->instrs[i].ptx_line < nlines && lines[w->f->instrs[i].ptx_line].known) return true;
    return false;
}

/* A function of the PTX that ptxas has put behind the kernel, such as the slow path of a sine: its lines say how often it is
 * called, which the blocks that call it may not know. */
static void count_function(const struct wg_sass_flow *w, const struct wg_sass_flow *called,
                           const struct wg_sass_line *lines, uint32_t nlines, double *times) {
    const struct wg_sass_func *f = w->f;
    double *own = wg_xcalloc(f->nblocks + 1, sizeof *own), calls = 0;
    wg_sass_counts(called, lines, nlines, NAN, own);
    for (uint32_t b = 0; b < f->nblocks; b++)
        if (f->blocks[b].callee == called->root) calls += times[b];
    for (uint32_t b = 0; b < f->nblocks && calls > own[called->root]; b++) {
        uint32_t next = f->blocks[b].nnext == 1 ? f->blocks[b].next[0] : WG_SASS_NONE;
        if (f->blocks[b].callee != called->root) continue;
        times[b] *= own[called->root] / calls;
        if (next != WG_SASS_NONE && w->nbefore[next] == 1) times[next] = times[b];
    }
    for (uint32_t b = 0; b < f->nblocks; b++)
        if (called->dominator[b] != WG_SASS_NONE) times[b] = own[b];
    free(own);
}

/* Functions in the kernel's own code: those of the PTX, and the assembler's, such as the division of 64-bit integers. */
static bool count_called(const struct wg_sass_flow *w, const struct wg_sass_line *lines, uint32_t nlines,
                         double *times) {
    const struct wg_sass_func *f = w->f;
    bool good = true, *counted = wg_xcalloc(f->nblocks + 1, sizeof *counted);
    for (uint32_t b = 0; b < f->nblocks && good; b++) {
        struct wg_arena a = {0};
        struct wg_sass_flow called;
        uint32_t callee = f->blocks[b].callee;
        if (callee == WG_SASS_NONE || !(times[b] > 0) || counted[callee]) continue;
        good = wg_sass_flow_find(&a, f, callee, &called);
        if (good && wg_sass_add_slow_call(w, b, &called, lines, nlines, times)) {
            /* it is counted call by call */
        } else if (good && has_known_line(&called, lines, nlines)) {
            count_function(w, &called, lines, nlines, times);
            counted[callee] = true;
        } else if (good) {
            wg_sass_counts_called(&called, times[b], times);
        }
        wg_arena_free(&a);
    }
    free(counted);
    return good;
}

/* How many warps began the launch; NAN: it did not end well. */
static double warps_of(const struct wg_launch *l) {
    double blocks = 1, threads = 1;
    for (int i = 0; i < 3; i++) blocks *= l->grid[i], threads *= l->block[i];
    return strcmp(l->status, "success") == 0 ? blocks * ceil(threads / 32) : NAN;
}

/* Executions of each instruction. */
static bool count_code(const struct whole *w, const struct wg_sass_line *lines, uint32_t nlines, double warps,
                       uint64_t *machine) {
    double *times = wg_xcalloc(w->most + 1, sizeof *times);
    uint32_t n = 0;
    bool good = true;
    for (uint32_t i = 0; i < w->n && good; i++) {
        const struct wg_sass_func *f = w->funcs[i];
        good = wg_sass_counts(&w->flows[i], lines, nlines, i == 0 ? warps : NAN, times) &&
               count_called(&w->flows[i], lines, nlines, times);
        for (uint32_t b = 0; b < f->nblocks; b++)
            for (uint32_t j = f->blocks[b].from; j < f->blocks[b].to; j++)
                machine[n++] = (uint64_t)(times[b] + 0.5);
    }
    free(times);
    return good;
}

/* Of a launch: executions of each instruction, where they are kept, and machine instructions by site. */
struct counted {
    uint64_t *machine, *sums, all, spills;
    uint64_t *loads;                 /* [line of the PTX] executions of its loads */
    const enum wg_sass_place *place; /* [line of the PTX] of its loads */
    uint32_t nlines;
};

/* Launches whose warps did the same as in the one before share what was counted. */
static bool count_launches(struct wg_arena *a, struct wg_arena *scratch, const struct whole *w,
                           const struct wg_profile_kernel *k, struct wg_launch *const *first,
                           struct counted *of) {
    enum { KEEP_AT_MOST = 8000000 };
    bool keep = (uint64_t)w->ninstrs * k->alike_count <= KEEP_AT_MOST;
    uint64_t *machine = WG_NEW_N(scratch, uint64_t, w->ninstrs + 1);
    uint32_t nlines;
    struct wg_sass_line *lines = lines_of(scratch, k, &nlines);
    struct wg_sass_line *before = WG_NEW_N(scratch, struct wg_sass_line, nlines);
    const enum wg_sass_place *place = find_places(scratch, w, k, lines, nlines);
    for (uint32_t i = 0; i < nlines; i++) lines[i].known &= place[i] == WG_SASS_IN_PLACE;
    for (uint32_t i = 0; i < k->alike_count; i++) {
        double warps = warps_of(first[i]);
        count_lines(k, first[i], lines, nlines);
        if (i && !memcmp(lines, before, nlines * sizeof *lines) && warps == warps_of(first[i - 1])) {
            of[i] = of[i - 1];
            continue;
        }
        memcpy(before, lines, nlines * sizeof *lines);
        if (keep) machine = WG_NEW_N(a, uint64_t, w->ninstrs + 1);
        if (!count_code(w, lines, nlines, warps, machine)) return false;
        of[i] = (struct counted){keep ? machine : NULL,
                                 WG_NEW_N(scratch, uint64_t, k->site_count + 1),
                                 0,
                                 0,
                                 WG_NEW_N(scratch, uint64_t, nlines + 1),
                                 place,
                                 nlines};
        for (uint32_t j = 0; j < k->machine_count; j++) {
            of[i].sums[k->machine[j].line] += machine[j];
            of[i].all += machine[j];
            if (k->machine[j].spill) of[i].spills += machine[j];
            if (k->machine[j].load && !k->machine[j].spill && k->machine[j].ptx_line < nlines)
                of[i].loads[k->machine[j].ptx_line] += machine[j];
        }
    }
    return true;
}

/* Lines of which the PTX executed nothing may have machine instructions all the same, by a predicate. */
static void add_sites(struct wg_arena *a, const struct wg_profile_kernel *k, struct wg_launch *l,
                      const uint64_t *sums) {
    struct wg_site_counts *all = WG_NEW_N(a, struct wg_site_counts, l->site_count + k->site_count + 1);
    bool *there = wg_xcalloc(k->site_count + 1, sizeof *there);
    uint32_t n = l->site_count;
    if (n) memcpy(all, l->sites, n * sizeof *all);
    for (uint32_t i = 0; i < n; i++) there[all[i].site] = true;
    for (uint32_t i = 0; i < k->site_count; i++)
        if (sums[i] && !there[i]) all[n++].site = i;
    l->sites = all;
    l->site_count = n;
    free(there);
}

/* The counter of each line. */
static void set_counters(struct wg_arena *a, const struct wg_profile_kernel *k, struct wg_launch *l,
                         const struct counted *of) {
    l->machine = of->machine;
    l->spills = of->spills;
    l->totals.v[WG_C_machine_instructions] = of->all;
    add_sites(a, k, l, of->sums);
    for (uint32_t i = 0; i < l->site_count; i++) {
        uint64_t *n = &l->sites[i].counts.v[WG_C_machine_instructions];
        if (k->sites[l->sites[i].site].class == WG_CLASS_line)
            *n = of->sums[l->sites[i].site];
        else
            l->totals.v[WG_C_machine_instructions] += *n; /* system calls have theirs at their accesses */
    }
}

/* ---- Loads in other places ---- */

static uint64_t scaled(uint64_t n, uint64_t times, uint64_t of) {
    return (uint64_t)((unsigned __int128)n * times / of);
}

/* What the PTX has in a loop and the machine code before it was accessed as often as that is executed: each time as in the
 * loop, on the average. What is loaded again is as wide as the first time. */
static void set_loads(const struct wg_profile_kernel *k, struct wg_launch *l, const struct counted *of) {
    for (uint32_t i = 0; i < l->site_count; i++) {
        const struct wg_site *s = &k->sites[l->sites[i].site];
        uint64_t *v = l->sites[i].counts.v, before = v[WG_C_requests], now;
        if (s->ptx_line >= of->nlines || !before) continue;
        now = of->loads[s->ptx_line];
        if (of->place[s->ptx_line] != (now < before ? WG_SASS_MOVED : WG_SASS_AGAIN)) continue;
        for (int c = WG_C_requests; c < WG_C_ways; c++) {
            uint64_t rest = scaled(v[c], now, before);
            l->totals.v[c] += rest - v[c];
            v[c] = rest;
        }
    }
}

/* ---- Arrays in registers ---- */

/* False also where a function is called that is not among the code's. */
static bool has_no_local_access(const struct whole *w) {
    for (uint32_t i = 0; i < w->n; i++) {
        const struct wg_sass_func *f = w->funcs[i];
        for (uint32_t j = 0; j < f->ninstrs; j++)
            if (wg_sass_is(&f->instrs[j], "LDL") || wg_sass_is(&f->instrs[j], "STL")) return false;
        for (uint32_t b = 0; b < f->nblocks; b++)
            if (f->blocks[b].to > f->blocks[b].from && !f->blocks[b].calls &&
                f->blocks[b].callee == WG_SASS_NONE && wg_sass_is(&f->instrs[f->blocks[b].to - 1], "CALL"))
                return false;
    }
    return true;
}

static bool is_local(const struct wg_site *s) {
    return wg_class_infos[s->class].memory == WG_MEMORY_LOCAL && s->op && strstr(s->op, ".local");
}

static void drop_local(const struct wg_profile_kernel *k, struct wg_launch *l) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < l->site_count; i++) {
        struct wg_counts *c = &l->sites[i].counts;
        if (!is_local(&k->sites[l->sites[i].site])) continue;
        c->v[WG_C_instructions] = c->v[WG_C_threads] = 0; /* their totals are the lines' */
        for (int j = 0; j < WG_COUNTERS; j++)
            if (j != WG_C_ways) l->totals.v[j] -= c->v[j];
        *c = (struct wg_counts){{0}};
    }
    for (uint32_t i = 0; i < l->sample_count; i++)
        if (!is_local(&k->sites[l->samples[i].site])) l->samples[n++] = l->samples[i];
    l->sample_count = n;
}

/* Where the machine code accesses no local memory, the assembler keeps the kernel's arrays in registers: which larger
 * ones it does, no rule tells (analysis/promoted.h). */
static void promote(const struct whole *w, struct wg_profile_kernel *k, struct wg_launch *const *first) {
    if (!k->local || !has_no_local_access(w)) return;
    for (uint32_t i = 0; i < k->alike_count; i++) drop_local(k, first[i]);
    k->local = 0;
}

/* ---- A kernel ---- */

/* One of the launches of each number, from which the others have what was counted. */
static struct wg_launch **first_of_each(struct wg_arena *scratch, const struct wg_profile_kernel *k) {
    struct wg_launch **first = WG_NEW_N(scratch, struct wg_launch *, k->alike_count + 1);
    for (uint32_t i = k->launch_count; i-- > 0;) first[k->launches[i].alike] = &k->launches[i];
    return first;
}

static void count_kernel(struct wg_arena *a, struct wg_arena *scratch, const struct wg_sass *s,
                         struct wg_profile_kernel *k) {
    struct whole w = {.funcs = WG_NEW_N(scratch, const struct wg_sass_func *, s->n + 1)};
    w.flows = WG_NEW_N(scratch, struct wg_sass_flow, s->n + 1);
    struct counted *of = WG_NEW_N(scratch, struct counted, k->alike_count + 1);
    struct wg_launch **first = first_of_each(scratch, k);
    if (!add_func(scratch, s, k->name, &w)) return;
    set_code(a, &w, k);
    if (count_launches(a, scratch, &w, k, first, of)) {
        k->assembler = s->assembler ? wg_arena_strdup(a, s->assembler) : "ptxas";
        for (uint32_t i = 0; i < k->alike_count; i++) {
            set_counters(a, k, first[i], &of[i]);
            set_loads(k, first[i], &of[i]);
        }
        promote(&w, k, first);
        for (uint32_t i = 0; i < k->launch_count; i++)
            wg_launch_share(&k->launches[i], first[k->launches[i].alike]);
        if (!k->site_count) k->machine_count = 0; /* an empty kernel has no line to show it at */
        return;
    }
    k->machine_count = 0;
    wg_say_verbose(
        "%s: what was counted does not fit the machine code, so machine instructions are estimated",
        k->display ? k->display : k->name);
}

/* Each by itself, as the program that ran it asked (machine/profile.c): the answer is kept. */
static void ask_for_kernel(struct wg_arena *a, const struct wg_profile *p, struct wg_profile_kernel *k) {
    struct wg_arena scratch = {0};
    struct wg_strbuf text = {0};
    struct wg_sass s;
    const char *const names[] = {k->name};
    struct wg_sass_question q = {{k->ptx, p->arch, names, 1}, WG_SASS_SECONDS};
    if (wg_sass_ask(&q, &text)) {
        wg_sass_parse(&scratch, text.s, &s);
        count_kernel(a, &scratch, &s, k);
    } else if (text.n) {
        wg_say_verbose("the program's PTX has no machine code, so machine instructions are estimated:\n%s",
                       text.s);
    }
    wg_strbuf_free(&text);
    wg_arena_free(&scratch);
}

void wg_machine_code_ask(struct wg_arena *arena, struct wg_profile *p) {
    for (uint32_t i = 0; i < p->kernel_count; i++)
        if (p->kernels[i].ptx && p->kernels[i].launch_count) ask_for_kernel(arena, p, &p->kernels[i]);
}
