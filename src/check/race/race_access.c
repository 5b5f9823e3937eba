/* Accesses of a warp: looks up the shadow rows of its pieces. The decomposition of an address pattern is
 * cached (struct foot), so that code whose addresses follow from one base does not repeat it. */
#include "check/race/race_state.h"
#include "base/lanes.h"
#include <stdlib.h>

static uint32_t mark_flags(const struct wg_race_access *a) {
    if (a->order == WG_RACE_VOLATILE_DATA) return MARK_DATA;
    uint32_t f = a->order == WG_RACE_VOLATILE  ? MARK_VOLATILE
                 : a->order != WG_RACE_WEAK    ? MARK_STRONG
                 : a->access == WG_RACE_ATOMIC ? MARK_STRONG
                                               : 0;
    return f && a->scope == WG_RACE_CTA && a->order != WG_RACE_VOLATILE ? f | MARK_CTA : f;
}

/* Lanes that wait for each other do so at one place; data that lanes hand to each other lies side by side,
 * and that a load or store is volatile does not order it since lanes go their own ways. */
static bool one_place(const struct wg_race_access *a) {
    uint32_t first = a->lanes ? (uint32_t)__builtin_ctz(a->lanes) : 0;
    for (uint32_t m = a->lanes; m; m &= m - 1)
        if (a->address[__builtin_ctz(m)] != a->address[first]) return false;
    return true;
}

/* ---- rows of a piece of memory ---- */

static struct row *line_of(struct wg_race_block *b, bool global, uint64_t address) {
    if (global) {
        b->dirty = true;
        return race_line(b, address);
    }
    struct row *r = &b->lines[address >> 7];
    r->tag = 1;
    r->bytes |= b->grid->shape.small;
    return r;
}

static struct row *sector_of(struct wg_race_block *b, bool global, uint64_t address) {
    if (global) return race_sector(b, address);
    if (!b->sectors) b->sectors = wg_xcalloc((size_t)b->nlines * 4, sizeof *b->sectors);
    struct row *r = &b->sectors[address >> 5];
    r->tag = 1;
    r->by_bytes = true;
    return r;
}

static void keep_values(struct row *sector, const struct row *line) {
    sector->stored = line->stored;
    sector->one_value = line->one_value;
    sector->unchanged = line->unchanged;
    sector->value = line->value;
}

/* What a line of words remembers, for each of its bytes. */
static void to_bytes(struct wg_race_block *b, struct row *line, bool global, uint64_t address) {
    line->bytes = true;
    line->busy_at = 0;
    if (!line->touched) return;
    struct places *old = race_places(b, line, global);
    for (uint32_t k = 0; k < 4; k++) {
        struct row *s = sector_of(b, global, (address & ~UINT64_C(127)) + k * 32);
        if (global && line->touched > b->committed) race_will_commit(b, s);
        s->touched = line->touched;
        struct places *p = race_places(b, s, global);
        mark written = 0;
        for (uint32_t i = 0; i < PLACES; i++) {
            written |= p->write[i] = old->write[k * 8 + i / 4];
            p->read[0][i] = old->read[0][k * 8 + i / 4];
            p->read[1][i] = old->read[1][k * 8 + i / 4];
        }
        if (line->strong) s->strong = race_pool_take(global ? &b->pool : &b->kept, sizeof *s->strong);
        for (uint32_t i = 0; s->strong && i < PLACES; i++)
            for (int n = 0; n < 2; n++)
                written |= s->strong->write[n][i] = line->strong->write[n][k * 8 + i / 4];
        if (written) keep_values(s, line);
    }
}

/* ---- pieces ---- */

/* A row of words whose line is held by bytes: the same for each of its sectors. */
static void touch_sectors(struct touch *t, const struct piece *p, uint64_t address, bool global) {
    for (uint32_t k = 0; k < 4; k++) {
        uint32_t words = p->places >> k * 8 & 255, bytes = 0;
        struct layout l = p->layout;
        if (!words) continue;
        for (uint32_t m = words; m; m &= m - 1) bytes |= 15u << __builtin_ctz(m) * 4;
        if (l.step < 5) {
            l.step += 2;
            l.offset = (uint16_t)(((l.offset + k * 8) << 2) & ((32u << l.step) - 1));
        }
        t->address = address + k * 32;
        t->row = sector_of(t->b, global, t->address);
        t->places = bytes;
        t->layout = l;
        t->last = p->last;
        t->step = 1;
        race_touch(t);
    }
}

static void touch_piece(struct touch *t, const struct piece *p, uint64_t address) {
    bool global = t->a->space == WG_RACE_GLOBAL, words = t->a->bytes >= 4;
    struct row *line = line_of(t->b, global, address);
    t->last = p->last;
    if (!words && !line->bytes) to_bytes(t->b, line, global, address);
    if (line->bytes) line->touched = t->b->time;
    if (words && line->bytes) {
        touch_sectors(t, p, address, global);
        return;
    }
    t->row = words ? line : sector_of(t->b, global, address);
    t->address = address;
    t->places = p->places;
    t->layout = p->layout;
    t->step = words ? 4 : 1;
    race_touch(t);
}

/* ---- signals, and memory that is not checked ---- */

/* Only threads of the block are told by shared memory that no other block reaches, and those know already what was
 * done before all fences that are older than the block's last barrier. */
static bool tells_nothing(const struct wg_race_block *b, const struct wg_race_access *a) {
    return a->space == WG_RACE_SHARED && !b->peers && !b->signalled_shared &&
           b->latest_fence[FOR_BLOCK] <= b->all;
}

static void signals(struct wg_race_block *b, const struct wg_race_access *a, uint32_t lanes) {
    uint64_t place = 0;
    if ((a->order == WG_RACE_RELEASE || a->order == WG_RACE_ACQ_REL) && a->access != WG_RACE_LOAD)
        wg_race_fence(b, a->warp, lanes, a->scope);
    if ((!b->fenced && !b->meeting->nsignals) || tells_nothing(b, a)) return;
    race_trail_leave(b);
    b->signalled_shared |= a->space == WG_RACE_SHARED;
    if (a->space == WG_RACE_SHARED) place = race_windows_of(b);
    WG_EACH_LANE(l, lanes) {
        race_signal(b, a, l, place + a->address[l]);
    }
}

static bool is_ignored(const struct wg_race *r, uint64_t from, uint64_t to) {
    uint64_t size = atomic_load_explicit(&r->ignored_size, memory_order_relaxed);
    uint64_t base = atomic_load_explicit(&r->ignored, memory_order_relaxed);
    return size && from < base + size && to > base;
}

static void look_at(struct wg_race_block *b, const struct wg_race_access *a, struct lie *lie) {
    const struct wg_race *r = b->grid->race;
    bool global = a->space == WG_RACE_GLOBAL;
    uint64_t base = global ? r->arenas[0].base : (uint64_t)b->rank * WG_RACE_WINDOW;
    uint64_t size = global ? r->arenas[0].size : (uint64_t)b->nlines * 128;
    bool ignores = global && atomic_load_explicit(&r->ignored_size, memory_order_relaxed);
    bool others = global && atomic_load_explicit(&r->narenas, memory_order_relaxed) > 1;
    race_scan(a->address, a->bytes, base, size, lie);
    for (uint32_t l = 0; others && l < LANES; l++)
        if (race_arena(r, a->address[l])) lie->inside |= 1u << l;
    lie->inside &= a->lanes & b->full[a->warp];
    for (uint32_t l = 0; ignores && l < LANES; l++)
        if (is_ignored(r, a->address[l], a->address[l] + 1)) lie->inside &= ~(1u << l);
}

static struct touch touch_of(struct wg_race_block *b, const struct wg_race_access *a, uint32_t flags) {
    uint32_t site = a->site < WG_RACE_SITES ? a->site : WG_RACE_SITES - 1;
    b->accesses++;
    return (struct touch){
        .b = b,
        .a = a,
        .mark = (mark)b->time << 32 | (site + 1) << MARK_SITE | flags | a->warp << 5,
        .access = a->access != WG_RACE_LOAD && flags ? WG_RACE_ATOMIC : a->access,
    };
}

/* Lanes whose atomics of a word of shared memory change nothing any more. */
static uint32_t busy_lanes(const struct wg_race_block *b, const struct wg_race_access *a, uint32_t lanes) {
    uint32_t busy = 0;
    WG_EACH_LANE(l, lanes) {
        const struct row *r = &b->lines[a->address[l] >> 7];
        bool is = r->busy_at == b->time && r->busy >> (a->address[l] >> 2 & 31) & 1;
        busy |= (uint32_t)is << l;
    }
    return busy;
}

/* Words of shared memory that lanes write, few of them side by side. */
static bool are_scattered(const struct touch *t, uint32_t lanes, const struct lie *lie) {
    enum { FEW = 8 };
    bool writes = t->a->access == WG_RACE_STORE ? !(t->mark & MARK_HOW) : t->access == WG_RACE_ATOMIC;
    return writes && t->a->space == WG_RACE_SHARED && t->a->bytes == 4 && !lie->stride &&
           __builtin_popcount((lie->next | lie->previous) & lanes) < FEW;
}

static void access_lanes(struct wg_race_block *b, const struct wg_race_access *a) {
    uint32_t flags = mark_flags(a), lanes;
    struct wg_race_access own;
    uint64_t within[LANES];
    struct lie lie;
    struct pieces pieces;
    look_at(b, a, &lie);
    lanes = lie.inside;
    uint32_t released = b->last_release;
    if ((flags == MARK_VOLATILE || flags == MARK_DATA) && one_place(a)) flags |= MARK_STRONG;
    if (flags && a->order != WG_RACE_GUESS) signals(b, a, a->lanes & b->full[a->warp]);
    released = b->last_release != released;
    if (a->takes && a->space == WG_RACE_GLOBAL) race_lock_take(b, a, lanes);
    struct touch t = touch_of(b, a, flags);
    if (a->space == WG_RACE_SHARED && b->peers) {
        for (uint32_t m = a->lanes & b->full[a->warp] & ~lanes; m; m &= m - 1)
            race_remote(&t, (uint32_t)__builtin_ctz(m));
        for (uint32_t m = b->foreign ? lanes : 0; m; m &= m - 1)
            race_remote_check(&t, (uint32_t)__builtin_ctz(m));
        if (b->rank) {
            for (uint32_t l = 0; l < LANES; l++)
                within[l] = a->address[l] - (uint64_t)b->rank * WG_RACE_WINDOW;
            own = *a;
            own.address = within;
            t.a = &own;
        }
    }
    if (flags == MARK_STRONG && t.access == WG_RACE_ATOMIC && a->space == WG_RACE_SHARED && a->bytes == 4)
        lanes &= ~busy_lanes(b, t.a, lanes);
    if (lanes && are_scattered(&t, lanes, &lie)) lanes = race_touch_words(&t, lanes);
    if (!lanes) return;
    race_take_apart(&pieces, t.a, t.access == WG_RACE_LOAD, lanes, &lie);
    for (uint32_t i = 0; i < pieces.n; i++) touch_piece(&t, &pieces.v[i], pieces.v[i].address);
    /* Who has drawn from a ticket waits then, perhaps for him who resets it: the draw came first. */
    if (released && b->grid->shape.ordered && a->space == WG_RACE_GLOBAL) race_commit(b);
}

/* ---- patterns ---- */

static uint32_t slot_of(const struct wg_race_access *a) {
    uint64_t h = ((uint64_t)(uintptr_t)a->k >> 5) + a->scale * UINT64_C(0x9e3779b97f4a7c15);
    h += (a->base & 127) * 1031 + a->lanes;
    return (uint32_t)((h ^ h >> 17) & (FEET - 1));
}

/* What the pattern is at this place in a line; made when it is first asked for. */
static const struct foot *foot_of(struct wg_race_block *b, const struct wg_race_access *a) {
    struct foot **at = &b->feet[slot_of(a)], *f = *at;
    uint8_t low = a->base & 127;
    if (f && f->k == a->k && f->scale == a->scale && f->lanes == a->lanes && f->low == low &&
        f->bytes == a->bytes && f->access == a->access)
        return f;
    struct wg_race_access like = *a;
    uint64_t address[LANES], middle = UINT64_C(1) << 62;
    struct pieces pieces;
    struct lie lie;
    like.base = middle | low;
    for (uint32_t l = 0; l < LANES; l++) address[l] = race_address(&like, l);
    like.address = address;
    race_scan(address, a->bytes, 0, UINT64_MAX, &lie);
    race_take_apart(&pieces, &like, a->access == WG_RACE_LOAD, a->lanes, &lie);
    free(f);
    f = *at = wg_xmalloc(sizeof *f + pieces.n * sizeof *f->piece);
    *f = (struct foot){.k = a->k,
                       .scale = a->scale,
                       .lanes = a->lanes,
                       .low = low,
                       .bytes = a->bytes,
                       .access = a->access,
                       .n = pieces.n};
    for (uint32_t m = a->lanes; m; m &= m - 1) {
        int64_t from = (int64_t)(address[__builtin_ctz(m)] - like.base), to = from + a->bytes;
        if (m == a->lanes || from < f->from) f->from = from;
        if (m == a->lanes || to > f->to) f->to = to;
    }
    for (uint32_t i = 0; i < pieces.n; i++) {
        f->piece[i] = pieces.v[i];
        f->piece[i].address -= middle;
    }
    return f;
}

/* Whether all of it is in memory that is checked, and in nothing else. */
static bool is_plain(const struct wg_race_block *b, const struct wg_race_access *a, const struct foot *f) {
    const struct wg_race *r = b->grid->race;
    uint64_t from = a->base + (uint64_t)f->from, bytes = (uint64_t)(f->to - f->from);
    if (a->space == WG_RACE_GLOBAL) {
        const struct arena *in = race_arena(r, from);
        return in && bytes <= in->size - (from - in->base) && !is_ignored(r, from, from + bytes);
    }
    return !b->foreign && bytes <= b->nlines * 128 && from <= b->nlines * 128 - bytes;
}

/* false: its lanes must be checked one by one. */
static bool access_pattern(struct wg_race_block *b, const struct wg_race_access *a) {
    if (a->lanes & ~b->full[a->warp] || b->rank || mark_flags(a)) return false;
    const struct foot *f = foot_of(b, a);
    if (!is_plain(b, a, f)) return false;
    struct touch t = touch_of(b, a, 0);
    uint64_t line = a->base & ~UINT64_C(127);
    for (uint32_t i = 0; i < f->n; i++) touch_piece(&t, &f->piece[i], line + f->piece[i].address);
    return true;
}

void race_access_now(struct wg_race_block *b, const struct wg_race_access *a) {
    if (!a->address && access_pattern(b, a)) return;
    uint64_t address[LANES];
    struct wg_race_access spelt;
    if (!a->address) {
        for (uint32_t l = 0; l < LANES; l++) address[l] = race_address(a, l);
        spelt = *a;
        spelt.address = address;
        a = &spelt;
    }
    access_lanes(b, a);
}

void wg_race_access(struct wg_race_block *b, const struct wg_race_access *a) {
    if (b->takers && a->access == WG_RACE_STORE && (!mark_flags(a) || a->order == WG_RACE_VOLATILE_DATA))
        race_lock_holder_writes(b, a->warp, a->lanes);
    if (b->at && a->space == WG_RACE_SHARED) {
        if (!a->address && !mark_flags(a)) {
            race_trail_access(b, a);
            return;
        }
        race_trail_leave(b);
    }
    race_access_now(b, a);
}
