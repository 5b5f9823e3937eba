/* Grids: a launch that passed its checks gets code, a shape, its parameters, and the initial state of its
 * blocks.
 *
 *     struct wg_grid *g = wg_grid_make(dev, &order, NULL, &status);
 *     ... what is counted or checked of it ...
 *     wg_pool_submit(&dev->pool, wg_grid_submits(g))   when its stream reaches it (launch.c)
 */
#include "machine/bands.h"
#include "machine/children.h"
#include "machine/profile.h"
#include "machine/verify/verify.h"
#include "machine/watch/watch.h"
#include "machine/work.h"
#include "machine/worker.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    STACK_OF_RECURSION =
        64 * 1024, /* the least stack per lane of recursive kernels, in addition to the limit */
};

static uint32_t volume(const uint32_t d[3]) { return d[0] * d[1] * d[2]; }

/* ---- parameters ---- */

/* Of the words that may be pointers, those that were no address of the device's memory in some launch so far:
 * null pointers and numbers among them, so that most kernels are compiled once. The others are not
 * checked. */
static uint64_t strangers(struct wg_memory *m, struct wg_func *f, const uint8_t *params) {
    uint64_t found = 0, last = UINT64_C(1) << 63;
    for (uint64_t words = f->words & ~last; words; words &= words - 1) {
        uint32_t word = (uint32_t)__builtin_ctzll(words);
        uint64_t v;
        memcpy(&v, params + 8 * word, sizeof v);
        if (!wg_memory_holds(m, v)) found |= UINT64_C(1) << word;
    }
    found |= f->words & last;
    return atomic_fetch_or(&f->strangers, found) | found | ~f->words;
}

enum wg_status wg_grid_params(const struct wg_launch *l, const struct wg_ir_func *f, uint8_t *to) {
    if (l->params) {
        if (l->param_bytes < f->param_bytes)
            return wg_fail(WG_INVALID_VALUE, "%zu bytes of parameters, kernel '%s' takes %u", l->param_bytes,
                           f->name, f->param_bytes);
        memcpy(to, l->params, f->param_bytes);
        return WG_OK;
    }
    if (f->nparams && !l->args)
        return wg_fail(WG_INVALID_VALUE, "kernel '%s' takes parameters, but none were given", f->name);
    for (uint32_t i = 0; i < f->nparams; i++) {
        if (!l->args[i])
            return wg_fail(WG_INVALID_VALUE, "parameter %u of kernel '%s' is a null pointer", i, f->name);
        memcpy(to + f->params[i].offset, l->args[i], f->params[i].size);
    }
    return WG_OK;
}

/* ---- grids ---- */

static struct wg_grid *take_grid(struct wg_device *dev) {
    pthread_mutex_lock(dev->lock);
    struct wg_grid *g = dev->spare_grids;
    if (g) dev->spare_grids = (struct wg_grid *)g->job.behind;
    pthread_mutex_unlock(dev->lock);
    if (g) return g;
    g = wg_xcalloc(1, sizeof *g);
    if (wg_memory_alloc(&dev->memory, WG_MEM_SCRATCH, WG_PARAM_BYTES + WG_WORKSPACE_BYTES, 0, &g->params) !=
        WG_OK) {
        free(g);
        return NULL;
    }
    g->written = wg_memory_show(g->params, WG_PARAM_BYTES);
    if (!g->written) {
        wg_memory_free(&dev->memory, 1u << WG_MEM_SCRATCH, g->params);
        free(g);
        return NULL;
    }
    g->dev = dev;
    wg_shadow_define(&dev->memory, (uint64_t)g->params, WG_PARAM_BYTES + WG_WORKSPACE_BYTES);
    pthread_mutex_init(&g->lock, NULL);
    return g;
}

void wg_grid_release(struct wg_grid *g) {
    struct wg_device *dev = g->dev;
    if (g->launcher) g->launcher->released(g);
    g->launcher = NULL;
    g->verify = NULL;
    wg_children_free(g->children);
    g->children = NULL;
    wg_check_late_free(wg_check_late_take(g));
    g->depth = 0;
    g->launched_by = NULL;
    g->graph = 0;
    g->clock_base = 0;
    g->dry = false;
    g->quiet_slices = 0;
    g->quiet_ns = 0;
    free(g->fault_detail);
    g->fault_detail = NULL;
    pthread_mutex_lock(dev->lock);
    g->job.behind = (struct wg_job *)dev->spare_grids;
    dev->spare_grids = g;
    pthread_mutex_unlock(dev->lock);
    if (atomic_fetch_sub(&dev->ngrids, 1) == WG_LAUNCHES_AGAIN + 1) wg_unpark(&dev->ngrids, INT_MAX);
}

void wg_grids_close(struct wg_device *dev) {
    while (dev->spare_grids) {
        struct wg_grid *g = dev->spare_grids;
        dev->spare_grids = (struct wg_grid *)g->job.behind;
        wg_strbuf_free(&g->text);
        munmap(g->written, WG_PARAM_BYTES);
        free(g->prints.v);
        pthread_mutex_destroy(&g->lock);
        free(g);
    }
}

static uint32_t up(uint32_t n, uint32_t unit) { return (n + unit - 1) / unit * unit; }

static uint64_t stack_of_recursion(const struct wg_device *dev) {
    return dev->limit_stack > STACK_OF_RECURSION ? (dev->limit_stack + 63) & ~(uint64_t)63
                                                 : STACK_OF_RECURSION;
}

static uint64_t save_bytes(const struct wg_device *dev) {
    uint64_t bytes = WG_LANES * stack_of_recursion(dev);
    return bytes < WG_SAVES_MOST ? bytes : WG_SAVES_MOST;
}

/* A lane's local memory: an odd number of 64-byte lines when it is large, so that the lanes of a warp do not
 * all fall into the same set of the host's cache. */
uint64_t wg_local_stride(const struct wg_device *dev, const struct wg_func *f, const struct wg_code *code) {
    uint64_t bytes = code->local_bytes;
    if (code->saves ? code->frames : f->recursive) bytes += stack_of_recursion(dev);
    bytes = (bytes + 15) & ~(uint64_t)15;
    return bytes < 1024 ? bytes : ((bytes + 63) / 64 | 1) * 64;
}

uint32_t wg_grid_warps(const uint32_t block[3], uint32_t *last_lanes) {
    uint32_t threads = volume(block);
    *last_lanes = threads % WG_LANES ? (1u << threads % WG_LANES) - 1 : UINT32_MAX;
    return (threads + WG_LANES - 1) / WG_LANES;
}

static void shape_grid(struct wg_grid *g, const struct wg_launch *l, const uint32_t cluster[3]) {
    const struct wg_func *f = l->func;
    struct wg_device *dev = g->dev;
    uint32_t align = 16;
    for (uint32_t i = 0; i < f->module->ir->nsyms; i++) {
        const struct wg_ir_sym *s = &f->module->ir->syms[i];
        if (s->kind == WG_SYM_DYNSHARED && s->align > align) align = s->align;
    }
    g->cooperative = l->cooperative;
    struct wg_block *b = &g->block;
    *b = (struct wg_block){
        .services = &wg_machine_services,
        .arena = dev->memory.base,
        .arena_bytes = UINT64_C(1) << dev->memory.bits,
        .params = g->params,
        .symbols = f->module->symbols,
        .dynamic_shared = (uint32_t)l->dynamic_shared,
        .static_shared = up(f->ir->shared_bytes, align),
        .cluster_nctarank = volume(cluster),
        .explicit_cluster = l->cluster[0] || f->ir->reqnctapercluster[0] || f->ir->explicit_cluster,
        .cooperative = l->cooperative,
        .nsmid = dev->chip->sms,
        .warp_slots = dev->chip->limits->warps_per_sm,
        .system_shared = dev->chip->limits->shared_reserved,
        .stop = (const uint32_t *)&g->stop,
        .lines = dev->memory.lines,
        .shadow = dev->memory.shadow,
        .undefined = (const uint64_t *)&dev->memory.undefined,
    };
    if (l->cooperative) {
        uint64_t workspace = (uint64_t)g->params + WG_PARAM_BYTES;
        memcpy(b->workspace, &workspace, sizeof b->workspace);
    }
    for (int i = 0; i < 3; i++) {
        b->nctaid[i] = l->grid[i];
        b->ntid[i] = l->block[i];
        b->cluster_nctaid[i] = cluster[i];
        b->nclusterid[i] = g->clusters[i] = l->grid[i] / cluster[i];
    }
    g->shape = (struct wg_shape){.nctas = volume(cluster),
                                 .nwarps = wg_grid_warps(l->block, &g->last_lanes),
                                 .frame_bytes = up(g->code->frame_bytes, 64),
                                 .window_bytes = l->dynamic_shared ? b->static_shared + b->dynamic_shared
                                                                   : f->ir->shared_bytes,
                                 .local_stride = wg_local_stride(dev, f, g->code),
                                 .save_bytes = g->code->saves ? save_bytes(dev) : 0};
    double written = (double)g->code->stream_bytes * g->shape.nwarps * l->grid[0] * l->grid[1] * l->grid[2];
    b->streams = !wg_checks(dev) && written > dev->options.stream_kb * 1024.0;
    if (f->module->reserves_shared) {
        b->reserved_at = up(b->static_shared + b->dynamic_shared, 128);
        g->shape.window_bytes = b->reserved_at + WG_RESERVED_BYTES;
    }
    /* Frames a multiple of a page apart would conflict in the host's cache. */
    if (g->shape.frame_bytes % 4096 == 0 && g->shape.frame_bytes) g->shape.frame_bytes += 64;
}

/* ---- jobs ---- */

static void completed(struct wg_job *job) {
    struct wg_grid *g = (struct wg_grid *)job;
    g->launcher->completed(g);
}
static void release(struct wg_job *job) { wg_grid_release((struct wg_grid *)job); }
const struct wg_job_kind wg_grid_job = {wg_worker_run_units, completed, release};

static void alone_completed(struct wg_job *job) {
    struct wg_grid *g = wg_grid_of_alone(job);
    g->launcher->completed(g);
}
static void alone_release(struct wg_job *job) { wg_grid_release(wg_grid_of_alone(job)); }
static const struct wg_job_kind alone_job = {wg_worker_take_over, alone_completed, alone_release};

struct wg_job *wg_grid_submits(struct wg_grid *g) {
    if (!g->job.alone) return &g->job;
    g->alone = (struct wg_job){.kind = &alone_job,
                               .units = 1,
                               .longest = 1,
                               .longest_quick = 1,
                               .priority = g->job.priority,
                               .alone = true};
    return &g->alone;
}

/* ---- shape ---- */

static uint64_t unit_bytes(const struct wg_shape *s) {
    uint64_t warp = s->frame_bytes + WG_LANES * s->local_stride + s->save_bytes;
    return s->nctas * (s->window_bytes + s->nwarps * warp);
}

/* Blocks below each other read the same rows of an image, and a claim's first and last row are read by two
 * workers: so claims are of many rows. Those of a grid of one row stay short, for its blocks may wait for
 * each other in this order; so do those of large blocks, for all that wait need their memory. */
static void deal_rows(struct wg_grid *g) {
    enum { FEW = 64, MANY = 1024, QUICK = 4096, SMALL = 64 * 1024 };
    uint64_t row = g->clusters[0];
    bool many = row < g->job.units && row <= MANY / 2 && unit_bytes(&g->shape) <= SMALL;
    g->job.row = many ? row : 0;
    g->job.longest = many ? MANY / row * row : FEW;
    g->job.sweeps = g->code->sweeps || g->code->stages;
    /* What goes from block to block by itself waits for none of them. */
    bool waits = !wg_code_entry(&g->code->whole) || g->cooperative || wg_checks(g->dev);
    g->job.longest_quick = waits ? g->job.longest : QUICK;
    /* A profile's samples are of the first block; each worker's tally takes its blocks to rise. Of what goes
     * past the caches nothing is found there again, and memory likes it in one row. */
    g->job.any_order = !waits && !g->code->collect && !g->block.streams;
}

void wg_grid_again(struct wg_grid *g) {
    atomic_store_explicit(&g->stop, WG_STOP_NO, memory_order_relaxed);
    atomic_store_explicit(&g->phase, 0, memory_order_relaxed);
    atomic_store_explicit(&g->limit, UINT64_MAX, memory_order_relaxed);
    g->arrived = g->exited = 0;
    g->fault = (struct wg_fault){0};
    g->fault_unit = g->stopped_unit = UINT64_MAX;
    g->text.n = 0;
    g->prints.n = 0;
    g->strayed = false;
    g->nstrays = 0;
    g->overrun.seen = false;
    if (g->cooperative) memset((uint8_t *)g->params + WG_PARAM_BYTES, 0, WG_WORKSPACE_BYTES);
}

static void reset_grid(struct wg_grid *g, const struct wg_launch_order *o) {
    struct wg_device *dev = g->dev;
    uint64_t units = (uint64_t)g->clusters[0] * g->clusters[1] * g->clusters[2];
    uint64_t each = o->resident / g->shape.nctas / dev->pool.nworkers;
    g->job.kind = &wg_grid_job;
    g->taken = false;
    g->job.units = units;
    g->job.priority = o->priority;
    g->residents = g->cooperative ? UINT32_MAX : each ? (uint32_t)each : 1;
    deal_rows(g);
    g->job.brief =
        !g->cooperative && wg_job_is_brief(units, __atomic_load_n(&g->code->unit_ns, __ATOMIC_RELAXED));
    wg_grid_again(g);
}

static bool fits_31_bits(const struct wg_launch *l) {
    for (int i = 0; i < 3; i++)
        if ((uint64_t)l->grid[i] * l->block[i] >> 31) return false;
    return true;
}

/* Finds code, and what is to be launched for it: *as_run. */
static enum wg_status find_code(struct wg_grid *g, const struct wg_launch_order *o, const struct wg_how *how,
                                struct wg_launch *as_run) {
    enum wg_status status = WG_OK;
    struct wg_memory *m = &g->dev->memory;
    const struct wg_launch *l = &o->launch;
    const uint32_t *cluster = o->cluster;
    bool single = volume(cluster) == 1, in_row = cluster[1] == 1 && cluster[2] == 1;
    bool scheduled = g->schedule != WG_SCHEDULE_NONE;
    struct wg_variant as = {
        .how = how ? *how : wg_how_asked(&g->dev->options),
        .linear31 = fits_31_bits(l),
        .bounds = !m->room,
        .given = (!wg_checks(g->dev) || m->shadow) && (wg_memory_any_registered(m) || wg_fleet_gives(g->dev)),
        .strangers = wg_checks(g->dev) ? 0 : strangers(m, l->func, g->params),
        .whole =
            single && !scheduled && !(l->cooperative && (wg_checks(g->dev) || wg_profile_sites(l->func))),
        .cooperative = l->cooperative,
        .stages = l->cooperative || scheduled ? WG_STAGES_NONE
                  : single                    ? WG_STAGES_BLOCKS
                  : in_row                    ? WG_STAGES_CLUSTERS
                                              : WG_STAGES_NONE,
    };
    *as_run = *l;
    if (as.whole && !as.cooperative && as.linear31 && !as.bounds)
        wg_bands_deal(l, &as.how, g->params, as_run, &as.dealt);
    memcpy(as.ntid, as_run->block, sizeof as.ntid);
    g->dealt = as.dealt;
    g->band_step = 0;
    g->band_blocks = 1;
    g->code = wg_func_code(l->func, &as, &status);
    return status;
}

struct wg_grid *wg_grid_make(struct wg_device *dev, const struct wg_launch_order *o, const struct wg_how *how,
                             enum wg_status *status) {
    struct wg_grid *g = take_grid(dev);
    struct wg_launch as_run;
    *status = WG_OUT_OF_MEMORY;
    atomic_fetch_add(&dev->ngrids, 1);
    if (!g) {
        atomic_fetch_sub(&dev->ngrids, 1);
        return NULL;
    }
    g->func = o->launch.func;
    g->schedule = how && how->in_order ? WG_SCHEDULE_NONE : dev->options.schedule.kind;
    *status = wg_grid_params(&o->launch, g->func->ir, g->written);
    if (*status == WG_OK) *status = find_code(g, o, how, &as_run);
    if (*status != WG_OK) {
        wg_grid_release(g);
        return NULL;
    }
    shape_grid(g, &as_run, o->cluster);
    reset_grid(g, o);
    return g;
}
