/* See system_calls.h. All constants are fits to what an H200 counted (docs/results/h200-system-calls.tsv). */
#include "count/system_calls.h"
#include <string.h>

bool wg_is_system_call(const char *op) {
    return op && (!strcmp(op, WG_PRINTF_OP) || !strcmp(op, WG_MALLOC_OP) || !strcmp(op, WG_FREE_OP));
}

/* printf writes records, byte by byte: of 216 bytes, and of 243 each where the text and the values, of 8 bytes each,
 * need more. What is left of a record is filled up. */
enum { FIRST_RECORD = 216, NEXT_RECORD = 243, VALUE = 8, LANES = 32 };
/* Lanes whose words of local memory share a sector. */
enum { GROUP = 8 };

static uint32_t values(const struct wg_printf_lane *l) {
    uint32_t n = l->words + l->doubles + l->strings;
    return n < WG_PRINTF_VALUES ? n : WG_PRINTF_VALUES;
}

/* Values of each size among those that are kept. */
static void kept(const struct wg_printf_lane *l, uint32_t *words, uint32_t *doubles) {
    uint32_t room = values(l) - (l->strings < values(l) ? l->strings : values(l));
    *words = l->words < room ? l->words : room;
    *doubles = l->doubles < room - *words ? l->doubles : room - *words;
}

/* Zeros at the end included. */
static uint32_t characters(const struct wg_printf_lane *l) {
    uint32_t n = 0;
    for (uint32_t k = 0; k < l->ntexts; k++) n += l->length[k] + 1;
    return n;
}

static uint32_t further_records(const struct wg_printf_lane *l) {
    uint32_t bytes = characters(l) + VALUE * values(l);
    return bytes <= FIRST_RECORD ? 0 : (bytes - FIRST_RECORD + NEXT_RECORD - 1) / NEXT_RECORD;
}

/* A value is one store of 8 bytes; all else is a store a byte. */
static uint32_t record_stores(const struct wg_printf_lane *l) {
    enum { FIRST = 222, NEXT = 249 };
    return FIRST + NEXT * further_records(l) - (VALUE - 1) * values(l);
}

/* Sectors of byte `i` of text `k`, and the lanes that still read there. */
static uint32_t text_sectors(const struct wg_printf_lane lane[32], uint32_t lanes, uint32_t k, uint32_t i) {
    uint64_t seen[LANES];
    uint32_t n = 0;
    for (uint32_t l = 0; l < LANES; l++) {
        if (!(lanes >> l & 1) || k >= lane[l].ntexts || i > lane[l].length[k]) continue;
        uint64_t sector = (lane[l].text[k] + i) / 32;
        uint32_t known = 0;
        while (known < n && seen[known] != sector) known++;
        if (known == n) seen[n++] = sector;
    }
    return n;
}

/* Each text is read three times: measured, searched for values, copied. */
static void read_texts(const struct wg_printf_lane lane[32], uint32_t lanes, struct wg_call_cost *c) {
    enum { PASSES = 3 };
    for (uint32_t k = 0; k <= WG_PRINTF_VALUES; k++)
        for (uint32_t i = 0;; i++) {
            uint32_t n = text_sectors(lane, lanes, k, i);
            if (!n) break;
            c->loads += PASSES;
            c->load_sectors += PASSES * n;
        }
}

/* Frames of local memory are accessed by words: a sector for each eight lanes of which one is active. */
static void frame_sectors(const struct wg_printf_lane lane[32], uint32_t group, struct wg_call_cost *c) {
    uint32_t first = (uint32_t)__builtin_ctz(group), least = UINT32_MAX;
    const struct wg_printf_lane *f = &lane[first];
    for (uint32_t l = first; l < LANES; l++)
        if (group >> l & 1 && characters(&lane[l]) < least) least = characters(&lane[l]);
    uint32_t n = values(f), words, doubles;
    kept(f, &words, &doubles);
    int64_t loads = 483 + (n ? 4 : 0) + 496 * (int64_t)further_records(f) - 5 * (int64_t)words -
                    2 * (int64_t)doubles + 4 * (int64_t)f->strings - 2 * (int64_t)least;
    c->local_load_sectors += loads > 0 ? (uint64_t)loads : 0;
    c->local_store_sectors +=
        58 + (n ? 6 : 0) + 6 * words + 8 * doubles + 12 * f->strings + (VALUE * n >= FIRST_RECORD ? 1 : 0);
}

static uint64_t printf_instructions(const struct wg_printf_lane *l, uint32_t lanes) {
    uint32_t n = (uint32_t)__builtin_popcount(lanes), highest = 31 - (uint32_t)__builtin_clz(lanes), words,
             doubles;
    kept(l, &words, &doubles);
    int64_t i = 6788 + 9 * (int64_t)highest + 6 * (int64_t)(n - 1) + 7192 * (int64_t)further_records(l);
    i += 16 * (int64_t)l->length[0] + (values(l) ? 18 : 0) - 68 * (int64_t)words - 54 * (int64_t)doubles +
         25 * (int64_t)l->strings;
    for (uint32_t k = 1; k < l->ntexts; k++) i += 40 * (int64_t)l->length[k];
    return i > 0 ? (uint64_t)i : 0;
}

static struct wg_call_cost empty_format(uint32_t lanes) {
    struct wg_call_cost c = {.loads = 1, .load_sectors = 1, .instructions = 154};
    for (uint32_t g = 0; g < LANES; g += GROUP)
        if (lanes >> g & 0xff) c.local_load_sectors += 35, c.local_store_sectors += 37;
    return c;
}

struct wg_call_cost wg_printf_cost(const struct wg_printf_lane lane[32], uint32_t lanes, bool alone) {
    struct wg_call_cost c = {
        .loads = 2, .load_sectors = 2, .local_load_sectors = 2, .local_store_sectors = 2};
    uint32_t least = UINT32_MAX, most = 0, printing = 0;
    for (uint32_t l = 0; l < LANES; l++)
        if (lanes >> l & 1 && lane[l].ntexts && lane[l].length[0]) printing |= 1u << l;
    if (!printing) return empty_format(lanes);
    for (uint32_t l = 0; l < LANES; l++) {
        if (!(printing >> l & 1)) continue;
        uint32_t n = characters(&lane[l]), stores = record_stores(&lane[l]);
        if (n < least) least = n;
        if (n > most) most = n;
        if (stores > c.stores) c.stores = stores;
        c.store_sectors += stores;
    }
    c.stores += most - least; /* lanes with less to print wait, then fill up by themselves */
    read_texts(lane, printing, &c);
    for (uint32_t g = 0; g < LANES; g += GROUP)
        if (printing >> g & 0xff) frame_sectors(lane, printing & 0xffu << g, &c);
    c.atomics = c.atomic_sectors = alone ? 5 : 4;
    c.instructions = printf_instructions(&lane[__builtin_ctz(printing)], printing);
    return c;
}

/* ---- the heap ---- */

static uint32_t groups(uint32_t lanes) {
    uint32_t n = 0;
    for (uint32_t g = 0; g < LANES; g += GROUP) n += (lanes >> g & 0xff) != 0;
    return n;
}

/* Eight atomics, and one more for each further lane, all on one word: its lanes are served in turn. */
static void serve(struct wg_call_cost *c, uint32_t n) {
    c->atomics = 8 + (n - 1);
    c->atomic_sectors = 8 + (n + 1) * (n + 2) / 2 - 3;
}

struct wg_call_cost wg_malloc_cost(uint32_t lanes) {
    uint32_t n = (uint32_t)__builtin_popcount(lanes), g = groups(lanes);
    struct wg_call_cost c = {.loads = 24 + 5 * (n - 1),
                             .stores = 6 * n,
                             .local_load_sectors = 9 + 62 * g,
                             .local_store_sectors = 9 + 69 * g,
                             .instructions = 742 + 85 * (n - 1)};
    c.load_sectors = c.loads;
    c.store_sectors = c.stores;
    serve(&c, n);
    return c;
}

struct wg_call_cost wg_free_cost(uint32_t lanes) {
    uint32_t n = (uint32_t)__builtin_popcount(lanes), g = groups(lanes);
    struct wg_call_cost c = {.loads = 23 + (n - 1),
                             .load_sectors = 23 + 4 * (n - 1),
                             .local_load_sectors = 9 + 38 * g,
                             .local_store_sectors = 9 + 37 * g,
                             .instructions = 555 + 12 * (n - 1)};
    serve(&c, n);
    return c;
}
