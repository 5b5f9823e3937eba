/* Livelock reports: for a launch whose threads poll in vain, which threads poll what, where, and who wrote
 * the value.
 *
 *     thread (0,0,0) waits at twice.cu:6 for 'lock', which is 1 since it wrote that at twice.cu:4
 *     31 threads, (1,0,0) to (31,0,0), wait at twice.cu:4 for 'lock', which is 1 since thread (0,0,0) ...
 *     32 threads, (32,0,0) to (63,0,0), wait at barrier 0, twice.cu:9
 */
#include "machine/device.h"
#include "machine/watch/check.h"
#include "machine/worker.h"
#include <stdio.h>
#include <string.h>

enum { MOST = 12, ASKS = 16, MEETS = 17 }; /* waits; their kinds, after those of enum wg_wait_kind */

/* Threads that wait alike. */
struct crowd {
    uint32_t kind, id, site, loc;
    uint64_t on, content; /* ASKS, and of an mbarrier: of the first */
    bool elsewhere;       /* the others ask other places */
    uint64_t threads, blocks, last_block;
    const struct wg_cta *block; /* of the first */
    uint32_t first, last;       /* in that block */
};
struct crowds {
    struct crowd of[MOST];
    uint32_t n;
    uint64_t more; /* threads for which there is no room */
};

/* ---- who is alike ---- */

static void join(struct crowds *all, const struct wg_cta *c, uint32_t thread, struct crowd like) {
    struct crowd *x = all->of;
    while (x < all->of + all->n && (x->kind != like.kind || x->id != like.id || x->site != like.site)) x++;
    if (x == all->of + MOST) {
        all->more++;
        return;
    }
    if (x == all->of + all->n) {
        *x = like;
        x->block = c;
        x->first = x->last = thread;
        x->last_block = UINT64_MAX;
        all->n++;
    }
    x->threads++;
    x->blocks += x->last_block != c->index;
    x->last_block = c->index;
    x->elsewhere |= x->on != like.on;
    if (x->block == c) x->last = thread;
}

static uint32_t loc_of(const struct wg_grid *g, uint32_t site) {
    const struct wg_check_site *s = &g->check->sites[site];
    return s->instr ? s->instr->loc : s->end ? s->end->loc : 0;
}

static uint64_t value_at(uint64_t at, uint32_t bytes) {
    uint64_t v = 0;
    return bytes <= 8 && wg_trap_read(&v, at, bytes) ? v : 0;
}

static uint32_t width_of(const struct wg_ir_instr *in) {
    if (!in || (in->op != WG_OP_LD && in->op != WG_OP_ATOM)) return 8;
    return wg_type_bits(in->type) / 8 * in->nvec;
}

static void see_lane(struct crowds *all, const struct wg_cta *c, const struct wg_warp *w, uint32_t l) {
    const struct wg_grid *g = c->unit->grid;
    uint32_t thread = w->id * WG_LANES + l;
    for (uint32_t k = 0; k < w->nwait; k++) {
        const struct wg_wait *x = &w->wait[k];
        if (x->released || !(x->lanes >> l & 1)) continue;
        join(all, c, thread, (struct crowd){.kind = x->kind, .id = x->id, .site = x->site, .loc = x->loc});
        return;
    }
    if (wg_check_round_meeting(c, w) >> l & 1) {
        uint32_t site = c->rounds->site[w->id];
        join(all, c, thread, (struct crowd){.kind = MEETS, .site = site, .loc = loc_of(g, site)});
        return;
    }
    const struct wg_round_lane *lane = &c->rounds->lane[w->id][l];
    if (wg_check_round_tests_phase(g->check->sites[lane->site].instr)) {
        uint32_t place = (uint32_t)(lane->on - (uint64_t)c->block.cluster_shared);
        join(all, c, thread,
             (struct crowd){.kind = WG_WAIT_MBARRIER,
                            .id = place,
                            .site = lane->site,
                            .loc = loc_of(g, lane->site),
                            .on = lane->on});
        return;
    }
    join(all, c, thread,
         (struct crowd){.kind = ASKS,
                        .site = lane->site,
                        .loc = loc_of(g, lane->site),
                        .on = lane->on,
                        .content = value_at(lane->on, width_of(g->check->sites[lane->site].instr))});
}

static void see_unit(struct crowds *all, const struct wg_unit *u) {
    for (uint32_t k = 0; k < u->shape.nctas; k++)
        for (uint32_t i = 0; i < u->ctas[k].nwarps; i++) {
            const struct wg_cta *c = &u->ctas[k];
            if (c->state[i] == WG_WS_DONE) continue;
            for (uint32_t l = 0; l < WG_LANES; l++)
                if (c->warps[i].live >> l & 1) see_lane(all, c, &c->warps[i], l);
        }
}

/* ---- words ---- */

static void put_thread(struct wg_strbuf *out, const struct wg_grid *g, uint32_t t) {
    const uint32_t *n = g->block.ntid;
    wg_strbuf_printf(out, "(%u,%u,%u)", t % n[0], t / n[0] % n[1], t / n[0] / n[1]);
}

static bool has_blocks(const struct wg_grid *g) { return g->job.units * g->shape.nctas > 1; }

static void put_block(struct wg_strbuf *out, const struct wg_grid *g, const uint32_t b[3]) {
    if (has_blocks(g)) wg_strbuf_printf(out, " of block (%u,%u,%u)", b[0], b[1], b[2]);
}

static void put_who(struct wg_strbuf *out, const struct wg_grid *g, const struct crowd *x) {
    const uint32_t *b = x->block->block.ctaid;
    if (x->threads == 1) {
        wg_strbuf_puts(out, "thread ");
        put_thread(out, g, x->first);
        put_block(out, g, b);
        wg_strbuf_puts(out, " waits");
        return;
    }
    wg_strbuf_printf(out, "%llu threads", (unsigned long long)x->threads);
    if (x->blocks > 1) wg_strbuf_printf(out, " of %llu blocks", (unsigned long long)x->blocks);
    bool row = x->blocks == 1 && x->last - x->first + 1 == x->threads;
    wg_strbuf_puts(out, row ? ", " : ", the first ");
    put_thread(out, g, x->first);
    if (row) wg_strbuf_puts(out, " to ");
    if (row) put_thread(out, g, x->last);
    put_block(out, g, b);
    wg_strbuf_puts(out, ", wait");
}

static void put_place(struct wg_strbuf *out, const struct wg_grid *g, uint32_t loc) {
    const struct wg_ir_module *m = wg_grid_ir(g);
    uint32_t from = loc;
    if (!loc || loc >= m->nlocs) return;
    wg_strbuf_printf(out, "%s:%u", m->locs[loc].file, m->locs[loc].line);
    while (m->locs[from].inlined_at) from = m->locs[from].inlined_at;
    if (from != loc) wg_strbuf_printf(out, " (called at %s:%u)", m->locs[from].file, m->locs[from].line);
}

static void put_number(struct wg_strbuf *out, uint64_t v) {
    if (v >> 31)
        wg_strbuf_printf(out, "%#llx", (unsigned long long)v);
    else
        wg_strbuf_printf(out, "%u", (uint32_t)v);
}

static struct wg_finding_memory memory_of(const struct wg_grid *g, const struct crowd *x) {
    struct wg_finding_memory m = {0};
    uint64_t shared = x->on - (uint64_t)x->block->block.cluster_shared;
    if (shared < (uint64_t)g->shape.nctas * WG_SHARED_STRIDE)
        wg_check_describe_shared(g, x->site, 0, shared % WG_SHARED_STRIDE, g->shape.nctas > 1, &m);
    else
        wg_check_describe_global(g->dev, g->func->module, x->on, &m);
    return m;
}

static void put_memory(struct wg_strbuf *out, const struct wg_finding_memory *m) {
    if (m->name && !m->offset)
        wg_strbuf_printf(out, "'%s'", m->name);
    else if (m->name)
        wg_strbuf_printf(out, "byte %lld of '%s'", (long long)m->offset, m->name);
    else if (m->has_allocation)
        wg_strbuf_printf(out, "byte %lld of %llu bytes of %s memory", (long long)m->offset,
                         (unsigned long long)m->size, m->what);
    else
        wg_strbuf_printf(out, "a place in %s memory", m->space);
}

/* Who wrote last what the crowd sees; NULL: that is not known. */
static const struct wg_round_change *maker_of(const struct wg_grid *g, const struct crowd *x) {
    const struct wg_round_change *c = wg_check_round_change_of(x->block->unit, x->on);
    bool shared =
        x->on - (uint64_t)x->block->block.cluster_shared < (uint64_t)g->shape.nctas * WG_SHARED_STRIDE;
    if (!c || c->value != x->content) return NULL;
    return shared && c->unit != x->block->unit->index + 1 ? NULL : c;
}

static void put_maker(struct wg_strbuf *out, const struct wg_grid *g, const struct crowd *x) {
    const struct wg_round_change *c = maker_of(g, x);
    if (!c) return;
    bool same =
        x->threads == 1 && x->first == c->thread && !memcmp(c->block, x->block->block.ctaid, sizeof c->block);
    wg_strbuf_puts(out, " since ");
    if (same) {
        wg_strbuf_puts(out, "the same thread");
    } else {
        wg_strbuf_puts(out, "thread ");
        put_thread(out, g, c->thread);
        put_block(out, g, c->block);
    }
    wg_strbuf_puts(out, " wrote it at ");
    put_place(out, g, loc_of(g, c->site));
}

static void put_asked(struct wg_strbuf *out, const struct wg_grid *g, const struct crowd *x) {
    const struct wg_ir_instr *in = g->check->sites[x->site].instr;
    wg_strbuf_puts(out, " at ");
    put_place(out, g, x->loc);
    if (!x->on) {
        wg_strbuf_puts(out, ", in a loop that never ends");
        return;
    }
    struct wg_finding_memory m = memory_of(g, x);
    wg_strbuf_puts(out, " for ");
    put_memory(out, &m);
    if (x->elsewhere) wg_strbuf_puts(out, " and other places; the first");
    if (width_of(in) <= 8) {
        wg_strbuf_puts(out, x->elsewhere ? " is " : ", which is ");
        put_number(out, x->content);
        put_maker(out, g, x);
    }
}

/* At a barrier, and who has not come; those who are elsewhere in other blocks are not worth a line's end. */
static void put_barrier(struct wg_strbuf *out, const struct wg_grid *g, const struct crowd *x) {
    enum wg_wait_kind kind = x->kind == MEETS ? WG_WAIT_WARP : (enum wg_wait_kind)x->kind;
    wg_strbuf_printf(out, " at %s", wg_wait_name(kind));
    if (kind == WG_WAIT_BLOCK) wg_strbuf_printf(out, " %u", x->id);
    if (kind == WG_WAIT_MBARRIER) wg_deadlock_put_mbarrier(out, x->block, x->site, x->id);
    wg_strbuf_puts(out, ", ");
    put_place(out, g, x->loc);
    if (kind == WG_WAIT_MBARRIER || x->blocks == 1) wg_deadlock_put_missing(out, x->block, kind, x->id);
}

static void put_crowd(struct wg_strbuf *out, const struct wg_grid *g, const struct crowd *x) {
    put_who(out, g, x);
    if (x->kind == ASKS)
        put_asked(out, g, x);
    else
        put_barrier(out, g, x);
    wg_strbuf_puts(out, "\n");
}

/* Who could have arrived at an mbarrier: of the first block that waits at one. */
static void put_ended(struct wg_strbuf *out, const struct crowds *all) {
    for (uint32_t i = 0; i < all->n; i++)
        if (all->of[i].kind == WG_WAIT_MBARRIER) {
            wg_deadlock_put_ended(out, all->of[i].block);
            return;
        }
}

/* Blocks that did not begin, because the device was full of waiting ones. */
static void put_unbegun(struct wg_strbuf *out, const struct wg_grid *g) {
    uint64_t n = wg_job_left(&g->job) * g->shape.nctas;
    if (!n) return;
    wg_strbuf_printf(out, "%llu block%s cannot begin: the device holds %llu of them at once\n",
                     (unsigned long long)n, n == 1 ? "" : "s",
                     (unsigned long long)g->residents * g->shape.nctas);
}

/* ---- the fault ---- */

/* By block and thread, but first those that ask: they are what is wrong. */
static bool asks(const struct crowd *x) { return x->kind == ASKS || x->kind == WG_WAIT_MBARRIER; }
static int order(const struct crowd *a, const struct crowd *b) {
    if (asks(a) != asks(b)) return asks(a) ? -1 : 1;
    if (a->block->index != b->block->index) return a->block->index < b->block->index ? -1 : 1;
    return a->first < b->first ? -1 : 1;
}

static void sort(struct crowds *all) {
    for (uint32_t i = 1; i < all->n; i++)
        for (uint32_t k = i; k && order(&all->of[k], &all->of[k - 1]) < 0; k--) {
            struct crowd x = all->of[k];
            all->of[k] = all->of[k - 1];
            all->of[k - 1] = x;
        }
}

/* The finding's second place: who made it so, or the next that wait. Of the lowest unit that was found so. */
static void note(struct wg_grid *g, const struct crowds *all) {
    const struct crowd *x = &all->of[0];
    const struct wg_round_change *c = x->kind == ASKS ? maker_of(g, x) : NULL;
    struct wg_check_stuck s = {.site = x->site, .has_other = c || all->n > 1};
    if (x->on) s.memory = memory_of(g, x);
    if (s.has_other) {
        s.other_site = c ? c->site : x[1].site;
        s.thread = c ? c->thread : x[1].first;
        memcpy(s.block, c ? c->block : x[1].block->block.ctaid, sizeof s.block);
    }
    pthread_mutex_lock(&g->lock);
    if (x->block->unit->index < g->fault_unit) g->check->stuck = s;
    pthread_mutex_unlock(&g->lock);
}

/* In the order of blocks: the first of a crowd is its lowest. */
static void see_units(struct crowds *all, const struct wg_grid *g, const struct wg_unit *first) {
    for (uint64_t from = 0;;) {
        const struct wg_unit *next = NULL;
        for (const struct wg_unit *u = first; u; u = u->next)
            if (u->grid == g && u->index >= from && (!next || u->index < next->index)) next = u;
        if (!next) break;
        see_unit(all, next);
        from = next->index + 1;
    }
}

void wg_check_round_told(struct wg_grid *g, struct wg_unit *first, bool only) {
    struct crowds all = {0};
    struct wg_strbuf text = {0};
    if (only)
        see_unit(&all, first);
    else
        see_units(&all, g, first);
    sort(&all);
    for (uint32_t i = 0; i < all.n; i++) put_crowd(&text, g, &all.of[i]);
    if (all.more) wg_strbuf_printf(&text, "%llu threads wait elsewhere\n", (unsigned long long)all.more);
    put_ended(&text, &all);
    if (!only) put_unbegun(&text, g);
    const struct crowd *x = &all.of[0];
    struct wg_fault f = {.kind = WG_FAULT_DEADLOCK, .loc = x->loc, .lane = x->first % WG_LANES};
    note(g, &all);
    wg_grid_fault(x->block, &x->block->warps[x->first / WG_LANES], &f, false, text.s);
    wg_strbuf_free(&text);
}
