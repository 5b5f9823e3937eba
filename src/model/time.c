/* See time.h. */
#include "model/time.h"
#include <math.h>

enum { SECTOR = 32 };
enum { UNROLLED = 4 };     /* loads that are under way together, where nothing better is known */
enum { UNDER_WAY = 8192 }; /* bytes in an SM, with which latency_dram was measured */

const char *const wg_time_part_names[WG_TIME_PART_COUNT] = {
#define X(id, name, meaning) name,
    WG_TIME_PARTS(X)
#undef X
};
const char *const wg_time_part_meanings[WG_TIME_PART_COUNT] = {
#define X(id, name, meaning) meaning,
    WG_TIME_PARTS(X)
#undef X
};
const struct wg_time_constants wg_time_constants = {
#define X(field, value, meaning) .field = value,
    WG_TIME_CONSTANTS(X)
#undef X
};

/* Sectors that loads request from L2. An SM's blocks hit in L1 on what they loaded before, and in part on
 * what their neighbours did: where the sum over blocks is more than every SM loading everything once, the
 * estimate is between the two. */
static double l1_misses(const struct wg_chip *c, const struct wg_time_input *in) {
    double touched = in->read_bytes / SECTOR, misses = in->block_sectors;
    if (misses == 0) misses = fmax(in->load_ideal, touched);
    misses = fmin(misses, in->load_sectors);
    double everywhere = touched * c->sms;
    return everywhere > 0 && everywhere < misses ? sqrt(everywhere * misses) : misses;
}

/* What memory takes for a load: more with other bytes under way, as many as latency_dram was measured with. */
static double memory_latency(const struct wg_time_constants *k, const struct wg_chip *c,
                             const struct wg_time_input *in, double trips, double warps) {
    double resident = fmin(in->blocks_per_sm * ceil(in->threads / WG_CHIP_WARP), warps / c->sms);
    double under_way = resident * in->load_sectors * SECTOR / fmax(trips, 1);
    return k->latency_alone + (k->latency_dram - k->latency_alone) * fmin(1, under_way / UNDER_WAY);
}

/* Seconds of all trips. Where it is not known which of them go beyond L1, those that do are as many as sectors do. */
static double waiting(const struct wg_time_constants *k, const struct wg_chip *c,
                      const struct wg_time_input *in, const struct wg_time *t, double warps, double trips) {
    double hz = c->clock_khz * 1e3;
    if (in->miss_trips > 0)
        return ((in->load_trips - in->miss_trips) * k->latency_l1 +
                (in->miss_trips - in->memory_trips) * k->latency_l2 +
                fmax(0, in->load_lines - in->load_requests) * k->line) /
                   hz +
               in->memory_trips * memory_latency(k, c, in, trips, warps);
    double from_l1 = in->load_sectors > 0 ? 1 - t->l1_misses / in->load_sectors : 0;
    double from_dram = t->l1_misses > 0 ? fmin(1, in->read_bytes / SECTOR / t->l1_misses) : 0;
    return trips * (from_l1 * k->latency_l1 / hz +
                    (1 - from_l1) * ((1 - from_dram) * k->latency_l2 / hz + from_dram * k->latency_dram));
}

/* Cycles of a warp's own instructions: its chains of dependent ones, and each holds up those behind it. */
static double own_cycles(const struct wg_time_constants *k, const struct wg_time_input *in,
                         double instructions, double chain) {
    return in->chain > 0 ? chain + instructions * k->stall : instructions * k->instruction;
}

/* Seconds that the warp which executes most takes longer than the mean one: it ends last in the last wave. */
static double longer(const struct wg_time_constants *k, const struct wg_chip *c,
                     const struct wg_time_input *in, double trips, double warps) {
    double hz = c->clock_khz * 1e3;
    double instructions = fmax(0, in->slowest_instructions - 1) * in->instructions / warps;
    double memory = fmax(0, in->slowest_memory - 1) * in->memory_trips / warps;
    double misses = fmax(0, in->slowest_misses - 1) * in->miss_trips / warps;
    double waits = fmax(0, in->slowest_trips - 1) * in->load_trips / warps;
    double chain = fmax(0, in->slowest_chain - 1) * in->chain / warps;
    return (own_cycles(k, in, instructions, chain) + fmax(0, waits - misses) * k->latency_l1 +
            fmax(0, misses - memory) * k->latency_l2) /
               hz +
           memory * memory_latency(k, c, in, trips, warps);
}

/* Also finds what of it nothing hides: before a block is set up and has its first data no other part is busy. */
static double latency(const struct wg_time_constants *k, const struct wg_chip *c,
                      const struct wg_time_input *in, struct wg_time *t) {
    double hz = c->clock_khz * 1e3, warps_a_block = ceil(in->threads / WG_CHIP_WARP);
    double warps = fmax(in->blocks * warps_a_block, 1);
    double trips = in->load_trips != 0 ? in->load_trips : in->load_requests / UNROLLED;
    if (trips < warps && in->load_requests >= warps && in->load_trips == 0) trips = warps;
    double life = (k->life + k->warp * warps_a_block) / hz;
    double chains = own_cycles(k, in, in->instructions, in->chain) / warps / hz;
    double own = life + in->barriers / warps * k->barrier / hz + chains;
    double waits = waiting(k, c, in, t, warps, trips);
    t->fill = life + (trips > 0 ? fmin(1, trips / warps) * waits / trips : 0);
    t->chains = t->waves * chains;
    t->slowest = (1 + in->slowest_each * (t->waves - 1)) * longer(k, c, in, trips, warps);
    return t->waves * (own + waits / warps) + t->slowest;
}

static double atomics(const struct wg_time_constants *k, const struct wg_chip *c,
                      const struct wg_time_input *in) {
    double hz = c->clock_khz * 1e3, sectors = in->atomic_bytes / SECTOR;
    double words = in->atomic_words > 0 ? in->atomic_words : in->atomic_sectors * SECTOR / 4;
    double seconds = (in->atomic_sectors / k->atomic + words / k->atomic_word) / (c->sms * hz);
    if (sectors > 0) seconds += in->atomic_turns * fmin(k->same_sector / sectors, k->same_line) / hz;
    return seconds;
}

/* Cycles that the SMs' schedulers need, and the pipes that execute, where those are known: else they are a part of what a
 * scheduler reaches. */
static double issue(const struct wg_time_constants *k, const struct wg_chip *c,
                    const struct wg_time_input *in) {
    bool known = in->chain > 0;
    double schedulers = in->instructions / (c->limits->subpartitions * (known ? k->dispatch : k->issue));
    return known ? fmax(schedulers, in->pipes) : schedulers;
}

/* Reads and writes between each other cost more than each alone: so much more that a copy takes what it
 * takes. */
static double dram(const struct wg_time_constants *k, const struct wg_chip *c, double read, double written) {
    double turns = 2 / k->dram_copy - 1 / k->dram_read - 1 / k->dram_write;
    return (read / k->dram_read + written / k->dram_write + fmin(read, written) * turns) /
           wg_chip_bandwidth(c);
}

static double together(const struct wg_time_constants *k, const struct wg_time *t) {
    double sum = 0;
    for (int i = 0; i < WG_TIME_PART_COUNT; i++)
        sum += pow(fmax(0, t->part[i] - (i == WG_TIME_LATENCY ? t->fill : 0)), k->overlap);
    return t->start + t->fill + pow(sum, 1 / k->overlap);
}

struct wg_time wg_time_model_with(const struct wg_time_constants *k, const struct wg_chip *c,
                                  const struct wg_time_input *in) {
    struct wg_time t = {.start = k->start, .l1_misses = l1_misses(c, in)};
    double hz = c->clock_khz * 1e3, all = hz * c->sms;
    double at_once = fmax(in->blocks_per_sm, 1) * c->sms;
    t.waves = fmax(1, in->blocks / at_once);
    t.dram_bytes = in->read_bytes + in->written_bytes;
    t.part[WG_TIME_BLOCKS] = in->blocks * k->block / hz;
    double busy = hz * fmin(fmax(in->blocks, 1), c->sms); /* SMs that have blocks */
    t.part[WG_TIME_ISSUE] = issue(k, c, in) / busy;
    t.part[WG_TIME_L1] =
        ((in->shared_wavefronts + in->global_lines - in->load_lines) / k->l1 + in->load_lines / k->l1_loads) /
        busy;
    t.part[WG_TIME_L2] = (t.l1_misses / k->l2_read + in->store_sectors / k->l2_write) * SECTOR / all;
    t.part[WG_TIME_DRAM] = dram(k, c, in->read_bytes, in->written_bytes);
    t.part[WG_TIME_ATOMICS] = atomics(k, c, in);
    bool pair = in->cluster == 2;
    t.part[WG_TIME_CLUSTER] = (in->remote_lanes * (pair ? k->remote_pair : k->remote) +
                               in->remote_wavefronts * (pair ? k->remote_turn_pair : k->remote_turn)) /
                              busy;
    t.part[WG_TIME_MATRIX] = in->matrix_cycles / (k->matrix * busy);
    t.part[WG_TIME_LATENCY] = latency(k, c, in, &t);
    t.part[WG_TIME_LINK] = in->link;
    for (int i = 0; i < WG_TIME_PART_COUNT; i++)
        if (t.part[i] > t.part[t.longest]) t.longest = (enum wg_time_part)i;
    t.seconds = together(k, &t);
    return t;
}

double wg_time_together(const struct wg_time *t) { return together(&wg_time_constants, t); }

struct wg_time wg_time_model(const struct wg_chip *c, const struct wg_time_input *in) {
    return wg_time_model_with(&wg_time_constants, c, in);
}
