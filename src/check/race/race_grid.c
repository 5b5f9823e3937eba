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
#include "base/lanes.h"
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

static struct keys *take_keys(struct wg_race *r) {
    struct keys *k = r->spare;
    if (!spend(r, sizeof *k)) return NULL;
    if (k)
        r->spare = (struct keys *)k->of[0][0];
    else
        k = race_pool_take(&r->keys, sizeof *k);
    *k = (struct keys){.serial = 0};
    return k;
}

static struct key_row *take_key_row(struct wg_race *r) {
    struct key_row *row = r->spare_rows;
    if (!spend(r, sizeof *row)) return NULL;
    if (!row) return race_pool_take(&r->keys, sizeof *row);
    r->spare_rows = (struct key_row *)(uintptr_t)row->key[0]; /* NOLINT(performance-no-int-to-ptr) */
    return row;
}

struct key_row *race_keys_take(struct wg_race *r, struct keys *k, enum key_class c, int n) {
    struct key_row **row = &k->of[c][n];
    uint32_t bit = 1u << (2 * c + (uint32_t)n);
    if (k->has & bit) return *row;
    if (!*row) *row = take_key_row(r);
    if (!*row) return NULL;
    memset((*row)->key, 0, sizeof(*row)->key);
    k->has |= bit;
    return *row;
}

static void clear_keys(struct wg_race *r, struct cell *c) {
    struct keys *k = c->keys;
    if (!k) return;
    for (int i = 0; i < 2 * CLASSES; i++) {
        struct key_row *row = k->of[i / 2][i % 2];
        if (!row) continue;
        row->key[0] = (uintptr_t)r->spare_rows;
        r->spare_rows = row;
        atomic_fetch_sub(&r->bytes, sizeof *row);
    }
    k->of[0][0] = (struct key_row *)r->spare;
    r->spare = k;
    atomic_fetch_sub(&r->bytes, sizeof *k);
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

static enum wg_race_access_kind kind_of(enum key_class c, uint64_t key) {
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

static void saw(const struct visit *v, uint32_t place, uint64_t old, enum key_class was, mark now,
                enum key_class is) {
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

static void leave_out(const struct visit *v) {
    atomic_fetch_add(&v->b->grid->race->left_out, v->row->by_bytes ? 32 : 128);
}

/* What the cell said by itself, now place by place. */
static void open_class(const struct visit *v, struct keys *k, enum key_class is) {
    const struct cell *c = v->cell;
    bool write = is == WRITES;
    uint32_t serial = write ? c->write_serial : c->read_serial, mask = write ? c->write_mask : c->read_mask;
    if (serial != k->serial || !mask) return;
    struct key_row *row = race_keys_take(v->b->grid->race, k, is, 0);
    if (!row) leave_out(v);
    WG_EACH_LANE(i, row ? mask : 0) {
        row->key[i] = (write ? c->write : c->read) | lane_at(write ? c->write_layout : c->read_layout, i);
        row->time[i] = write ? c->write_time : c->read_time;
    }
}

/* NULL: there is no memory left. */
static struct keys *open_keys(const struct visit *v) {
    struct cell *c = v->cell;
    if (!c->keys) c->keys = take_keys(v->b->grid->race);
    struct keys *k = c->keys;
    if (!k || k->serial == v->b->grid->serial) return k;
    k->serial = v->b->grid->serial;
    k->has = 0;
    open_class(v, k, WRITES);
    open_class(v, k, READS);
    return k;
}

/* Whether place i is of somebody whose access is ordered before what the block did. */
static bool known(const struct visit *v, const struct key_row *r, uint32_t i, bool flags) {
    return ordered_before(v, r->key[i], v->b->grid->shape.ordered ? r->time[i] : UINT32_MAX, flags);
}

static bool conflicts(const struct visit *v, const struct key_row *old, uint32_t i, enum key_class was,
                      mark now, enum key_class is) {
    uint64_t key = old->key[i];
    /* Volatile data after a flag: a fence after the flag would only keep its loads from being made early. */
    bool flags = mark_is_data(key) && mark_is_data(now);
    if (!key || (was == READS && is == READS)) return false;
    bool may = (was == STRONGS && is == STRONGS && race_is_store_against_atomic(key, now)) || was == WRITES ||
               is == WRITES || !race_compatible(key, now, false, false);
    return may && !known(v, old, i, flags);
}

/* Nobody is at the place, or somebody whose access is ordered before. */
static bool is_free(const struct visit *v, const struct key_row *r, uint32_t i) {
    return !r || !r->key[i] || (v->b->grid->shape.ordered && known(v, r, i, false));
}

static void put(const struct visit *v, struct keys *k, enum key_class is, uint32_t i, mark now) {
    int n = 0;
    if (!is_free(v, race_keys_of(k, is, 0), i)) {
        if (is == WRITES || !v->b->grid->shape.ordered || !is_free(v, race_keys_of(k, is, 1), i)) return;
        n = 1;
    }
    struct key_row *to = race_keys_take(v->b->grid->race, k, is, n);
    if (!to) {
        leave_out(v);
        return;
    }
    to->key[i] = (uint64_t)(uint32_t)v->b->block << 32 | (uint32_t)now;
    to->time[i] = mark_stamp(now);
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

/* What the block did to its place i is held against what others did to place j of the keys. */
static void hold_against(const struct visit *v, const struct keys *k, uint32_t i, uint32_t j, mark now,
                         enum key_class is) {
    bool ordered = v->b->grid->shape.ordered;
    bool drew = ordered && race_keys_of(k, STRONGS, 0) && (is != STRONGS || mark_is_data(now)) &&
                drew_itself(v, i, now);
    for (enum key_class c = 0; c < CLASSES; c++)
        for (int n = 0; n < 2 && !(drew && c == STRONGS); n++) {
            const struct key_row *old = race_keys_of(k, c, n);
            if (old && conflicts(v, old, j, c, now, is)) {
                saw(v, i, old->key[j], c, now, is);
                break;
            }
        }
}

static void commit_place(const struct visit *v, struct keys *k, uint32_t i, mark m, enum key_class is) {
    if (mark_stamp(m) <= v->b->committed) return;
    hold_against(v, k, i, i, m, is);
    put(v, k, is, i, m);
}

/* Of a block's own marks: those it has made since the last time. Reads before writes, so that a place's first finding is by
 * its first access. */
static void commit_marks(const struct visit *v, struct keys *k, const struct places *p, uint32_t i) {
    const struct strong_places *strong = v->row->strong;
    commit_place(v, k, i, p->read[0][i], READS);
    commit_place(v, k, i, p->read[1][i], READS);
    commit_place(v, k, i, p->write[i], WRITES);
    if (!strong) return;
    commit_place(v, k, i, strong->write[0][i], STRONGS);
    commit_place(v, k, i, strong->write[1][i], STRONGS);
}

/* The same of a row without places. */
static void commit_compact(const struct visit *v, struct keys *k) {
    const struct row *r = v->row;
    WG_EACH_LANE(i, r->read_mask | r->write_mask) {
        if (r->read_mask >> i & 1) commit_place(v, k, i, r->read | lane_at(r->read_layout, i), READS);
        if (r->write_mask >> i & 1) commit_place(v, k, i, r->write | lane_at(r->write_layout, i), WRITES);
    }
}

static void commit_places(const struct visit *v) {
    struct row *r = v->row;
    struct keys *k = open_keys(v);
    if (!k) {
        leave_out(v);
        return;
    }
    if (!r->places && !r->strong) {
        commit_compact(v, k);
        return;
    }
    struct places *p = race_places(v->b, r, true);
    if (!v->b->grid->shape.ordered && race_vector_commit(v->b, p, r->strong, k)) return;
    for (uint32_t i = 0; i < PLACES; i++) commit_marks(v, k, p, i);
}

/* ---- places of two sizes: one block went there by words, another by bytes ---- */

static bool is_live(const struct cell *c, uint32_t serial) {
    return c->write_serial == serial || c->read_serial == serial || (c->keys && c->keys->serial == serial);
}

/* Place i of the row is at place j of the cell, too. */
static void ask_place(const struct visit *v, const struct keys *k, uint32_t i, uint32_t j) {
    const struct places *p = v->row->places;
    const struct strong_places *strong = v->row->strong;
    const struct {
        mark mark;
        enum key_class is;
    } own[] = {{p->read[0][i], READS},
               {p->read[1][i], READS},
               {p->write[i], WRITES},
               {strong ? strong->write[0][i] : 0, STRONGS},
               {strong ? strong->write[1][i] : 0, STRONGS}};
    for (size_t n = 0; n < sizeof own / sizeof *own; n++)
        if (mark_stamp(own[n].mark) > v->b->committed) hold_against(v, k, i, j, own[n].mark, own[n].is);
}

/* Cell `sector` of a line's four, or the line of a sector. */
static void ask_cell(const struct visit *v, uint32_t sector) {
    const struct keys *k = open_keys(v);
    if (!k) {
        leave_out(v);
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
