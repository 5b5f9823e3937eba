/* Launches: checked against the device and the kernel, then put into a stream as a grid.
 *
 * The checks are those that CUDA makes before anything runs, with its error codes; what goes wrong later is a
 * fault of the kernel (fault.c).
 */
#include "base/clock.h"
#include "machine/bands.h"
#include "machine/children.h"
#include "machine/here.h"
#include "machine/later_sums.h"
#include "machine/overrun.h"
#include "machine/profile.h"
#include "machine/schedule.h"
#include "machine/stray.h"
#include "machine/verify/verify.h"
#include "machine/watch/watch.h"
#include "machine/work.h"
#include "machine/worker.h"
#include "model/occupancy.h"
#include <inttypes.h>
#include <stdio.h>

enum { ROOM_NS = 10 * 1000 * 1000 };
/* The start of kernels' clocks for reproducible runs: the year 2026 in nanoseconds,
 * and a millisecond more for each launch. */
#define CLOCK_BASE  UINT64_C(1767225600000000000)
#define CLOCK_STEP  UINT64_C(1000000)
#define CHILDREN_NS (3 * UINT64_C(1000000000)) /* how long a launch waits for those of its kernel */

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
                    "the kernel must be launched with blocks of %ux%ux%u threads (.reqntid), not %ux%ux%u",
                    info->reqntid[0], info->reqntid[1] ? info->reqntid[1] : 1,
                    info->reqntid[2] ? info->reqntid[2] : 1, l->block[0], l->block[1], l->block[2]);
    if (threads <= info->bound) return wg_registers_check(l->func, threads);
    return wg_fail(WG_OUT_OF_RESOURCES,
                   "%u threads per block, and the kernel was compiled for at most %u (__launch_bounds__)",
                   threads, info->bound);
}

static enum wg_status check_shared(const struct wg_launch *l, const struct wg_func_info *info,
                                   const struct wg_limits *limits) {
    if (info->shared_static > limits->shared_per_block)
        return wg_fail(WG_OUT_OF_RESOURCES, "the kernel declares %u bytes of shared memory, more than %u",
                       info->shared_static, limits->shared_per_block);
    if (l->dynamic_shared <= info->dynamic_shared_max) return WG_OK;
    if (l->dynamic_shared + info->shared_static <= limits->shared_optin)
        return wg_fail(
            WG_INVALID_VALUE,
            "%zu bytes of dynamic shared memory, more than the %u that the kernel may have; raise it with "
            "cudaFuncSetAttribute(..., cudaFuncAttributeMaxDynamicSharedMemorySize, ...)",
            l->dynamic_shared, info->dynamic_shared_max);
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
                return wg_fail(WG_INVALID_CLUSTER_SIZE, "the kernel was compiled for clusters of %ux%ux%u",
                               info->cluster[0], info->cluster[1], info->cluster[2]);
    if (size == 1) return WG_OK;
    if (limits->cluster_portable == 0)
        return wg_fail(WG_INVALID_CLUSTER_SIZE, "%s has no clusters (sm_90 and later do)", chip->arch);
    if (size > limits->cluster_max)
        return wg_fail(WG_INVALID_CLUSTER_SIZE, "a cluster of %llu blocks; the device has at most %u",
                       (unsigned long long)size, limits->cluster_max);
    if (size > limits->cluster_portable && !info->nonportable_cluster)
        return wg_fail(WG_INVALID_CLUSTER_SIZE,
                       "a cluster of %llu blocks; more than %u need "
                       "cudaFuncSetAttribute(..., cudaFuncAttributeNonPortableClusterSizeAllowed, 1)",
                       (unsigned long long)size, limits->cluster_portable);
    if (info->max_cluster_rank && size > info->max_cluster_rank)
        return wg_fail(WG_INVALID_CLUSTER_SIZE, "the kernel was compiled for clusters of at most %u blocks",
                       info->max_cluster_rank);
    for (int i = 0; i < 3; i++)
        if (l->grid[i] % cluster[i])
            return wg_fail(WG_INVALID_CLUSTER_SIZE,
                           "the grid's %c, %u blocks, is not a multiple of the cluster's, %u", "xyz"[i],
                           l -> grid[i], cluster[i]);
    return WG_OK;
}

/* Blocks that the device holds at once. What an estimate of registers would leave out is asked about where it
 * may refuse a launch, and counts for nothing if nobody knows: `*sure`. */
static uint64_t find_resident(const struct wg_launch *l, const struct wg_func_info *info,
                              const struct wg_chip *chip, bool matters, uint64_t *sure) {
    struct wg_registers r = matters ? wg_func_registers(l->func) : wg_func_registers_now(l->func);
    struct wg_occupancy_kernel k = {
        .registers = r.n, .shared = info->shared_static + l->dynamic_shared, .threads = volume(l->block)};
    uint64_t resident = (uint64_t)wg_occupancy(chip->limits, &k).blocks * chip->sms;
    if (!r.known) k.registers = 0;
    *sure = (uint64_t)wg_occupancy(chip->limits, &k).blocks * chip->sms;
    return resident;
}

static enum wg_status check_residency(const struct wg_launch *l, const struct wg_func_info *info,
                                      const struct wg_chip *chip, const uint32_t cluster[3],
                                      uint64_t *resident) {
    uint64_t blocks = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2], sure;
    *resident = find_resident(l, info, chip, l->cooperative || volume(cluster) > 1, &sure);
    if (sure < volume(cluster))
        return wg_fail(WG_OUT_OF_RESOURCES, "a block of the kernel needs more than an SM of this device has");
    if (*resident < volume(cluster)) *resident = volume(cluster);
    if (l->cooperative && blocks > sure)
        return wg_fail(
            WG_COOPERATIVE_TOO_LARGE,
            "a cooperative launch of %llu blocks; %s holds %llu of them at once (%u on each of %u SMs)",
            (unsigned long long)blocks, chip->name, (unsigned long long)sure, (unsigned)(sure / chip->sms),
            chip->sms);
    return WG_OK;
}

/* ---- the interface ---- */

/* A program that launches faster than its kernels run is throttled, as by CUDA's driver. */
static void wait_for_room(struct wg_device *dev) {
    if (atomic_load(&dev->ngrids) >= WG_MOST_LAUNCHES)
        for (uint32_t n; (n = atomic_load(&dev->ngrids)) > WG_LAUNCHES_AGAIN;) {
            wg_park(&dev->ngrids, n, ROOM_NS);
            wg_grids_watch(dev);
        }
}

/* The program may have replaced our handlers since, or blocked their signals. To ask costs a quarter of a launch, so of
 * launches between which the program waits for nothing only some ask. */
static void look_at_signals(struct wg_device *dev) {
    enum { LOOK_AGAIN = 8 };
    if (atomic_fetch_add_explicit(&dev->unlooked, 1, memory_order_relaxed) % LOOK_AGAIN == 0)
        wg_trap_install();
}

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

/* Whether a launch must be reproducible. */
static bool same_in_every_run(const struct wg_grid *g) {
    return g->dev->options.deterministic || g->schedule || g->code->collect || g->profile ||
           g->dev->options.result || g->dev->options.findings;
}

/* Whether one worker must run it, in one order: where the order may matter and the launch must be
 * reproducible. */
static bool wants_one_order(struct wg_grid *g, const struct wg_launch *l) {
    return wg_check_race_orders(g) || (same_in_every_run(g) && wg_launch_hangs_on_order(g, l));
}

/* Whether blocks that one worker runs come to their ends one after the other, however many it takes at once. */
static bool is_steady(const struct wg_grid *g) {
    return !g->cooperative && !g->check && !g->verify && !g->schedule && !g->code->sweeps &&
           !g->code->stages && g->shape.nctas == 1 && wg_here_ends_soon(g->func);
}

/* Sums of floats, where more than one worker would make them. The frontier is reached sooner where blocks are
 * dealt in order. */
static struct wg_later_sums *make_later(struct wg_grid *g, const struct wg_launch *l) {
    struct wg_later_span spans[WG_LATER_SPANS];
    if (g->job.alone || g->verify || g->schedule || g->job.units == 1 || g->dev->pool.nworkers == 1)
        return NULL;
    uint32_t n = wg_launch_later_sums(g, l, spans);
    if (!n) return NULL;
    g->block.adds_later = 1;
    g->job.any_order = false;
    return wg_later_new(spans, n);
}

/* Before the grid is made, whose code depends on whether the launch of this number is counted; one that cannot be made keeps
 * its number. */
static uint64_t take_number(struct wg_device *dev) {
    pthread_mutex_lock(dev->lock);
    dev->next_grid_id++;
    uint64_t number = ++dev->fleet->launches;
    pthread_mutex_unlock(dev->lock);
    return number;
}

static void give_number(struct wg_grid *g, uint64_t number) {
    g->block.gridid = number;
    g->schedule_key = wg_schedule_key(&g->dev->options.schedule, g->block.gridid);
    g->block.lane_order = g->schedule ? wg_schedule_lanes(&g->dev->options.schedule, g->block.gridid) : 0;
}

/* Everything but the work of its stream. */
static void ended(struct wg_grid *g) {
    g->ended = wg_now_ns();
    wg_grid_unlist(g);
    wg_later_free(g->later);
    g->later = NULL;
    wg_verify_sampled(g);
    wg_bands_undo(g);
    if (g->dev->options.verbose > 1)
        fprintf(stderr, "warpglass: ran %s, %llu blocks of %u warps, in %.3f ms\n", g->func->ir->name,
                (unsigned long long)g->clusters[0] * g->clusters[1] * g->clusters[2] * g->shape.nctas,
                g->shape.nwarps, (double)(g->ended - g->began) * 1e-6);
    wg_print_take(g);
    wg_overrun_fault(g);
    struct wg_fault_record *record = wg_fault_report(g);
    wg_stray_launch_ended(g);
    wg_profile_end(g, record ? record->status : WG_OK);
    wg_check_end(g, record);
    if (record) wg_device_fail(g->dev, record->status, record);
}

static void completed(struct wg_grid *g) {
    ended(g);
    if (!wg_children_follow(g)) wg_work_end(g->work);
}

/* No thread could be created for it. */
static void give_up(struct wg_grid *g) {
    wg_grid_unlist(g);
    wg_profile_end(g, WG_OUT_OF_RESOURCES);
    wg_check_end(g, NULL);
    wg_device_fail(g->dev, WG_OUT_OF_RESOURCES, NULL);
    wg_grid_release(g);
}

static bool begin(struct wg_work *w, bool failed) {
    struct wg_grid *g = w->grid;
    if (failed) {
        wg_grid_release(g);
        return true;
    }
    wg_emptied_settle(&g->dev->memory);
    g->began = wg_now_ns();
    g->deadline = 0;
    if (!g->verify) wg_grid_set_deadline(g);
    wg_grid_list(g);
    enum wg_here here = w->own ? wg_here_run(g) : WG_HERE_NOT;
    if (here == WG_HERE_ENDED) {
        ended(g);
        wg_grid_release(g);
        return true;
    }
    struct wg_job *job = here == WG_HERE_TELLS ? wg_here_rest(g)
                         : g->verify           ? wg_verify_job(g)
                                               : wg_grid_submits(g);
    if (wg_pool_submit(&g->dev->pool, job)) return false;
    give_up(g);
    return true;
}

static const struct wg_launcher launcher = {
    .completed = completed, .released = wg_verify_forget, .child = wg_launch_check};

/* Launches are numbered one after the other, those of kernels too: where numbers must be the same in every run, the host
 * does not go on to the next before all of them are. */
static void wait_for_children(struct wg_work *w, bool may_launch, bool reproducible) {
    if (reproducible && may_launch) wg_work_wait_most(w, CHILDREN_NS);
}

static enum wg_status launch(struct wg_stream *s, const struct wg_launch *l, uint32_t depth, const char *by) {
    struct wg_func_info info;
    struct wg_launch_order o = {.launch = *l};
    enum wg_status status = wg_stream_usable(s);
    if (status != WG_OK) return status;
    if (!l->func) return wg_fail(WG_INVALID_HANDLE, "not a kernel of this device");
    if (l->func->module->dev != s->dev)
        return wg_fail(WG_INVALID_HANDLE, "the stream belongs to device %u, and the kernel to device %u",
                       s->dev->ordinal, l->func->module->dev->ordinal);
    wg_func_info(l->func, &info);
    if ((status = check(l, &info, s->dev, o.cluster, &o.resident)) != WG_OK) return status;
    wait_for_room(s->dev);
    look_at_signals(s->dev);
    o.priority = s->priority;
    uint64_t number = take_number(s->dev);
    enum wg_profile_use use = wg_profile_use(s->dev, number - 1);
    bool left_out = use == WG_PROFILE_LEFT_OUT;
    struct wg_profile *counted = left_out ? NULL : wg_profile_by_classes(s->dev, &o, s->id);
    struct wg_how plain = wg_how_asked(&s->dev->options);
    plain.slow_alone = counted && wg_profile_has_slow_paths(counted);
    plain.plain = !plain.slow_alone;
    struct wg_grid *g = wg_grid_make(s->dev, &o, counted || left_out ? &plain : NULL, &status);
    if (!g) {
        wg_profile_free(counted);
        return status;
    }
    g->profile = counted;
    g->launcher = &launcher;
    g->depth = depth;
    g->launched_by = by;
    g->graph = l->graph;
    give_number(g, number);
    wg_caller(&g->asked_by, &g->asked_at);
    bool reproducible = same_in_every_run(g), may_launch = wg_func_may_launch(l->func);
    g->job.alone = wants_one_order(g, l);
    if (reproducible) g->clock_base = CLOCK_BASE + g->block.gridid * CLOCK_STEP;
    if (!counted && !left_out) wg_profile_begin(g, s->id);
    if (use == WG_PROFILE_HEARD) wg_profile_only_heard(g->profile);
    if (may_launch) wg_check_streams_expect(s->dev);
    wg_check_begin(g);
    /* Where blocks may race, values and so findings would depend on the schedule. */
    if (wg_check_race_may_matter(g)) g->job.alone = true;
    wg_verify_begin(g, &o);
    g->later = make_later(g, l);
    g->job.steady = g->job.alone && is_steady(g);
    if (g->job.alone)
        g->residents = g->cooperative ? UINT32_MAX : (uint32_t)(o.resident / g->shape.nctas ?: 1);
    g->work = wg_work_new(s->dev, WG_WORK_LAUNCH, begin);
    g->work->grid = g;
    struct wg_work *w = g->work;
    wg_work_put(s, w, NULL);
    if (depth == 1) wg_verify_wait(w);
    if (depth == 1) wait_for_children(w, may_launch, reproducible);
    wg_work_drop(w);
    return WG_OK;
}

enum wg_status wg_launch(struct wg_stream *s, const struct wg_launch *l) { return launch(s, l, 1, NULL); }

enum wg_status wg_launch_child(struct wg_stream *s, const struct wg_launch *l, uint32_t depth,
                               const char *by) {
    return launch(s, l, depth, by);
}

/* The common part of both cluster queries. `fits`: whether a block may have so much shared memory. */
static enum wg_status ask_cluster(const struct wg_launch *l, struct wg_func_info *info, uint32_t cluster[3],
                                  bool *fits) {
    const struct wg_chip *chip = l->func->module->dev->chip;
    wg_func_info(l->func, info);
    if (!chip->limits->cluster_portable)
        return wg_fail(WG_INVALID_CLUSTER_SIZE, "%s has no clusters (sm_90 and later do)", chip->arch);
    *fits = check_shared(l, info, chip->limits) == WG_OK;
    return find_cluster(l, info, chip, cluster);
}

enum wg_status wg_launch_max_clusters(const struct wg_launch *l, uint32_t *clusters) {
    struct wg_func_info info;
    uint32_t cluster[3];
    bool fits = false;
    enum wg_status status = ask_cluster(l, &info, cluster, &fits);
    if (status != WG_OK) return status;
    struct wg_registers r = wg_func_registers(l->func);
    struct wg_occupancy_kernel k = {
        .registers = r.n, .shared = info.shared_static + l->dynamic_shared, .threads = volume(l->block)};
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
