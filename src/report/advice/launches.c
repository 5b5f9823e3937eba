/* Advice on launch configurations: blocks that do not fill their warps, SMs without a block, and many launches that are
 * shorter than the launch overhead.
 *
 *     blocks of 16            each warp has 16 lanes of 32
 *     grid 1 on 132 SMs       131 of them do nothing
 *     500 launches of 2 us    of which 1.4 us is the launch
 */
#include "report/advice/adviser.h"
#include <string.h>

static uint32_t threads_of(const struct wg_launch *l) { return l->block[0] * l->block[1] * l->block[2]; }
static uint64_t blocks_of(const struct wg_launch *l) {
    return (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
}
static uint32_t warps_of(uint32_t threads) { return (threads + 31) / 32; }

/* The launch with the most work of those whose blocks leave lanes of a warp empty, one part in ten or more. */
static const struct wg_launch *unfilled(const struct wg_summary *s, double *share) {
    const struct wg_launch *most = NULL;
    uint64_t all = 0, empty = 0;
    for (uint32_t i = 0; i < s->launch_count; i++) {
        const struct wg_launch *l = s->launches[i];
        uint32_t threads = threads_of(l), lanes = warps_of(threads) * 32;
        all += blocks_of(l) * lanes;
        empty += blocks_of(l) * (lanes - threads);
        if ((lanes - threads) * 10 >= lanes && (!most || blocks_of(l) > blocks_of(most))) most = l;
    }
    *share = all ? (double)empty / (double)all : 0;
    return most;
}

void wg_advise_block_size(struct wg_advising *g) {
    double share;
    const struct wg_launch *l = unfilled(g->s, &share);
    if (!l || share < 0.1 || blocks_of(l) < 2) return;
    uint32_t threads = threads_of(l), warps = warps_of(threads), empty = warps * 32 - threads;
    uint32_t then = threads < 128 ? 128 : warps * 32;
    struct wg_advice *a = wg_advice_add(g, "block_size", NULL);
    a->title = wg_arena_printf(g->arena, "Blocks of %u threads do not fill their warps", threads);
    a->text = wg_arena_printf(
        g->arena,
        "A block of %u threads takes %s of 32 lanes, of which %u are idle: %s of the lanes. Use blocks whose "
        "size is a multiple of 32, such as %u threads.",
        threads, wg_figure_plural(g->arena, warps, "warp", "warps"), empty,
        threads == 16 ? "half" : wg_figure_percent(g->arena, empty, (uint64_t)warps * 32), then);
    struct wg_alteration *c = wg_change_of(g, a);
    c->warps = 1 - share;
    c->threads = then;
}

/* A launch on a quarter of the SMs or less that is worth dividing: it takes much longer than to begin. */
static bool is_narrow(const struct wg_launch *l, const struct wg_chip *chip, const struct wg_time *t) {
    return blocks_of(l) * 4 <= chip->sms && t->seconds > 4 * t->start;
}

/* Where one launch that fills the SMs would take two thirds of the time or less. */
static bool pays(const struct wg_advising *g, const struct wg_launch *l, const struct wg_alteration *c) {
    struct wg_estimate now, then;
    return wg_estimate_launch(g->s->result, g->s->kernel, l, &now) &&
           wg_estimate_changed(g->s->result, g->s->kernel, l, c, &then) &&
           then.bound.time.seconds * 3 < now.bound.time.seconds * 2;
}

void wg_advise_few_blocks(struct wg_advising *g) {
    const struct wg_chip *chip = wg_chip_find(wg_summary_chip(g->s));
    const struct wg_launch *longest = NULL;
    double most = 0, all = 0, narrow = 0;
    for (uint32_t i = 0; chip && i < g->s->launch_count; i++) {
        struct wg_estimate e;
        const struct wg_launch *l = g->s->launches[i];
        if (!wg_estimate_launch(g->s->result, g->s->kernel, l, &e)) return;
        all += e.bound.time.seconds;
        if (!is_narrow(l, chip, &e.bound.time)) continue;
        narrow += e.bound.time.seconds;
        if (e.bound.time.seconds > most) most = e.bound.time.seconds, longest = l;
    }
    struct wg_alteration *change = wg_change_none(g->arena, g->s->kernel);
    if (!longest || narrow * 2 < all) return;
    change->blocks = chip->sms;
    if (!pays(g, longest, change)) return;
    uint64_t blocks = blocks_of(longest);
    struct wg_advice *a = wg_advice_add(g, "few_blocks", NULL);
    a->title = wg_arena_printf(g->arena, "Few blocks: %llu of %u SMs at work", (unsigned long long)blocks,
                               chip->sms);
    a->text = wg_arena_printf(
        g->arena,
        "%s %llu of %u SMs, and the others are idle. Divide the work among more blocks%s, at least one for "
        "each SM; or if it cannot be divided, run other kernels concurrently in other streams.",
        blocks == 1 ? "1 block uses"
                    : wg_arena_printf(g->arena, "%llu blocks use", (unsigned long long)blocks),
        (unsigned long long)blocks, chip->sms,
        threads_of(longest) < 32
            ? wg_arena_printf(g->arena, " of at least 32 threads (now %u)", threads_of(longest))
            : "");
    a->note = wg_arena_printf(g->arena, "if %u blocks share the work", chip->sms);
    a->change = change;
}

void wg_advise_short_launches(struct wg_advising *g) {
    enum { MANY = 20 };
    const struct wg_summary *s = g->s;
    double seconds = 0, start = 0;
    if (s->launch_count < MANY) return;
    for (uint32_t i = 0; i < s->launch_count; i++) {
        struct wg_estimate e;
        if (!wg_estimate_launch(s->result, s->kernel, s->launches[i], &e)) return;
        seconds += e.bound.time.seconds;
        start += e.bound.time.start;
    }
    if (start * 2 < seconds) return;
    struct wg_advice *a = wg_advice_add(g, "short_launches", NULL);
    a->title = wg_arena_printf(g->arena, "%u short launches", s->launch_count);
    a->text = wg_arena_printf(
        g->arena,
        "Each launch takes %s on average, of which %s is the launch itself, without what the host needs to "
        "make it. Do several steps in one launch, or put the launches into a CUDA graph (cudaGraphLaunch).",
        wg_figure_time(g->arena, seconds / s->launch_count),
        wg_figure_time(g->arena, start / s->launch_count));
    a->note = "if one launch did it all";
    a->seconds = seconds;
    a->then_seconds = seconds - start * (s->launch_count - 1) / s->launch_count;
}

/* ---- Threads that do the same ------------------------------------------------------------------------------ */

/* Where the kernel's text begins in the source, and the file; 0: not found. */
static uint32_t head_of(const struct wg_advising *g, const struct wg_source_file **f) {
    const struct wg_profile_kernel *k = g->s->kernel;
    const struct wg_frame *outer = NULL;
    for (uint32_t i = 0; i < k->site_count && !outer; i++)
        if (k->sites[i].frame_count) outer = &k->sites[i].frames[k->sites[i].frame_count - 1];
    if (!outer) return 0;
    *f = wg_source_find(g->sources, outer->file);
    for (uint32_t line = outer->line; line && line + 40 > outer->line; line--) {
        const char *text = wg_source_line(*f, line);
        if (text && strstr(text, "__global__")) return line;
    }
    return 0;
}

/* Does the kernel look at this coordinate of its thread? Where it is not plain, yes: only what names threadIdx.x
 * and neither macros nor functions that could name more is known. */
static bool uses(const struct wg_source_file *f, uint32_t line, char axis) {
    bool x = false, other = false;
    char name[] = "threadIdx.y";
    name[sizeof name - 2] = axis;
    for (; line <= f->lines; line++) {
        const char *text = wg_source_line(f, line);
        x |= strstr(text, "threadIdx.x") != NULL;
        other |= strstr(text, name) || strstr(text, "rank") || strstr(text, "cooperative") ||
                 strstr(text, "= threadIdx;");
        if (*text == '}') break;
    }
    return other || !x;
}

static bool is_inlined(const struct wg_summary *s) {
    for (uint32_t i = 0; i < s->kernel->site_count; i++)
        if (s->kernel->sites[i].frame_count > 1 && !wg_source_is_system(s->kernel->sites[i].frames[0].file))
            return true;
    return false;
}

void wg_advise_same_work(struct wg_advising *g) {
    const struct wg_source_file *f = NULL;
    uint32_t line = head_of(g, &f), times = UINT32_MAX;
    for (uint32_t i = 0; i < g->s->launch_count; i++)
        if (g->s->launches[i]->block[1] < times) times = g->s->launches[i]->block[1];
    if (!line || times < 2 || is_inlined(g->s) || uses(f, line, 'y')) return;
    const uint32_t *block = g->s->launches[0]->block;
    struct wg_advice *a = wg_advice_add(g, "same_work", NULL);
    a->title = wg_arena_printf(g->arena, "%u threads do the same work", times);
    a->text = wg_arena_printf(g->arena,
                              "Blocks have %u x %u threads, but the kernel uses only threadIdx.x: its "
                              "%u rows of threads load, compute "
                              "and store the same. Launch blocks of one row, such as %u threads.",
                              block[0], block[1], times, block[0] * block[1]);
    a->unit = "warp instructions";
    a->before = g->s->totals.v[WG_C_instructions], a->after = a->before / times;
    a->proven = true;
    struct wg_alteration *c = wg_change_of(g, a);
    c->warps = 1.0 / times;
    for (uint32_t i = 0; i < g->s->kernel->site_count; i++) c->of[WG_CHANGE_SECTORS][i] = 1.0 / times;
}
