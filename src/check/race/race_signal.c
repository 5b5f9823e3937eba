/* Order by fences and flags: what a thread did before a fence, and then an atomic or volatile store, is
 * ordered before what follows an atomic or volatile load of that address.
 *
 * Lenient on purpose: no fence is required after a load (a barrier follows in correct code) that is not
 * explicitly relaxed and takes no lock, nor, inside the block, after one that is; a fence by another thread
 * of the block counts for its own writes; a store does not end what earlier ones released.
 */
#include "check/race/race_state.h"
#include <stdlib.h>

/* ---- addresses ---- */

enum { WINDOWS_SHIFT = 23 }; /* the shared memory of a cluster takes less */

uint64_t race_windows_of(const struct wg_race_block *b) {
    uint64_t first = b->peers && b->peers[0] ? b->peers[0]->block : b->block;
    return UINT64_C(1) << 63 | first << WINDOWS_SHIFT;
}

static uint32_t slot_of(const struct meeting *m, uint64_t address) {
    uint32_t mask = m->slots - 1, i = (uint32_t)(address * UINT64_C(0x9e3779b97f4a7c15) >> 40) & mask;
    while (m->signals[i].address && m->signals[i].address != address) i = (i + 1) & mask;
    return i;
}

static struct signal *find_signal(const struct meeting *m, uint64_t address) {
    if (!m->nsignals) return NULL;
    struct signal *s = &m->signals[slot_of(m, address)];
    return s->address ? s : NULL;
}

static struct signal *make_signal(struct meeting *m, uint64_t address) {
    if (m->nsignals * 2 >= m->slots) {
        struct meeting grown = {.slots = m->slots ? m->slots * 2 : 16};
        grown.signals = wg_xcalloc(grown.slots, sizeof *grown.signals);
        for (uint32_t i = 0; i < m->slots; i++)
            if (m->signals[i].address) grown.signals[slot_of(&grown, m->signals[i].address)] = m->signals[i];
        free(m->signals);
        m->signals = grown.signals;
        m->slots = grown.slots;
    }
    struct signal *s = &m->signals[slot_of(m, address)];
    if (!s->address) m->nsignals++;
    s->address = address;
    return s;
}

/* ---- releasing and acquiring ---- */

static void release_to(struct wg_race_block *b, uint32_t thread, uint64_t address) {
    uint32_t last = b->thread_release[thread];
    const struct release *r = last ? &b->meeting->v[last] : NULL;
    /* What it acquired since is passed on by the set. */
    if (!r || r->at <= b->all || r->at <= b->changed[thread >> 5] || r->at <= b->fences[FOR_BLOCK][thread]) {
        if (b->grid->shape.ordered) race_commit(b);
        last = b->thread_release[thread] = race_release_new(b, thread);
    }
    if (b->takers) race_lock_give_back(b, thread, address, &b->meeting->v[last]);
    struct signal *to = make_signal(b->meeting, address);
    struct set *s = &to->set;
    if (race_set_has_all(s, &b->known) && race_set_has(s, (struct span){last, last})) return;
    race_set_add_all(s, &b->known);
    race_set_add(s, (struct span){last, last});
    to->version++;
}

/* `late`: it counts, for what other blocks did, from the next fence or barrier on. */
static void acquire_from(struct wg_race_block *b, uint32_t thread, uint64_t address, bool late, bool takes) {
    const struct signal *s = find_signal(b->meeting, address);
    struct heard *h = &b->heard[thread];
    if (!s || (h->address == address && h->version == s->version && (late || !h->late))) return;
    /* A set only grows; what it had when the thread last looked has been joined. */
    if (b->last_release) race_join_own(b, thread, &s->set);
    *h = (struct heard){address, s->version, late};
    if (race_set_has_all(&b->known, &s->set)) return;
    if (late) {
        race_set_add_all(&b->late, &s->set);
        if (!takes) race_set_add_all(&b->flags, &s->set);
        return;
    }
    if (b->grid->shape.ordered) race_commit(b);
    race_set_add_all(&b->known, &s->set);
}

void race_acquire_late(struct wg_race_block *b) {
    if (b->grid->shape.ordered) race_commit(b);
    race_set_add_all(&b->known, &b->late);
    b->late.n = b->flags.n = 0;
}

void race_signal(struct wg_race_block *b, const struct wg_race_access *a, uint32_t lane, uint64_t address) {
    uint32_t thread = a->warp * LANES + lane;
    b->signalled = true;
    if (a->access != WG_RACE_STORE)
        acquire_from(b, thread, address, a->order == WG_RACE_SAID_RELAXED, a->takes);
    if (a->access == WG_RACE_LOAD || !b->fenced) return;
    release_to(b, thread, address);
}

void race_meet(struct wg_race_block **blocks, uint32_t n) {
    struct set all = {0};
    for (uint32_t i = 0; i < n; i++) {
        struct wg_race_block *b = blocks[i];
        if (!b) continue;
        race_commit(b);
        if (b->late.n) race_acquire_late(b);
        uint32_t number = race_release_new(b, 0);
        struct release *r = &b->meeting->v[number];
        r->all = r->limit[FOR_GRID] = r->own[FOR_GRID] = b->time;
        if (b->early) r->each = race_arrivals(b);
        race_set_add(&all, (struct span){number, number});
        race_set_add_all(&all, &b->known);
    }
    for (uint32_t i = 0; i < n; i++)
        if (blocks[i]) race_set_add_all(&blocks[i]->known, &all);
    race_set_clear(&all);
}

void wg_race_fence(struct wg_race_block *b, uint32_t warp, uint32_t lanes, enum wg_race_scope scope) {
    race_trail_leave(b);
    if (b->late.n) race_acquire_late(b);
    for (int reach = 0; reach < REACHES; reach++) {
        if (reach == FOR_GRID && scope == WG_RACE_CTA) break;
        if (b->takers) race_lock_fence(b, warp, lanes & b->full[warp], reach);
        for (uint32_t m = lanes & b->full[warp]; m; m &= m - 1)
            b->fences[reach][warp * LANES + (uint32_t)__builtin_ctz(m)] = b->time;
        b->latest_fence[reach] = b->time;
    }
    b->fenced = true;
    race_tick(b);
}
