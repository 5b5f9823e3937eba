/* What a kernel does beside others that it launches: nothing orders its children and what a block does after it has
 * launched them, nor what other blocks do at any time.
 *
 * Accesses of a block to global memory are kept, and when the launch has ended become work of a stream of their own, piece
 * by piece, for the check of races between streams: piece n is what the block did between its launch n and the next
 * one, piece 0 what it did before the first. A child comes after the pieces before its own launch, and after those of all
 * blocks if its block had synchronised with another one by then (machine/children.c).
 */
#include "machine/watch/check_late.h"
#include "base/lanes.h"
#include "machine/watch/check.h"
#include "machine/watch/check_stream_state.h"
#include "machine/work.h"
#include "machine/worker.h"
#include <stdlib.h>

enum { MOST = 1 << 20 };

static bool is_common(const struct wg_grid *g, uint64_t a) {
    struct wg_span s;
    return wg_fleet_find_reached(g->dev, a, &s) && s.kind != WG_MEM_SCRATCH && s.kind != WG_MEM_HEAP;
}

/* The same as the last one, and next to it. */
static bool continues(const struct wg_check_late *late, const struct wg_late_access *x) {
    struct wg_late_access *last = late->all.n ? &late->all.v[late->all.n - 1] : NULL;
    if (!last || last->block != x->block || last->after != x->after ||
        last->touched.site != x->touched.site || last->touched.to != x->touched.from)
        return false;
    last->touched.to = x->touched.to;
    return true;
}

static void keep(struct wg_check_late *late, const struct wg_late_access *x) {
    if (continues(late, x)) return;
    if (late->all.n < MOST)
        *WG_PUSH(&late->all) = *x;
    else
        late->left_out = true;
}

void wg_check_late_access(const struct wg_warp *w, uint32_t lanes, const struct wg_check_ask *a) {
    const struct wg_cta *c = w->machine;
    struct wg_grid *g = c->unit->grid;
    const struct wg_race_site *s = &g->check->races.sites[a->id];
    uint64_t block = wg_block_index(&c->block), address[WG_LANES];
    uint32_t after = c->runtime.of == wg_runtime_counts_of(g, block) ? c->runtime.asked : 0;
    if (!s->access || s->space == WG_S_SHARED || (!after && !g->check->launches)) return;
    if (!a->address) wg_check_addresses(a, address);
    const uint64_t *at = a->address ? a->address : address;
    pthread_mutex_lock(&g->lock);
    if (!g->late) g->late = wg_xcalloc(1, sizeof *g->late);
    WG_EACH_LANE(l, lanes) {
        struct wg_late_access x = {.block = block,
                                   .after = after,
                                   .touched = {.from = at[l],
                                               .to = at[l] + s->bytes,
                                               .mask = UINT32_MAX,
                                               .unit = 1,
                                               .access = s->access,
                                               .strong = s->order != WG_RACE_WEAK,
                                               .site = a->id,
                                               .thread = w->id * WG_LANES + l,
                                               .block = block}};
        if (is_common(g, at[l])) keep(g->late, &x);
    }
    pthread_mutex_unlock(&g->lock);
}

struct wg_check_late *wg_check_late_take(struct wg_grid *g) {
    struct wg_check_late *late = g->late;
    g->late = NULL;
    if (late && late->left_out)
        wg_findings_note(
            g->dev->options.findings,
            "a kernel that launched others accessed so much memory itself that not all of it was "
            "compared with what these do");
    return late;
}

void wg_check_late_free(struct wg_check_late *late) {
    if (late) free(late->all.v);
    free(late);
}

/* By block, then piece by piece. */
static int by_piece(const void *a, const void *b) {
    const struct wg_late_access *x = a, *y = b;
    if (x->block != y->block) return x->block < y->block ? -1 : 1;
    return x->after < y->after ? -1 : x->after > y->after;
}

void wg_check_late_sort(struct wg_check_late *late) {
    if (late->all.n) qsort(late->all.v, late->all.n, sizeof *late->all.v, by_piece);
}

struct wg_check_asked *wg_check_late_of(const struct wg_work *w) {
    if (!w->dev->check_streams) return NULL;
    struct wg_check_asked *k = wg_check_stream_asked(w);
    k->by = w->grid->asked_by;
    k->at = w->grid->asked_at;
    k->late = true;
    return k;
}

void wg_check_late_of_free(struct wg_check_asked *of) {
    if (of) free(of->launcher);
    free(of);
}

uint32_t wg_check_late_put(struct wg_stream *s, const struct wg_check_asked *by,
                           const struct wg_late_access *all, uint32_t n) {
    struct wg_check_streams *c = s->dev->check_streams;
    struct wg_check_asked *k = wg_xmalloc(sizeof *k);
    *k = *by;
    k->launcher = by->launcher ? wg_xstrdup(by->launcher) : NULL;
    k->before = n && !all->after;
    pthread_mutex_lock(s->dev->lock);
    pthread_mutex_lock(&c->lock);
    struct wg_stream_work *x = wg_check_stream_piece(s, k);
    for (uint32_t i = 0; i < n; i++) wg_stream_work_touched(x, &all[i].touched);
    wg_stream_work_ended(x);
    uint32_t number = s->known.count;
    pthread_mutex_unlock(&c->lock);
    pthread_mutex_unlock(s->dev->lock);
    return number;
}

void wg_check_late_before(struct wg_stream *s, const struct wg_stream *other, uint32_t number) {
    struct wg_check_streams *c = s->dev->check_streams;
    pthread_mutex_lock(&c->lock);
    if (!wg_clock_has(&s->known.clock, other->known.slot, number))
        wg_clock_set(&s->known.clock, other->known.slot, number);
    pthread_mutex_unlock(&c->lock);
}
