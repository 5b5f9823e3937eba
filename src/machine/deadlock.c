/* Deadlock report of a unit in which no warp can continue: which threads wait where, and for which others.
 *
 *     32 threads, (0,0,0) to (31,0,0), wait at barrier 1 (for 64 threads), pipe.cu:12, for 32 more
 *     32 threads, (32,0,0) to (63,0,0), wait at barrier 2 (for 64 threads), pipe.cu:20, for 32 more
 *     64 threads, (64,0,0) to (127,0,0), have ended
 */
#include "base/mangled.h"
#include "machine/device.h"
#include "machine/grid.h"
#include "machine/watch/watch.h"
#include "warp/mbarrier.h"
#include <stdio.h>
#include <string.h>

/* Threads of a block, by warp. */
struct threads {
    uint32_t lanes[WG_MAX_WARPS];
};

/* Waits of one block that are alike: at the same place, for the same. */
struct group {
    struct wg_wait wait;
    const struct wg_warp *warp; /* the first */
    struct threads who;
};

static uint32_t count(const struct threads *t) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < WG_MAX_WARPS; i++) n += (uint32_t)__builtin_popcount(t->lanes[i]);
    return n;
}

static void write_thread(struct wg_strbuf *out, const struct wg_cta *c, uint32_t t) {
    const uint32_t *n = c->block.ntid;
    wg_strbuf_printf(out, "(%u,%u,%u)", t % n[0], t / n[0] % n[1], t / n[0] / n[1]);
}

static void write_threads(struct wg_strbuf *out, const struct wg_cta *c, const struct threads *t) {
    uint32_t first = UINT32_MAX, last = 0, n = count(t);
    for (uint32_t i = 0; i < c->nwarps; i++) {
        if (!t->lanes[i]) continue;
        if (first == UINT32_MAX) first = i * WG_LANES + (uint32_t)__builtin_ctz(t->lanes[i]);
        last = i * WG_LANES + 31 - (uint32_t)__builtin_clz(t->lanes[i]);
    }
    if (n == 1) {
        wg_strbuf_puts(out, "thread ");
        write_thread(out, c, first);
        return;
    }
    wg_strbuf_printf(out, "%u threads, ", n);
    if (last - first + 1 != n) wg_strbuf_puts(out, "the first ");
    write_thread(out, c, first);
    if (last - first + 1 == n) {
        wg_strbuf_puts(out, " to ");
        write_thread(out, c, last);
    }
    wg_strbuf_puts(out, ",");
}

/* Those of the block who live and are not in here[]. */
static struct threads missing(const struct wg_cta *c, const uint32_t *here) {
    struct threads t = {{0}};
    for (uint32_t i = 0; i < c->nwarps; i++) t.lanes[i] = c->warps[i].live & ~here[i];
    return t;
}

static void write_missing(struct wg_strbuf *out, const struct wg_cta *c, const uint32_t *here) {
    struct threads t = missing(c, here);
    if (!count(&t)) return;
    wg_strbuf_puts(out, ", for ");
    write_threads(out, c, &t);
    if (out->s[out->n - 1] == ',') out->s[--out->n] = 0;
}

static void write_missing_of_barrier(struct wg_strbuf *out, const struct wg_cta *c, uint32_t id) {
    const struct wg_barrier *b = &c->barriers[id];
    uint32_t here[WG_MAX_WARPS], n = 0;
    for (uint32_t i = 0; i < c->nwarps; i++) {
        here[i] = b->waiting[i] | b->arrived[i];
        if (here[i]) n += c->warps[i].live & ~here[i] ? (uint32_t)__builtin_popcount(here[i]) : WG_LANES;
    }
    if (b->threads)
        wg_strbuf_printf(out, ", for %u more", b->threads - n);
    else
        write_missing(out, c, here);
}

/* Of all blocks of the cluster, each with its number. */
static void write_missing_of_cluster(struct wg_strbuf *out, const struct wg_cta *c) {
    for (uint32_t k = 0; k < c->unit->shape.nctas; k++) {
        const struct wg_cta *other = &c->unit->ctas[k];
        uint32_t n = out->n;
        write_missing(out, other, other->cluster_arrived);
        if (out->n > n && other != c)
            wg_strbuf_printf(out, " of block (%u,%u,%u)", other->block.ctaid[0], other->block.ctaid[1],
                             other->block.ctaid[2]);
    }
}

/* What its phase still waits for. */
static void write_missing_of_mbarrier(struct wg_strbuf *out, const struct wg_cta *c, uint32_t place) {
    enum { SIGN = 1 << (WG_MBARRIER_TX_BITS - 1) };
    uint64_t bits;
    memcpy(&bits, c->unit->ctas[0].block.cluster_shared + place, sizeof bits);
    uint32_t pending = bits & WG_MBARRIER_MOST, tx = bits >> WG_MBARRIER_TX_AT & (2 * SIGN - 1);
    uint32_t all = bits >> WG_MBARRIER_EXPECTED_AT & WG_MBARRIER_MOST;
    const char *also = pending ? " and" : ", which waits for";
    if (pending) wg_strbuf_printf(out, ", which waits for %u of %u arrivals", pending, all);
    if (tx && !(tx & SIGN)) wg_strbuf_printf(out, "%s %u bytes that no copy brings", also, tx);
    if (tx & SIGN)
        wg_strbuf_printf(out, "%s the expect_tx of %u bytes that copies have already brought", also,
                         2 * SIGN - tx);
    wg_strbuf_printf(out, " to end its phase of parity %u", (uint32_t)(bits >> WG_MBARRIER_PHASE_AT & 1));
}

void wg_deadlock_put_mbarrier(struct wg_strbuf *out, const struct wg_cta *c, uint32_t site, uint32_t place) {
    const struct wg_check_launch *check = c->unit->grid->check;
    const struct wg_ir_module *m = wg_grid_ir(c->unit->grid);
    uint32_t at = place % WG_SHARED_STRIDE, v = check->sites[site].variable;
    const struct wg_ir_sym *s = m && v != WG_NO_REG && m->syms[v].kind == WG_SYM_SHARED ? &m->syms[v] : NULL;
    struct wg_arena a = {0};
    if (s && at - s->offset < s->size)
        wg_strbuf_printf(out, " at byte %u of '%s'", (uint32_t)(at - s->offset),
                         wg_variable_name(&a, s->name));
    else
        wg_strbuf_printf(out, " at byte %u of shared memory", at);
    wg_arena_free(&a);
}

const char *wg_wait_name(enum wg_wait_kind k) {
    static const char *const names[] = {"barrier", "the cluster's barrier", "the grid's barrier",
                                        "a warp-wide operation (all lanes of its mask)", "the mbarrier"};
    return names[k];
}

void wg_deadlock_put_missing(struct wg_strbuf *out, const struct wg_cta *c, enum wg_wait_kind kind,
                             uint32_t id) {
    switch (kind) {
    case WG_WAIT_BLOCK: write_missing_of_barrier(out, c, id); break;
    case WG_WAIT_CLUSTER: write_missing_of_cluster(out, c); break;
    case WG_WAIT_GRID: write_missing(out, c, c->grid_waiting); break;
    case WG_WAIT_MBARRIER: write_missing_of_mbarrier(out, c, id); break;
    case WG_WAIT_WARP: break;
    }
}

static void write_group(struct wg_strbuf *out, const struct wg_cta *c, const struct group *g) {
    const struct wg_ir_module *m = wg_grid_ir(c->unit->grid);
    const struct wg_wait *w = &g->wait;
    write_threads(out, c, &g->who);
    wg_strbuf_printf(out, " wait%s at %s", count(&g->who) == 1 ? "s" : "",
                     wg_wait_name((enum wg_wait_kind)w->kind));
    if (w->kind == WG_WAIT_BLOCK) wg_strbuf_printf(out, " %u", w->id);
    if (w->threads) wg_strbuf_printf(out, " (for %u threads)", w->threads);
    if (w->loc && m && w->loc < m->nlocs)
        wg_strbuf_printf(out, ", %s:%u", m->locs[w->loc].file, m->locs[w->loc].line);
    wg_deadlock_put_missing(out, c, (enum wg_wait_kind)w->kind, w->id);
    wg_strbuf_puts(out, "\n");
}

static bool alike(const struct wg_wait *a, const struct wg_wait *b) {
    return a->kind == b->kind && a->id == b->id && a->site == b->site && a->loc == b->loc;
}

static uint32_t first_thread(const struct group *g) {
    uint32_t i = 0;
    while (!g->who.lanes[i]) i++;
    return i * WG_LANES + (uint32_t)__builtin_ctz(g->who.lanes[i]);
}

/* In the order of their first threads. */
static uint32_t group_waits(const struct wg_cta *c, struct group g[WG_MAX_WAITS]) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->nwarps; i++)
        for (uint32_t k = 0; k < c->warps[i].nwait; k++) {
            const struct wg_wait *w = &c->warps[i].wait[k];
            uint32_t at = 0;
            if (w->released) continue;
            while (at < n && !alike(&g[at].wait, w)) at++;
            if (at == WG_MAX_WAITS) continue;
            if (at == n) g[n++] = (struct group){.wait = *w, .warp = &c->warps[i]};
            g[at].who.lanes[i] |= w->lanes;
            for (; at > 0 && first_thread(&g[at]) < first_thread(&g[at - 1]); at--) {
                struct group x = g[at];
                g[at] = g[at - 1];
                g[at - 1] = x;
            }
        }
    return n;
}

void wg_deadlock_put_ended(struct wg_strbuf *out, const struct wg_cta *c) {
    struct threads gone = {{0}};
    for (uint32_t i = 0; i < c->nwarps; i++)
        gone.lanes[i] = (i + 1 < c->nwarps ? UINT32_MAX : c->unit->grid->last_lanes) & ~c->warps[i].live;
    if (!count(&gone)) return;
    write_threads(out, c, &gone);
    wg_strbuf_printf(out, " ha%s ended\n", count(&gone) == 1 ? "s" : "ve");
}

/* The first two groups of a unit. */
struct first_two {
    uint32_t n;
    struct group of[2];
};

static void write_block(struct wg_strbuf *out, const struct wg_cta *c, struct first_two *first) {
    struct group g[WG_MAX_WAITS];
    uint32_t n = group_waits(c, g);
    if (!n) return;
    if (first->n)
        wg_strbuf_printf(out, "of block (%u,%u,%u):\n", c->block.ctaid[0], c->block.ctaid[1],
                         c->block.ctaid[2]);
    for (uint32_t i = 0; i < n; i++) {
        write_group(out, c, &g[i]);
        if (first->n < 2) first->of[first->n++] = g[i];
    }
    wg_deadlock_put_ended(out, c);
}

struct wg_deadlock wg_deadlock(const struct wg_unit *u) {
    struct wg_deadlock d = {0};
    struct first_two first = {0};
    for (uint32_t k = 0; k < u->shape.nctas; k++) write_block(&d.text, &u->ctas[k], &first);
    const struct group *g = &first.of[0];
    d.warp = first.n ? g->warp : u->warps;
    d.site = first.n ? g->wait.site : 0;
    d.fault = (struct wg_fault){.kind = WG_FAULT_DEADLOCK,
                                .loc = g->wait.loc,
                                .lane = first.n ? first_thread(g) % WG_LANES : WG_LANES};
    if (first.n < 2) return d;
    d.other = first.of[1].warp;
    d.wait = first.of[1].wait;
    return d;
}
