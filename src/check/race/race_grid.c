/* Races between blocks: each accessed line of global memory has a shadow cell, which records the threads that
 * read and wrote it first.
 *
 * At the end of a block its rows are compared with the cells, in the order of the blocks' numbers: so each
 * block sees what lower ones left there, whatever order they ran in. Nothing orders blocks of such a launch,
 * so any one earlier access to a place is as good as all. In `ordered` launches blocks synchronise by
 * releases; there rows are compared with the cells whenever the block releases or acquires something, so that
 * the contents of a cell are from before, and the only question is whether the block is ordered after them.
 *
 * Lines have cells of words. Where a block accessed single bytes its sectors have cells of bytes, and each
 * kind is compared with the other.
 *
 * A launch's cells have its serial number; older ones are of launches before, which race_touched.c looks at.
 */
#include "check/race/race_state.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/lsan_interface.h>
#define FOUND_BY_SANITIZER(p, bytes)     __lsan_register_root_region(p, bytes)
#define NOT_FOUND_BY_SANITIZER(p, bytes) __lsan_unregister_root_region(p, bytes)
#endif
#endif
/* AddressSanitizer takes for a leak what only mapped memory points to: the keys of cells that are there when a program
 * ends. */
#ifndef FOUND_BY_SANITIZER
#define FOUND_BY_SANITIZER(p, bytes)
#define NOT_FOUND_BY_SANITIZER(p, bytes)
#endif

enum { CHUNK_LINES = CHUNK_BYTES / 128, CHUNK_SECTORS = CHUNK_BYTES / 32 };

/* ---- cells ---- */

static bool spend(struct wg_race *r, uint64_t bytes) {
    uint64_t now = atomic_fetch_add(&r->bytes, bytes) + bytes;
    uint64_t half = r->o.most_bytes / 2;
    if (r->o.filling && now > half && now - bytes <= half) r->o.filling(now, r->o.most_bytes);
    if (!r->o.most_bytes || now <= r->o.most_bytes) return true;
    atomic_fetch_sub(&r->bytes, bytes);
    return false;
}

static struct cell *new_cells(struct wg_race *r, size_t n) {
    if (!spend(r, n * sizeof(struct cell))) return NULL;
    void *p = mmap(NULL, n * sizeof(struct cell), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) return NULL;
    FOUND_BY_SANITIZER(p, n * sizeof(struct cell));
    return p;
}

static struct cell *cell_at(struct wg_race *r, uint64_t address, bool sector, uint32_t serial) {
    const struct arena *a = race_arena(r, address);
    if (!a) return NULL;
    uint64_t at = address - a->base;
    struct chunk *c = race_chunk(a, address);
    struct cell **cells = sector ? &c->sectors : &c->lines;
    if (!c->listed) *WG_PUSH(&r->used) = (uint64_t)(a - r->arenas) << 32 | at >> CHUNK_SHIFT;
    c->listed = true;
    c->serial = serial;
    if (!*cells) *cells = new_cells(r, sector ? CHUNK_SECTORS : CHUNK_LINES);
    if (!*cells) return NULL;
    return &(*cells)[at % CHUNK_BYTES / (sector ? 32 : 128)];
}

static size_t keys_bytes(bool ordered) {
    const struct keys *k = NULL;
    return sizeof *k + (ordered ? PLACES * sizeof *k->more : 0);
}

static struct keys *take_keys(struct wg_race *r, bool ordered) {
    struct keys *k = r->spare[ordered];
    if (!k) return race_pool_take(&r->keys, keys_bytes(ordered));
    r->spare[ordered] = (struct keys *)(uintptr_t)k->write[0]; /* NOLINT(performance-no-int-to-ptr) */
    return k;
}

static void clear_keys(struct wg_race *r, struct cell *c) {
    if (!c->keys) return;
    atomic_fetch_sub(&r->bytes, keys_bytes(c->keys->ordered));
    c->keys->write[0] = (uintptr_t)r->spare[c->keys->ordered];
    r->spare[c->keys->ordered] = c->keys;
    c->keys = NULL;
}

static void free_cells(struct wg_race *r, struct cell *c, size_t n) {
    if (!c) return;
    for (size_t i = 0; i < n; i++) clear_keys(r, &c[i]);
    NOT_FOUND_BY_SANITIZER(c, n * sizeof *c);
    munmap(c, n * sizeof *c);
    atomic_fetch_sub(&r->bytes, n * sizeof *c);
}

static void free_chunk(struct wg_race *r, struct chunk *c) {
    free_cells(r, c->lines, CHUNK_LINES);
    free_cells(r, c->sectors, CHUNK_SECTORS);
    *c = (struct chunk){.listed = c->listed};
}

void race_cells_free(struct wg_race *r) {
    for (uint32_t i = 0; i < r->used.n; i++)
        free_chunk(r, &r->arenas[r->used.v[i] >> 32].chunks[(uint32_t)r->used.v[i]]);
}

static void forget_cells(struct wg_race *r, struct cell *c, uint64_t from, uint64_t to, uint64_t each) {
    for (uint64_t i = from / each; c && i * each < to; i++) {
        c[i].write_serial = c[i].read_serial = 0;
        if (c[i].keys) c[i].keys->serial = 0;
    }
}

void wg_race_forget(struct wg_race *r, uint64_t base, uint64_t size) {
    const struct arena *a = race_arena(r, base);
    if (!a) return;
    pthread_mutex_lock(&r->commits);
    for (uint64_t at = base - a->base, end = at + size; at < end;) {
        uint64_t next = (at | (CHUNK_BYTES - 1)) + 1 < end ? (at | (CHUNK_BYTES - 1)) + 1 : end;
        if (at >> CHUNK_SHIFT >= a->nchunks) break;
        struct chunk *c = &a->chunks[at >> CHUNK_SHIFT];
        if (next - at == CHUNK_BYTES) {
            free_chunk(r, c);
        } else {
            forget_cells(r, c->lines, at % CHUNK_BYTES, at % CHUNK_BYTES + (next - at), 128);
            forget_cells(r, c->sectors, at % CHUNK_BYTES, at % CHUNK_BYTES + (next - at), 32);
        }
        at = next;
    }
    pthread_mutex_unlock(&r->commits);
}

/* ---- what a block did to a row, class by class ---- */

enum class { WRITES, STRONGS, READS, CLASSES };
static enum wg_race_access_kind kind_of(enum class c, uint64_t key) {
    return c == READS    ? WG_RACE_LOAD
           : c == WRITES ? WG_RACE_STORE
                         : (key & MARK_VOLATILE ? WG_RACE_STORE : WG_RACE_ATOMIC);
}

/* What was asked about before: neighbouring places have the same keys. Nothing is acquired during a commit. */
enum { ANSWERS = 16 };
struct answers {
    struct {
        uint64_t key; /* 0: nothing was asked */
        uint32_t stamp;
        bool flags, before;
    } v[ANSWERS];
};

struct visit { /* a row, brought to its cell */
    struct answers *answers;
    struct wg_race_block *b;
    struct row *row;
    struct cell *cell;
    uint64_t address;
    bool apart; /* the cell is of places of the other size */
};

/* Whether what the key tells of is ordered before what the block did since it last asked. */
static bool ordered_before(const struct visit *v, uint64_t key, uint32_t stamp, bool flags) {
    uint64_t other = key >> 32;
    uint32_t i = (uint32_t)(key ^ key >> 32 ^ stamp) % ANSWERS;
    struct answers *a = v->answers;
    if (other == (uint32_t)v->b->block) return true;
    if (a->v[i].key == key && a->v[i].stamp == stamp && a->v[i].flags == flags) return a->v[i].before;
    a->v[i].key = key;
    a->v[i].stamp = stamp;
    a->v[i].flags = flags;
    a->v[i].before = race_released(v->b, other, mark_thread(key), stamp, flags);
    return a->v[i].before;
}

static bool in_cluster(const struct wg_race_block *b, uint64_t other) {
    const uint32_t *of = b->grid->cluster_of;
    return of && of[other] == of[b->block];
}

static void saw(const struct visit *v, uint32_t place, uint64_t old, enum class was, mark now,
                enum class is) {
    struct wg_race_grid *g = v->b->grid;
    uint64_t launch = g->shape.launch;
    bool stores = kind_of(was, old) == WG_RACE_STORE && kind_of(is, now) == WG_RACE_STORE;
    bool stored = v->cell->value_serial == g->serial;
    bool one_value = v->row->one_value && v->cell->one_value && v->row->value == v->cell->value;
    bool unchanged = v->row->unchanged && v->cell->unchanged && !v->apart;
    struct wg_race_found f = {
        .level = in_cluster(v->b, old >> 32) ? WG_RACE_CLUSTER : WG_RACE_GRID,
        .space = WG_RACE_GLOBAL,
        .address = v->address + place * (v->row->by_bytes ? 1 : 4),
        .owner = v->b->block,
        .first = race_thread(launch, old >> 32, old, kind_of(was, old)),
        .second = race_thread(launch, v->b->block, now, kind_of(is, now)),
        .benign = stores && stored && (one_value || unchanged),
    };
    if (f.benign && one_value) {
        f.first.has_value = f.second.has_value = true;
        f.first.value = f.second.value = v->row->value;
    }
    race_seen(&g->found, &f, g->commits);
}

/* ---- cells with keys place by place ---- */

static struct keys *open_keys(const struct visit *v) {
    struct wg_race *r = v->b->grid->race;
    struct cell *c = v->cell;
    uint32_t serial = v->b->grid->serial;
    bool ordered = v->b->grid->shape.ordered;
    if (c->keys && c->keys->serial == serial) return c->keys;
    if (c->keys && c->keys->ordered != ordered) clear_keys(r, c);
    if (!c->keys && !spend(r, keys_bytes(ordered))) return NULL;
    if (!c->keys) c->keys = take_keys(r, ordered);
    struct keys *k = c->keys;
    memset(k, 0, keys_bytes(ordered));
    k->serial = serial;
    k->ordered = ordered;
    for (uint32_t m = c->write_serial == serial ? c->write_mask : 0; m; m &= m - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(m);
        k->write[i] = c->write | lane_at(c->write_layout, i);
        if (ordered) k->more[i].write_time = c->write_time;
    }
    for (uint32_t m = c->read_serial == serial ? c->read_mask : 0; m; m &= m - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(m);
        k->read[i] = c->read | lane_at(c->read_layout, i);
        if (ordered) k->more[i].read_time[0] = c->read_time;
    }
    return k;
}

struct slot {
    uint64_t *key;  /* NULL: there is no such slot */
    uint32_t *time; /* NULL: the launch is not ordered */
};

static bool known(const struct visit *v, struct slot s, bool flags) {
    return ordered_before(v, *s.key, s.time ? *s.time : UINT32_MAX, flags);
}

static bool conflicts(const struct visit *v, struct slot old, enum class was, mark now, enum class is) {
    /* Volatile data after a flag: a fence after the flag would only keep its loads from being made early. */
    bool flags = mark_is_data(*old.key) && mark_is_data(now);
    if (!*old.key || (was == READS && is == READS)) return false;
    bool may = (was == STRONGS && is == STRONGS && race_is_store_against_atomic(*old.key, now)) ||
               was == WRITES || is == WRITES || !race_compatible(*old.key, now, false, false);
    return may && !known(v, old, flags);
}

static void put(const struct visit *v, struct slot one, struct slot two, mark now) {
    bool ordered = v->b->grid->shape.ordered;
    struct slot to = one;
    if (*one.key && !(ordered && known(v, one, false))) {
        if (!two.key || (*two.key && !known(v, two, false))) return;
        to = two;
    }
    *to.key = (uint64_t)(uint32_t)v->b->block << 32 | (uint32_t)now;
    if (to.time) *to.time = mark_stamp(now);
}

/* Whether the block made an atomic of its own at the place before this: it saw what others' atomics there had
 * left, so they are ordered before it. (The last block of a sum resets the ticket that all have drawn from.)
 */
static bool drew_itself(const struct visit *v, uint32_t i, mark now) {
    const struct strong_places *own = v->row->strong;
    for (int n = 0; own && n < 2; n++)
        if (own->write[n][i] && !mark_is_data(own->write[n][i]) &&
            mark_stamp(own->write[n][i]) <= mark_stamp(now))
            return true;
    return false;
}

struct slots {
    struct slot of[CLASSES][2];
};

static struct slots slots_of(struct keys *k, uint32_t i) {
    struct slots s = {{{{&k->write[i], NULL}}, {{&k->strong[i], NULL}}, {{&k->read[i], NULL}}}};
    if (!k->ordered) return s;
    s.of[WRITES][0].time = &k->more[i].write_time;
    s.of[STRONGS][0].time = &k->more[i].strong_time[0];
    s.of[STRONGS][1] = (struct slot){&k->more[i].strong, &k->more[i].strong_time[1]};
    s.of[READS][0].time = &k->more[i].read_time[0];
    s.of[READS][1] = (struct slot){&k->more[i].read, &k->more[i].read_time[1]};
    return s;
}

/* What the block did to its place i is held against what others did there. */
static void hold_against(const struct visit *v, const struct slots *s, uint32_t i, mark now, enum class is) {
    bool ordered = v->b->grid->shape.ordered;
    bool drew = ordered && (is != STRONGS || mark_is_data(now)) && drew_itself(v, i, now);
    for (enum class c = 0; c < CLASSES; c++)
        for (int n = 0; n < 2 && !(drew && c == STRONGS); n++)
            if (s->of[c][n].key && conflicts(v, s->of[c][n], c, now, is)) {
                saw(v, i, *s->of[c][n].key, c, now, is);
                break;
            }
}

static void commit_place(const struct visit *v, const struct keys *k, const struct slots *s, uint32_t i,
                         mark m, enum class is) {
    if (mark_stamp(m) <= v->b->committed) return;
    /* The common case: read by many, never written. */
    if (is == READS && !k->ordered && k->read[i] && !(k->write[i] | k->strong[i])) return;
    hold_against(v, s, i, m, is);
    put(v, s->of[is][0], s->of[is][1], m);
}

/* Of a block's own marks: those it has made since the last time. Reads before writes, so that a place's first finding is by
 * its first access. */
static void commit_marks(const struct visit *v, struct keys *k, const struct places *p, uint32_t i) {
    const struct strong_places *strong = v->row->strong;
    mark one = strong ? strong->write[0][i] : 0, two = strong ? strong->write[1][i] : 0;
    mark latest = p->read[0][i] > p->read[1][i] ? p->read[0][i] : p->read[1][i];
    if (p->write[i] > latest) latest = p->write[i];
    if (one > latest) latest = one;
    if (two > latest) latest = two;
    if (mark_stamp(latest) <= v->b->committed) return;
    struct slots s = slots_of(k, i);
    commit_place(v, k, &s, i, p->read[0][i], READS);
    commit_place(v, k, &s, i, p->read[1][i], READS);
    commit_place(v, k, &s, i, p->write[i], WRITES);
    commit_place(v, k, &s, i, one, STRONGS);
    commit_place(v, k, &s, i, two, STRONGS);
}

static void commit_places(const struct visit *v) {
    struct keys *k = open_keys(v);
    if (!k) {
        atomic_fetch_add(&v->b->grid->race->left_out, v->row->by_bytes ? 32 : 128);
        return;
    }
    struct places *p = race_places(v->b, v->row, true);
    if (!k->ordered && race_vector_commit(v->b, p, v->row->strong, k)) return;
    for (uint32_t i = 0; i < PLACES; i++) commit_marks(v, k, p, i);
}

/* ---- places of two sizes: one block went there by words, another by bytes ---- */

static bool is_live(const struct cell *c, uint32_t serial) {
    return c->write_serial == serial || c->read_serial == serial || (c->keys && c->keys->serial == serial);
}

/* Place i of the row is at place j of the cell, too. */
static void ask_place(const struct visit *v, struct keys *k, uint32_t i, uint32_t j) {
    const struct places *p = v->row->places;
    const struct strong_places *strong = v->row->strong;
    const struct {
        mark mark;
        enum class is;
    } own[] = {{p->read[0][i], READS},
               {p->read[1][i], READS},
               {p->write[i], WRITES},
               {strong ? strong->write[0][i] : 0, STRONGS},
               {strong ? strong->write[1][i] : 0, STRONGS}};
    struct slots s = slots_of(k, j);
    for (size_t n = 0; n < sizeof own / sizeof *own; n++)
        if (mark_stamp(own[n].mark) > v->b->committed) hold_against(v, &s, i, own[n].mark, own[n].is);
}

/* Cell `sector` of a line's four, or the line of a sector. */
static void ask_cell(const struct visit *v, uint32_t sector) {
    struct keys *k = open_keys(v);
    if (!k) {
        atomic_fetch_add(&v->b->grid->race->left_out, 32);
        return;
    }
    race_places(v->b, v->row, true);
    uint32_t first = v->row->by_bytes ? v->address % 128 / 4 : 0;
    for (uint32_t byte = 0; byte < 32; byte++) {
        if (v->row->by_bytes)
            ask_place(v, k, byte, first + byte / 4);
        else
            ask_place(v, k, sector * 8 + byte / 4, byte);
    }
}

/* What others did to the same bytes by places of the other size is in cells of their own, which stay as they are. */
static void ask_others(const struct visit *v) {
    struct wg_race *r = v->b->grid->race;
    const struct arena *in = race_arena(r, v->address);
    const struct chunk *c = race_chunk(in, v->address);
    bool by_bytes = v->row->by_bytes;
    struct cell *others = by_bytes ? c->lines : c->sectors;
    if (!others) return;
    others += (v->address - in->base) % CHUNK_BYTES / (by_bytes ? 128 : 32);
    for (uint32_t n = 0; n < (by_bytes ? 1 : 4); n++) {
        struct visit other = *v;
        other.cell = &others[n];
        other.apart = true;
        if (is_live(other.cell, v->b->grid->serial)) ask_cell(&other, n);
        if (v->row->stored && !v->row->unchanged)
            other.cell->unchanged = false; /* what is there is of others */
    }
}

/* ---- cells that one key or two describe ---- */

/* Adds a row to the cell's reads or writes; false: they do not fit into one. */
static bool join_cell(const struct visit *v, mark row, uint32_t mask, struct layout layout, bool write) {
    struct cell *c = v->cell;
    uint32_t serial = v->b->grid->serial, *cell_serial = write ? &c->write_serial : &c->read_serial;
    uint32_t *cell_mask = write ? &c->write_mask : &c->read_mask;
    if (*cell_serial == serial) {
        if (v->b->grid->shape.ordered) return false;
        if (!(mask & ~*cell_mask)) return true;
        if (*cell_mask & ~mask) return false;
    }
    *cell_serial = serial;
    *cell_mask = mask;
    uint64_t key = (uint64_t)(uint32_t)v->b->block << 32 | (uint32_t)row;
    if (write)
        c->write = key, c->write_layout = layout, c->write_time = mark_stamp(row);
    else
        c->read = key, c->read_layout = layout, c->read_time = mark_stamp(row);
    return true;
}

static bool commit_whole(const struct visit *v) {
    const struct row *r = v->row;
    struct cell *c = v->cell;
    uint32_t serial = v->b->grid->serial, since = v->b->committed;
    if (r->places || r->strong || (c->keys && c->keys->serial == serial)) return false;
    uint32_t reads = mark_stamp(r->read) > since ? r->read_mask : 0;
    uint32_t writes = mark_stamp(r->write) > since ? r->write_mask : 0;
    uint32_t written = c->write_serial == serial ? c->write_mask : 0;
    uint32_t read = c->read_serial == serial ? c->read_mask : 0;
    if ((reads & written) || (writes & (written | read))) return false;
    if (reads && !join_cell(v, r->read, reads, r->read_layout, false)) return false;
    return !writes || join_cell(v, r->write, writes, r->write_layout, true);
}

static void commit_row(struct wg_race_block *b, struct row *r, struct answers *answers) {
    struct wg_race *race = b->grid->race;
    struct visit v = {.answers = answers, .b = b, .row = r, .address = r->tag & ~UINT64_C(31)};
    if (r->bytes || r->touched <= b->committed) return;
    v.cell = cell_at(race, v.address, r->by_bytes, b->grid->serial);
    if (!v.cell) {
        atomic_fetch_add(&race->left_out, r->by_bytes ? 32 : 128);
        return;
    }
    ask_others(&v);
    if (!commit_whole(&v)) commit_places(&v);
    if (!r->stored) return;
    bool first = v.cell->value_serial != b->grid->serial;
    v.cell->one_value = r->one_value && (first || (v.cell->one_value && v.cell->value == r->value));
    v.cell->unchanged = first || (v.cell->unchanged && r->unchanged);
    v.cell->value_serial = b->grid->serial;
    v.cell->value = r->value;
}

void race_commit(struct wg_race_block *b) {
    struct answers answers = {0};
    if (!b->dirty) return;
    b->dirty = false;
    pthread_mutex_lock(&b->grid->race->commits);
    b->grid->commits++;
    for (uint32_t n = 0; n < b->uncommitted.n; n++) commit_row(b, b->uncommitted.v[n], &answers);
    b->uncommitted.n = 0;
    pthread_mutex_unlock(&b->grid->race->commits);
    b->committed = b->time;
    race_tick(b);
}
