/* See profile.h. */
#include "machine/profile.h"
#include "analysis/apart.h"
#include "analysis/atomics.h"
#include "analysis/sass_accesses.h"
#include "analysis/sites.h"
#include "count/fast.h"
#include "count/result.h"
#include "count/system_calls.h"
#include "count/tally.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct wg_profile {
    const struct wg_sites *sites;
    struct wg_result *result;           /* NULL: none */
    const struct wg_listener *listener; /* NULL: nobody */
    uint64_t stream;
    bool one_warp;          /* is all of the launch */
    struct wg_counts *rows; /* summed up; NULL: not yet */
    struct wg_site_tally *samples;
    uint32_t ntallies;
    struct wg_tally *tallies[]; /* [worker]; NULL until it ran something */
};

/* What is counted: where ptxas and nvdisasm are installed, what the machine code has. */
static struct wg_sites *find_sites(const struct wg_func *f) {
    const struct wg_module *m = f->module;
    const struct wg_sass_accesses *made = NULL;
    const char *const names[] = {f->ir->name};
    struct wg_sass_question q = {{m->ptx, m->dev->chip->arch, names, 1}, WG_SASS_SECONDS};
    struct wg_arena a = {0};
    struct wg_strbuf text = {0};
    struct wg_sass s;
    if (m->ptx && wg_sass_ask(&q, &text)) {
        wg_sass_parse(&a, text.s, &s);
        made = wg_sass_accesses_find(&a, &s, f->ir->name);
    }
    struct wg_sites *sites = wg_sites_find(m->ir, f->index, made);
    wg_strbuf_free(&text);
    wg_arena_free(&a);
    return sites;
}

const struct wg_sites *wg_profile_sites(struct wg_func *f) {
    const struct wg_device *dev = f->module->dev;
    if (!dev->options.result && !atomic_load(&dev->listener)) return NULL;
    if (!f->sites) {
        f->sites = find_sites(f);
        wg_keep_apart(f->module->ir, &f->module->ir->funcs[f->index]);
    }
    return f->sites;
}

void wg_profile_listener(struct wg_device *dev, const struct wg_listener *l) {
    atomic_store(&dev->listener, l);
}

static struct wg_profile *new_profile(struct wg_device *dev, struct wg_func *f, uint64_t stream) {
    uint32_t n = dev->pool.nworkers;
    struct wg_profile *p = wg_xcalloc(1, sizeof *p + n * sizeof *p->tallies);
    p->sites = f->sites;
    p->result = dev->options.result;
    p->listener = atomic_load(&dev->listener);
    p->stream = stream;
    p->ntallies = n;
    return p;
}

struct wg_profile *wg_profile_copy(const struct wg_profile *p, struct wg_func *f, uint64_t stream) {
    struct wg_profile *to = new_profile(f->module->dev, f, stream);
    to->one_warp = p->one_warp;
    wg_profile_begin_sum(to);
    memcpy(to->rows, p->rows, p->sites->n * sizeof *p->rows);
    memcpy(to->samples, p->samples, p->sites->nmemory * sizeof *p->samples);
    return to;
}

enum wg_profile_use wg_profile_use(struct wg_device *dev, uint64_t index) {
    const struct wg_options *o = &dev->options;
    if (!o->result || !o->is_counted || o->is_counted(index)) return WG_PROFILE_COUNTED;
    return atomic_load(&dev->listener) || wg_checks(dev) ? WG_PROFILE_HEARD : WG_PROFILE_LEFT_OUT;
}

void wg_profile_only_heard(struct wg_profile *p) {
    if (p) p->result = NULL;
}

void wg_profile_begin(struct wg_grid *g, uint64_t stream) {
    const uint32_t *n = g->block.nctaid, *t = g->block.ntid;
    g->profile = g->code->collect ? new_profile(g->dev, g->func, stream) : NULL;
    if (g->profile) g->profile->one_warp = n[0] * n[1] * n[2] == 1 && t[0] * t[1] * t[2] <= WG_LANES;
}

struct wg_tally *wg_profile_tally(const struct wg_grid *g, uint32_t worker) {
    struct wg_profile *p = g->profile;
    if (!p || (p->rows && !g->code->collect)) return NULL; /* it is counted */
    struct wg_tally **t = &p->tallies[worker];
    if (!*t) *t = wg_tally_new(p->sites, g->code->tally_units, p->sites->nmemory);
    return *t;
}

/* ---- a kernel as the result file has it ---- */

/* The static part of launch__shared_mem_per_block: where a module has dynamic shared memory, that begins at a multiple
 * of its alignment, in its kernels without any, too. */
static uint32_t launched_static(const struct wg_ir_module *m, uint32_t bytes) {
    uint32_t align = 1;
    for (uint32_t i = 0; i < m->nsyms; i++)
        if (m->syms[i].kind == WG_SYM_DYNSHARED && m->syms[i].align > align) align = m->syms[i].align;
    return (bytes + align - 1) / align * align;
}

static const char *becomes(const struct wg_site *s) {
    return s->way == WG_SHARED_WAY_LOOP ? "loop" : s->way == WG_SHARED_WAY_SWAP ? "swap" : NULL;
}

static struct wg_result_kernel describe(struct wg_arena *a, struct wg_func *f) {
    const struct wg_sites *s = f->sites;
    struct wg_func_info info;
    char *own = wg_func_pretty(f), *pretty = wg_arena_strdup(a, own);
    free(own);
    wg_func_info(f, &info);
    struct wg_result_site *sites = WG_NEW_N(a, struct wg_result_site, s->n + 1);
    for (uint32_t i = 0; i < s->n; i++) {
        const struct wg_site *x = &s->v[i];
        sites[i] = (struct wg_result_site){.class = x->class,
                                           .bytes = x->bytes,
                                           .joined = x->joined,
                                           .ptx_line = x->ptx_line,
                                           .op = x->op,
                                           .what = x->what,
                                           .becomes = becomes(x)};
        sites[i].frames = wg_ir_frames(a, f->module->ir, x->loc, pretty, &sites[i].nframes);
    }
    struct wg_result_code *code = WG_NEW_N(a, struct wg_result_code, s->ncode + 1);
    for (uint32_t i = 0; i < s->ncode; i++)
        code[i] = (struct wg_result_code){s->code[i].ptx_line, s->code[i].line, s->code[i].block,
                                          s->code[i].enters};
    return (struct wg_result_kernel){.name = f->ir->name,
                                     .display = pretty,
                                     .module = f->module->ir->name,
                                     .chip =
                                         f->module->dev->options.mixed ? f->module->dev->chip->name : NULL,
                                     .ptx = f->module->ptx,
                                     .registers = wg_func_registers_now(f).n,
                                     .registers_least = f->least,
                                     .static_shared = launched_static(f->module->ir, info.shared_static),
                                     .local = info.local_bytes,
                                     .max_threads = info.bound,
                                     .joins_modelled = true,
                                     .sites = sites,
                                     .nsites = s->n,
                                     .code = code,
                                     .ncode = s->ncode,
                                     .nmemory = s->nmemory};
}

static uint32_t number_of(struct wg_func *f, struct wg_result *result) {
    pthread_mutex_lock(&f->module->lock);
    uint32_t known = f->result_kernel;
    pthread_mutex_unlock(&f->module->lock);
    if (known) return known - 1;
    struct wg_arena a = {0};
    struct wg_result_kernel k = describe(&a, f);
    uint32_t number = wg_result_kernel(result, &k); /* twice gives the same */
    wg_arena_free(&a);
    pthread_mutex_lock(&f->module->lock);
    f->result_kernel = number + 1;
    pthread_mutex_unlock(&f->module->lock);
    return number;
}

static bool find_allocation(void *user, uint64_t address, struct wg_result_allocation *out) {
    struct wg_device *dev = user;
    static const char *const kinds[] = {
        [WG_MEM_DEVICE] = "device",   [WG_MEM_PINNED] = "host",   [WG_MEM_MANAGED] = "managed",
        [WG_MEM_REGISTERED] = "host", [WG_MEM_MODULE] = "module", [WG_MEM_HEAP] = "device",
        [WG_MEM_SCRATCH] = "device",
    };
    struct wg_device *owner;
    struct wg_mem_info info = wg_mem_query_owner(dev, (const void *)address, &owner);
    if (!info.base) return false;
    bool own = info.kind == WG_MEM_DEVICE || info.kind == WG_MEM_MODULE || info.kind == WG_MEM_HEAP;
    int device = own && dev->options.ndevices > 1 ? (int)owner->ordinal : -1;
    *out = (struct wg_result_allocation){info.id, (uint64_t)info.base, info.size, kinds[info.kind], device};
    return true;
}

/* ---- the end of a launch ---- */

static void times_as_many(struct wg_counts *c, uint64_t times) {
    for (int i = 0; i < WG_COUNTERS; i++)
        if (!wg_counter_infos[i].most) c->v[i] *= times;
}

/* Adds what the worker has counted, so many times, and forgets it. */
static void add_tally(struct wg_profile *p, const struct wg_code *code, struct wg_tally **of,
                      uint64_t times) {
    const struct wg_sites *s = p->sites;
    struct wg_counts *rows = times == 1 ? p->rows : wg_xcalloc(s->n + 1, sizeof *rows);
    code->collect(code, *of, rows);
    wg_tally_settle(*of);
    for (uint32_t i = 0; rows != p->rows && i < s->n; i++) {
        times_as_many(&rows[i], times);
        wg_counts_add(&p->rows[i], &rows[i]);
    }
    for (uint32_t i = 0; i < s->nmemory; i++) {
        times_as_many(&(*of)->sites[i].counts, times);
        wg_site_merge(&p->samples[i], &(*of)->sites[i]);
    }
    if (rows != p->rows) free(rows);
    wg_tally_free(*of);
    *of = NULL;
}

void wg_profile_begin_sum(struct wg_profile *p) {
    p->rows = wg_xcalloc(p->sites->n + 1, sizeof *p->rows);
    p->samples = wg_xcalloc(p->sites->nmemory + 1, sizeof *p->samples);
}

/* One atomic more for the first printf of a launch: no other warp is printing (count/system_calls.h). */
static void count_first_printf(struct wg_profile *p) {
    for (uint32_t i = 0; i < p->sites->nmemory && !p->one_warp; i++) {
        const struct wg_site *x = &p->sites->v[i];
        uint64_t *c = p->samples[i].counts.v;
        if (x->class != WG_CLASS_global_atomic || strcmp(x->op, WG_PRINTF_OP) != 0 || !c[WG_C_requests])
            continue;
        c[WG_C_requests]++;
        c[WG_C_l1_sectors]++;
        return;
    }
}

void wg_profile_end_sum(struct wg_profile *p) {
    const struct wg_sites *s = p->sites;
    count_first_printf(p);
    for (uint32_t i = 0; i < s->n; i++) {
        struct wg_counts *c = &p->rows[i];
        if (i < s->nmemory) {
            wg_counts_add(c, &p->samples[i].counts);
            c->v[WG_C_instructions] = c->v[WG_C_requests];
            if (s->v[i].bytes) c->v[WG_C_threads] = c->v[WG_C_bytes_asked] / s->v[i].bytes;
        }
        wg_counts_derive(c);
    }
}

void wg_profile_add_times(struct wg_grid *g, uint64_t times) {
    struct wg_profile *p = g->profile;
    for (uint32_t w = 0; w < p->ntallies; w++)
        if (p->tallies[w]) add_tally(p, g->code, &p->tallies[w], times);
}

bool wg_profile_has_slow_paths(const struct wg_profile *p) { return p->sites->nslow > 0; }

/* Of a launch that was counted before it ran: its slow paths. Other things may be in the tallies, for the second time. */
static void add_slow_paths(struct wg_grid *g) {
    struct wg_profile *p = g->profile;
    for (uint32_t w = 0; w < p->ntallies; w++) {
        if (!p->tallies[w]) continue;
        g->code->collect(g->code, p->tallies[w], p->rows);
        wg_tally_free(p->tallies[w]);
        p->tallies[w] = NULL;
    }
}

/* All workers' rows and samples in one. */
static void sum_up(struct wg_grid *g) {
    if (g->profile->rows) {
        add_slow_paths(g);
        return;
    }
    wg_profile_begin_sum(g->profile);
    wg_profile_add_times(g, 1);
    wg_profile_end_sum(g->profile);
}

const struct wg_counts *wg_profile_rows(struct wg_grid *g) {
    if (!g->profile) return NULL;
    sum_up(g);
    return g->profile->rows;
}

void wg_profile_free(struct wg_profile *p) {
    if (!p) return;
    for (uint32_t w = 0; w < p->ntallies; w++)
        if (p->tallies[w]) wg_tally_free(p->tallies[w]);
    free(p->samples);
    free(p->rows);
    free(p);
}

void wg_profile_drop(struct wg_grid *g) {
    wg_profile_free(g->profile);
    g->profile = NULL;
}

static void tell(const struct wg_listener *listener, struct wg_func *f, const struct wg_result_launch *l) {
    struct wg_arena a = {0};
    struct wg_result_kernel k = describe(&a, f);
    listener->launch(listener->user, &k, l);
    wg_arena_free(&a);
}

void wg_profile_end(struct wg_grid *g, enum wg_status status) {
    struct wg_profile *p = g->profile;
    if (!p) return;
    struct wg_func *f = g->func;
    sum_up(g);
    const struct wg_block *b = &g->block;
    struct wg_result_launch l = {
        .kernel = p->result ? number_of(f, p->result) : 0,
        .index = b->gridid - 1,
        .grid = {b->nctaid[0], b->nctaid[1], b->nctaid[2]},
        .block = {b->ntid[0], b->ntid[1], b->ntid[2]},
        .cluster = {b->cluster_nctaid[0], b->cluster_nctaid[1], b->cluster_nctaid[2]},
        .dynamic_shared = b->dynamic_shared,
        .stream = p->stream,
        .start_ns = g->began,
        .end_ns = g->ended,
        .device = g->dev->options.ndevices > 1 ? (int)g->dev->ordinal : -1,
        .launched_by = g->launched_by,
        .status = status == WG_OK ? "success" : wg_status_name(status),
        .counts = p->rows,
        .samples = p->samples,
    };
    if (p->result) wg_result_add(p->result, &l, find_allocation, g->dev);
    if (p->result && g->dev->options.counted_ended) g->dev->options.counted_ended();
    if (p->listener) tell(p->listener, f, &l);
    wg_profile_free(p);
    g->profile = NULL;
}
