/* An access of a warp, taken apart into accesses to places of rows. Most are one or two: lanes side by side.
 */
#include "check/race_state.h"
#include <stdlib.h>

static uint32_t mark_flags(const struct wg_race_access *a) {
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

/* What a line of words remembers, for each of its bytes. */
static void to_bytes(struct wg_race_block *b, struct row *line, bool global, uint64_t address) {
    line->bytes = true;
    if (!line->touched) return;
    struct places *old = race_places(b, line, global);
    for (uint32_t k = 0; k < 4; k++) {
        struct row *s = sector_of(b, global, (address & ~UINT64_C(127)) + k * 32);
        s->touched = line->touched;
        struct places *p = race_places(b, s, global);
        for (uint32_t i = 0; i < PLACES; i++) {
            p->write[i] = old->write[k * 8 + i / 4];
            p->read[0][i] = old->read[0][k * 8 + i / 4];
            p->read[1][i] = old->read[1][k * 8 + i / 4];
        }
        if (!line->strong) continue;
        s->strong = race_pool_take(global ? &b->pool : &b->kept, sizeof *s->strong);
        for (uint32_t i = 0; i < PLACES; i++)
            for (int n = 0; n < 2; n++) s->strong->write[n][i] = line->strong->write[n][k * 8 + i / 4];
    }
}

/* `bytes` bytes from `address`, within a line: byte k is of lane ((offset + k) >> step) & 31; with step
 * ONE_LANE all are of lane `offset`. */
enum { ONE_LANE = 255 };
struct stretch {
    uint64_t address;
    uint32_t bytes;
    uint32_t offset, step;
    uint8_t flip;
};

/* The part of a stretch from `at` on that lies in one row; places of 1 << shift bytes. */
static void touch_row(struct touch *t, const struct stretch *s, uint64_t at, uint32_t bytes, uint32_t shift) {
    uint32_t from = (uint32_t)at >> shift & (PLACES - 1), n = bytes >> shift;
    t->address = at - ((uint64_t)from << shift);
    t->step = (uint8_t)(1u << shift);
    t->places = (n == PLACES ? UINT32_MAX : (1u << n) - 1) << from;
    if (s->step == ONE_LANE) {
        t->layout = one_lane(s->offset);
    } else {
        uint32_t step = s->step - shift, period = 32u << step;
        uint32_t offset = (s->offset + (uint32_t)(at - s->address)) >> shift;
        t->layout =
            (struct layout){(uint16_t)((offset + period - from) & (period - 1)), (uint8_t)step, s->flip};
    }
    race_touch(t);
}

static void touch_stretch(struct touch *t, const struct stretch *s) {
    bool global = t->a->space == WG_RACE_GLOBAL;
    struct row *line = line_of(t->b, global, s->address);
    if (!line->bytes && t->a->bytes >= 4) {
        t->row = line;
        touch_row(t, s, s->address, s->bytes, 2);
        return;
    }
    if (!line->bytes) to_bytes(t->b, line, global, s->address);
    line->touched = t->b->time;
    for (uint64_t at = s->address, end = at + s->bytes; at < end;) {
        uint64_t next = (at | 31) + 1 < end ? (at | 31) + 1 : end;
        t->row = sector_of(t->b, global, at);
        touch_row(t, s, at, (uint32_t)(next - at), 0);
        at = next;
    }
}

/* ---- lanes side by side, and lanes at one place ---- */

/* Lanes first..last, whose elements follow each other, upwards or downwards. */
static void access_row(struct touch *t, uint32_t first, uint32_t last, bool down) {
    const struct wg_race_access *a = t->a;
    uint32_t step = (uint32_t)__builtin_ctz(a->bytes), lowest = down ? 31 - last : first;
    uint64_t from = a->address[down ? last : first], end = from + (uint64_t)(last - first + 1) * a->bytes;
    struct stretch s = {.step = step, .flip = down ? 31 : 0};
    for (uint64_t at = from; at < end;) {
        uint64_t next = (at | 127) + 1 < end ? (at | 127) + 1 : end;
        s.address = at;
        s.bytes = (uint32_t)(next - at);
        s.offset = (uint32_t)(at - from) + (lowest << step);
        touch_stretch(t, &s);
        at = next;
    }
}

static void access_lane(struct touch *t, uint32_t lane) {
    struct stretch s = {t->a->address[lane], t->a->bytes, lane, ONE_LANE, 0};
    touch_stretch(t, &s);
}

/* From the lowest lane to the first that breaks off. */
static uint32_t run_from(uint32_t first, uint32_t goes_on) {
    return first + (uint32_t)__builtin_ctzll(~(uint64_t)(goes_on >> first));
}

static void access_lanes(struct touch *t, uint32_t lanes, const struct lie *lie) {
    uint32_t both = lanes & lanes >> 1, next = lie->next & both, same = lie->same & both;
    uint32_t previous = lie->previous & both;
    if (t->access != WG_RACE_LOAD) same = 0; /* which is a race by itself */
    while (lanes) {
        uint32_t first = (uint32_t)__builtin_ctz(lanes), last = first;
        if (next >> first & 1) {
            last = run_from(first, next);
            access_row(t, first, last, false);
        } else if (previous >> first & 1) {
            last = run_from(first, previous);
            access_row(t, first, last, true);
        } else {
            access_lane(t, first);
            if (same >> first & 1) {
                last = run_from(first, same);
                access_lane(t, last); /* two threads are as good as all */
            }
        }
        lanes &= last == 31 ? 0 : UINT32_MAX << (last + 1);
    }
}

/* ---- signals, and memory that is not looked at ---- */

static void signals(struct wg_race_block *b, const struct wg_race_access *a, uint32_t lanes) {
    uint64_t place = 0;
    if ((a->order == WG_RACE_RELEASE || a->order == WG_RACE_ACQ_REL) && a->access != WG_RACE_LOAD)
        wg_race_fence(b, a->warp, lanes, a->scope);
    if (!b->fenced && !b->meeting->nsignals) return;
    if (a->space == WG_RACE_SHARED) place = race_windows_of(b);
    for (uint32_t m = lanes; m; m &= m - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(m);
        race_signal(b, a, l, place + a->address[l]);
    }
}

static void look_at(struct wg_race_block *b, const struct wg_race_access *a, struct lie *lie) {
    const struct wg_race *r = b->grid->race;
    bool global = a->space == WG_RACE_GLOBAL;
    uint64_t base = global ? r->o.base : (uint64_t)b->rank * WG_RACE_WINDOW;
    uint64_t size = global ? UINT64_C(1) << r->o.bits : (uint64_t)b->nlines * 128;
    uint64_t ignored = global ? atomic_load_explicit(&r->ignored_size, memory_order_relaxed) : 0;
    race_scan(a->address, a->bytes, base, size, lie);
    lie->inside &= a->lanes & b->full[a->warp];
    for (uint32_t l = 0; ignored && l < LANES; l++)
        if (a->address[l] - atomic_load_explicit(&r->ignored, memory_order_relaxed) < ignored)
            lie->inside &= ~(1u << l);
}

void wg_race_access(struct wg_race_block *b, const struct wg_race_access *a) {
    uint32_t flags = mark_flags(a), lanes;
    struct wg_race_access own;
    uint64_t within[LANES];
    struct lie lie;
    look_at(b, a, &lie);
    lanes = lie.inside;
    if (flags == MARK_VOLATILE && one_place(a)) flags |= MARK_STRONG;
    if (flags) signals(b, a, a->lanes & b->full[a->warp]);
    uint32_t site = a->site < WG_RACE_SITES ? a->site : WG_RACE_SITES - 1;
    struct touch t = {.b = b, .a = a};
    t.mark = (mark)b->time << 32 | site << MARK_SITE | flags | a->warp << 5;
    t.access = a->access != WG_RACE_LOAD && flags ? WG_RACE_ATOMIC : a->access;
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
    if (lanes) access_lanes(&t, lanes, &lie);
}
