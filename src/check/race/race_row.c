/* Shadow rows: 32 places, and which threads accessed them. An access is compared with what other threads of
 * its block did, and recorded.
 *
 * Two readers are kept, of different threads and if possible of different warps. A later writer that is
 * ordered after both but not after a third reader has synchronised with them one by one, by something else
 * than a barrier of the block; only such a writer can be missed. */
#include "base/lanes.h"
#include "check/race/race_state.h"
#include <string.h>

/* ---- what is found ---- */

static const void *memory_of(const struct touch *t, uint32_t lane) {
    uint64_t at = race_address(t->a, lane);
    if (t->a->space == WG_RACE_GLOBAL) return (const void *)(uintptr_t)at;
    return t->b->shared ? t->b->shared + at : NULL;
}

/* Lanes of one instruction: what the other one is about to write. */
static bool of_this_instruction(const struct touch *t, mark old, uint32_t place) {
    uint32_t l = mark_lane(old);
    uint64_t at = t->address + (uint64_t)place * t->step;
    return ((old ^ t->mark) & ~(mark)31) == 0 && (t->a->lanes >> l & 1) && at >= race_address(t->a, l) &&
           at < race_address(t->a, l) + t->a->bytes;
}

static void saw(const struct touch *t, uint32_t place, mark old, enum wg_race_access_kind was) {
    const struct wg_race_access *a = t->a;
    uint32_t lane = lane_at(t->layout, place);
    uint64_t launch = t->b->grid->shape.launch,
             all = a->bytes < 8 ? (UINT64_C(1) << a->bytes * 8) - 1 : UINT64_MAX;
    struct wg_race_found f = {
        .level = mark_warp(old) == a->warp ? WG_RACE_WARP : WG_RACE_BLOCK,
        .space = (enum wg_race_space)a->space,
        .address = t->address + (uint64_t)place * t->step,
        .owner = t->b->block,
        .first = race_thread(launch, t->b->block, old, was),
        .second = race_thread(launch, t->b->block, t->mark | lane, (enum wg_race_access_kind)a->access),
    };
    const void *memory = memory_of(t, lane);
    if (of_this_instruction(t, old, place)) {
        f.first.has_value = a->value != NULL;
        f.first.value = a->value ? a->value[mark_lane(old)] & all : 0;
    } else if (memory) {
        f.first.has_value = true;
        f.first.value = race_value_at(memory, a->bytes);
    }
    if (a->access == WG_RACE_STORE && a->value) {
        f.second.has_value = true;
        f.second.value = a->value[lane] & all;
    } else if (a->access == WG_RACE_LOAD && memory) {
        f.second.has_value = true;
        f.second.value = race_value_at(memory, a->bytes);
    }
    f.benign = was == WG_RACE_STORE && a->access == WG_RACE_STORE && a->bytes <= 16 && f.first.has_value &&
               f.second.has_value && f.first.value == f.second.value;
    f.first.has_value &= a->bytes <= 8;
    f.second.has_value &= a->bytes <= 8;
    t->b->sightings++;
    race_seen(&t->b->found, &f, t->b->accesses);
}

/* ---- place by place ---- */

struct places *race_places(struct wg_race_block *b, struct row *r, bool global) {
    if (r->places) return r->places;
    struct places *p = r->places = race_pool_take(global ? &b->pool : &b->kept, sizeof *p);
    memset(p, 0, sizeof *p);
    for (uint32_t m = r->write_mask; m; m &= m - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(m);
        p->write[i] = r->write | lane_at(r->write_layout, i);
    }
    for (uint32_t m = r->read_mask; m; m &= m - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(m);
        p->read[0][i] = r->read | lane_at(r->read_layout, i);
    }
    return p;
}

/* Remembers an access that does not race with those in the two places. Where threads wait for
 * some others only, who comes next may have waited for early ones: the first and the last of two warps are
 * kept. */
static inline void put(const struct wg_race_block *b, mark *one, mark *two, mark me) {
    uint32_t thread = mark_thread(me);
    if (!race_unordered(b, thread, *one))
        *one = me;
    else if (mark_thread(*one) == mark_thread(*two) || !race_unordered(b, thread, *two))
        *two = me;
    else if ((race_waits_for_some(b) || mark_warp(*one) == mark_warp(*two)) &&
             mark_warp(me) != mark_warp(*one))
        *two = me;
}

/* Of a thread's reads at one time the first is remembered. */
static inline void put_read(const struct wg_race_block *b, mark *one, mark *two, mark me) {
    if (((*one ^ me) & MARK_SAME) && ((*two ^ me) & MARK_SAME)) put(b, one, two, me);
}

static enum wg_race_access_kind strong_kind(mark m) {
    return m & MARK_VOLATILE ? WG_RACE_STORE : WG_RACE_ATOMIC;
}

/* Against two that do not race with each other, which `me` may be made together with where it is compatible.
 */
static inline void hold_against(const struct touch *t, uint32_t i, mark me, const mark *one, const mark *two,
                                bool reads) {
    const struct wg_race_block *b = t->b;
    uint32_t thread = mark_thread(me);
    const mark *olds[2] = {one, two};
    for (int n = 0; n < 2; n++) {
        mark old = *olds[n];
        if (!race_unordered(b, thread, old)) continue;
        bool apart = !reads && t->access == WG_RACE_ATOMIC && race_is_store_against_atomic(old, me);
        if (!apart && race_compatible(old, me, mark_warp(old) == mark_warp(me), true)) continue;
        saw(t, i, old, reads ? WG_RACE_LOAD : strong_kind(old));
        return; /* one of two is enough */
    }
}

static void touch_strongly(const struct touch *t, struct row *r, bool global) {
    if (r->strong) return;
    r->strong = race_pool_take(global ? &t->b->pool : &t->b->kept, sizeof *r->strong);
    memset(r->strong, 0, sizeof *r->strong);
}

/* Two lanes read places that nobody has a say in any more. */
static uint32_t read_by_two(const struct touch *t, struct places *p) {
    uint32_t left = t->places, all = t->b->all;
    mark first = t->mark | lane_at(t->layout, 0), last = t->mark | t->last;
    for (uint32_t m = t->places; m; m &= m - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(m);
        if (mark_stamp(p->write[i]) > all) continue;
        if (p->read[0][i] != first || p->read[1][i] != last) {
            if (mark_stamp(p->read[0][i]) > all || mark_stamp(p->read[1][i]) > all) continue;
            p->read[0][i] = first;
            p->read[1][i] = last;
        }
        left &= ~(1u << i);
    }
    return left;
}

/* Whether two warps made atomics of a place at this time, and nobody anything else since all knew of it. */
static bool is_busy(const struct touch *t, const struct places *p, const struct strong_places *s,
                    uint32_t i) {
    uint32_t time = t->b->time, all = t->b->all;
    mark one = s->write[0][i], two = s->write[1][i];
    return !t->b->partial && mark_stamp(one) == time && mark_stamp(two) == time &&
           mark_warp(one) != mark_warp(two) && (one & MARK_HOW) == MARK_STRONG &&
           (two & MARK_HOW) == MARK_STRONG && mark_stamp(p->write[i]) <= all &&
           mark_stamp(p->read[0][i]) <= all && mark_stamp(p->read[1][i]) <= all;
}

static void note_busy(const struct touch *t, const struct places *p, const struct strong_places *s,
                      uint32_t i) {
    struct row *r = t->row;
    if (!is_busy(t, p, s, i)) return;
    if (r->busy_at != t->b->time) r->busy = 0;
    r->busy_at = t->b->time;
    r->busy |= 1u << i;
}

static void touch_each(const struct touch *t, struct places *p) {
    struct wg_race_block *b = t->b;
    struct strong_places *s = t->row->strong;
    for (uint32_t m = t->places; m; m &= m - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(m);
        mark me = t->mark | lane_at(t->layout, i), write = p->write[i];
        if (race_unordered(b, mark_thread(me), write)) saw(t, i, write, WG_RACE_STORE);
        if (t->access != WG_RACE_LOAD) hold_against(t, i, me, &p->read[0][i], &p->read[1][i], true);
        if (s) hold_against(t, i, me, &s->write[0][i], &s->write[1][i], false);
        if (t->access == WG_RACE_LOAD)
            put_read(b, &p->read[0][i], &p->read[1][i], me);
        else if (t->access == WG_RACE_STORE)
            p->write[i] = me;
        else
            put(b, &s->write[0][i], &s->write[1][i], me);
        if (t->access == WG_RACE_ATOMIC) note_busy(t, p, s, i);
    }
}

/* ---- lanes that each have a word of shared memory of their own choice ---- */

/* Whether an access by `me` that writes races with nothing that the place remembers. */
static inline bool is_right(const struct wg_race_block *b, const struct places *p,
                            const struct strong_places *s, uint32_t i, mark me) {
    uint32_t thread = mark_thread(me);
    if (race_unordered(b, thread, p->write[i]) || race_unordered(b, thread, p->read[0][i]) ||
        race_unordered(b, thread, p->read[1][i]))
        return false;
    for (int n = 0; s && n < 2; n++) {
        mark old = s->write[n][i];
        if (race_unordered(b, thread, old) &&
            !((me & MARK_HOW) == MARK_STRONG && (old & MARK_HOW) == MARK_STRONG))
            return false;
    }
    return true;
}

uint32_t race_touch_words(struct touch *t, uint32_t lanes) {
    struct wg_race_block *b = t->b;
    bool atomic = t->access == WG_RACE_ATOMIC;
    uint32_t left = lanes;
    WG_EACH_LANE(l, lanes) {
        uint64_t at = t->a->address[l];
        struct row *r = &b->lines[at >> 7];
        uint32_t i = at >> 2 & 31;
        mark me = t->mark | l;
        if (!r->places || r->bytes || (atomic && !r->strong)) continue;
        if (!is_right(b, r->places, r->strong, i, me)) return left;
        if (atomic)
            put(b, &r->strong->write[0][i], &r->strong->write[1][i], me);
        else
            r->places->write[i] = me;
        r->settled_at = 0;
        if (!atomic) r->busy_at = 0;
        t->row = r;
        if (atomic) note_busy(t, r->places, r->strong, i);
        r->touched = b->time;
        left &= ~(1u << l);
    }
    return left;
}

static void touch_places(struct touch *t) {
    bool global = t->a->space == WG_RACE_GLOBAL;
    struct places *p = race_places(t->b, t->row, global);
    if (t->access == WG_RACE_ATOMIC) touch_strongly(t, t->row, global);
    if (t->last != NO_LANE) {
        uint8_t last = t->last;
        if (!t->row->strong) t->places = read_by_two(t, p);
        if (!t->places) return;
        t->last = NO_LANE;
        touch_each(t, p);
        t->layout = one_lane(last);
        touch_each(t, p);
        return;
    }
    if (t->access != WG_RACE_ATOMIC && t->places & (t->places - 1) && race_vector_touch(t, p)) return;
    touch_each(t, p);
}

/* ---- a row at once ---- */

/* Whether the row's access `old` to `places` is known to the threads that come there now. */
static inline bool row_known(const struct touch *t, mark old, struct layout was) {
    const struct wg_race_block *b = t->b;
    if (mark_stamp(old) <= b->all) return true;
    if (mark_warp(old) == t->a->warp && same_layout(was, t->layout)) return true;
    return b->partial && mark_stamp(old) <= b->knows[t->a->warp * b->nwarps + mark_warp(old)];
}

/* Whether nobody will ask again about what was done at that time. */
static inline bool forgotten(const struct touch *t, mark old) {
    return t->a->space == WG_RACE_SHARED && mark_stamp(old) <= t->b->all &&
           mark_stamp(old) <= (t->b->peers ? t->b->cluster_time : UINT32_MAX);
}

/* Adds the access to the row's reads or writes; false: they do not fit into one. */
static inline bool join_row(const struct touch *t, mark *old, uint32_t *mask, struct layout *layout) {
    if (*mask && !forgotten(t, *old)) {
        if (*old == t->mark && same_layout(*layout, t->layout)) {
            *mask |= t->places;
            return true;
        }
        if (*mask & ~t->places || !row_known(t, *old, *layout)) return false;
    }
    *old = t->mark;
    *mask = t->places;
    *layout = t->layout;
    return true;
}

static inline bool touch_whole(const struct touch *t) {
    struct row *r = t->row;
    if (r->places || r->strong || t->access == WG_RACE_ATOMIC || t->last != NO_LANE) return false;
    if (r->write_mask & t->places && !row_known(t, r->write, r->write_layout)) return false;
    if (t->access == WG_RACE_LOAD) return join_row(t, &r->read, &r->read_mask, &r->read_layout);
    if (r->read_mask & t->places && !row_known(t, r->read, r->read_layout)) return false;
    return join_row(t, &r->write, &r->write_mask, &r->write_layout);
}

/* Whether all stores to the row wrote one value, or each what stood there, which makes races of them with each
 * other harmless. Values of two sizes are one if they are of the same bytes wherever they meet. Blocks whose stores
 * may meet run one after the other. Without the memory check there may be no memory. */
static void note_values(const struct touch *t) {
    struct row *r = t->row;
    const struct wg_race_access *a = t->a;
    bool first = !r->stored, one = a->value && a->bytes <= 8,
         unchanged = a->judged && a->value && a->bytes <= 16;
    r->stored = true;
    if (!first && !r->one_value && !r->unchanged) return;
    uint64_t v = 0, all = a->bytes < 8 ? (UINT64_C(1) << a->bytes * 8) - 1 : UINT64_MAX;
    for (uint32_t m = t->places, seen = 0; m && (one || unchanged); m &= m - 1) {
        uint32_t lane = lane_at(t->layout, (uint32_t)__builtin_ctz(m));
        uint64_t x = a->value[lane] & all;
        one &= !seen++ || x == v;
        unchanged = unchanged && race_value_at(memory_of(t, lane), a->bytes) == x;
        v = x;
    }
    v *= UINT64_MAX / all;
    r->one_value = one && (first || (r->one_value && v == r->value));
    r->unchanged = unchanged && (first || r->unchanged);
    r->value = v;
}

void race_touch(struct touch *t) {
    struct row *r = t->row;
    if (t->access != WG_RACE_ATOMIC) r->busy_at = 0;
    if (t->access == WG_RACE_LOAD) {
        if (r->settled_at == t->b->time && !(t->places & ~r->settled)) return;
    } else {
        r->settled_at = 0;
        if (t->a->access == WG_RACE_STORE && t->a->space == WG_RACE_GLOBAL) note_values(t);
    }
    if (!touch_whole(t)) touch_places(t);
    if (t->a->space == WG_RACE_GLOBAL) race_will_commit(t->b, r);
    r->touched = t->b->time;
}
