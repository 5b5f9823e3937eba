/* Releases, and sets of them.
 *
 * A release is stored once (struct release) and has a number; what an address, or a block, has acquired is a
 * set of numbers, kept as intervals. Blocks that form a chain, or that all add to one counter, have sets of a
 * single interval, so that 65536 blocks cost no more than two. A set that falls into too many intervals
 * closes its smallest gaps: this adds order that does not exist, so races may be missed, but none is reported
 * wrongly.
 */
#include "check/race/race_state.h"
#include <stdlib.h>
#include <string.h>

static inline uint32_t lowest(uint32_t a, uint32_t b) { return a < b ? a : b; }
static inline uint32_t highest(uint32_t a, uint32_t b) { return a > b ? a : b; }

void race_set_clear(struct set *s) {
    free(s->at);
    *s = (struct set){0};
}

/* The first span that ends at or after `x`. */
static uint32_t find(const struct set *s, uint32_t x) {
    uint32_t from = 0, to = s->n;
    while (from < to) {
        uint32_t mid = (from + to) / 2;
        if (s->at[mid].to < x)
            from = mid + 1;
        else
            to = mid;
    }
    return from;
}

bool race_set_has(const struct set *s, struct span x) {
    uint32_t i = find(s, x.from);
    return i < s->n && s->at[i].from <= x.from && x.to <= s->at[i].to;
}

static void close_smallest_gap(struct set *s) {
    uint32_t best = 0;
    for (uint32_t i = 1; i + 1 < s->n; i++)
        if (s->at[i + 1].from - s->at[i].to < s->at[best + 1].from - s->at[best].to) best = i;
    s->at[best].to = s->at[best + 1].to;
    memmove(s->at + best + 1, s->at + best + 2, (s->n - best - 2) * sizeof *s->at);
    s->n--;
}

void race_set_add(struct set *s, struct span x) {
    if (!s->at) s->at = wg_xcalloc(SET_MOST + 1, sizeof *s->at);
    uint32_t i = find(s, x.from ? x.from - 1 : 0), k = i; /* touching spans become one */
    while (k < s->n && s->at[k].from <= x.to + 1) {
        x.from = lowest(x.from, s->at[k].from);
        x.to = highest(x.to, s->at[k].to);
        k++;
    }
    memmove(s->at + i + 1, s->at + k, (s->n - k) * sizeof *s->at);
    s->n = s->n - (k - i) + 1;
    s->at[i] = x;
    if (s->n > SET_MOST) close_smallest_gap(s);
}

bool race_set_has_all(const struct set *s, const struct set *x) {
    for (uint32_t i = 0, k = 0; i < x->n; i++) {
        while (k < s->n && s->at[k].to < x->at[i].from) k++;
        if (k == s->n || s->at[k].from > x->at[i].from || s->at[k].to < x->at[i].to) return false;
    }
    return true;
}

/* Whether it has any of [from, to]. */
static bool has_any(const struct set *s, uint32_t from, uint32_t to) {
    uint32_t i = find(s, from);
    return i < s->n && s->at[i].from <= to;
}

/* All spans of both in `out`, touching ones as one: how many they are. */
static uint32_t merge(const struct set *s, const struct set *x, struct span out[2 * SET_MOST + 2]) {
    uint32_t n = 0, i = 0, k = 0;
    while (i < s->n || k < x->n) {
        bool first = k == x->n || (i < s->n && s->at[i].from <= x->at[k].from);
        struct span next = first ? s->at[i++] : x->at[k++];
        if (n && next.from <= out[n - 1].to + 1)
            out[n - 1].to = highest(out[n - 1].to, next.to);
        else
            out[n++] = next;
    }
    return n;
}

void race_set_add_all(struct set *s, const struct set *x) {
    struct span out[2 * SET_MOST + 2];
    if (!x->n) return;
    uint32_t n = merge(s, x, out);
    if (n > SET_MOST) { /* gaps are closed as they come */
        for (uint32_t i = 0; i < x->n; i++) race_set_add(s, x->at[i]);
        return;
    }
    if (!s->at) s->at = wg_xcalloc(SET_MOST + 1, sizeof *s->at);
    memcpy(s->at, out, n * sizeof *out);
    s->n = n;
}

/* ---- releases ---- */

void race_meeting_clear(struct meeting *m) {
    for (uint32_t i = 1; i <= m->n; i++) free(m->v[i].warps), free(m->v[i].each);
    for (uint32_t i = 0; i < m->slots; i++) free(m->signals[i].set.at);
    free(m->v);
    free(m->signals);
    *m = (struct meeting){0};
}

/* How far back in the thread's block the release tells of `thread`. */
static uint32_t covers(const struct release *r, uint32_t thread, int reach) {
    if (r->each) return r->each[thread];
    if (thread == r->thread) return r->own[reach];
    uint32_t knew = r->warps ? highest(r->all, r->warps[thread >> 5]) : r->all;
    return lowest(knew, r->limit[reach]);
}

static uint32_t *knowledge(const struct wg_race_block *b, uint32_t thread) {
    uint32_t warp = thread >> 5, lane = thread & 31;
    if (!b->partial) return NULL;
    uint32_t *v = wg_xcalloc(b->nwarps, sizeof *v);
    for (uint32_t w = 0; w < b->nwarps; w++) {
        uint32_t at = warp * b->nwarps + w;
        v[w] = b->knows[at];
        if (!b->split || b->pair_time[at] <= b->all) continue;
        for (uint32_t k = 0; k < LANES; k++) v[w] = highest(v[w], b->pairs[at][lane][k]);
    }
    return v;
}

uint32_t race_release_new(struct wg_race_block *b, uint32_t thread) {
    struct meeting *m = b->meeting;
    if (m->n + 1 >= m->cap) {
        m->cap = m->cap ? m->cap * 2 : 64;
        m->v = wg_xrealloc(m->v, m->cap * sizeof *m->v);
    }
    struct release *r = &m->v[++m->n];
    *r = (struct release){.block = b->block,
                          .before = b->last_release,
                          .thread = thread,
                          .at = b->time,
                          .all = b->all,
                          .warps = knowledge(b, thread)};
    for (int i = 0; i < REACHES; i++) {
        r->own[i] = b->fences[i][thread];
        r->limit[i] = highest(r->own[i], b->latest_fence[i]);
    }
    if (!b->last_release || m->v[b->last_release].at <= b->all) b->oldest_release = m->n;
    b->last_release = m->n;
    if (b->grid->last_release) b->grid->last_release[b->block] = m->n;
    return m->n;
}

/* Whether the thread has learned what the release tells of already. */
static bool knows(const struct wg_race_block *b, uint32_t thread, const struct release *r) {
    uint32_t at = (thread >> 5) * b->nwarps + (r->thread >> 5);
    return b->split && b->pair_time[at] > b->all && r->own[FOR_BLOCK] > b->all &&
           b->pairs[at][thread & 31][r->thread & 31] >= r->own[FOR_BLOCK];
}

void race_join_own(struct wg_race_block *b, uint32_t thread, const struct set *s) {
    uint32_t warp = thread >> 5, lane = thread & 31;
    if (!has_any(s, b->oldest_release, b->last_release)) return;
    for (uint32_t i = b->last_release; i; i = b->meeting->v[i].before) {
        const struct release *r = &b->meeting->v[i];
        if (r->at <= b->all) break;
        if (r->thread == thread || knows(b, thread, r) || !race_set_has(s, (struct span){i, i})) continue;
        for (uint32_t w = 0; w < b->nwarps; w++) {
            uint32_t up_to = lowest(r->warps ? r->warps[w] : 0, r->limit[FOR_BLOCK]);
            if (up_to <= b->all) continue;
            uint32_t *p = race_pair(b, warp, w)[lane];
            for (uint32_t k = 0; k < LANES; k++) p[k] = highest(p[k], up_to);
        }
        if (r->own[FOR_BLOCK] <= b->all) continue;
        uint32_t *p = race_pair(b, warp, r->thread >> 5)[lane];
        p[r->thread & 31] = highest(p[r->thread & 31], r->own[FOR_BLOCK]);
    }
}

static bool has_others(const struct wg_race_block *b, const struct set *s) {
    for (uint32_t i = 0; i < s->n; i++)
        for (uint32_t k = s->at[i].from; k <= s->at[i].to; k++)
            if (b->meeting->v[k].block != b->block) return true;
    return false;
}

bool wg_race_heard_others(const struct wg_race_block *b) {
    return b->grid->serial != b->grid->first_serial || has_others(b, &b->known) || has_others(b, &b->late);
}

bool race_released(const struct wg_race_block *b, uint64_t other, uint32_t thread, uint32_t stamp,
                   bool flags) {
    flags &= b->flags.n > 0;
    if (!b->known.n && !flags) return false;
    uint32_t i = 0;
    if (b->grid->last_release) i = b->grid->last_release[other];
    for (; i && b->meeting->v[i].at >= stamp;
         i = b->meeting->v[i].before) /* earlier ones do not tell of it */
        if ((race_set_has(&b->known, (struct span){i, i}) ||
             (flags && race_set_has(&b->flags, (struct span){i, i}))) &&
            covers(&b->meeting->v[i], thread, FOR_GRID) >= stamp)
            return true;
    return false;
}
