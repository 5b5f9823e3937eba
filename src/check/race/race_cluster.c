/* Races in distributed shared memory: what threads did to shared memory of other blocks of their cluster,
 * kept apart from what its own block did. Only a barrier of the cluster, and releases, order the two. */
#include "check/race/race_state.h"
#include <stdlib.h>

void race_remote_clear(struct wg_race_block *b) {
    if (!b->foreign) return;
    free(b->foreign);
    b->foreign = NULL;
    race_pool_reset(&b->strangers);
}

/* One word of a lane's access to memory of `owner`. */
struct word {
    const struct touch *t;
    struct wg_race_block *owner;
    uint32_t lane, word, bytes;
    mark mark;
};

static void saw(const struct word *w, uint64_t first_block, mark first, enum wg_race_access_kind was) {
    const struct wg_race_access *a = w->t->a;
    struct wg_race_block *b = w->t->b;
    uint64_t launch = b->grid->shape.launch;
    struct wg_race_found f = {
        .level = WG_RACE_CLUSTER,
        .space = WG_RACE_SHARED,
        .address = (uint64_t)w->word * 4 + (uint32_t)__builtin_ctz(w->bytes),
        .owner = w->owner->block,
        .first = race_thread(launch, first_block, first, was),
        .second = race_thread(launch, b->block, w->mark, (enum wg_race_access_kind)a->access),
    };
    if (w->owner->shared) {
        f.first.has_value = true;
        f.first.value = race_value_at(w->owner->shared + race_address(a, w->lane) % WG_RACE_WINDOW, a->bytes);
    }
    if (a->value && a->access == WG_RACE_STORE) {
        uint64_t all = a->bytes < 8 ? (UINT64_C(1) << a->bytes * 8) - 1 : UINT64_MAX;
        f.second.has_value = true;
        f.second.value = a->value[w->lane] & all;
        f.benign =
            was == WG_RACE_STORE && f.first.has_value && a->bytes <= 16 && f.first.value == f.second.value;
    }
    f.first.has_value &= a->bytes <= 8;
    f.second.has_value &= a->bytes <= 8;
    race_seen(&b->found, &f, b->accesses);
}

static bool reads(uint8_t access) { return access == WG_RACE_LOAD; }

/* Against what the owner's own threads did to a place of its memory. */
static bool hold_against(const struct word *w, mark old, enum wg_race_access_kind was) {
    const struct wg_race_block *o = w->owner;
    uint32_t met = o->cluster_times ? o->cluster_times[mark_thread(old)] : o->cluster_time;
    if (mark_stamp(old) <= met || (reads(was) && reads(w->t->a->access))) return false;
    if (race_compatible(old, w->mark, false, false)) return false;
    if (race_released(w->t->b, o->block, mark_thread(old), mark_stamp(old), false)) return false;
    saw(w, o->block, old, was);
    return true;
}

static void hold_against_place(const struct word *w, struct row *r, uint32_t place) {
    struct places *p = race_places(w->owner, r, false);
    if (hold_against(w, p->write[place], WG_RACE_STORE)) return;
    for (int n = 0; n < 2; n++) {
        if (hold_against(w, p->read[n][place], WG_RACE_LOAD)) return;
        if (r->strong && hold_against(w, r->strong->write[n][place], WG_RACE_ATOMIC)) return;
    }
}

static void hold_against_owner(const struct word *w) {
    struct row *line = &w->owner->lines[w->word / PLACES];
    if (!line->touched) return;
    if (!line->bytes) {
        hold_against_place(w, line, w->word % PLACES);
        return;
    }
    for (uint32_t m = w->bytes; m; m &= m - 1) {
        uint32_t at = w->word * 4 + (uint32_t)__builtin_ctz(m);
        hold_against_place(w, &w->owner->sectors[at / PLACES], at % PLACES);
    }
}

static bool is_atomic(mark m) { return (m & MARK_HOW) == MARK_STRONG; }

/* Against what threads of other blocks than the owner did. */
static void hold_against_foreign(const struct word *w) {
    const struct wg_race_block *b = w->t->b;
    const struct foreign_word *word = &w->owner->foreign[w->word];
    if (!word->mixed && is_atomic(w->mark)) return;
    for (const struct foreign *f = word->first; f; f = f->next) {
        if (!(f->bytes & w->bytes) || (reads(f->access) && reads(w->t->a->access))) continue;
        bool own = f->block == b->block;
        if (own ? !race_unordered(b, mark_thread(w->mark), f->mark)
                : race_released(b, f->block, mark_thread(f->mark), mark_stamp(f->mark), false))
            continue;
        if (race_compatible(f->mark, w->mark, own && mark_warp(f->mark) == mark_warp(w->mark), own)) continue;
        saw(w, f->block, f->mark, (enum wg_race_access_kind)f->access);
        return;
    }
}

/* Of a block's atomics of a word two are kept, of different warps, as in race_row.c: the one that has been
 * there longer gives way. */
static struct foreign *that_gives_way(const struct word *w, bool *known) {
    struct foreign *of[2] = {NULL, NULL}, *f = w->owner->foreign[w->word].first;
    int n = 0;
    *known = false;
    for (; f && n < 2; f = f->next)
        if (f->block == w->t->b->block && f->bytes == w->bytes && f->access == w->t->a->access &&
            is_atomic(f->mark))
            of[n++] = f;
    if (n < 2) return NULL;
    uint32_t now = w->t->b->time;
    for (int i = 0; i < 2; i++)
        if (mark_stamp(of[i]->mark) < now) return of[i];
    *known = mark_warp(of[0]->mark) != mark_warp(of[1]->mark) || mark_warp(w->mark) == mark_warp(of[0]->mark);
    return of[0];
}

static struct foreign *same_thread(const struct word *w) {
    struct foreign *f = w->owner->foreign[w->word].first;
    while (f && !(f->block == w->t->b->block && mark_thread(f->mark) == mark_thread(w->mark) &&
                  f->access == w->t->a->access && f->bytes == w->bytes))
        f = f->next;
    return f;
}

static void remember(const struct word *w) {
    struct foreign_word *word = &w->owner->foreign[w->word];
    struct foreign *f = same_thread(w);
    bool known = false;
    if (!f && is_atomic(w->mark)) f = that_gives_way(w, &known);
    if (known) return;
    if (!f) {
        f = race_pool_take(&w->owner->strangers, sizeof *f);
        f->next = word->first;
        word->first = f;
    }
    word->mixed |= !is_atomic(w->mark);
    f->word = w->word;
    f->bytes = w->bytes;
    f->mark = w->mark;
    f->block = w->t->b->block;
    f->access = w->t->a->access;
}

static void each_word(const struct touch *t, uint32_t lane, struct wg_race_block *owner, uint64_t at,
                      void (*f)(const struct word *w)) {
    struct word w = {.t = t, .owner = owner, .lane = lane, .mark = t->mark | lane};
    for (uint64_t end = at + t->a->bytes; at < end; at = (at | 3) + 1) {
        uint32_t from = (uint32_t)at & 3,
                 n = (uint32_t)(end - at) < 4 - from ? (uint32_t)(end - at) : 4 - from;
        w.word = (uint32_t)(at / 4);
        w.bytes = ((1u << n) - 1) << from;
        f(&w);
    }
}

static void remote_word(const struct word *w) {
    hold_against_owner(w);
    hold_against_foreign(w);
    remember(w);
}

void race_remote(const struct touch *t, uint32_t lane) {
    struct wg_race_block *b = t->b;
    uint64_t rank = t->a->address[lane] / WG_RACE_WINDOW, at = t->a->address[lane] % WG_RACE_WINDOW;
    struct wg_race_block *owner = rank < b->grid->shape.cluster ? b->peers[rank] : NULL;
    if (!owner || at + t->a->bytes > (uint64_t)owner->nlines * 128) return;
    if (!owner->foreign) owner->foreign = wg_xcalloc((size_t)owner->nlines * 32, sizeof *owner->foreign);
    each_word(t, lane, owner, at, remote_word);
}

void race_remote_check(const struct touch *t, uint32_t lane) {
    struct wg_race_block *b = t->b;
    each_word(t, lane, b, t->a->address[lane] % WG_RACE_WINDOW, hold_against_foreign);
}
