/* Advice on occupancy and control flow: clusters without a purpose, low occupancy, spilled registers, divergent branches,
 * and one lane that works for its block. */
#include "model/advice.h"
#include "report/advice/adviser.h"
#include <math.h>

static uint64_t shared_bytes(const struct wg_summary *s) {
    return s->kernel->static_shared + s->launches[0]->dynamic_shared;
}

/* Remote accesses of launches whose clusters' shared memory one block could have; the largest such memory. */
static uint64_t needless(const struct wg_summary *s, uint64_t most, uint64_t *bytes,
                         const struct wg_site **where) {
    uint64_t accesses = 0, worst = 0;
    for (uint32_t i = 0; i < s->launch_count; i++) {
        const struct wg_launch *l = s->launches[i];
        uint64_t size = (uint64_t)l->cluster[0] * l->cluster[1] * l->cluster[2];
        uint64_t shared = (s->kernel->static_shared + l->dynamic_shared) * size;
        if (size < 2 || shared > most) continue;
        for (uint32_t j = 0; j < l->site_count; j++) {
            const struct wg_site *site = &s->kernel->sites[l->sites[j].site];
            uint64_t n = l->sites[j].counts.v[WG_C_requests];
            if (wg_class_infos[site->class].memory != WG_MEMORY_REMOTE || !n) continue;
            accesses += n;
            if (shared > *bytes) *bytes = shared;
            if (n > worst) worst = n, *where = site;
        }
    }
    return accesses;
}

void wg_advise_needless_cluster(struct wg_advising *g) {
    const struct wg_chip *chip = wg_chip_find(wg_summary_chip(g->s));
    const struct wg_site *where = NULL;
    uint64_t bytes = 0, accesses = chip ? needless(g->s, chip->limits->shared_optin, &bytes, &where) : 0;
    if (!accesses) return;
    struct wg_advice *a = wg_advice_add(g, "needless_cluster", where);
    a->title = "One block is enough";
    a->text = wg_arena_printf(g->arena,
                              "The blocks of a cluster share %s of shared memory, and one block may have %s. "
                              "With all of it in each block, all accesses stay on the SM.",
                              wg_figure_bytes(g->arena, bytes),
                              wg_figure_bytes(g->arena, chip->limits->shared_optin));
    a->unit = "accesses to other blocks";
    for (uint32_t i = 0; i < g->s->kernel->site_count; i++)
        if (wg_class_infos[g->s->kernel->sites[i].class].memory == WG_MEMORY_REMOTE)
            wg_change_of(g, a)->of[WG_CHANGE_WAVEFRONTS][i] = 0;
    a->before = accesses, a->after = 0, a->proven = true;
}

/* What would get another block in: "at most 32 registers a thread", "blocks of 256 threads". */
static const char *change(struct wg_arena *a, const struct wg_occupancy_next *n) {
    struct wg_strbuf b = {0};
    if (n->blocks && n->change >> WG_LIMIT_REGISTERS & 1)
        wg_strbuf_printf(&b, "at most %u registers per thread (__launch_bounds__)", n->registers);
    if (n->blocks && n->change >> WG_LIMIT_SHARED & 1)
        wg_strbuf_printf(&b, "%sat most %s of shared memory per block", b.n ? " and " : "",
                         wg_figure_bytes(a, n->shared));
    if (!b.n && n->other_threads) wg_strbuf_printf(&b, "blocks of %u threads", n->other_threads);
    const char *text = b.n ? wg_arena_strdup(a, b.s) : NULL;
    wg_strbuf_free(&b);
    return text;
}

void wg_advise_low_occupancy(struct wg_advising *g) {
    const struct wg_chip *chip = wg_chip_find(wg_summary_chip(g->s));
    const struct wg_launch *l = g->s->launches[0];
    uint32_t threads = l->block[0] * l->block[1] * l->block[2];
    struct wg_occupancy_kernel k = {
        .registers = g->s->kernel->registers, .shared = shared_bytes(g->s), .threads = threads};
    if (!chip || !threads || !k.registers) return;
    struct wg_occupancy o = wg_occupancy(chip->limits, &k);
    struct wg_occupancy_next next = wg_occupancy_next(chip->limits, &k);
    const char *what = change(g->arena, &next);
    /* A grid that does not fill the chip gains nothing from more places. */
    uint64_t grid = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
    if (!o.blocks || !what || o.warps * 2 > chip->limits->warps_per_sm ||
        grid <= (uint64_t)o.blocks * chip->sms)
        return;
    struct wg_strbuf by = {0};
    for (int i = 0; i < WG_LIMITS; i++)
        if (wg_occupancy_limiters(&o) >> i & 1)
            wg_strbuf_printf(&by, "%s%s", by.n ? " and " : "", wg_occupancy_limit_names[i]);
    struct wg_advice *a = wg_advice_add(g, "low_occupancy", NULL);
    a->title = wg_arena_printf(g->arena, "Few warps on an SM: limited by %s", by.s);
    a->text = wg_arena_printf(
        g->arena,
        "An SM holds %s of this kernel, %u of %u warps, so there is little other work while some wait for "
        "memory. More fit with %s%s.",
        wg_figure_plural(g->arena, o.blocks, "block", "blocks"), o.warps, chip->limits->warps_per_sm, what,
        g->s->kernel->registers_estimated ? " (registers are an estimate)" : "");
    a->proven = true;
    struct wg_alteration *change_made = wg_change_of(g, a);
    if (next.blocks && next.change >> WG_LIMIT_REGISTERS & 1) change_made->registers = next.registers;
    if (next.blocks && next.change >> WG_LIMIT_SHARED & 1) change_made->shared = next.shared;
    if (!change_made->registers && !change_made->shared) change_made->threads = next.other_threads;
    wg_strbuf_free(&by);
}

/* The line that most of the spills are in; NULL: not known. */
static const struct wg_site *most_spilled(const struct wg_advising *g) {
    const struct wg_profile_kernel *k = g->s->kernel;
    const uint64_t *times = g->s->launches[0]->machine;
    uint64_t *of = WG_NEW_N(g->arena, uint64_t, k->site_count + 1);
    uint32_t most = 0;
    for (uint32_t i = 0; times && i < k->machine_count; i++)
        if (k->machine[i].spill) of[k->machine[i].line] += times[i];
    for (uint32_t i = 0; i < k->site_count; i++)
        if (of[i] > of[most]) most = i;
    return k->site_count && of[most] ? &k->sites[most] : NULL;
}

void wg_advise_register_spills(struct wg_advising *g) {
    enum { MOST = 255 };
    uint64_t all = g->s->totals.v[WG_C_machine_instructions], spills = 0;
    uint32_t registers = g->s->kernel->registers;
    for (uint32_t i = 0; i < g->s->launch_count; i++) spills += g->s->launches[i]->spills;
    if (spills * 20 < all || !spills) return;
    struct wg_advice *a = wg_advice_add(g, "register_spills", most_spilled(g));
    a->title = "Registers are spilled";
    a->text = wg_arena_printf(
        g->arena,
        "%s of the machine instructions store registers to local memory or load them again: a thread may "
        "have "
        "%u, and needs more. %seep fewer values at a time: shorter arrays, less unrolling, two kernels.",
        wg_figure_percent(g->arena, spills, all), registers,
        registers < MOST
            ? "Allow more (__launch_bounds__ without a number of blocks, a smaller block, a greater "
              "-maxrregcount). Or k"
            : "K");
    a->unit = "machine instructions";
    a->before = all, a->after = all - spills, a->proven = true;
    wg_change_of(g, a)->instructions = (double)a->after / (double)all;
}

/* Lanes of a warp that exist: fewer than 32 on average where a block's last warp is not full. */
static double lanes_there(const struct wg_summary *s) {
    double threads = 0, warps = 0;
    for (uint32_t i = 0; i < s->launch_count; i++) {
        const struct wg_launch *l = s->launches[i];
        double blocks = (double)l->grid[0] * l->grid[1] * l->grid[2];
        uint32_t block = l->block[0] * l->block[1] * l->block[2], whole = (block + 31) / 32;
        threads += blocks * block;
        warps += blocks * whole;
    }
    return warps > 0 ? threads / warps : 32;
}

/* The warp instructions if whole warps went one way. Where one lane works for its warp there is nothing to put
 * together. */
static uint64_t packed_instructions(const struct wg_summary *s) {
    double lanes = lanes_there(s), packed = 0;
    for (uint32_t i = 0; i < s->kernel->site_count; i++) {
        const uint64_t *v = s->sites[i].counts.v;
        if (s->kernel->sites[i].class != WG_CLASS_line) continue;
        double warp = (double)v[WG_C_instructions], threads = (double)v[WG_C_threads];
        packed += threads < 1.5 * warp ? warp : fmin(warp, threads / lanes);
    }
    return (uint64_t)packed;
}

void wg_advise_divergent_branches(struct wg_advising *g) {
    const struct wg_summary *s = g->s;
    uint64_t warp = s->totals.v[WG_C_instructions], threads = s->totals.v[WG_C_threads];
    uint64_t packed = packed_instructions(s);
    const struct wg_site_summary *most = NULL;
    for (uint32_t i = 0; i < s->kernel->site_count; i++) {
        const struct wg_site_summary *site = &s->sites[i];
        if (site->counts.v[WG_C_divergent_branches] &&
            (!most || site->counts.v[WG_C_divergent_branches] > most->counts.v[WG_C_divergent_branches]))
            most = site;
    }
    if (!most || packed >= warp || (warp - packed) * 5 < warp) return;
    uint64_t branches = most->counts.v[WG_C_branches], divergent = most->counts.v[WG_C_divergent_branches];
    if (divergent * 4 < branches) return;
    struct wg_advice *a = wg_advice_add(g, "divergent_branches", most->site);
    a->title = "Divergent branch";
    a->text = wg_arena_printf(
        g->arena,
        "At this branch warps diverge in %s of %s cases, and over the whole kernel %s of 32 lanes are "
        "active. Choose the condition so that whole warps take the same path, for example by giving "
        "neighbouring threads the elements that need the same treatment.",
        wg_figure_percent(g->arena, divergent, branches), wg_figure(g->arena, branches),
        wg_figure_ratio(g->arena, threads, warp));
    a->unit = "warp instructions";
    a->before = warp, a->after = packed;
    wg_change_of(g, a)->instructions = (double)packed / (double)warp;
    a->note = "if all lanes were in use";
}

/* ---- One lane ------------------------------------------------------------------------------------------------ */

static bool is_by_one_lane(const uint64_t v[WG_COUNTERS], enum wg_counter times) {
    return v[times] && (double)v[WG_C_threads] < 1.5 * (double)v[times];
}

static uint32_t smallest_block(const struct wg_summary *s) {
    uint32_t least = UINT32_MAX;
    for (uint32_t i = 0; i < s->launch_count; i++) {
        const uint32_t *b = s->launches[i]->block;
        if (b[0] * b[1] * b[2] < least) least = b[0] * b[1] * b[2];
    }
    return least;
}

/* What one lane accesses, a warp accesses with a 32nd of the requests. */
static void share_accesses(struct wg_advising *g, struct wg_alteration *change) {
    for (uint32_t i = 0; i < g->s->kernel->site_count; i++) {
        const struct wg_site_summary *site = &g->s->sites[i];
        if (!wg_is_load_or_store(site->site) || !is_by_one_lane(site->counts.v, WG_C_requests)) continue;
        change->of[WG_CHANGE_REQUESTS][i] = change->of[WG_CHANGE_LINES][i] = 1.0 / 32;
    }
}

void wg_advise_one_lane(struct wg_advising *g) {
    const struct wg_summary *s = g->s;
    const struct wg_site_summary *most = NULL;
    uint64_t all = s->totals.v[WG_C_instructions], alone = 0;
    for (uint32_t i = 0; i < s->kernel->site_count; i++) {
        const struct wg_site_summary *site = &s->sites[i];
        if (site->site->class != WG_CLASS_line || !is_by_one_lane(site->counts.v, WG_C_instructions))
            continue;
        alone += site->counts.v[WG_C_instructions];
        if (!most || site->counts.v[WG_C_instructions] > most->counts.v[WG_C_instructions]) most = site;
    }
    if (!most || alone * 2 < all || smallest_block(s) < 32) return;
    struct wg_advice *a = wg_advice_add(g, "one_lane", most->site);
    a->title = "One lane does the work";
    a->text = wg_arena_printf(g->arena,
                              "One lane of a warp executes %s of the kernel's instructions, and the block's "
                              "other threads wait for it. "
                              "Let all threads take a share (in a loop, each takes every blockDim.x-th "
                              "element), and bring the results "
                              "together with shuffles or in shared memory.",
                              wg_figure_percent(g->arena, alone, all));
    a->unit = "warp instructions";
    a->before = all, a->after = all - alone + alone / 32;
    a->note = "if all lanes of the warp shared the work";
    struct wg_alteration *change = wg_change_of(g, a);
    change->instructions = (double)a->after / (double)all;
    share_accesses(g, change);
}
