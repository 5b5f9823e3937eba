/* Recording and evaluation of counted accesses: cells at run time, and when the launch has ended. See
 * count.h. */
#include "analysis/copies.h"
#include "analysis/fragments.h"
#include "analysis/places.h"
#include "analysis/sites.h"
#include "analysis/slow_paths.h"
#include "base/arena.h"
#include "count/fast.h"
#include "count/lanes.h"
#include "jit/code/count_cells.h"
#include "jit/code/helpers.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_SLOTS = 64, PATIENCE = 64 };

struct group {
    const int64_t *words, *members;
    uint32_t unit, phases, shift, nmembers;
    bool shared, scaled;
};
struct wg_count_groups {
    uint32_t units, n;
    struct group v[];
};

struct wg_count_groups *wg_count_groups_new(const int64_t *words) {
    uint32_t n = (uint32_t)words[1];
    struct wg_count_groups *g = wg_xcalloc(1, sizeof *g + n * sizeof *g->v);
    g->units = (uint32_t)words[0];
    g->n = n;
    words += 2;
    for (uint32_t i = 0; i < n; i++) {
        g->v[i] = (struct group){.words = words,
                                 .members = words + WG_GROUP_WORDS,
                                 .unit = (uint32_t)words[WG_GROUP_UNIT],
                                 .phases = (uint32_t)words[WG_GROUP_PHASES],
                                 .shift = (uint32_t)words[WG_GROUP_SHIFT],
                                 .nmembers = (uint32_t)words[WG_GROUP_MEMBERS],
                                 .shared = words[WG_GROUP_SHARED] != 0};
        for (int l = 0; l < WG_LANES; l++) g->v[i].scaled |= words[WG_GROUP_R + l] != 0;
        words += WG_GROUP_WORDS + 2 * g->v[i].nmembers;
    }
    return g;
}

void wg_count_groups_free(struct wg_count_groups *g) { free(g); }
uint32_t wg_count_groups_units(const struct wg_count_groups *g) { return g->units; }

/* ---- what a tally has beside its units ---- */

/* The first access that fell into a cell. */
struct first {
    uint64_t block, base;
    uint64_t order; /* of all firsts of the tally: which of one block came before */
    uint32_t warp;
};
/* The cells of a group for one mask and scale. */
struct slot {
    uint64_t scale;
    uint32_t mask;
    uint64_t *cells;
    struct first *firsts;
};
struct group_cells {
    struct first *usual; /* of the cells in the units */
    uint32_t nslots, latest;
    uint32_t misses; /* accesses in a row for which there is no slot */
    struct slot slots[MOST_SLOTS];
};
struct own {
    struct wg_arena arena;
    struct group_cells **groups[WG_VERSIONS];
};

static void free_own(void *p) {
    struct wg_arena a = ((struct own *)p)->arena;
    wg_arena_free(&a);
    free(p);
}

static struct own *own_of(struct wg_tally *t) {
    if (!t->own) {
        t->own = wg_xcalloc(1, sizeof(struct own));
        t->free_own = free_own;
    }
    return t->own;
}

static struct group_cells *cells_of(struct wg_tally *t, const struct wg_count_groups *g, enum wg_version v,
                                    uint32_t number) {
    struct own *o = own_of(t);
    if (!o->groups[v]) o->groups[v] = WG_NEW_N(&o->arena, struct group_cells *, g->n + 1);
    struct group_cells **c = &o->groups[v][number];
    if (!*c) *c = WG_NEW(&o->arena, struct group_cells);
    return *c;
}

static void note_first(struct wg_warp *w, struct first *f, uint64_t base) {
    *f = (struct first){wg_block_index(w->block), base, ++w->tally->order, w->id};
}

/* ---- while the code runs ---- */

static uint32_t phase_of(const struct group *g, uint64_t base) {
    return (uint32_t)(base >> g->shift) & (g->phases - 1);
}

/* Shared addresses are kept from the start of the block's window. */
static uint64_t kept_base(const struct wg_warp *w, const struct group *g, uint64_t base) {
    if (!g->shared) return base;
    return base - (uint64_t)(uintptr_t)w->block->cluster_shared - w->block->shared_offset;
}

void wg_jit_count_first(struct wg_warp *w, uint32_t which, uint64_t base, uint64_t scale, uint32_t mask) {
    enum wg_version v = which >> 31 ? WG_GENERAL : WG_CONVERGED;
    uint32_t number = which & 0x7fffffff;
    const struct wg_count_groups *groups = wg_count_groups_of(w->code, v);
    const struct group *g = &groups->v[number];
    struct group_cells *c = cells_of(w->tally, groups, v, number);
    if (!c->usual) c->usual = WG_NEW_N(&own_of(w->tally)->arena, struct first, g->phases);
    note_first(w, &c->usual[phase_of(g, base)], kept_base(w, g, base));
}

static void access_of(const struct group *g, uint64_t base, uint64_t scale, uint32_t mask, uint32_t member,
                      const struct wg_sites *s, struct wg_access_seen *a) {
    const int64_t *m = g->members + 2 * member, *k = g->words + WG_GROUP_K, *r = g->words + WG_GROUP_R;
    const struct wg_site *site = &s->v[m[0]];
    wg_site_seen(site, mask, a);
    base += (uint64_t)m[1];
    for (int l = 0; l < WG_LANES; l++) a->address[l] = base + (uint64_t)k[l];
    for (int l = 0; l < WG_LANES && g->scaled; l++) a->address[l] += (uint64_t)r[l] * scale;
}

/* Too many kinds of access to record separately: evaluated immediately. Members are at the same addresses, and their
 * offsets. */
static void count_now(struct wg_warp *w, const struct group *g, uint64_t base, uint64_t scale,
                      uint32_t mask) {
    const struct wg_access_of of = {wg_block_index(w->block), ++w->tally->order, w->id};
    const int64_t *k = g->words + WG_GROUP_K, *r = g->words + WG_GROUP_R;
    uint64_t address[WG_LANES];
    base = kept_base(w, g, base);
    for (int l = 0; l < WG_LANES; l++) address[l] = base + (uint64_t)k[l];
    for (int l = 0; l < WG_LANES && g->scaled; l++) address[l] += (uint64_t)r[l] * scale;
    for (uint32_t m = 0; m < g->nmembers; m++) {
        const int64_t *member = g->members + 2 * m;
        uint32_t site = (uint32_t)member[0];
        struct wg_lanes_access part;
        part.lanes.address = address;
        part.lanes.minus = -(uint64_t)member[1];
        wg_site_lanes(&w->tally->of->v[site], site, mask, &part);
        if (wg_tally_lanes(w->tally, &part, 1, &of)) continue;
        struct wg_access_seen a = {.block = of.block, .warp = of.warp, .order = of.order};
        access_of(g, base, scale, mask, m, w->tally->of, &a);
        wg_tally_access(w->tally, site, &a);
    }
}

static struct slot *slot_of(struct wg_tally *t, const struct group *g, struct group_cells *c, uint64_t scale,
                            uint32_t mask) {
    if (c->latest < c->nslots && c->slots[c->latest].mask == mask && c->slots[c->latest].scale == scale)
        return &c->slots[c->latest];
    /* Masks that data decides: looking for one costs more than it saves. */
    if (c->misses > PATIENCE && ++c->misses % PATIENCE) return NULL;
    for (uint32_t i = 0; i < c->nslots; i++)
        if (c->slots[i].mask == mask && c->slots[i].scale == scale) {
            c->misses = 0;
            return &c->slots[c->latest = i];
        }
    if (c->nslots == MOST_SLOTS) {
        c->misses++;
        return NULL;
    }
    struct wg_arena *a = &own_of(t)->arena;
    c->slots[c->nslots] =
        (struct slot){scale, mask, WG_NEW_N(a, uint64_t, g->phases), WG_NEW_N(a, struct first, g->phases)};
    return &c->slots[c->latest = c->nslots++];
}

void wg_jit_count_group(struct wg_warp *w, uint32_t which, uint64_t base, uint64_t scale, uint32_t mask) {
    if (!mask) return;
    enum wg_version v = which >> 31 ? WG_GENERAL : WG_CONVERGED;
    uint32_t number = which & 0x7fffffff;
    const struct wg_count_groups *groups = wg_count_groups_of(w->code, v);
    const struct group *g = &groups->v[number];
    struct group_cells *c = cells_of(w->tally, groups, v, number);
    /* The first scale is the one that the code compares with from now on. Unset it is -1. */
    if (v == WG_CONVERGED && mask == UINT32_MAX && !c->usual && !w->tally->units[g->unit])
        w->tally->units[g->unit] = ~scale;
    struct slot *s = slot_of(w->tally, g, c, scale, mask);
    if (!s) {
        count_now(w, g, base, scale, mask);
        return;
    }
    uint32_t phase = phase_of(g, base);
    if (!s->cells[phase]++) note_first(w, &s->firsts[phase], kept_base(w, g, base));
}

/* The addresses are the process's, those of shared memory too. */
void wg_jit_count(struct wg_warp *w, const uint64_t *at, uint32_t mask, uint32_t id, uint32_t named) {
    uint64_t offsets[WG_LANES];
    enum wg_space space = (enum wg_space)named;
    if (!mask || wg_count_in_place(w, id, space, at, mask)) return;
    if (space == WG_S_SHARED || space == WG_S_CLUSTER) {
        wg_lanes_less(offsets, at, (uint64_t)(uintptr_t)w->block->cluster_shared, UINT64_MAX);
        at = offsets;
    }
    wg_count_places(w, id, space, at, mask, wg_tally_access_fast);
}

void wg_jit_count_async(struct wg_warp *w, const uint64_t *from, const uint64_t *to, uint32_t mask,
                        uint32_t reads, uint32_t id, uint32_t bypass) {
    uint64_t offsets[WG_LANES], base = (uint64_t)(uintptr_t)w->block->cluster_shared;
    for (int l = 0; l < WG_LANES; l++) offsets[l] = to[l] - base;
    wg_count_async(w, id, from, offsets, mask, reads, bypass);
}

void wg_jit_count_tile(struct wg_warp *w, uint64_t at, uint32_t stride, uint32_t id, uint32_t named,
                       uint64_t code) {
    struct wg_fragment f = {.form = (uint8_t)code,
                            .rows = (uint8_t)(code >> 8),
                            .columns = (uint8_t)(code >> 16),
                            .element = (uint8_t)(code >> 24),
                            .each = (uint8_t)(code >> 32)};
    enum wg_space space = (enum wg_space)named;
    if (space == WG_S_SHARED || space == WG_S_CLUSTER) at -= (uint64_t)(uintptr_t)w->block->cluster_shared;
    wg_count_fragment(w, id, space, &f, at, stride, wg_tally_access_fast);
}

/* ---- when it has run ---- */

struct part { /* what a block's units go to */
    uint32_t site, times;
    uint32_t machine; /* of a line: machine instructions, each time (analysis/assembly.h) */
    uint8_t class;
};
struct operations { /* alike, in one line of a block */
    uint32_t site, times;
    struct wg_operation of;
};
struct wg_count_plan {
    struct wg_arena arena;
    uint32_t nblocks;
    struct part **parts; /* [block] */
    uint32_t *nparts;
    struct operations **operations; /* [block] */
    uint32_t *noperations;
    uint32_t *slow, nslow; /* [slow path] the first of its sites */
};

static struct part *add_part(struct wg_count_plan *p, uint32_t b, uint32_t site, uint8_t class) {
    for (uint32_t i = 0; i < p->nparts[b]; i++)
        if (p->parts[b][i].site == site) {
            p->parts[b][i].times++;
            return &p->parts[b][i];
        }
    struct part *part = &p->parts[b][p->nparts[b]++];
    *part = (struct part){.site = site, .times = 1, .class = class};
    return part;
}

static void add_line(struct wg_count_plan *p, uint32_t b, const struct wg_sites *s, uint32_t id) {
    if (s->line[id] == WG_NO_SITE) return;
    struct part *part = add_part(p, b, s->line[id], WG_CLASS_line);
    part->machine += s->machine[id];
    if (s->block[id] != WG_NO_SITE) add_part(p, b, s->block[id], WG_CLASS_block);
}

static void add_operation(struct wg_count_plan *p, uint32_t b, const struct wg_sites *s, uint32_t id) {
    struct wg_operation of = s->operation[id];
    if (s->line[id] == WG_NO_SITE) return;
    for (uint32_t i = 0; i < p->noperations[b]; i++) {
        struct operations *o = &p->operations[b][i];
        if (o->site != s->line[id] || memcmp(&o->of, &of, sizeof of) != 0) continue;
        o->times++;
        return;
    }
    p->operations[b][p->noperations[b]++] = (struct operations){s->line[id], 1, of};
}

struct wg_count_plan *wg_count_plan_new(const struct wg_ir_func *f, const struct wg_sites *s) {
    struct wg_count_plan *p = wg_xcalloc(1, sizeof *p);
    p->nblocks = f->nblocks;
    p->parts = WG_NEW_N(&p->arena, struct part *, f->nblocks);
    p->nparts = WG_NEW_N(&p->arena, uint32_t, f->nblocks);
    p->operations = WG_NEW_N(&p->arena, struct operations *, f->nblocks);
    p->noperations = WG_NEW_N(&p->arena, uint32_t, f->nblocks);
    p->nslow = s->nslow;
    p->slow = WG_NEW_N(&p->arena, uint32_t, s->nslow + 1);
    for (uint32_t id = 0; id < s->module->nids; id++)
        if (s->slow[id] != WG_NO_SITE) p->slow[s->slow_number[id]] = s->slow[id];
    for (uint32_t b = 0; b < f->nblocks; b++) {
        const struct wg_ir_block *blk = &f->blocks[b];
        p->parts[b] = WG_NEW_N(&p->arena, struct part, 3 * blk->ninstrs + 3);
        p->operations[b] = WG_NEW_N(&p->arena, struct operations, blk->ninstrs + 1);
        for (uint32_t i = 0; i < blk->ninstrs; i++) {
            uint32_t id = blk->instrs[i].id;
            add_line(p, b, s, id);
            add_operation(p, b, s, id);
            if (s->barrier[id] != WG_NO_SITE) add_part(p, b, s->barrier[id], WG_CLASS_barrier);
        }
        if (blk->term != WG_TERM_CBR && blk->term != WG_TERM_BRX) continue;
        add_line(p, b, s, blk->id);
        add_operation(p, b, s, blk->id);
        if (s->branch[blk->id] != WG_NO_SITE) add_part(p, b, s->branch[blk->id], WG_CLASS_branch);
    }
    return p;
}

void wg_count_plan_free(struct wg_count_plan *p) {
    if (!p) return;
    struct wg_arena a = p->arena;
    wg_arena_free(&a);
    free(p);
}

static void collect_block(const struct wg_count_plan *p, uint32_t b, const uint64_t *u,
                          struct wg_counts *rows) {
    uint64_t begun = u[WG_UNIT_FULL] + u[WG_UNIT_BEGUN];
    uint64_t lanes = u[WG_UNIT_FULL] * WG_LANES + u[WG_UNIT_LANES];
    for (uint32_t i = 0; i < p->nparts[b]; i++) {
        const struct part *part = &p->parts[b][i];
        uint64_t *v = rows[part->site].v;
        v[WG_C_threads] += part->times * lanes;
        if (part->class == WG_CLASS_line || part->class == WG_CLASS_block)
            v[WG_C_instructions] += part->times * begun;
        v[WG_C_machine_instructions] += part->machine * begun;
        if (part->class == WG_CLASS_barrier) v[WG_C_barriers] += part->times * begun;
        if (part->class == WG_CLASS_branch) {
            v[WG_C_branches] += begun;
            v[WG_C_divergent_branches] += u[WG_UNIT_PARTED];
        }
    }
    for (uint32_t i = 0; i < p->noperations[b] && lanes; i++) {
        const struct operations *o = &p->operations[b][i];
        wg_operation_add(o->of, o->times * lanes, &rows[o->site]);
    }
}

static void collect_cell(struct wg_tally *t, const struct group *g, uint64_t times, const struct first *f,
                         uint64_t scale, uint32_t mask) {
    struct wg_access_seen a = {.block = f->block, .warp = f->warp, .order = f->order};
    for (uint32_t m = 0; m < g->nmembers; m++) {
        access_of(g, f->base, scale, mask, m, t->of, &a);
        wg_tally_accesses(&t->sites[g->members[2 * m]], &a, times);
    }
}

static void collect_group(struct wg_tally *t, const struct group *g, const struct group_cells *c) {
    const uint64_t *u = t->units + g->unit;
    for (uint32_t p = 0; c->usual && p < g->phases; p++)
        if (u[1 + p]) collect_cell(t, g, u[1 + p], &c->usual[p], ~u[0], UINT32_MAX);
    for (uint32_t i = 0; i < c->nslots; i++) {
        const struct slot *s = &c->slots[i];
        for (uint32_t p = 0; p < g->phases; p++)
            if (s->cells[p]) collect_cell(t, g, s->cells[p], &s->firsts[p], s->scale, s->mask);
    }
}

void wg_count_collect(const struct wg_count_plan *p, const struct wg_count_groups *const groups[WG_VERSIONS],
                      struct wg_tally *t, struct wg_counts *rows) {
    const struct own *o = t->own;
    for (uint32_t b = 0; b < p->nblocks; b++) collect_block(p, b, t->units + b * WG_BLOCK_UNITS, rows);
    const uint64_t *slow = t->units + p->nblocks * WG_BLOCK_UNITS;
    for (uint32_t i = 0; i < p->nslow; i++)
        for (uint32_t k = 0; k < WG_SLOW_PATHS; k++, slow += WG_SLOW_UNITS) {
            rows[p->slow[i] + k].v[WG_C_instructions] += slow[0];
            rows[p->slow[i] + k].v[WG_C_threads] += slow[1];
        }
    for (int v = 0; v < WG_VERSIONS; v++)
        for (uint32_t i = 0; o && o->groups[v] && i < groups[v]->n; i++)
            if (o->groups[v][i]) collect_group(t, &groups[v]->v[i], o->groups[v][i]);
}
