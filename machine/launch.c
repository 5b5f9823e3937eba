/* Launches: checked against the device and the kernel, then put into a stream as a grid.
 *
 * What is checked here is what CUDA checks before anything runs, with its codes; what goes wrong later is a
 * fault of the kernel (fault.c).
 */
#include "machine/bands.h"
#include "machine/check.h"
#include "machine/profile.h"
#include "machine/shadow.h"
#include "machine/work.h"
#include "machine/worker.h"
#include "model/occupancy.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    MOST_LAUNCHES = 1024,
    ROOM_NS = 10 * 1000 * 1000,
    STACK_OF_RECURSION = 64 * 1024, /* the least that recursive kernels get a lane, beside the limit */
};

/* ---- checks ---- */

static enum wg_status check_dims(const struct wg_launch *l) {
    static const uint32_t most_grid[3] = {WG_CHIP_GRID_X, WG_CHIP_GRID_Y, WG_CHIP_GRID_Z};
    static const uint32_t most_block[3] = {WG_CHIP_BLOCK_X, WG_CHIP_BLOCK_Y, WG_CHIP_BLOCK_Z};
    uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2];
    for (int i = 0; i < 3; i++) {
        if (!l->grid[i] || l->grid[i] > most_grid[i])
            return wg_fail(WG_INVALID_CONFIGURATION, "a grid of %ux%ux%u blocks: %c must be 1 to %u",
                           l->grid[0], l->grid[1], l->grid[2], "xyz"[i], most_grid[i]);
        if (!l->block[i] || l->block[i] > most_block[i])
            return wg_fail(WG_INVALID_CONFIGURATION, "a block of %ux%ux%u threads: %c must be 1 to %u",
                           l->block[0], l->block[1], l->block[2], "xyz"[i], most_block[i]);
    }
    if (threads > WG_CHIP_BLOCK_THREADS)
        return wg_fail(WG_INVALID_CONFIGURATION,
                       "a block of %ux%ux%u = %llu threads; the device runs at most %u", l->block[0],
                       l->block[1], l->block[2], (unsigned long long)threads, WG_CHIP_BLOCK_THREADS);
    return WG_OK;
}

static uint32_t volume(const uint32_t d[3]) { return d[0] * d[1] * d[2]; }

/* What the kernel itself allows. */
static enum wg_status check_block(const struct wg_launch *l, const struct wg_func_info *info) {
    uint32_t threads = volume(l->block);
    if (info->reqntid[0])
        for (int i = 0; i < 3; i++)
            if (l->block[i] != (info->reqntid[i] ? info->reqntid[i] : 1))
                return wg_fail(
                    WG_INVALID_CONFIGURATION,
                    "kernel '%s' must be launched with blocks of %ux%ux%u threads (.reqntid), not %ux%ux%u",
                    info->name, info->reqntid[0], info->reqntid[1] ? info->reqntid[1] : 1,
                    info->reqntid[2] ? info->reqntid[2] : 1, l->block[0], l->block[1], l->block[2]);
    if (threads <= info->max_threads) return WG_OK;
    if (info->maxntid[0])
        return wg_fail(WG_OUT_OF_RESOURCES,
                       "%u threads a block; kernel '%s' was compiled for at most %u (__launch_bounds__)",
                       threads, info->name, info->max_threads);
    return wg_fail(WG_OUT_OF_RESOURCES,
                   "%u threads a block need about %u registers each in kernel '%s': at most %u fit", threads,
                   info->registers, info->name, info->max_threads);
}

static enum wg_status check_shared(const struct wg_launch *l, const struct wg_func_info *info,
                                   const struct wg_limits *limits) {
    if (info->shared_static > limits->shared_per_block)
        return wg_fail(WG_OUT_OF_RESOURCES, "kernel '%s' declares %u bytes of shared memory, more than %u",
                       info->name, info->shared_static, limits->shared_per_block);
    if (l->dynamic_shared <= info->dynamic_shared_max) return WG_OK;
    if (l->dynamic_shared + info->shared_static <= limits->shared_optin)
        return wg_fail(
            WG_INVALID_VALUE,
            "%zu bytes of dynamic shared memory, more than the %u that kernel '%s' may have; raise it with "
            "cudaFuncSetAttribute(..., cudaFuncAttributeMaxDynamicSharedMemorySize, ...)",
            l->dynamic_shared, info->dynamic_shared_max, info->name);
    return wg_fail(
        WG_INVALID_VALUE,
        "%zu bytes of dynamic shared memory and %u static, more than the %u bytes a block can have",
        l->dynamic_shared, info->shared_static, limits->shared_optin);
}

/* The launch's cluster, from the launch or the kernel; 1x1x1 when there is none. */
static enum wg_status find_cluster(const struct wg_launch *l, const struct wg_func_info *info,
                                   const struct wg_chip *chip, uint32_t cluster[3]) {
    const struct wg_limits *limits = chip->limits;
    const uint32_t *given = l->cluster[0] ? l->cluster : info->cluster;
    for (int i = 0; i < 3; i++) cluster[i] = given[i] ? given[i] : 1;
    uint64_t size = (uint64_t)cluster[0] * cluster[1] * cluster[2];
    if (l->cluster[0] && info->cluster_required)
        for (int i = 0; i < 3; i++)
            if (info->cluster[i] && cluster[i] != info->cluster[i])
                return wg_fail(WG_INVALID_CLUSTER_SIZE, "kernel '%s' was compiled for clusters of %ux%ux%u",
                               info->name, info->cluster[0], info->cluster[1], info->cluster[2]);
    if (size == 1) return WG_OK;
    if (limits->cluster_portable == 0)
        return wg_fail(WG_INVALID_CLUSTER_SIZE, "%s has no clusters (sm_90 and later have)", chip->arch);
    if (size > limits->cluster_max)
        return wg_fail(WG_INVALID_CLUSTER_SIZE, "a cluster of %llu blocks; the device has at most %u",
                       (unsigned long long)size, limits->cluster_max);
    if (size > limits->cluster_portable && !info->nonportable_cluster)
        return wg_fail(WG_INVALID_CLUSTER_SIZE,
                       "a cluster of %llu blocks; more than %u need "
                       "cudaFuncSetAttribute(..., cudaFuncAttributeNonPortableClusterSizeAllowed, 1)",
                       (unsigned long long)size, limits->cluster_portable);
    if (info->max_cluster_rank && size > info->max_cluster_rank)
        return wg_fail(WG_INVALID_CLUSTER_SIZE, "kernel '%s' was compiled for clusters of at most %u blocks",
                       info->name, info->max_cluster_rank);
    for (int i = 0; i < 3; i++)
        if (l->grid[i] % cluster[i])
            return wg_fail(WG_INVALID_CLUSTER_SIZE,
                           "the grid's %c, %u blocks, is no multiple of the cluster's, %u", "xyz"[i],
                           l -> grid[i], cluster[i]);
    return WG_OK;
}

static enum wg_status check_residency(const struct wg_launch *l, const struct wg_func_info *info,
                                      const struct wg_chip *chip, const uint32_t cluster[3],
                                      uint64_t *resident) {
    struct wg_occupancy_kernel k = {.registers = info->registers,
                                    .shared = info->shared_static + l->dynamic_shared,
                                    .threads = volume(l->block)};
    uint32_t per_sm = wg_occupancy(chip->limits, &k).blocks;
    uint64_t blocks = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
    *resident = (uint64_t)per_sm * chip->sms;
    if (*resident < volume(cluster))
        return wg_fail(WG_OUT_OF_RESOURCES, "a block of kernel '%s' needs more than an SM of this device has",
                       info->name);
    if (l->cooperative && blocks > *resident)
        return wg_fail(
            WG_COOPERATIVE_TOO_LARGE,
            "a cooperative launch of %llu blocks; %s holds %llu of them at once (%u on each of %u SMs)",
            (unsigned long long)blocks, chip->name, (unsigned long long)*resident, per_sm, chip->sms);
    return WG_OK;
}

/* ---- parameters ---- */

/* A value that looks like an address in the program's own memory that no kernel can know. */
static bool looks_foreign(struct wg_memory *m, uint64_t v) {
    unsigned char present;
    if (v < 65536 || v >> 47 || wg_memory_may_touch(m, v, 1)) return false;
    return mincore((void *)(v & ~(uint64_t)(WG_PAGE - 1)), 1, &present) == 0;
}

/* Whether to compile tests of every address into the kernel: it was handed something that looks like a
 * pointer into host memory, which would not fault here and would on a device. Where the PTX says which
 * parameters are pointers, small numbers are none in the others. */
static bool wants_bounds(struct wg_memory *m, const struct wg_ir_func *f, const uint8_t *params) {
    bool named = false;
    for (uint32_t i = 0; i < f->nparams; i++) named |= f->params[i].pointer;
    for (uint32_t i = 0; i < f->nparams; i++) {
        const struct wg_ir_param *p = &f->params[i];
        bool number = named && p->size == 8 && !p->pointer;
        for (uint32_t at = (p->offset + 7) & ~7u; at + 8 <= p->offset + p->size; at += 8) {
            uint64_t v;
            memcpy(&v, params + at, sizeof v);
            if (number && v <= UINT32_MAX) continue;
            if (looks_foreign(m, v)) return true;
        }
    }
    return false;
}

static enum wg_status gather_params(const struct wg_launch *l, const struct wg_ir_func *f, uint8_t *to) {
    if (l->params) {
        if (l->param_bytes < f->param_bytes)
            return wg_fail(WG_INVALID_VALUE, "%zu bytes of parameters, kernel '%s' takes %u", l->param_bytes,
                           f->name, f->param_bytes);
        memcpy(to, l->params, f->param_bytes);
        return WG_OK;
    }
    if (f->nparams && !l->args)
        return wg_fail(WG_INVALID_VALUE, "kernel '%s' takes parameters, none are given", f->name);
    for (uint32_t i = 0; i < f->nparams; i++) {
        if (!l->args[i])
            return wg_fail(WG_INVALID_VALUE, "parameter %u of kernel '%s' is a null pointer", i, f->name);
        memcpy(to + f->params[i].offset, l->args[i], f->params[i].size);
    }
    return WG_OK;
}

/* ---- grids ---- */

/* A program that launches faster than its kernels run is held up, as by CUDA's driver. And it may have put
 * handlers of its own over ours since: looking costs as much as a third of a launch, so where one follows the
 * other not each looks. */
static void wait_for_room(struct wg_device *dev) {
    enum { LOOK_AGAIN = 8 };
    for (uint32_t n; (n = atomic_load(&dev->ngrids)) >= MOST_LAUNCHES;) {
        wg_park(&dev->ngrids, n, ROOM_NS);
        wg_grids_watch(dev);
    }
    bool idle = atomic_fetch_add(&dev->ngrids, 1) == 0;
    if (idle || atomic_fetch_add_explicit(&dev->unlooked, 1, memory_order_relaxed) % LOOK_AGAIN == 0)
        wg_trap_install();
}

static struct wg_grid *take_grid(struct wg_device *dev) {
    pthread_mutex_lock(&dev->lock);
    struct wg_grid *g = dev->spare_grids;
    if (g) dev->spare_grids = (struct wg_grid *)g->job.behind;
    pthread_mutex_unlock(&dev->lock);
    if (g) return g;
    g = wg_xcalloc(1, sizeof *g);
    if (wg_memory_alloc(&dev->memory, WG_MEM_SCRATCH, WG_PARAM_BYTES + WG_WORKSPACE_BYTES, 0, &g->params) !=
        WG_OK) {
        free(g);
        return NULL;
    }
    g->dev = dev;
    wg_shadow_define(&dev->memory, (uint64_t)g->params, WG_PARAM_BYTES + WG_WORKSPACE_BYTES);
    pthread_mutex_init(&g->lock, NULL);
    return g;
}

static void give_grid(struct wg_grid *g) {
    struct wg_device *dev = g->dev;
    free(g->fault_detail);
    g->fault_detail = NULL;
    pthread_mutex_lock(&dev->lock);
    g->job.behind = (struct wg_job *)dev->spare_grids;
    dev->spare_grids = g;
    pthread_mutex_unlock(&dev->lock);
    if (atomic_fetch_sub(&dev->ngrids, 1) == MOST_LAUNCHES) wg_unpark(&dev->ngrids, INT_MAX);
}

void wg_grids_close(struct wg_device *dev) {
    while (dev->spare_grids) {
        struct wg_grid *g = dev->spare_grids;
        dev->spare_grids = (struct wg_grid *)g->job.behind;
        wg_strbuf_free(&g->text);
        free(g->prints.v);
        pthread_mutex_destroy(&g->lock);
        free(g);
    }
}

const struct wg_ir_module *wg_grid_ir(const struct wg_grid *g) { return g->func->module->ir; }

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

static void shape_grid(struct wg_grid *g, const struct wg_launch *l, const uint32_t cluster[3]) {
    const struct wg_func *f = l->func;
    struct wg_device *dev = g->dev;
    uint32_t threads = volume(l->block), align = 16;
    for (uint32_t i = 0; i < f->module->ir->nsyms; i++) {
        const struct wg_ir_sym *s = &f->module->ir->syms[i];
        if (s->kind == WG_SYM_DYNSHARED && s->align > align) align = s->align;
    }
    g->last_lanes = threads % WG_LANES ? (1u << threads % WG_LANES) - 1 : UINT32_MAX;
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
        memset((void *)workspace, 0, WG_WORKSPACE_BYTES);
        memcpy(b->workspace, &workspace, sizeof b->workspace);
    }
    for (int i = 0; i < 3; i++) {
        b->nctaid[i] = l->grid[i];
        b->ntid[i] = l->block[i];
        b->cluster_nctaid[i] = cluster[i];
        b->nclusterid[i] = g->clusters[i] = l->grid[i] / cluster[i];
    }
    g->shape = (struct wg_shape){.nctas = volume(cluster),
                                 .nwarps = up(threads, WG_LANES) / WG_LANES,
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
    /* Frames a multiple of a page apart would fight for the same lines of the host's cache. */
    if (g->shape.frame_bytes % 4096 == 0 && g->shape.frame_bytes) g->shape.frame_bytes += 64;
}

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
    bool waits = !g->code->whole || g->cooperative || wg_checks(g->dev);
    g->job.longest_quick = waits ? g->job.longest : QUICK;
    /* A profile's samples are of the first block; each worker's tally takes its blocks to rise. Of what goes
     * past the caches nothing is found there again, and memory likes it in one row. */
    g->job.any_order = !waits && !g->code->collect && !g->block.streams;
}

static void reset_grid(struct wg_grid *g, struct wg_stream *s, uint64_t resident) {
    struct wg_device *dev = g->dev;
    uint64_t units = (uint64_t)g->clusters[0] * g->clusters[1] * g->clusters[2];
    uint64_t each = resident / g->shape.nctas / dev->pool.nworkers;
    g->job.kind = &wg_grid_job;
    g->job.units = units;
    g->job.priority = s->priority;
    g->residents = g->cooperative ? UINT32_MAX : each ? (uint32_t)each : 1;
    deal_rows(g);
    atomic_store_explicit(&g->stop, WG_STOP_NO, memory_order_relaxed);
    atomic_store_explicit(&g->phase, 0, memory_order_relaxed);
    atomic_store_explicit(&g->limit, UINT64_MAX, memory_order_relaxed);
    g->arrived = g->exited = 0;
    g->fault = (struct wg_fault){0};
    g->fault_unit = g->stopped_unit = UINT64_MAX;
    g->text.n = 0;
    g->prints.n = 0;
    pthread_mutex_lock(&dev->lock);
    g->block.gridid = ++dev->next_grid_id;
    pthread_mutex_unlock(&dev->lock);
}

static bool fits_31_bits(const struct wg_launch *l) {
    for (int i = 0; i < 3; i++)
        if ((uint64_t)l->grid[i] * l->block[i] >> 31) return false;
    return true;
}

/* Finds code, and what is to be launched for it: *as_run. */
static enum wg_status find_code(struct wg_grid *g, const struct wg_launch *l, const uint32_t cluster[3],
                                struct wg_launch *as_run) {
    enum wg_status status = WG_OK;
    struct wg_memory *m = &g->dev->memory;
    bool single = volume(cluster) == 1, in_row = cluster[1] == 1 && cluster[2] == 1;
    struct wg_variant as = {
        .linear31 = fits_31_bits(l),
        .bounds = wg_checks(g->dev) ? m->shadow && wg_memory_any_registered(m)
                                    : wants_bounds(m, l->func->ir, g->params),
        .whole = single && !(l->cooperative && (wg_checks(g->dev) || wg_profile_sites(l->func))),
        .cooperative = l->cooperative,
        .stages = l->cooperative ? WG_STAGES_NONE
                  : single       ? WG_STAGES_BLOCKS
                  : in_row       ? WG_STAGES_CLUSTERS
                                 : WG_STAGES_NONE,
    };
    *as_run = *l;
    if (as.whole && !as.cooperative && as.linear31 && !as.bounds)
        wg_bands_deal(l, g->params, as_run, &as.dealt);
    memcpy(as.ntid, as_run->block, sizeof as.ntid);
    g->dealt = as.dealt;
    g->band_step = 0;
    g->code = wg_func_code(l->func, &as, &status);
    return status;
}

/* ---- the interface ---- */

static enum wg_status check(const struct wg_launch *l, const struct wg_func_info *info,
                            const struct wg_device *dev, uint32_t cluster[3], uint64_t *resident) {
    enum wg_status status = check_dims(l);
    if (status == WG_OK) status = check_block(l, info);
    if (status == WG_OK) status = check_shared(l, info, dev->chip->limits);
    if (status == WG_OK) status = find_cluster(l, info, dev->chip, cluster);
    if (status == WG_OK) status = check_residency(l, info, dev->chip, cluster, resident);
    return status;
}

enum wg_status wg_launch_check(const struct wg_launch *l) {
    struct wg_func_info info;
    uint32_t cluster[3];
    uint64_t resident;
    wg_func_info(l->func, &info);
    return check(l, &info, l->func->module->dev, cluster, &resident);
}

enum wg_status wg_launch(struct wg_stream *s, const struct wg_launch *l) {
    struct wg_func_info info;
    uint32_t cluster[3];
    uint64_t resident;
    enum wg_status status = wg_stream_usable(s);
    if (status != WG_OK) return status;
    if (!l->func || l->func->module->dev != s->dev)
        return wg_fail(WG_INVALID_HANDLE, "not a kernel of this device");
    wg_func_info(l->func, &info);
    if ((status = check(l, &info, s->dev, cluster, &resident)) != WG_OK) return status;
    wait_for_room(s->dev);
    struct wg_grid *g = take_grid(s->dev);
    if (!g) {
        atomic_fetch_sub(&s->dev->ngrids, 1);
        return WG_OUT_OF_MEMORY;
    }
    g->func = l->func;
    status = gather_params(l, l->func->ir, g->params);
    struct wg_launch as_run;
    if (status == WG_OK) status = find_code(g, l, cluster, &as_run);
    if (status != WG_OK) {
        give_grid(g);
        return status;
    }
    shape_grid(g, &as_run, cluster);
    reset_grid(g, s, resident);
    g->job.alone = wg_check_race_orders(g);
    wg_profile_begin(g, s->id);
    wg_check_begin(g);
    /* Where blocks may race, values and so findings would depend on who is first. */
    if (wg_check_race_may_matter(g)) g->job.alone = true;
    if (g->job.alone) g->residents = g->cooperative ? UINT32_MAX : (uint32_t)(resident / g->shape.nctas ?: 1);
    wg_print_flush(s->dev);
    g->work = wg_work_new(s->dev, WG_WORK_LAUNCH);
    g->work->grid = g;
    struct wg_work *w = g->work;
    wg_work_put(s, w, NULL);
    wg_work_drop(w);
    return WG_OK;
}

static void list(struct wg_grid *g) {
    pthread_mutex_lock(&g->dev->lock);
    g->prev = NULL;
    g->next = g->dev->running;
    if (g->next) g->next->prev = g;
    g->dev->running = g;
    pthread_mutex_unlock(&g->dev->lock);
}

static void unlist(struct wg_grid *g) {
    pthread_mutex_lock(&g->dev->lock);
    *(g->prev ? &g->prev->next : &g->dev->running) = g->next;
    if (g->next) g->next->prev = g->prev;
    pthread_mutex_unlock(&g->dev->lock);
}

void wg_grids_watch(struct wg_device *dev) {
    bool any = false;
    pthread_mutex_lock(&dev->lock);
    for (struct wg_grid *g = dev->running; g; g = g->next) any |= wg_grid_stops(g, 0);
    pthread_mutex_unlock(&dev->lock);
    if (any) wg_pool_kick(&dev->pool);
}

void wg_grid_begin(struct wg_grid *g) {
    g->began = wg_now_ns();
    double timeout = g->dev->options.timeout;
    g->deadline = timeout > 0 ? g->began + (uint64_t)(timeout * 1e9) + 1 : 0;
    list(g);
    if (wg_pool_submit(&g->dev->pool, &g->job)) return;
    struct wg_work *w = g->work;
    unlist(g);
    wg_profile_end(g, WG_OUT_OF_RESOURCES);
    wg_check_end(g);
    wg_device_fail(g->dev, WG_OUT_OF_RESOURCES, NULL);
    wg_grid_release(g);
    wg_work_end(w);
}

void wg_grid_finished(struct wg_grid *g) {
    g->ended = wg_now_ns();
    unlist(g);
    wg_bands_undo(g);
    if (g->dev->options.verbose > 1)
        fprintf(stderr, "warpglass: ran %s, %llu blocks of %u warps, in %.3f ms\n", g->func->ir->name,
                (unsigned long long)g->clusters[0] * g->clusters[1] * g->clusters[2] * g->shape.nctas,
                g->shape.nwarps, (double)(g->ended - g->began) * 1e-6);
    wg_print_take(g);
    struct wg_fault_record *record = wg_fault_report(g);
    wg_profile_end(g, record ? record->status : WG_OK);
    wg_check_end(g);
    if (record) wg_device_fail(g->dev, record->status, record);
    wg_work_end(g->work);
}

void wg_grid_release(struct wg_grid *g) { give_grid(g); }

/* What both questions about clusters begin with. `fits`: may a block have so much shared memory? */
static enum wg_status ask_cluster(const struct wg_launch *l, struct wg_func_info *info, uint32_t cluster[3],
                                  bool *fits) {
    const struct wg_chip *chip = l->func->module->dev->chip;
    wg_func_info(l->func, info);
    if (!chip->limits->cluster_portable)
        return wg_fail(WG_INVALID_CLUSTER_SIZE, "%s has no clusters (sm_90 and later have)", chip->arch);
    *fits = check_shared(l, info, chip->limits) == WG_OK;
    return find_cluster(l, info, chip, cluster);
}

enum wg_status wg_launch_max_clusters(const struct wg_launch *l, uint32_t *clusters) {
    struct wg_func_info info;
    uint32_t cluster[3];
    bool fits = false;
    enum wg_status status = ask_cluster(l, &info, cluster, &fits);
    if (status != WG_OK) return status;
    struct wg_occupancy_kernel k = {.registers = info.registers,
                                    .shared = info.shared_static + l->dynamic_shared,
                                    .threads = volume(l->block)};
    bool asked = l->cluster[0] || info.cluster[0];
    *clusters = asked && fits ? wg_occupancy_clusters(l->func->module->dev->chip, &k, volume(cluster)) : 0;
    return WG_OK;
}

enum wg_status wg_launch_max_cluster_size(const struct wg_launch *l, uint32_t *blocks) {
    struct wg_func_info info;
    const struct wg_limits *limits = l->func->module->dev->chip->limits;
    uint32_t cluster[3];
    bool fits = false;
    enum wg_status status = ask_cluster(l, &info, cluster, &fits);
    if (status != WG_OK) return status;
    *blocks = info.nonportable_cluster ? limits->cluster_max : limits->cluster_portable;
    if (info.max_cluster_rank && *blocks > info.max_cluster_rank) *blocks = info.max_cluster_rank;
    if (!fits) *blocks = 0;
    return WG_OK;
}
