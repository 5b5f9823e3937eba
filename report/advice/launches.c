/* Advice on the shape and the number of launches: warps that blocks do not fill, SMs that get no block, and many
 * launches that are over before the next one has begun.
 *
 *     blocks of 16            each warp has 16 lanes of 32
 *     grid 1 on 132 SMs       131 of them do nothing
 *     500 launches of 2 us    of which 1.4 us is the launch
 */
#include "report/advice/adviser.h"

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
        "A block of %u threads takes %s of 32 lanes, of which %u do nothing: %s of the lanes. Take blocks "
        "whose "
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
    const struct wg_chip *chip = wg_chip_find(g->s->result->arch);
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
        "%s %llu of %u SMs, and the others do nothing. Divide the work among more blocks, at least one for "
        "each "
        "SM; or where it cannot be divided, run other kernels beside it in other streams.",
        blocks == 1 ? "1 block uses"
                    : wg_arena_printf(g->arena, "%llu blocks use", (unsigned long long)blocks),
        (unsigned long long)blocks, chip->sms);
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
        "make "
        "it. Do several steps in one launch, or put the launches into a CUDA graph (cudaGraphLaunch).",
        wg_figure_time(g->arena, seconds / s->launch_count),
        wg_figure_time(g->arena, start / s->launch_count));
    a->note = "if one launch did it all";
    a->seconds = seconds;
    a->then_seconds = seconds - start * (s->launch_count - 1) / s->launch_count;
}
