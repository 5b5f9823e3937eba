/* See statement.h. */
#include "report/statement.h"
#include "count/system_calls.h"
#include "report/advice.h"
#include "report/estimate.h"
#include "report/figure.h"
#include <ctype.h>
#include <math.h>
#include <string.h>

/* Below this share, waste is not worth the first sentence. */
static bool matters(uint64_t waste, uint64_t whole) { return waste * 20 > whole; }

/* What memory did, without regard to whether that is what takes the time. */
static struct wg_statement of_memory(struct wg_arena *a, const struct wg_summary *s) {
    struct wg_counts memory = wg_memory_counts(&s->classes, WG_MEMORY_GLOBAL);
    struct wg_counts local = wg_memory_counts(&s->classes, WG_MEMORY_LOCAL);
    struct wg_counts shared = wg_memory_counts(&s->classes, WG_MEMORY_SHARED);
    wg_counts_add(&memory, &local);
    uint64_t sectors = memory.v[WG_C_sectors], wavefronts = shared.v[WG_C_wavefronts];
    uint64_t unasked = sectors - memory.v[WG_C_ideal_sectors], conflicts = shared.v[WG_C_conflicts];
    if (!sectors && !wavefronts)
        return (struct wg_statement){WG_VERDICT_NONE,
                                     "Nothing was moved: no access to global or shared memory was executed."};
    if (unasked >= conflicts && matters(unasked, sectors))
        return (struct wg_statement){
            WG_VERDICT_BAD, wg_arena_printf(a, "Memory-bound: %s of the %s sectors moved were unused.",
                                            wg_figure_percent(a, unasked, sectors), wg_figure(a, sectors))};
    if (matters(conflicts, wavefronts))
        return (struct wg_statement){
            WG_VERDICT_BAD,
            wg_arena_printf(a, "Shared memory: %s of the %s wavefronts are bank conflicts.",
                            wg_figure_percent(a, conflicts, wavefronts), wg_figure(a, wavefronts))};
    const char *of_shared = !wavefronts ? ""
                            : conflicts ? " Bank conflicts are few."
                                        : " Shared memory has no bank conflict.";
    if (!sectors) return (struct wg_statement){WG_VERDICT_GOOD, of_shared + 1};
    uint64_t repeats = wg_repeats(s);
    if (repeats)
        return (struct wg_statement){
            WG_VERDICT_BAD, wg_arena_printf(a, "Memory-bound: each byte was loaded %s times on average.",
                                            wg_figure(a, repeats))};
    if (!unasked)
        return (struct wg_statement){
            WG_VERDICT_GOOD,
            wg_arena_printf(a, "Nothing wasted: each of the %s sectors moved was fully used.%s",
                            wg_figure(a, sectors), of_shared)};
    return (struct wg_statement){
        WG_VERDICT_GOOD,
        wg_arena_printf(a, "Little wasted: %s of the %s sectors moved were unused.%s",
                        wg_figure_percent(a, unasked, sectors), wg_figure(a, sectors), of_shared)};
}

/* ---- What binds -------------------------------------------------------------------------------------------
 */

/* The part of the model that most of the launches' time is of, and the longest launch of those. */
struct binding {
    enum wg_time_part part;
    bool known, is_short; /* short: it is over before anything can bind it */
    struct wg_estimate longest;
    const struct wg_launch *launch;
};

/* Another part that takes seven tenths as long, and half of the time, binds as much as waiting does: on a full chip warps wait
 * for it. Not schedulers that issue in fewer than half of the cycles, at 75 % of which the model takes them to be busy. */
static enum wg_time_part next_to_latency(const struct wg_time *t) {
    const double busy = 0.67;
    enum wg_time_part next = WG_TIME_LATENCY;
    double most = fmax(t->part[WG_TIME_LATENCY] * 0.7, t->seconds / 2);
    for (int i = 0; i < WG_TIME_PART_COUNT; i++)
        if (i != WG_TIME_LATENCY && t->part[i] > most) next = (enum wg_time_part)i, most = t->part[i];
    if (next == WG_TIME_ISSUE && most < busy * t->seconds) next = WG_TIME_LATENCY;
    return next;
}

static struct binding binding_of(const struct wg_summary *s) {
    struct binding b = {0};
    double of[WG_TIME_PART_COUNT] = {0}, seconds = 0, start = 0, most = 0;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < s->launch_count; i++) {
            struct wg_estimate e;
            if (!wg_estimate_launch(s->result, s->kernel, s->launches[i], &e)) return b;
            const struct wg_time *t = &e.bound.time;
            if (!pass) {
                seconds += t->seconds, start += t->start;
                of[t->longest] += t->seconds;
                if (of[t->longest] > of[b.part]) b.part = t->longest;
            } else if (t->longest == b.part && t->seconds > most) {
                most = t->seconds, b.longest = e, b.launch = s->launches[i];
            }
        }
    b.known = s->launch_count > 0 && b.launch;
    if (b.known && b.part == WG_TIME_LATENCY) b.part = next_to_latency(&b.longest.bound.time);
    b.is_short = start > 0.6 * seconds;
    return b;
}

static uint64_t volume(const uint32_t v[3]) { return (uint64_t)v[0] * v[1] * v[2]; }

/* "Latency-bound: 1 block uses 1 of 132 SMs." */
static const char *of_latency(struct wg_arena *a, const struct binding *b, bool *bad) {
    uint64_t blocks = volume(b->launch->grid), threads = volume(b->launch->block),
             warps = (threads + 31) / 32;
    if (blocks * 4 <= b->longest.chip->sms)
        return wg_arena_printf(a, "Latency-bound: %s of %u SMs at work.", wg_figure(a, blocks),
                               b->longest.chip->sms);
    if (threads * 4 <= warps * 32 * 3)
        return wg_arena_printf(a, "Latency-bound: blocks of %s threads fill %s of their warps' lanes.",
                               wg_figure(a, threads), wg_figure_percent(a, threads, warps * 32));
    *bad = false;
    if (b->longest.waves.waves < 0.5)
        return wg_arena_printf(a, "Latency-bound: the grid fills %.2g %% of the chip's block slots.",
                               100 * b->longest.waves.waves);
    if (b->longest.occupancy.warps * 4 >= b->longest.chip->limits->warps_per_sm * 3u)
        return "Latency-bound: the SMs are full of warps, but each waits with too few loads in flight.";
    return "Latency-bound: warps wait, and there are too few of them to hide it.";
}

/* "Compute-bound: the schedulers of 64 of 132 SMs are busy, with 8 of 32 lanes active." */
static const char *of_issue(struct wg_arena *a, const struct wg_summary *s, const struct binding *b,
                            bool *bad) {
    uint64_t warp = s->totals.v[WG_C_instructions], threads = s->totals.v[WG_C_threads];
    uint64_t blocks = volume(b->launch->grid);
    uint32_t sms = b->longest.chip->sms;
    bool few = blocks < sms, idle = threads < warp * 24;
    *bad = few || idle;
    return wg_arena_printf(
        a, "Compute-bound: the schedulers%s are busy%s.",
        few ? wg_arena_printf(a, " of %s of %u SMs", wg_figure(a, blocks), sms) : "",
        idle ? wg_arena_printf(a, ", with %s of 32 lanes active", wg_figure_ratio(a, threads, warp)) : "");
}

enum wg_heat wg_heat_of(const struct wg_summary *s) {
    struct binding b = binding_of(s);
    bool issue = b.known && !b.is_short && (b.part == WG_TIME_ISSUE || b.part == WG_TIME_MATRIX);
    return issue || !wg_work(&s->classes) ? WG_HEAT_INSTRUCTIONS : WG_HEAT_MEMORY;
}

uint64_t wg_heat_whole(const struct wg_summary *s, enum wg_heat heat) {
    return heat == WG_HEAT_MEMORY ? wg_work(&s->classes) : s->totals.v[WG_C_instructions];
}

const char *wg_binds(const struct wg_summary *s) {
    static const char *const words[WG_TIME_PART_COUNT] = {[WG_TIME_BLOCKS] = "block starts",
                                                          [WG_TIME_ISSUE] = "compute",
                                                          [WG_TIME_L1] = "L1",
                                                          [WG_TIME_L2] = "L2",
                                                          [WG_TIME_DRAM] = "DRAM",
                                                          [WG_TIME_ATOMICS] = "atomics",
                                                          [WG_TIME_CLUSTER] = "DSMEM",
                                                          [WG_TIME_MATRIX] = "tensor cores",
                                                          [WG_TIME_LATENCY] = "latency",
                                                          [WG_TIME_LINK] = "link"};
    struct binding b = binding_of(s);
    if (!b.known) return "";
    if (b.is_short) return "launch";
    const struct wg_time_input *in = &b.longest.input.time;
    return b.part == WG_TIME_L1 && in->shared_wavefronts > in->global_lines ? "shared memory" : words[b.part];
}

/* The model's own sentence up to what would help. */
static const char *of_part(struct wg_arena *a, const struct binding *b) {
    struct wg_strbuf text = {0};
    wg_bound_statement(&b->longest.bound, &b->longest.input, &text);
    char *sentence = wg_arena_printf(a, "%s.", text.s ? text.s : "");
    wg_strbuf_free(&text);
    *sentence = (char)toupper((unsigned char)*sentence);
    return sentence;
}

/* "Memory-bound: 3 % of ..." behind another sentence: "3 % of ...". */
static const char *without_bound(struct wg_arena *a, const char *text) {
    static const char begin[] = "Memory-bound: ";
    if (strncmp(text, begin, sizeof begin - 1) != 0) return text;
    char *rest = wg_arena_strdup(a, text + sizeof begin - 1);
    *rest = (char)toupper((unsigned char)*rest);
    return rest;
}

struct wg_statement wg_statement(struct wg_arena *a, const struct wg_summary *s) {
    struct wg_statement memory = of_memory(a, s);
    struct binding b = binding_of(s);
    enum wg_time_part part = b.part;
    bool bad = true, wasted = wg_waste(&s->classes) * 20 > wg_work(&s->classes);
    if (b.is_short) memory.text = without_bound(a, memory.text);
    if (!b.known || b.is_short || part == WG_TIME_L1 || part == WG_TIME_L2 || part == WG_TIME_DRAM)
        return memory;
    const char *what = part == WG_TIME_LATENCY ? of_latency(a, &b, &bad)
                       : part == WG_TIME_ISSUE ? of_issue(a, s, &b, &bad)
                       : part == WG_TIME_LINK  ? wg_link_headline(a, &b.longest.links)
                                               : of_part(a, &b);
    if (part == WG_TIME_MATRIX) bad = false;
    bool good = part == WG_TIME_LATENCY && !bad && memory.verdict == WG_VERDICT_GOOD;
    if ((memory.verdict == WG_VERDICT_BAD && wasted) || good)
        return (struct wg_statement){!good && (part == WG_TIME_LATENCY || bad) ? WG_VERDICT_BAD
                                                                               : WG_VERDICT_NONE,
                                     wg_arena_printf(a, "%s %s", what, without_bound(a, memory.text))};
    return (struct wg_statement){bad ? WG_VERDICT_BAD : WG_VERDICT_NONE, what};
}

const char *wg_ending(struct wg_arena *a, const struct wg_profile *r) {
    if (!strcmp(r->ended, "exit")) return NULL;
    if (!strcmp(r->ended, "signal"))
        return wg_arena_printf(
            a, "The program was terminated by signal %d: the figures cover what ran until then.",
            (int)r->status);
    if (!strcmp(r->ended, "fault")) return "A kernel failed: the figures cover what ran until then.";
    return "The program ended abruptly (_exit, exec or SIGKILL): its last actions may be missing.";
}

const char *wg_system_calls(struct wg_arena *a, const struct wg_summary *s) {
    uint64_t loads = 0, stores = 0, atomics = 0;
    for (uint32_t i = 0; i < s->kernel->site_count; i++) {
        uint64_t n = s->sites[i].counts.v[WG_C_requests];
        if (!wg_is_system_call(s->sites[i].site->op)) continue;
        enum wg_class class = s->sites[i].site->class;
        *(class == WG_CLASS_global_load ? &loads : class == WG_CLASS_global_store ? &stores : &atomics) += n;
    }
    if (!loads) return NULL;
    return wg_arena_printf(
        a,
        "Of the requests, printf, malloc and free themselves made %s loads, %s stores and %s "
        "atomics; their sectors are not included, as in Nsight Compute.",
        wg_figure(a, loads), wg_figure(a, stores), wg_figure(a, atomics));
}
