/* Advice on work that is done over again: words that are loaded many times, and counters in global memory
 * that everybody adds to.
 *
 * How often a word is loaded follows from two exact figures: the bytes that all loads of an allocation asked
 * for, and the bytes it has. A kernel that stages through shared memory already is left alone.
 */
#include "model/chip.h"
#include "report/advice/adviser.h"

static uint32_t block_threads(const struct wg_summary *s) {
    const uint32_t *b = s->launches[0]->block;
    return b[0] * b[1] * b[2];
}

static uint64_t blocks(const struct wg_summary *s) {
    uint64_t n = 0;
    for (uint32_t i = 0; i < s->launch_count; i++) {
        const uint32_t *g = s->launches[i]->grid;
        n += (uint64_t)g[0] * g[1] * g[2];
    }
    return n;
}

static bool stages(const struct wg_summary *s) {
    return s->classes.of[WG_CLASS_shared_store].v[WG_C_requests] > 0;
}

/* The edge of a square tile that a block's threads make: 16 for 256, 32 for 1024. */
static uint32_t tile_edge(const struct wg_summary *s) {
    uint32_t edge = 1, threads = block_threads(s);
    while (edge < 32 && 4 * edge * edge <= threads) edge *= 2;
    return edge;
}

/* All loads of one allocation by one kernel. */
struct loads {
    uint64_t asked, sectors;
    const struct wg_site *most;
};
static struct loads loads_of(const struct wg_summary *s, uint32_t allocation, bool *done) {
    struct loads l = {0};
    uint64_t most = 0;
    for (uint32_t i = 0; i < s->kernel->site_count; i++) {
        const struct wg_site_summary *site = &s->sites[i];
        if (site->site->class != WG_CLASS_global_load || !wg_is_access(site, WG_MEMORY_GLOBAL) ||
            site->worst->allocation != allocation)
            continue;
        done[i] = true;
        l.asked += site->counts.v[WG_C_bytes_asked];
        l.sectors += site->counts.v[WG_C_sectors];
        if (site->counts.v[WG_C_bytes_asked] > most)
            most = site->counts.v[WG_C_bytes_asked], l.most = site->site;
    }
    return l;
}

void wg_advise_repeated_loads(struct wg_advising *g) {
    enum { OFTEN = 4 };
    const struct wg_summary *s = g->s;
    bool *done = WG_NEW_N(g->arena, bool, s->kernel->site_count);
    if (stages(s)) return;
    for (uint32_t i = 0; i < s->kernel->site_count; i++) {
        const struct wg_site_summary *site = &s->sites[i];
        if (done[i] || site->site->class != WG_CLASS_global_load || !wg_is_access(site, WG_MEMORY_GLOBAL))
            continue;
        const struct wg_profile_allocation *held =
            wg_profile_allocation_of(s->result, site->worst->allocation);
        if (!held || !held->bytes) continue;
        struct loads l = loads_of(s, held->id, done);
        uint64_t times = l.asked / s->launch_count / held->bytes;
        if (times < OFTEN) continue;
        uint64_t factor = times < tile_edge(s) ? times : tile_edge(s);
        uint64_t after = l.sectors / factor;
        if (!wg_worth(l.sectors - after, wg_work(&s->classes))) continue;
        const char *what = wg_what(l.most, "memory");
        struct wg_advice *a = wg_advice_add(g, "repeated_loads", l.most);
        a->title = wg_arena_printf(g->arena, "Loaded many times: %s", what);
        a->text = wg_arena_printf(g->arena,
                                  "Threads asked for %s of %s, which has %s: each byte %s times on average. "
                                  "Let the threads of a block load a "
                                  "tile of it into shared memory once and read it from there: with %u x %u "
                                  "of them, up to %llu times fewer "
                                  "loads.",
                                  wg_figure_bytes(g->arena, l.asked), what,
                                  wg_figure_bytes(g->arena, held->bytes), wg_figure(g->arena, times),
                                  tile_edge(s), tile_edge(s), (unsigned long long)factor);
        a->unit = "sectors";
        a->before = l.sectors, a->after = after, a->proven = false;
    }
}

void wg_advise_contended_atomics(struct wg_advising *g) {
    enum { CROWD = 32 };
    const struct wg_chip *chip = wg_chip_find(g->s->result->arch);
    for (uint32_t i = 0; i < g->s->kernel->site_count; i++) {
        const struct wg_site_summary *site = &g->s->sites[i];
        enum wg_class c = site->site->class;
        if (!wg_is_access(site, WG_MEMORY_GLOBAL) ||
            (c != WG_CLASS_global_atomic && c != WG_CLASS_global_reduction))
            continue;
        const struct wg_profile_allocation *held =
            wg_profile_allocation_of(g->s->result, site->worst->allocation);
        if (!held || !site->site->bytes || !chip || held->bytes > chip->limits->shared_optin) continue;
        uint64_t words = held->bytes / site->site->bytes,
                 adds = site->counts.v[WG_C_bytes_asked] / site->site->bytes;
        uint64_t after = blocks(g->s) * words;
        if (!words || adds / words < CROWD || after * 2 > adds) continue;
        struct wg_advice *a = wg_advice_add(g, "contended_atomics", site->site);
        const char *what = wg_what(site->site, "memory");
        a->title = wg_arena_printf(g->arena, "Crowded atomics: %s", what);
        a->text = wg_arena_printf(
            g->arena,
            "Threads add %s times to %s of global memory, %s times to each on average, and wait for one "
            "another. Give "
            "each block a copy in shared memory (%s) to add to, and add the copies to %s at the end.",
            wg_figure(g->arena, adds), wg_figure_plural(g->arena, words, "word", "words"),
            wg_figure(g->arena, adds / words), wg_figure_bytes(g->arena, held->bytes), what);
        a->unit = "atomic operations";
        a->before = adds, a->after = after, a->proven = true;
    }
}
