/* See bound.h. */
#include "model/bound.h"
#include <math.h>

enum { SECTOR = 32 };

static double part(double some, double all) { return all > 0 ? fmax(0, some / all) : 0; }

struct wg_bound wg_bound(const struct wg_chip *c, const struct wg_bound_input *in) {
    const struct wg_time_input *i = &in->time;
    struct wg_bound b = {.time = wg_time_model(c, i), .peak = wg_chip_bandwidth(c)};
    double warps = ceil(i->threads / WG_CHIP_WARP) * i->blocks, loads = i->load_sectors * SECTOR;
    double trips = i->load_trips > 0 ? i->load_trips : fmax(i->load_requests, warps);
    double resident = fmin(ceil(i->threads / WG_CHIP_WARP) * i->blocks_per_sm, warps / c->sms);
    double moved = (b.time.l1_misses + i->store_sectors + i->atomic_sectors) * SECTOR;
    b.unasked = part(in->sectors - in->ideal_sectors, in->sectors);
    b.conflicts = part(i->shared_wavefronts - in->ideal_wavefronts, i->shared_wavefronts);
    b.sectors_per_request = part(in->sectors, in->requests);
    b.ideal_per_request = part(in->ideal_sectors, in->requests);
    b.bandwidth = part(in->bytes_asked, b.time.seconds);
    b.under_way = resident * part(loads, trips);
    b.needed = b.peak * wg_time_constants.under_way / c->sms;
    b.instructions_per_byte = part(i->instructions * WG_CHIP_WARP, moved);
    b.balance = (double)c->sms * c->limits->subpartitions * WG_CHIP_WARP * c->clock_khz * 1e3 / b.peak;
    return b;
}

/* ---- The sentence ---- */

static void say_bytes(struct wg_strbuf *out, double bytes) {
    if (bytes < 1)
        wg_strbuf_puts(out, "less than a byte");
    else if (bytes < 1000)
        wg_strbuf_printf(out, "%.0f bytes", bytes);
    else
        wg_strbuf_printf(out, "%.1f KB", bytes / 1000);
}

/* Where all wait for one warp, or for their own instructions rather than for memory. */
static bool say_own_latency(const struct wg_bound *b, const struct wg_bound_input *in,
                            struct wg_strbuf *out) {
    double latency = b->time.part[WG_TIME_LATENCY];
    if (2 * b->time.slowest > latency && in->time.slowest_each > 0.5)
        wg_strbuf_printf(
            out,
            "waiting for one warp of each block, %.0f %% of the time, while the others are idle: "
            "divide its work among the block's threads",
            100 * fmin(1, part(b->time.slowest, b->time.seconds)));
    else if (2 * b->time.slowest > latency && in->time.blocks > 1)
        wg_strbuf_printf(out,
                         "waiting for the slowest warp, %.0f %% of the time, while others have ended: divide "
                         "the work evenly",
                         100 * fmin(1, part(b->time.slowest, b->time.seconds)));
    else if (2 * b->time.chains > latency)
        wg_strbuf_puts(out, "waiting for results of its own instructions: put more independent work in each "
                            "thread, or run more warps");
    else
        return false;
    return true;
}

static void say_latency(const struct wg_bound *b, const struct wg_bound_input *in, struct wg_strbuf *out) {
    /* Loads of nothing that the kernel asked for: count/system_calls.h. */
    bool calls = in->time.load_sectors * SECTOR < in->time.load_requests;
    if (!calls && say_own_latency(b, in, out)) return;
    if (in->time.load_requests == 0) {
        wg_strbuf_puts(out,
                       "limited by block latency: put more work in each block, or run more blocks at once");
        return;
    }
    if (calls) {
        wg_strbuf_puts(
            out,
            "waiting for printf, malloc or free, which take hundreds to thousands of instructions a call");
        return;
    }
    wg_strbuf_puts(out, "waiting for memory: ");
    say_bytes(out, b->under_way);
    wg_strbuf_puts(out, " of loads are in flight in each SM");
    if (b->under_way < b->needed) {
        wg_strbuf_puts(out, ", and ");
        say_bytes(out, b->needed);
        wg_strbuf_puts(
            out, " would saturate the chip's memory: use more warps, or more or wider loads per thread");
    } else {
        wg_strbuf_puts(out,
                       ", enough to saturate memory, but each block waits for them, for barriers and for its "
                       "start: put more work in each block");
    }
}

static void say_memory(const struct wg_bound *b, struct wg_strbuf *out) {
    if (b->unasked >= 0.05)
        wg_strbuf_printf(out, "memory-bound: %.0f %% of the sectors moved were unused", 100 * b->unasked);
    else if (b->time.longest == WG_TIME_DRAM)
        wg_strbuf_printf(out, "memory-bound with every sector used, at %.0f %% of the chip's bandwidth",
                         100 * part(b->time.dram_bytes, b->time.seconds * b->peak));
    else
        wg_strbuf_puts(
            out, "limited by L2 bandwidth with every sector used: keep more in shared memory or registers");
}

static void say_l1(const struct wg_bound *b, const struct wg_bound_input *in, struct wg_strbuf *out) {
    if (in->time.shared_wavefronts < in->time.global_lines)
        say_memory(b, out);
    else if (b->conflicts >= 0.05)
        wg_strbuf_printf(out, "limited by shared memory: %.0f %% of its wavefronts are bank conflicts",
                         100 * b->conflicts);
    else
        wg_strbuf_puts(
            out, "limited by shared memory, without conflicts: keep more in registers, or load wider words");
}

void wg_bound_statement(const struct wg_bound *b, const struct wg_bound_input *in, struct wg_strbuf *out) {
    if (b->time.start > 0.6 * b->time.seconds) {
        wg_strbuf_printf(out, "too short to matter: %.0f %% of the time is the launch itself",
                         100 * b->time.start / b->time.seconds);
        return;
    }
    switch (b->time.longest) {
    case WG_TIME_BLOCKS:
        wg_strbuf_printf(out, "limited by block scheduling (%.0f small blocks): put more work in each block",
                         in->time.blocks);
        break;
    case WG_TIME_ISSUE: wg_strbuf_puts(out, "compute-bound: the schedulers are busy"); break;
    case WG_TIME_L1: say_l1(b, in, out); break;
    case WG_TIME_L2:
    case WG_TIME_DRAM: say_memory(b, out); break;
    case WG_TIME_ATOMICS:
        wg_strbuf_printf(out, "limited by atomics: %.0f of them contend for %.0f sector%s",
                         in->time.atomic_turns, in->time.atomic_bytes / SECTOR,
                         in->time.atomic_bytes > SECTOR ? "s" : "");
        break;
    case WG_TIME_CLUSTER:
        wg_strbuf_printf(out, "limited by distributed shared memory: %.0f accesses go to another block's",
                         in->time.remote_lanes + in->time.remote_wavefronts);
        break;
    case WG_TIME_MATRIX: wg_strbuf_puts(out, "compute-bound: the tensor cores are busy"); break;
    case WG_TIME_LINK: wg_strbuf_puts(out, "bound by the link to the host or another device"); break;
    case WG_TIME_LATENCY:
    case WG_TIME_PART_COUNT: say_latency(b, in, out); break;
    }
}
