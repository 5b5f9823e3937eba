/* Advice on scattered addresses: rows that each thread traverses by itself, indexed elements, constants, and local arrays
 * that are not in registers.
 *
 *     column[row_start[i] + k]   each lane in its own row            -> a warp takes a row
 *     table[index[i]]            each lane anywhere                  -> sort or bin by the index
 *     weights[lane] __constant__ 32 words of a cache that gives one  -> global or shared memory
 *     float best[8], best[k]     local memory                        -> unroll, or shared memory
 */
#include "model/coalesce.h"
#include "report/advice/adviser.h"
#include <string.h>

/* A load of many lanes, at addresses without a pattern, that takes twice the sectors that its bytes fill. */
static bool is_scattered(const struct wg_site_summary *site) {
    if (site->site->class != WG_CLASS_global_load || !wg_is_access(site, WG_MEMORY_GLOBAL)) return false;
    return __builtin_popcount(site->worst->lanes) >= 8 &&
           wg_pattern_in_runs(site->worst, site->site->bytes).kind == WG_PATTERN_OTHER &&
           site->counts.v[WG_C_sectors] >= 2 * site->counts.v[WG_C_ideal_sectors];
}

/* Each lane behind the one before it, as the beginnings of rows are. */
static bool ascends(const struct wg_recorded *r) {
    uint64_t last = 0;
    for (uint32_t l = 0; l < 32; l++) {
        if (!(r->lanes >> l & 1)) continue;
        if (r->address[l] < last) return false;
        last = r->address[l];
    }
    return true;
}

static bool is_walk(const struct wg_summary *s, const struct wg_site_summary *site) {
    return is_scattered(site) && ascends(site->worst) && site->first && ascends(site->first) &&
           site->counts.v[WG_C_requests] >= 4 * wg_warps_launched(s);
}

void wg_advise_row_a_thread(struct wg_advising *g) {
    const struct wg_site_summary *most = NULL;
    uint64_t before = 0, after = 0;
    struct wg_alteration *change = wg_change_none(g->arena, g->s->kernel);
    for (uint32_t i = 0; i < g->s->kernel->site_count; i++) {
        const struct wg_site_summary *site = &g->s->sites[i];
        if (!is_walk(g->s, site)) continue;
        struct wg_recorded then = wg_side_by_side(site);
        wg_change_lanes(change, site, &then);
        before += site->counts.v[WG_C_sectors];
        after += site->counts.v[WG_C_ideal_sectors];
        if (!most || site->counts.v[WG_C_sectors] > most->counts.v[WG_C_sectors]) most = site;
    }
    if (!most || !wg_worth(before - after, wg_work(&g->s->classes))) return;
    struct wg_advice *a = wg_advice_add(g, "row_a_thread", most->site);
    a->title =
        wg_arena_printf(g->arena, "Each thread walks a row of its own: %s", wg_what(most->site, "memory"));
    a->text = "Neighbouring lanes are in different rows, so each load takes a sector for almost each lane, "
              "and lanes with short rows wait for the longest. Let a warp (or 4 to 16 of its lanes, where "
              "rows are short) take a row: its lanes load neighbours, and add up with shuffles.";
    wg_show_side_by_side(g, a, most);
    a->unit = "sectors";
    a->before = before, a->after = after;
    a->note = "if lanes were side by side";
    a->change = change;
}

static bool is_gather(const struct wg_site_summary *site) {
    return is_scattered(site) && !ascends(site->worst);
}

/* All loads from one array together: where a loop is unrolled, its one load in the source is several. */
static void advise_gather(struct wg_advising *g, uint32_t from, bool *done) {
    const struct wg_site_summary *most = &g->s->sites[from];
    uint64_t before = 0, after = 0;
    struct wg_alteration *change = wg_change_none(g->arena, g->s->kernel);
    for (uint32_t i = from; i < g->s->kernel->site_count; i++) {
        const struct wg_site_summary *site = &g->s->sites[i];
        if (!is_gather(site) || (i != from && !wg_same_what(site->site, g->s->sites[from].site))) continue;
        done[i] = true;
        before += site->counts.v[WG_C_sectors], after += site->counts.v[WG_C_ideal_sectors];
        struct wg_recorded then = wg_side_by_side(site);
        wg_change_lanes(change, site, &then);
        if (site->counts.v[WG_C_sectors] > most->counts.v[WG_C_sectors]) most = site;
    }
    if (!wg_worth(before - after, wg_work(&g->s->classes))) return;
    struct wg_advice *a = wg_advice_add(g, "random_gather", most->site);
    const char *what = wg_what(most->site, "memory");
    a->title = wg_arena_printf(g->arena, "Scattered loads: %s", what);
    a->text = wg_arena_printf(g->arena,
                              "Lanes load from %u different sectors of %s, and use %u bytes of each. "
                              "Sort or bin the work by where it "
                              "loads from, so that neighbouring lanes need neighbouring elements; or "
                              "store together what is needed "
                              "together.",
                              wg_sectors_of(most->worst, most->site->bytes), what, most->site->bytes);
    wg_show_side_by_side(g, a, most);
    a->unit = "sectors";
    a->before = before, a->after = after;
    a->note = "if lanes were side by side";
    a->change = change;
}

void wg_advise_random_gather(struct wg_advising *g) {
    bool *done = WG_NEW_N(g->arena, bool, g->s->kernel->site_count);
    for (uint32_t i = 0; i < g->s->kernel->site_count; i++)
        if (!done[i] && is_gather(&g->s->sites[i])) advise_gather(g, i, done);
}

/* ---- Constants -------------------------------------------------------------------------------------------- */

static uint32_t words_of(const struct wg_recorded *r) {
    uint32_t words = 0;
    for (uint32_t l = 0; l < 32; l++) {
        bool seen = !(r->lanes >> l & 1);
        for (uint32_t m = 0; m < l && !seen; m++)
            seen = (r->lanes >> m & 1) && r->address[m] / 4 == r->address[l] / 4;
        words += !seen;
    }
    return words;
}

/* Words that each access of this site reads, where that is more than a few; else 0. */
static uint32_t words_apart(const struct wg_site_summary *site) {
    enum { FEW = 4 };
    if (site->site->class != WG_CLASS_constant || !site->first || !site->counts.v[WG_C_instructions])
        return 0;
    uint32_t words = words_of(site->first);
    return words >= FEW ? words : 0;
}

/* All accesses to one variable together. */
void wg_advise_divergent_constant(struct wg_advising *g) {
    enum { TURN = 4 };
    bool *done = WG_NEW_N(g->arena, bool, g->s->kernel->site_count);
    for (uint32_t i = 0; i < g->s->kernel->site_count; i++) {
        const struct wg_site_summary *head = &g->s->sites[i];
        uint32_t words = done[i] ? 0 : words_apart(head);
        uint64_t before = 0, after = 0;
        for (uint32_t j = i; words && j < g->s->kernel->site_count; j++) {
            const struct wg_site_summary *site = &g->s->sites[j];
            uint64_t n = site->counts.v[WG_C_instructions];
            if (!words_apart(site) || !wg_same_what(site->site, head->site)) continue;
            done[j] = true;
            before += n * words_apart(site), after += n;
        }
        if (!words) continue;
        const char *what = wg_what(head->site, "the array");
        struct wg_advice *a = wg_advice_add(g, "divergent_constant", head->site);
        a->title = wg_arena_printf(g->arena, "Divergent constant index: %s", what);
        a->text = wg_arena_printf(g->arena,
                                  "Lanes read %u different words of %s, and the constant cache gives one "
                                  "word at a time to a warp. Keep "
                                  "what lanes index differently in shared memory, or in global memory "
                                  "through L1 (const __restrict__).",
                                  words, what);
        a->unit = "turns of the constant cache";
        a->before = before, a->after = after;
        a->hidden = (double)(before - after) * TURN;
        wg_change_of(g, a);
    }
}

/* ---- A thread's own arrays -------------------------------------------------------------------------------- */

void wg_advise_local_array(struct wg_advising *g) {
    const struct wg_site_summary *most = NULL;
    uint64_t sectors = 0;
    for (uint32_t i = 0; i < g->s->kernel->site_count; i++) {
        const struct wg_site_summary *site = &g->s->sites[i];
        if (wg_class_infos[site->site->class].memory != WG_MEMORY_LOCAL) continue;
        sectors += site->counts.v[WG_C_sectors];
        bool loads = site->site->class == WG_CLASS_local_load;
        if (loads && (!most || site->counts.v[WG_C_sectors] > most->counts.v[WG_C_sectors])) most = site;
    }
    if (!most || !wg_worth(sectors, wg_work(&g->s->classes))) return;
    struct wg_advice *a = wg_advice_add(g, "local_array", most->site);
    a->title = "An array of the thread lies in memory";
    uint64_t bytes = g->s->kernel->local; /* without those of functions that it calls */
    a->text = wg_arena_printf(g->arena,
                              "%s, because an array's index is known only when the kernel runs, or because "
                              "its address is taken; local memory is global memory cached in L1. Unroll the "
                              "loop (#pragma unroll) so that indices become constants and the array is kept "
                              "in registers, or keep it in shared memory.",
                              bytes ? wg_arena_printf(g->arena, "Each thread has %s of local memory",
                                                      wg_figure_bytes(g->arena, bytes))
                                    : "A function that the kernel calls has local memory");
    a->unit = "sectors of local memory";
    a->before = sectors, a->after = 0, a->proven = true;
    struct wg_alteration *c = wg_change_of(g, a);
    for (uint32_t i = 0; i < g->s->kernel->site_count; i++)
        if (wg_class_infos[g->s->kernel->sites[i].class].memory == WG_MEMORY_LOCAL)
            c->of[WG_CHANGE_SECTORS][i] = c->of[WG_CHANGE_LINES][i] = c->of[WG_CHANGE_REQUESTS][i] = 0;
}

/* ---- Barriers --------------------------------------------------------------------------------------------- */

static bool touches_memory(const struct wg_site *site) {
    return wg_class_infos[site->class].memory != WG_MEMORY_NONE &&
           wg_class_infos[site->class].memory != WG_MEMORY_CONSTANT;
}

/* The next barrier behind this one in the PTX, when it ran as often and nothing between them was to be ordered. */
static const struct wg_site_summary *next_idle_barrier(const struct wg_summary *s,
                                                       const struct wg_site_summary *first) {
    const struct wg_site_summary *next = NULL;
    for (uint32_t i = 0; i < s->kernel->site_count; i++) {
        const struct wg_site_summary *site = &s->sites[i];
        if (site->site->class == WG_CLASS_barrier && site->site->ptx_line > first->site->ptx_line &&
            (!next || site->site->ptx_line < next->site->ptx_line))
            next = site;
    }
    if (!next || next->counts.v[WG_C_barriers] != first->counts.v[WG_C_barriers]) return NULL;
    for (uint32_t i = 0; i < s->kernel->site_count; i++) {
        const struct wg_site *site = &s->kernel->sites[i];
        bool between = site->ptx_line > first->site->ptx_line && site->ptx_line < next->site->ptx_line;
        if (between && (touches_memory(site) || site->class == WG_CLASS_branch)) return NULL;
    }
    return next;
}

static bool copies_behind(const struct wg_summary *s) {
    static const enum wg_class classes[] = {WG_CLASS_async_load, WG_CLASS_bulk_load, WG_CLASS_bulk_store,
                                            WG_CLASS_bulk_dsmem, WG_CLASS_matrix_operand};
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (s->classes.of[classes[i]].v[WG_C_requests]) return true;
    return false;
}

void wg_advise_needless_barrier(struct wg_advising *g) {
    const struct wg_summary *s = g->s;
    for (uint32_t i = 0; i < s->kernel->site_count && !copies_behind(s); i++) {
        const struct wg_site_summary *site = &s->sites[i];
        uint64_t n = site->counts.v[WG_C_barriers], all = s->totals.v[WG_C_barriers];
        if (site->site->class != WG_CLASS_barrier || !n) continue;
        const struct wg_site_summary *next = next_idle_barrier(s, site);
        if (!next) continue;
        struct wg_advice *a = wg_advice_add(g, "needless_barrier", next->site);
        a->title = "Two barriers with nothing between them";
        a->text = "No access to memory lies between this barrier and the one before it, so one of the two "
                  "orders all that both do. Leave one out.";
        a->unit = "warp arrivals at barriers";
        a->before = all, a->after = all - n, a->proven = true;
        wg_change_of(g, a)->of[WG_CHANGE_REQUESTS][next->site->id] = 0;
    }
}
