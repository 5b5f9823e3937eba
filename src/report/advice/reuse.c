/* Advice on repeated work: words that are loaded many times, and contended counters in global memory.
 *
 * How often a word is loaded follows from two exact figures: the bytes requested by all loads of an allocation, and the
 * allocation's size. A kernel that already stages data in shared memory gets no such advice.
 */
#include "model/chip.h"
#include "report/advice/adviser.h"
#include <stdlib.h>
#include <string.h>

static uint32_t block_threads(const struct wg_summary *s) {
    const uint32_t *b = s->launches[0]->block;
    return b[0] * b[1] * b[2];
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

/* A table this small stays in L1, as descriptors of textures do. */
enum { SMALL = 4096 };

/* A texture's own cache has what neighbours fetch. */
static bool is_texture(const struct wg_advising *g, const struct wg_site *site) {
    const struct wg_frame *f = site->frame_count ? &site->frames[0] : NULL;
    const char *word =
        f ? wg_source_word(g->arena, wg_source_find(g->sources, f->file), f->line, f->column) : NULL;
    return word && !strncmp(word, "tex", 3);
}

/* What goes through an index, lane by lane elsewhere, is not what the threads of a block share; nor is what lies
 * side by side in blocks that are one row of threads. */
static bool is_apart(const struct wg_summary *s, const struct wg_site_summary *site) {
    const uint32_t *block = s->launches[0]->block;
    enum wg_pattern_kind kind = wg_pattern_in_runs(site->worst, site->site->bytes).kind;
    return kind == WG_PATTERN_OTHER ||
           (block[1] * block[2] == 1 && (kind == WG_PATTERN_SIDE_BY_SIDE || kind == WG_PATTERN_STRIDED));
}
static struct loads loads_of(const struct wg_summary *s, uint32_t allocation, bool *done) {
    struct loads l = {0};
    uint64_t most = 0;
    for (uint32_t i = 0; i < s->kernel->site_count; i++) {
        const struct wg_site_summary *site = &s->sites[i];
        if (site->site->class != WG_CLASS_global_load || !wg_is_access(site, WG_MEMORY_GLOBAL) ||
            site->worst->allocation != allocation)
            continue;
        done[i] = true;
        if (is_apart(s, site)) continue;
        l.asked += site->counts.v[WG_C_bytes_asked];
        l.sectors += site->counts.v[WG_C_sectors];
        if (site->counts.v[WG_C_bytes_asked] > most)
            most = site->counts.v[WG_C_bytes_asked], l.most = site->site;
    }
    return l;
}

/* Less often is a stencil, whose neighbours L1 has. */
enum { OFTEN = 10 };

uint64_t wg_repeats(const struct wg_summary *s) {
    uint64_t most = 0;
    for (uint32_t i = 0; i < s->result->allocation_count && !stages(s); i++) {
        const struct wg_profile_allocation *held = &s->result->allocations[i];
        bool *done = wg_xcalloc(s->kernel->site_count + 1, sizeof *done);
        struct loads l = loads_of(s, held->id, done);
        uint64_t times = held->bytes ? l.asked / s->launch_count / held->bytes : 0;
        free(done);
        /* A small table that everybody reads is not what a kernel is about. */
        if (times > most && l.sectors * 4 >= wg_work(&s->classes)) most = times;
    }
    return most >= OFTEN ? most : 0;
}

/* Arrays that a block would stage together. */
struct staged {
    struct wg_strbuf names;
    uint32_t arrays;
    uint64_t asked, bytes, sectors, after, times;
    const struct wg_site *most;
    uint64_t most_sectors;
    struct wg_alteration *change;
};

static void stage(struct wg_advising *g, struct staged *all, const struct loads *l, uint64_t bytes,
                  uint32_t id) {
    const struct wg_summary *s = g->s;
    uint64_t asked = l->asked / s->launch_count, times = asked / bytes;
    uint64_t factor = times < tile_edge(s) ? times : tile_edge(s);
    wg_strbuf_printf(&all->names, "%s%s", all->arrays++ ? ", " : "", wg_what(l->most, "memory"));
    all->asked += asked, all->bytes += bytes;
    all->sectors += l->sectors, all->after += l->sectors / factor;
    if (!all->times || times < all->times) all->times = times;
    if (l->sectors > all->most_sectors) all->most = l->most, all->most_sectors = l->sectors;
    for (uint32_t i = 0; i < s->kernel->site_count; i++) {
        const struct wg_site_summary *site = &s->sites[i];
        if (site->site->class != WG_CLASS_global_load || !wg_is_access(site, WG_MEMORY_GLOBAL) ||
            site->worst->allocation != id || is_apart(s, site))
            continue;
        /* A word that all lanes read is followed by its neighbours: four of them are one access. */
        bool words = wg_pattern_in_runs(site->worst, site->site->bytes).kind == WG_PATTERN_ONE_WORD;
        all->change->of[WG_CHANGE_STAGED][i] = 1.0 / (double)factor;
        all->change->of[WG_CHANGE_TURNS][i] = words && site->site->bytes == 4 ? 0.25
                                              : site->site->bytes > 4         ? site->site->bytes / 4.0
                                                                              : 1;
    }
}

static void say_staged(struct wg_advising *g, struct staged *all) {
    struct wg_advice *a = wg_advice_add(g, "repeated_loads", all->most);
    bool one = all->arrays == 1;
    a->title = wg_arena_printf(g->arena, "Loaded many times: %s", all->names.s);
    a->text =
        wg_arena_printf(g->arena,
                        "Threads requested %s from %s, which %s %s: each byte %s times on "
                        "average. Let the threads of a block load what they share into shared "
                        "memory once, and read it from there.",
                        wg_figure_bytes(g->arena, all->asked), all->names.s, one ? "has" : "have",
                        wg_figure_bytes(g->arena, all->bytes), wg_figure(g->arena, all->asked / all->bytes));
    a->unit = "sectors";
    a->before = all->sectors, a->after = all->after;
    a->note = wg_arena_printf(g->arena, "an estimate: each word shared by %s threads",
                              wg_figure(g->arena, all->sectors / (all->after ? all->after : 1)));
    a->change = all->change;
}

void wg_advise_repeated_loads(struct wg_advising *g) {
    const struct wg_summary *s = g->s;
    bool *done = WG_NEW_N(g->arena, bool, s->kernel->site_count);
    struct staged all = {.change = wg_change_none(g->arena, s->kernel)};
    for (uint32_t i = 0; i < s->kernel->site_count && !stages(s); i++) {
        const struct wg_site_summary *site = &s->sites[i];
        if (done[i] || site->site->class != WG_CLASS_global_load || !wg_is_access(site, WG_MEMORY_GLOBAL))
            continue;
        const struct wg_profile_allocation *held =
            wg_profile_allocation_of(s->result, site->worst->allocation);
        if (!held || held->bytes < SMALL || is_texture(g, site->site)) continue;
        struct loads l = loads_of(s, held->id, done);
        uint64_t times = l.asked / s->launch_count / held->bytes;
        if (times >= OFTEN && l.most && wg_worth(l.sectors - l.sectors / times, wg_work(&s->classes)))
            stage(g, &all, &l, held->bytes, held->id);
    }
    if (all.arrays) say_staged(g, &all);
    wg_strbuf_free(&all.names);
}

/* ---- Atomics ----------------------------------------------------------------------------------------------
 */

struct crowd {
    uint64_t adds, words, after;
    const struct wg_recorded *sample;
    bool estimated; /* `words` is what the recorded accesses reach */
};

/* How many words the site adds to in this launch: those of the allocation, or fewer, when the recorded
 * accesses stay within a small part of it. */
static uint64_t words_of(const struct wg_advising *g, const struct wg_launch *l, const struct wg_site *site,
                         struct crowd *c) {
    uint64_t reach = 1;
    for (uint32_t i = 0; i < l->sample_count; i++) {
        const struct wg_recorded *r = &l->samples[i];
        if (r->site != site->id) continue;
        c->sample = r;
        for (int lane = 0; lane < 32; lane++)
            while ((r->lanes >> lane & 1) && r->address[lane] / site->bytes >= reach) reach *= 2;
    }
    const struct wg_profile_allocation *held =
        c->sample ? wg_profile_allocation_of(g->s->result, c->sample->allocation) : NULL;
    if (!held) return 0;
    uint64_t words = held->bytes / site->bytes;
    bool part = reach * 2 <= words && wg_pattern_of(c->sample, site->bytes).kind == WG_PATTERN_OTHER;
    c->estimated |= part;
    return part ? reach : words;
}

/* Adds the launches of a site in which many threads add to each word, and a block could hold all words. */
static void add_crowded(const struct wg_advising *g, uint32_t site, struct crowd *sum) {
    enum { CROWD = 32 };
    const struct wg_chip *chip = wg_chip_find(wg_summary_chip(g->s));
    uint32_t bytes = g->s->kernel->sites[site].bytes;
    for (uint32_t i = 0; chip && bytes && i < g->s->launch_count; i++) {
        const struct wg_launch *l = g->s->launches[i];
        uint64_t adds = 0;
        for (uint32_t j = 0; j < l->site_count; j++)
            if (l->sites[j].site == site) adds = l->sites[j].counts.v[WG_C_bytes_asked] / bytes;
        struct crowd c = {0};
        uint64_t words = words_of(g, l, &g->s->kernel->sites[site], &c);
        uint64_t after = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2] * words;
        if (!words || words * bytes > chip->limits->shared_optin || adds / words < CROWD || after * 2 > adds)
            continue;
        sum->adds += adds;
        sum->after += after;
        sum->estimated |= c.estimated;
        if (words > sum->words) sum->words = words;
    }
}

void wg_advise_contended_atomics(struct wg_advising *g) {
    for (uint32_t i = 0; i < g->s->kernel->site_count; i++) {
        const struct wg_site *site = &g->s->kernel->sites[i];
        struct crowd c = {0};
        if (site->class != WG_CLASS_global_atomic && site->class != WG_CLASS_global_reduction) continue;
        add_crowded(g, i, &c);
        if (!c.adds) continue;
        struct wg_advice *a = wg_advice_add(g, "contended_atomics", site);
        const char *what = wg_what(site, "memory");
        a->title = wg_arena_printf(g->arena, "Contended atomics: %s", what);
        a->text =
            c.words == 1
                ? wg_arena_printf(
                      g->arena,
                      "Threads add %s times to one word of global memory, one after another. Add up the "
                      "values of each warp with shuffles and those of its warps in shared memory, and add to "
                      "%s once for each block.",
                      wg_figure(g->arena, c.adds), what)
                : wg_arena_printf(
                      g->arena,
                      "Threads add %s times to %s of global memory, and contend with one another. "
                      "Give each block a copy in shared memory (%s) to add to, and add the copies to "
                      "%s at the end.",
                      wg_figure(g->arena, c.adds), wg_figure_plural(g->arena, c.words, "word", "words"),
                      wg_figure_bytes(g->arena, c.words * site->bytes), what);
        a->unit = "additions to global memory";
        a->before = c.adds, a->after = c.after, a->proven = !c.estimated;
        wg_change_site(g, a, site, WG_CHANGE_STAGED, c.adds, c.after);
    }
}
