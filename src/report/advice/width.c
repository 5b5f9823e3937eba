/* Advice on contiguous accesses that could be cheaper: misaligned ones, and those of one or two bytes for each lane.
 *
 *     a[i + 1]           lanes at 4, 8, ... 128:  5 sectors instead of 4
 *     unsigned char a[i] 32 bytes an access:      uchar4 takes a quarter of the accesses
 */
#include "report/advice/adviser.h"
#include <string.h>

static bool lies_side_by_side(const struct wg_site_summary *site) {
    return wg_is_access(site, WG_MEMORY_GLOBAL) && wg_is_load_or_store(site->site) &&
           wg_pattern_of(site->worst, site->site->bytes).kind == WG_PATTERN_SIDE_BY_SIDE;
}

/* None of its accesses took a sector more than its bytes fill. */
static bool is_aligned(const struct wg_site_summary *site) {
    return site->counts.v[WG_C_sectors] == site->counts.v[WG_C_ideal_sectors];
}

/* Where the warp's lane 0 is or would be, if all of them were active: past the edge of a sector. */
static uint32_t past_edge(const struct wg_site_summary *site) {
    uint32_t lane = (uint32_t)__builtin_ctz(site->worst->lanes);
    return (uint32_t)((site->worst->address[lane] - (uint64_t)lane * site->site->bytes) % 32);
}

/* The same lanes, with the first one's word where a line begins, as rows of cudaMallocPitch do. */
static struct wg_recorded at_edge(const struct wg_site_summary *site) {
    struct wg_recorded there = *site->worst;
    uint32_t lane = (uint32_t)__builtin_ctz(there.lanes), bytes = site->site->bytes;
    uint64_t first = there.address[lane] - (uint64_t)lane * bytes, edge = (first / 128 + 1) * 128;
    for (uint32_t l = 0; l < 32; l++) there.address[l] += edge - first;
    return there;
}

static uint32_t sectors_at_edge(const struct wg_site_summary *site) {
    struct wg_recorded there = at_edge(site);
    return wg_sectors_of(&there, site->site->bytes);
}

/* Rows of a block's threads that are no multiple of a sector begin anywhere, wherever the data does. */
static bool block_is_aligned(const struct wg_advising *g, uint32_t bytes) {
    for (uint32_t i = 0; i < g->s->launch_count; i++)
        if (g->s->launches[i]->block[0] * bytes % 32 != 0) return false;
    return true;
}

/* In a stencil one of the neighbours is aligned, and the others cannot be. */
static bool has_aligned_neighbour(const struct wg_advising *g, const struct wg_site *of) {
    for (uint32_t i = 0; i < g->s->kernel->site_count; i++) {
        const struct wg_site_summary *site = &g->s->sites[i];
        if (site->site != of && lies_side_by_side(site) && wg_same_what(site->site, of) && is_aligned(site))
            return true;
    }
    return false;
}

/* A warp's accesses overlap, as those of a filter that slides over its input do: they cannot all be aligned.
 */
static bool slides(const struct wg_site_summary *site) {
    const struct wg_recorded *first = site->first, *worst = site->worst;
    if (!first || first->warp != worst->warp || memcmp(first->block, worst->block, sizeof first->block) != 0)
        return false;
    uint32_t lane = (uint32_t)__builtin_ctz(worst->lanes);
    if (!(first->lanes >> lane & 1)) return false;
    uint64_t moved = worst->address[lane] - first->address[lane];
    return moved && moved < (uint64_t)32 * site->site->bytes;
}

static bool is_misaligned(const struct wg_advising *g, const struct wg_site_summary *site) {
    return lies_side_by_side(site) && !is_aligned(site) && block_is_aligned(g, site->site->bytes) &&
           past_edge(site) && sectors_at_edge(site) < wg_sectors_of(site->worst, site->site->bytes) &&
           !slides(site) && !has_aligned_neighbour(g, site->site);
}

static void say_misaligned(struct wg_advising *g, struct wg_advice *a, const struct wg_site_summary *site) {
    a->title = wg_arena_printf(g->arena, "Not aligned to a sector: %s", wg_what(site->site, "memory"));
    a->text = wg_arena_printf(
        g->arena,
        "Lanes are side by side, but a warp's first address is %llu bytes past a multiple of 32, so an "
        "access takes %u sectors instead of %u. Align the data, or each row of it, to 32 bytes "
        "(cudaMallocPitch does), or shift the index.",
        (unsigned long long)past_edge(site), wg_sectors_of(site->worst, site->site->bytes),
        sectors_at_edge(site));
    struct wg_recorded *then = wg_changed(g->arena, site->worst);
    *then = at_edge(site);
    a->now = site->worst;
    a->then = then;
}

/* One piece of advice for each variable: an unrolled loop has several sites, and what is loaded is stored again. */
void wg_advise_misaligned_base(struct wg_advising *g) {
    uint32_t n = g->s->kernel->site_count;
    bool *done = WG_NEW_N(g->arena, bool, n);
    for (uint32_t i = 0; i < n; i++) {
        const struct wg_site_summary *head = &g->s->sites[i];
        if (done[i] || !is_misaligned(g, head)) continue;
        uint64_t before = 0, after = 0;
        bool proven = true;
        struct wg_alteration *change = wg_change_none(g->arena, g->s->kernel);
        for (uint32_t j = i; j < n; j++) {
            const struct wg_site_summary *site = &g->s->sites[j];
            if (!wg_same_what(site->site, head->site) || !is_misaligned(g, site)) continue;
            done[j] = true;
            uint32_t was = wg_sectors_of(site->worst, site->site->bytes), is = sectors_at_edge(site);
            before += site->counts.v[WG_C_sectors];
            after += wg_scaled(site, WG_C_sectors, was, is, &proven);
            struct wg_recorded then = at_edge(site);
            wg_change_lanes(change, site, &then);
        }
        if (!wg_worth(before - after, wg_work(&g->s->classes))) continue;
        struct wg_advice *a = wg_advice_add(g, "misaligned_base", head->site);
        say_misaligned(g, a, head);
        a->unit = "sectors";
        a->change = change;
        a->before = before, a->after = after, a->proven = proven;
    }
}

static bool is_narrow(const struct wg_site_summary *site) {
    return lies_side_by_side(site) && site->site->bytes <= 2 && site->site->joined <= 1;
}

/* "loads: a, b", "accesses: a, c": of all narrow sites of so many bytes. */
static const char *narrow_title(struct wg_advising *g, uint32_t bytes) {
    struct wg_strbuf names = {0};
    bool loads = false, stores = false;
    for (uint32_t i = 0; i < g->s->kernel->site_count; i++) {
        const struct wg_site_summary *site = &g->s->sites[i];
        bool seen = !is_narrow(site) || site->site->bytes != bytes;
        if (seen) continue;
        loads |= site->site->class == WG_CLASS_global_load;
        stores |= site->site->class == WG_CLASS_global_store;
        for (uint32_t j = 0; j < i && !seen; j++)
            seen = is_narrow(&g->s->sites[j]) && g->s->sites[j].site->bytes == bytes &&
                   wg_same_what(site->site, g->s->sites[j].site);
        if (!seen) wg_strbuf_printf(&names, "%s%s", names.n ? ", " : "", wg_what(site->site, "memory"));
    }
    const char *title = wg_arena_printf(g->arena, "Narrow %s: %s",
                                        loads && stores ? "accesses"
                                        : loads         ? "loads"
                                                        : "stores",
                                        names.s);
    wg_strbuf_free(&names);
    return title;
}

static void advise_narrow(struct wg_advising *g, uint32_t bytes) {
    const struct wg_profile_kernel *k = g->s->kernel;
    const struct wg_site_summary *most = NULL;
    uint64_t before = 0, all = wg_memory_counts(&g->s->classes, WG_MEMORY_GLOBAL).v[WG_C_requests];
    uint32_t wider = 4 / bytes;
    struct wg_alteration *change = wg_change_none(g->arena, k);
    for (uint32_t i = 0; i < k->site_count; i++) {
        const struct wg_site_summary *site = &g->s->sites[i];
        if (!is_narrow(site) || site->site->bytes != bytes) continue;
        before += site->counts.v[WG_C_requests];
        change->of[WG_CHANGE_REQUESTS][i] = 1.0 / wider;
        if (!most || site->counts.v[WG_C_requests] > most->counts.v[WG_C_requests]) most = site;
    }
    uint64_t after = (before + wider - 1) / wider;
    if (!most || !wg_worth(before - after, all)) return;
    struct wg_advice *a = wg_advice_add(g, "narrow_access", most->site);
    a->title = narrow_title(g, bytes);
    a->text = wg_arena_printf(
        g->arena,
        "Each lane accesses %u byte%s at a time, so a request moves %u bytes of the 128 it "
        "could. Let each thread take %u neighbours in one access (%s).",
        bytes, bytes > 1 ? "s" : "", 32 * bytes, wider, bytes == 1 ? "uchar4" : "ushort2, half2");
    a->unit = "requests";
    a->change = change;
    a->before = before, a->after = after, a->proven = true;
}

/* One piece of advice for each width: a thread that takes several elements takes them of all arrays. */
void wg_advise_narrow_access(struct wg_advising *g) {
    advise_narrow(g, 1);
    advise_narrow(g, 2);
}

/* ---- Rows of a block that are shorter than a warp ---------------------------------------------------------- */

/* Each row of the block begins off an edge, so that a warp's two or more rows each take a sector more. */
static bool has_short_rows(const struct wg_advising *g, const struct wg_site_summary *site,
                           struct wg_recorded *then) {
    if (!wg_is_access(site, WG_MEMORY_GLOBAL) || !wg_is_load_or_store(site->site) || is_aligned(site))
        return false;
    struct wg_pattern p = wg_pattern_in_runs(site->worst, site->site->bytes);
    if (p.kind != WG_PATTERN_SIDE_BY_SIDE || p.run == 32 || g->s->launches[0]->block[0] != p.run)
        return false;
    *then = *site->worst;
    for (uint32_t l = 0; l < 32; l++) then->address[l] = then->address[0] + (uint64_t)l * site->site->bytes;
    return wg_sectors_of(then, site->site->bytes) < wg_sectors_of(site->worst, site->site->bytes);
}

/* One piece of advice for the kernel: it is the block's shape that is to change. */
void wg_advise_short_rows(struct wg_advising *g) {
    const struct wg_site_summary *most = NULL;
    struct wg_alteration *change = wg_change_none(g->arena, g->s->kernel);
    struct wg_recorded then;
    uint64_t before = 0, after = 0;
    bool proven = true;
    for (uint32_t i = 0; i < g->s->kernel->site_count; i++) {
        const struct wg_site_summary *site = &g->s->sites[i];
        if (!has_short_rows(g, site, &then)) continue;
        wg_change_lanes(change, site, &then);
        before += site->counts.v[WG_C_sectors];
        after += wg_scaled(site, WG_C_sectors, wg_sectors_of(site->worst, site->site->bytes),
                           wg_sectors_of(&then, site->site->bytes), &proven);
        if (!most || site->counts.v[WG_C_sectors] > most->counts.v[WG_C_sectors]) most = site;
    }
    if (!most || !wg_worth(before - after, wg_work(&g->s->classes)) || !has_short_rows(g, most, &then))
        return;
    const uint32_t *block = g->s->launches[0]->block;
    uint32_t rows = block[0] * block[1] >= 32 ? block[0] * block[1] / 32 : 1;
    struct wg_advice *a = wg_advice_add(g, "short_rows", most->site);
    a->title = wg_arena_printf(g->arena, "Rows of %u threads: %s", block[0], wg_what(most->site, "memory"));
    a->text = wg_arena_printf(g->arena,
                              "Blocks are %u threads wide, so a warp has %u rows, and each begins off a "
                              "sector's edge and takes one more. "
                              "Blocks of 32 x %u have one row in each warp.",
                              block[0], 32 / block[0], rows);
    a->now = most->worst;
    a->then = wg_changed(g->arena, &then);
    a->unit = "sectors";
    a->change = change;
    a->before = before, a->after = after, a->proven = proven;
}
