/* See estimate.h. */
#include "report/estimate.h"
#include "model/link.h"
#include "report/chain.h"
#include "report/trips.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SECTOR = 32 };

static uint32_t volume(const uint32_t d[3]) { return d[0] * d[1] * d[2]; }

struct wg_occupancy_kernel wg_launch_shape(const struct wg_profile_kernel *k, const struct wg_launch *l) {
    return (struct wg_occupancy_kernel){.registers = k->registers,
                                        .shared = k->static_shared + l->dynamic_shared,
                                        .threads = volume(l->block)};
}

/* ---- Bytes touched ---- */

struct moved {
    uint32_t allocation;
    double bytes;
};

/* To each allocation that accesses of one sort go to. Returns how many those are. */
static uint32_t sum_by_allocation(const struct wg_launch *l, const struct wg_touched *t,
                                  enum wg_touching sort, struct moved *sums) {
    uint32_t n = 0;
    for (uint32_t s = 0; s < l->site_count; s++) {
        if (t->of[s].sort != sort || !t->of[s].allocation) continue;
        uint32_t i = 0;
        while (i < n && sums[i].allocation != t->of[s].allocation) i++;
        if (i == n) sums[n++] = (struct moved){.allocation = t->of[s].allocation};
        sums[i].bytes += t->of[s].sectors * SECTOR;
    }
    return n;
}

/* Bytes of the sectors that sites of one sort touch: what they move, but of each allocation no more than it
 * has. */
static double bytes_touched(const struct wg_profile *p, const struct wg_launch *l, const struct wg_touched *t,
                            enum wg_touching sort) {
    double bytes = 0, elsewhere = 0;
    struct moved *sums = wg_xcalloc(l->site_count + 1, sizeof *sums);
    uint32_t n = sum_by_allocation(l, t, sort, sums);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t a = 0;
        while (a < p->allocation_count && p->allocations[a].id != sums[i].allocation) a++;
        if (a == p->allocation_count) continue;
        bytes += fmin(sums[i].bytes, ceil((double)p->allocations[a].bytes / SECTOR) * SECTOR);
    }
    for (uint32_t s = 0; s < l->site_count; s++)
        if (t->of[s].sort == sort && !t->of[s].allocation)
            elsewhere += (double)l->sites[s].counts.v[WG_C_ideal_sectors] * SECTOR;
    free(sums);
    return bytes + elsewhere;
}

/* Sectors of loads that nothing before brought to L1: no more than dense loads would need, or than there are.
 */
static double block_sectors(const struct wg_launch *l, const struct wg_touched *t,
                            const struct wg_time_input *in) {
    double sum = 0;
    for (uint32_t s = 0; s < l->site_count; s++)
        if (t->of[s].sort == WG_TOUCHES_LOADS) sum += t->of[s].sectors;
    return fmin(sum, fmax(in->load_ideal, in->read_bytes / SECTOR));
}

/* Of accesses to mapped host memory, both directions at once. The GPU keeps nothing of it from one launch to the next. */
static double host_seconds(const struct wg_profile *p, const struct wg_launch *l, const struct wg_touched *t,
                           const struct wg_chip *c) {
    double bytes[WG_TOUCHES_NOTHING] = {0};
    for (uint32_t s = 0; s < l->site_count; s++) {
        const struct wg_profile_allocation *a = wg_profile_allocation_of(p, t->of[s].allocation);
        if (a && a->kind && !strcmp(a->kind, "host") && t->of[s].sort != WG_TOUCHES_NOTHING)
            bytes[t->of[s].sort] += t->of[s].sectors * SECTOR;
    }
    double written = bytes[WG_TOUCHES_STORES] + bytes[WG_TOUCHES_ATOMICS];
    return fmax(bytes[WG_TOUCHES_LOADS], written) / wg_link_host(c);
}

/* ---- The launch ---- */

/* A wgmma of 64 x n keeps its SM's matrix units busy for n / 2 cycles, whatever the type: what it reads of b
 * is 32 bytes for each of the n columns. Each of its four warps reads a quarter of that, and of a's 64 rows.
 */
static double matrix_cycles(const struct wg_counts *c) {
    double columns = (double)c->v[WG_C_bytes_asked] / 8 - 64 * (double)c->v[WG_C_requests];
    return fmax(0, columns) / 2 / 4;
}

static void add(struct wg_bound_input *in, enum wg_class class, const struct wg_counts *c) {
    double requests = (double)c->v[WG_C_requests], sectors = (double)c->v[WG_C_sectors];
    double threads = (double)c->v[WG_C_threads];
    enum wg_class_memory memory = wg_class_infos[class].memory;
    if (memory == WG_MEMORY_SHARED || memory == WG_MEMORY_REMOTE) {
        in->time.shared_wavefronts += (double)c->v[WG_C_wavefronts];
        in->ideal_wavefronts += (double)c->v[WG_C_ideal_wavefronts];
    }
    if (class == WG_CLASS_dsmem_atomic)
        in->time.remote_lanes += threads;
    else if (memory == WG_MEMORY_REMOTE)
        in->time.remote_wavefronts += (double)c->v[WG_C_wavefronts];
    if (memory == WG_MEMORY_GLOBAL || memory == WG_MEMORY_LOCAL) {
        in->sectors += sectors;
        in->ideal_sectors += (double)c->v[WG_C_ideal_sectors];
        in->requests += requests;
        in->bytes_asked += (double)c->v[WG_C_bytes_asked];
        in->time.global_lines += (double)c->v[WG_C_tags];
    }
    if (memory == WG_MEMORY_BULK) in->time.global_lines += sectors / 4;
    if (class == WG_CLASS_matrix_operand) in->time.matrix_cycles += matrix_cycles(c);
    switch (wg_touching(class)) {
    case WG_TOUCHES_LOADS:
        if (memory != WG_MEMORY_BULK) {
            in->time.load_requests += requests;
            in->time.load_lines += (double)c->v[WG_C_tags];
        }
        in->time.load_sectors += sectors;
        in->time.load_ideal += (double)c->v[WG_C_ideal_sectors];
        break;
    case WG_TOUCHES_STORES: in->time.store_sectors += sectors; break;
    case WG_TOUCHES_ATOMICS:
        in->time.atomic_sectors += sectors;
        in->time.atomic_turns += (double)c->v[WG_C_l1_sectors];
        in->time.atomic_words += (double)c->v[WG_C_bytes_asked] / 4;
        break;
    case WG_TOUCHES_NOTHING: break;
    }
    in->time.instructions += (double)c->v[WG_C_machine_instructions];
    if (class == WG_CLASS_barrier) in->time.barriers += (double)c->v[WG_C_barriers];
}

/* That it ran on; NULL: not known. */
static const struct wg_chip *chip_of(const struct wg_profile *p, const struct wg_profile_kernel *k) {
    const char *name = k->chip ? k->chip : p->device;
    const struct wg_chip *chip = wg_chip_find(name ? name : "");
    return chip || !p->arch ? chip : wg_chip_find(p->arch);
}

static double over_mean(double slowest, double mean) { return mean > 0 ? slowest / mean : 0; }

static bool estimate(const struct wg_profile *p, const struct wg_profile_kernel *k, const struct wg_launch *l,
                     struct wg_occupancy_kernel shape, struct wg_estimate *out) {
    *out = (struct wg_estimate){.chip = chip_of(p, k)};
    if (!out->chip) return false;
    uint32_t cluster = volume(l->cluster);
    uint64_t blocks = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
    struct wg_bound_input *in = &out->input;
    out->occupancy = wg_occupancy(out->chip->limits, &shape);
    out->waves = wg_occupancy_waves(out->chip, &shape, blocks, cluster);
    for (uint32_t s = 0; s < l->site_count; s++)
        add(in, k->sites[l->sites[s].site].class, &l->sites[s].counts);
    in->time.blocks = (double)blocks;
    in->time.threads = shape.threads;
    in->time.blocks_per_sm = out->occupancy.blocks;
    in->time.cluster = cluster;
    struct wg_touched t = wg_touched_find(k, l);
    double warps = fmax(1, (double)blocks * ceil(shape.threads / 32.0));
    struct wg_arena scratch = {0};
    struct wg_slowest slowest = wg_slowest_find(k, l, &scratch);
    struct wg_waits_for_loads waits = wg_trips_find(p, k, l, &t, &slowest, fmax(1, out->waves.waves));
    struct wg_trips trips = waits.sum;
    in->time.load_trips = trips.all;
    in->time.miss_trips = trips.misses;
    in->time.memory_trips = trips.from_memory;
    struct wg_chain chain = wg_chain_find(k, l, warps, &slowest);
    in->time.chain = chain.cycles;
    in->time.pipes = chain.pipes;
    in->time.slowest_chain = chain.slowest;
    in->time.slowest_instructions = slowest.share;
    in->time.slowest_each = slowest.in_each_block;
    in->time.slowest_trips = over_mean(waits.slowest.all, trips.all / warps);
    in->time.slowest_misses = over_mean(waits.slowest.misses, trips.misses / warps);
    in->time.slowest_memory = over_mean(waits.slowest.from_memory, trips.from_memory / warps);
    wg_arena_free(&scratch);
    in->time.read_bytes = bytes_touched(p, l, &t, WG_TOUCHES_LOADS);
    in->time.written_bytes = bytes_touched(p, l, &t, WG_TOUCHES_STORES);
    in->time.block_sectors = block_sectors(l, &t, &in->time);
    in->time.atomic_bytes = bytes_touched(p, l, &t, WG_TOUCHES_ATOMICS);
    wg_links_find(p, l, &t, trips.all / warps * fmax(1, out->waves.waves), &out->links);
    in->time.link = out->links.seconds + host_seconds(p, l, &t, out->chip);
    wg_touched_free(&t);
    out->bound = wg_bound(out->chip, in);
    return true;
}

bool wg_estimate_launch(const struct wg_profile *p, const struct wg_profile_kernel *k,
                        const struct wg_launch *l, struct wg_estimate *out) {
    struct wg_estimate *kept = k->estimates ? k->estimates[l->alike] : NULL;
    if (kept && kept->chip == chip_of(p, k)) {
        *out = *kept;
        return true;
    }
    if (!estimate(p, k, l, wg_launch_shape(k, l), out)) return false;
    if (k->estimates) {
        k->estimates[l->alike] = WG_NEW(p->arena, struct wg_estimate);
        *k->estimates[l->alike] = *out;
    }
    return true;
}

/* ---- After a change ---- */

struct wg_alteration *wg_change_none(struct wg_arena *a, const struct wg_profile_kernel *k) {
    struct wg_alteration *c = WG_NEW(a, struct wg_alteration);
    *c = (struct wg_alteration){.instructions = 1, .warps = 1};
    for (int i = 0; i < WG_CHANGING; i++) {
        c->of[i] = WG_NEW_N(a, double, k->site_count);
        for (uint32_t s = 0; s < k->site_count; s++) c->of[i][s] = 1;
    }
    return c;
}

static void scale(uint64_t *n, double factor) { *n = (uint64_t)((double)*n * factor + 0.5); }

static void scale_requests(uint64_t v[WG_COUNTERS], double factor) {
    scale(&v[WG_C_requests], factor);
    scale(&v[WG_C_instructions], factor);
    scale(&v[WG_C_tags], factor);
}

/* Instructions of a warp for each access that brings words to shared memory: where they are, the store, the
 * barrier. */
enum { STAGING = 8 };

/* One site's counters; `instructions` are those that the launch executes more or, below 0, less. */
static void change_site(const struct wg_alteration *c, uint32_t site, uint64_t v[WG_COUNTERS],
                        double *instructions) {
    double requests = (double)v[WG_C_requests], sectors = c->of[WG_CHANGE_SECTORS][site];
    double staged = c->of[WG_CHANGE_STAGED][site], fewer = c->of[WG_CHANGE_REQUESTS][site] * c->warps;
    scale(&v[WG_C_sectors], sectors * staged);
    scale(&v[WG_C_l1_sectors], sectors * staged);
    scale(&v[WG_C_tags], c->of[WG_CHANGE_LINES][site]);
    scale(&v[WG_C_wavefronts], c->of[WG_CHANGE_WAVEFRONTS][site]);
    scale(&v[WG_C_threads], c->of[WG_CHANGE_WAVEFRONTS][site]);
    scale(&v[WG_C_barriers], c->warps * c->of[WG_CHANGE_REQUESTS][site]);
    scale_requests(v, fewer * staged);
    if (v[WG_C_ideal_sectors] > v[WG_C_sectors]) v[WG_C_ideal_sectors] = v[WG_C_sectors];
    if (v[WG_C_tags] < v[WG_C_requests]) v[WG_C_tags] = v[WG_C_requests];
    *instructions +=
        requests * (c->of[WG_CHANGE_REQUESTS][site] - 1) + (staged < 1 ? requests * staged * STAGING : 0);
}

/* What is staged is stored to shared memory once, and read there. */
static double staged_wavefronts(const struct wg_launch *l, const struct wg_alteration *c) {
    double sum = 0;
    for (uint32_t s = 0; s < l->site_count; s++) {
        const uint64_t *v = l->sites[s].counts.v;
        double part = c->of[WG_CHANGE_STAGED][l->sites[s].site];
        double turns = c->of[WG_CHANGE_TURNS][l->sites[s].site];
        if (part < 1) sum += (double)v[WG_C_requests] * (turns + part);
    }
    return sum;
}

static void change_whole(const struct wg_launch *l, const struct wg_alteration *c, double instructions,
                         struct wg_estimate *e) {
    struct wg_time_input *in = &e->input.time;
    double wavefronts = staged_wavefronts(l, c);
    double was = in->instructions;
    in->instructions = (in->instructions + instructions) * c->instructions * c->warps;
    if (was > 0) in->chain *= in->instructions / was, in->pipes *= in->instructions / was;
    in->shared_wavefronts += wavefronts;
    e->input.ideal_wavefronts += wavefronts;
    if (c->blocks) in->blocks = (double)c->blocks;
    if (c->threads) {
        in->blocks = ceil(in->blocks * volume(l->block) / c->threads);
        in->threads = c->threads;
    }
    e->bound = wg_bound(e->chip, &e->input);
}

void wg_estimate_more(struct wg_estimate *e, double instructions) {
    e->input.time.instructions += instructions;
    e->bound = wg_bound(e->chip, &e->input);
}

/* Changes are to all warps alike. */
static void keep_slowest(struct wg_time_input *in, const struct wg_time_input *was) {
    in->slowest_instructions = was->slowest_instructions, in->slowest_trips = was->slowest_trips;
    in->slowest_chain = was->slowest_chain, in->slowest_each = was->slowest_each;
    in->slowest_misses = was->slowest_misses, in->slowest_memory = was->slowest_memory;
}

void wg_estimate_grow(struct wg_estimate *e, double times) {
    struct wg_bound_input *in = &e->input;
    struct wg_time_input was = in->time;
#define X(field, meaning) in->time.field *= times;
    WG_TIME_INPUTS(X)
#undef X
    in->time.link *= times;
    in->time.threads = was.threads, in->time.blocks_per_sm = was.blocks_per_sm;
    in->time.cluster = was.cluster;
    keep_slowest(&in->time, &was);
    in->sectors *= times, in->ideal_sectors *= times, in->requests *= times;
    in->bytes_asked *= times, in->ideal_wavefronts *= times;
    e->bound = wg_bound(e->chip, in);
}

/* What L1 kept comes from L2 no less often than before. */
static double staged_sectors(const struct wg_launch *l, const struct wg_alteration *c) {
    double sum = 0;
    for (uint32_t s = 0; s < l->site_count; s++)
        if (c->of[WG_CHANGE_STAGED][l->sites[s].site] < 1) sum += (double)l->sites[s].counts.v[WG_C_sectors];
    return sum;
}

bool wg_estimate_changed(const struct wg_profile *p, const struct wg_profile_kernel *k,
                         const struct wg_launch *l, const struct wg_alteration *c, struct wg_estimate *out) {
    struct wg_launch then = *l;
    struct wg_occupancy_kernel shape = wg_launch_shape(k, l);
    double instructions = 0;
    then.sites = wg_xcalloc(l->site_count + 1, sizeof *then.sites);
    for (uint32_t s = 0; s < l->site_count; s++) {
        then.sites[s] = l->sites[s];
        if (k->sites[l->sites[s].site].class == WG_CLASS_line) continue;
        change_site(c, l->sites[s].site, then.sites[s].counts.v, &instructions);
    }
    if (c->registers && c->registers < shape.registers) shape.registers = c->registers;
    if (c->shared && c->shared < shape.shared) shape.shared = c->shared;
    if (c->threads) shape.threads = c->threads;
    bool good = estimate(p, k, &then, shape, out);
    struct wg_estimate now;
    good = good && wg_estimate_launch(p, k, l, &now);
    if (good) keep_slowest(&out->input.time, &now.input.time);
    if (good && staged_sectors(l, c) > 0) {
        out->input.time.block_sectors = fmin(out->input.time.load_sectors, now.bound.time.l1_misses);
        out->input.time.read_bytes = now.input.time.read_bytes;
    }
    if (good) change_whole(l, c, instructions, out);
    free(then.sites);
    return good;
}
