/* Asynchronous hardware operations under the checks: copies of the copy engine, tiles of wmma, and the
 * operands of wgmma. Each is checked once, when it is issued, with its whole footprint: whether it may access
 * it (memory), what it may conflict with (race: check_async.h), and which of it was ever written (init).
 *
 * A tensor copy is the rows of its box: a range of global memory each, and of shared memory all of the box.
 */
#include "analysis/copies.h"
#include "check/race/race.h"
#include "machine/watch/check.h"
#include "machine/watch/check_async.h"
#include "machine/memory/shadow.h"
#include "machine/worker.h"
#include "warp/touch.h"
#include <stdlib.h>
#include <string.h>

enum { BULK_ALIGN = 16, BOX_ALIGN = 128, MAP_ALIGN = 64, MBARRIER_BYTES = 8 };

typedef WG_VEC(struct wg_check_range) ranges;

struct copy {
    struct wg_warp *w;
    const struct wg_ir_instr *in;
    const uint64_t *source;
    uint32_t lane, to_id, from_id;
    bool loads, to_global, from_global, combines, multicast;
    uint64_t bytes;                  /* in each block's shared memory */
    uint32_t blocks;                 /* that it goes to; 1 where it goes to global memory */
    uint64_t bar;                    /* 0: none */
    const struct wg_tensor_map *map; /* NULL: a bulk copy; else the copy of it */
    struct wg_tensor_map read;
    int32_t first[WG_TENSOR_DIMS];
    uint32_t rows, row, columns; /* row: bytes in shared memory; columns: of it, elements */
    uint64_t shared, far;        /* the address in shared memory; the other one of a bulk copy */
};

static const struct wg_cta *cta_of(const struct wg_warp *w) { return w->machine; }
static struct wg_grid *grid_of(const struct wg_warp *w) { return cta_of(w)->unit->grid; }
static bool is_on(const struct wg_warp *w, enum wg_check_id check) {
    return wg_checks(grid_of(w)->dev) >> check & 1;
}
static uint64_t shared_base(const struct wg_warp *w) { return (uint64_t)w->block->cluster_shared; }

static uint64_t in_block(const struct wg_warp *w, uint64_t at, uint32_t block) {
    uint64_t offset = at - shared_base(w);
    return at - offset / WG_SHARED_STRIDE * WG_SHARED_STRIDE + (uint64_t)block * WG_SHARED_STRIDE;
}

/* ---- is it where it may be? ---- */

struct asked {
    const struct wg_warp *w;
    uint32_t lane, id;
    uint64_t align;
    bool anything; /* wherever it is: neither the space nor the variable of the access matters */
    struct wg_check_window good;
};

/* Tells of what is wrong with [at, at + bytes); false: something is. */
static bool may(struct asked *q, uint64_t at, uint64_t bytes) {
    struct wg_check_site site = grid_of(q->w)->check->sites[q->id];
    struct wg_ir_instr generic = *site.instr;
    generic.space = WG_S_GENERIC;
    if (q->anything) {
        site.variable = WG_NO_REG;
        site.instr = &generic;
    }
    struct wg_check_access_at a = {.w = q->w,
                                   .site = &site,
                                   .lane = q->lane,
                                   .bytes = bytes,
                                   .variable = -1,
                                   .address = at,
                                   .align = q->align};
    struct wg_check_verdict v;
    if (!bytes || (q->good.lo >= WG_SHARED_MOST && at - q->good.lo < q->good.starts && at % q->align == 0))
        return true;
    wg_check_judge(&a, &v);
    if (v.good) {
        q->good = v.window;
        return true;
    }
    if (!grid_of(q->w)->dev->options.findings) {
        wg_strict_refuse(&a, &v);
        return false;
    }
    struct wg_finding f = {.kind = v.kind, .memory = v.memory, .here = {.bytes = (uint32_t)bytes}};
    wg_check_found(q->w, 1u << q->lane, q->id, &f);
    return false;
}

/* ---- boxes ---- */

/* Row `index` of the box: [from, to) of its bytes are inside the tensor, from *at on. */
static bool row_at(const struct copy *c, uint32_t index, uint64_t *at, uint32_t *from, uint32_t *to) {
    uint32_t size = wg_type_bits((enum wg_type)c->map->type) / 8;
    int64_t low = c->first[0] < 0 ? -(int64_t)c->first[0] : 0,
            high = (int64_t)c->map->last[0] + 1 - c->first[0];
    if (high > c->columns) high = c->columns;
    if (low >= high || !wg_box_row(c->map, c->first, index, at)) return false;
    *at += (uint64_t)((c->first[0] + low) * size);
    *from = (uint32_t)low * size;
    *to = (uint32_t)high * size;
    return true;
}

/* What of global memory it touches. */
static ranges far_ranges(const struct copy *c) {
    ranges r = {0};
    uint64_t at;
    uint32_t from, to;
    if (!c->map) *WG_PUSH(&r) = (struct wg_check_range){c->far, c->far + c->bytes};
    for (uint32_t i = 0; c->map && i < c->rows; i++)
        if (row_at(c, i, &at, &from, &to)) *WG_PUSH(&r) = (struct wg_check_range){at, at + to - from};
    return r;
}

/* ---- what the instruction says ---- */

static bool read_map(struct copy *c, uint32_t map_at) {
    struct asked q = {.w = c->w, .lane = c->lane, .id = c->from_id, .align = MAP_ALIGN, .anything = true};
    c->map = &c->read;
    if (is_on(c->w, WG_CHECK_memory) && !may(&q, c->source[map_at], sizeof c->read)) return false;
    return wg_trap_read(&c->read, c->source[map_at],
                        sizeof c->read); /* what is no map is a fault by itself */
}

static void measure(struct copy *c, uint32_t map_at) {
    const struct wg_tensor_map *m = c->map;
    c->rows = 1;
    for (uint32_t d = 0; d < m->rank; d++) {
        uint32_t n = (m->box[d] + m->step[d] - 1u) / m->step[d];
        c->first[d] = (int32_t)c->source[map_at + 1 + d];
        if (d) c->rows *= n;
        if (!d) c->columns = n;
    }
    c->row = c->columns * (wg_type_bits((enum wg_type)m->type) / 8);
    c->bytes = (uint64_t)c->rows * c->row;
}

enum said { SAID, WRONG, NO_COPY }; /* NO_COPY: that is a fault by itself */

static enum said decode_tensor(struct copy *c, uint32_t rank) {
    uint32_t map_at = c->loads ? 1 : 0;
    c->shared = c->source[c->loads ? 0 : 1 + rank];
    if (!read_map(c, map_at)) return WRONG;
    if (!wg_tensor_map_is_sound(c->map, rank)) return NO_COPY;
    measure(c, map_at);
    return SAID;
}

static void decode_targets(struct copy *c, uint32_t bar_at) {
    c->bar = c->source[bar_at];
    if (c->multicast) {
        c->blocks = (uint32_t)c->source[bar_at + 1] & 0xffff;
        return;
    }
    uint64_t block = (c->shared - shared_base(c->w)) / WG_SHARED_STRIDE;
    c->blocks = block < 16 ? 1u << block : 1u << 15;
}

static enum said decode(struct copy *c, struct wg_warp *w, uint32_t lane, uint32_t id,
                        const uint64_t *source) {
    const struct wg_check_site *s = &grid_of(w)->check->sites[id];
    enum wg_op op = (enum wg_op)s->instr->op;
    bool tensor = op == WG_OP_TENSOR_LOAD || op == WG_OP_TENSOR_STORE || op == WG_OP_TENSOR_RED;
    uint32_t rank = tensor ? s->instr->mod[WG_MC_DIMS] - WG_M_d1 + 1u : 0;
    *c = (struct copy){.w = w,
                       .in = s->instr,
                       .source = source,
                       .lane = lane,
                       .to_id = s->parts,
                       .from_id = s->parts + 1,
                       .blocks = 1};
    c->loads = op == WG_OP_BULK_LOAD || op == WG_OP_TENSOR_LOAD;
    c->to_global = s->instr->space == WG_S_GLOBAL;
    c->from_global = c->loads;
    c->combines = op == WG_OP_BULK_RED || op == WG_OP_BULK_RED_SHARED || op == WG_OP_TENSOR_RED;
    c->multicast = s->instr->mod[WG_MC_MULTICAST] != WG_M_none;
    if (!tensor) {
        c->bytes = (uint32_t)source[2];
        c->shared = source[c->to_global ? 1 : 0];
        c->far = source[c->to_global ? 0 : 1];
    }
    enum said said = tensor ? decode_tensor(c, rank) : SAID;
    if (said != NO_COPY && !c->to_global) decode_targets(c, tensor ? 2 + rank : 3);
    return said;
}

/* ---- memory ---- */

static bool judge_far(const struct copy *c) {
    struct asked q = {
        .w = c->w, .lane = c->lane, .id = c->to_global ? c->to_id : c->from_id, .align = BULK_ALIGN};
    ranges r = far_ranges(c);
    bool good = true;
    if (c->map) q.align = wg_type_bits((enum wg_type)c->map->type) / 8; /* rows begin where the box does */
    for (uint32_t i = 0; i < r.n && good; i++) good = may(&q, r.v[i].base, r.v[i].end - r.v[i].base);
    free(r.v);
    return good;
}

static bool judge_shared(const struct copy *c, bool *silent) {
    struct asked q = {
        .w = c->w, .lane = c->lane, .id = c->to_global ? c->from_id : c->to_id, .align = BULK_ALIGN};
    struct asked bar = {
        .w = c->w, .lane = c->lane, .id = c->to_id, .align = MBARRIER_BYTES, .anything = true};
    if (c->map) q.align = BOX_ALIGN;
    if (c->to_global) return may(&q, c->shared, c->bytes);
    bool good = true;
    for (uint32_t m = c->blocks; m && good; m &= m - 1) {
        uint32_t block = (uint32_t)__builtin_ctz(m);
        good = may(&q, c->multicast ? in_block(c->w, c->shared, block) : c->shared, c->bytes);
        if (!good || may(&bar, c->multicast ? in_block(c->w, c->bar, block) : c->bar, MBARRIER_BYTES))
            continue;
        good = false;
        *silent = true;
    }
    if (c->multicast && c->blocks >> c->w->block->cluster_nctarank) *silent = true;
    return good;
}

/* A destination that is right gets zeros, as a load gives them. */
static void clear(const struct copy *c) {
    for (uint32_t m = c->combines ? 0 : c->blocks; m; m &= m - 1) {
        uint64_t to = c->shared;
        if (c->multicast) to = in_block(c->w, to, (uint32_t)__builtin_ctz(m));
        memset((void *)(uintptr_t)to, 0, c->bytes);
        wg_shadow_define(&grid_of(c->w)->dev->memory, to, c->bytes);
    }
}

static uint64_t judge(const struct copy *c) {
    bool silent = false;
    bool here = judge_shared(c, &silent), there = judge_far(c);
    if (here && there) return 0;
    if (here && !c->to_global && !silent) clear(c);
    return WG_BULK_REFUSED | (silent ? WG_BULK_SILENT : 0) | c->bytes << WG_BULK_BYTES;
}

/* ---- init ---- */

static void copy_stretch(const struct copy *c, uint64_t shared, uint64_t far, uint32_t from, uint32_t to) {
    uint64_t base = shared_base(c->w);
    for (uint32_t b = from, n; b < to; b += n) {
        n = c->map->swizzle ? BULK_ALIGN - b % BULK_ALIGN : to - b;
        if (n > to - b) n = to - b;
        uint64_t here = base + wg_tensor_swizzled(c->map, shared + b - base), there = far + (b - from);
        wg_check_init_copy(c->w, c->from_id, c->loads ? here : there, c->loads ? there : here, n,
                           c->combines);
    }
}

static void copy_box(const struct copy *c, uint64_t shared) {
    uint64_t at;
    uint32_t from, to;
    if (c->loads)
        wg_shadow_define(&grid_of(c->w)->dev->memory, shared, c->bytes); /* zeros beyond the tensor */
    for (uint32_t i = 0; i < c->rows; i++)
        if (row_at(c, i, &at, &from, &to)) copy_stretch(c, shared + (uint64_t)i * c->row, at, from, to);
}

static void copy_shadows(const struct copy *c) {
    for (uint32_t m = c->blocks; m; m &= m - 1) {
        uint64_t shared = c->multicast ? in_block(c->w, c->shared, (uint32_t)__builtin_ctz(m)) : c->shared;
        if (c->map)
            copy_box(c, shared);
        else
            wg_check_init_copy(c->w, c->from_id, c->to_global ? c->far : shared,
                               c->to_global ? shared : c->far, c->bytes, c->combines);
    }
}

/* ---- race ---- */

static void begin(const struct copy *c) {
    ranges far = far_ranges(c);
    struct wg_check_range near[WG_MAX_CLUSTER];
    struct wg_async_part p[WG_MAX_CLUSTER + 1];
    uint32_t n = 0;
    uint8_t writes = c->combines ? WG_RACE_ATOMIC : WG_RACE_STORE;
    p[n++] = (struct wg_async_part){.id = c->to_global ? c->to_id : c->from_id,
                                    .access = c->to_global ? writes : WG_RACE_LOAD,
                                    .until = c->to_global ? WG_ASYNC_GROUP : WG_ASYNC_MBARRIER,
                                    .shared = !c->to_global && !c->from_global,
                                    .mbarrier = c->bar,
                                    .ranges = far.v,
                                    .n = far.n};
    if (c->multicast) p[0].mbarrier = in_block(c->w, c->bar, (uint32_t)__builtin_ctz(c->blocks));
    for (uint32_t m = c->blocks; m; m &= m - 1) {
        uint32_t block = (uint32_t)__builtin_ctz(m);
        uint64_t at = c->multicast ? in_block(c->w, c->shared, block) : c->shared;
        near[n - 1] = (struct wg_check_range){at, at + c->bytes};
        p[n] = (struct wg_async_part){.id = c->to_global ? c->from_id : c->to_id,
                                      .access = c->to_global ? WG_RACE_LOAD : writes,
                                      .until = c->to_global ? WG_ASYNC_GROUP_READ : WG_ASYNC_MBARRIER,
                                      .shared = true,
                                      .mbarrier = c->multicast ? in_block(c->w, c->bar, block) : c->bar,
                                      .ranges = &near[n - 1],
                                      .n = c->bytes != 0};
        n++;
    }
    wg_check_async_issue(c->w, c->lane, p, n);
    free(far.v);
}

/* ---- services ---- */

static bool is_reached(const struct copy *c) {
    ranges far = far_ranges(c);
    bool good = true;
    for (uint32_t i = 0; i < far.n && good; i++)
        good = wg_may_touch(c->w, far.v[i].base, far.v[i].end - far.v[i].base);
    free(far.v);
    for (uint32_t m = c->blocks; m && good; m &= m - 1) {
        uint32_t block = (uint32_t)__builtin_ctz(m);
        good =
            wg_in_window(c->w->block, c->multicast ? in_block(c->w, c->shared, block) : c->shared, c->bytes);
    }
    return good;
}

/* What the machine itself would call a fault. */
static bool is_odd(const struct copy *c) {
    uint32_t n = c->w->block->cluster_nctarank;
    if (c->bytes % BULK_ALIGN && !c->map) return true;
    return (!c->to_global && (!c->blocks || (!c->multicast && c->blocks >> n))) || !is_reached(c);
}

static uint64_t check_bulk(struct wg_warp *w, uint32_t lane, uint32_t id, const uint64_t *source) {
    struct copy c;
    bool memory = is_on(w, WG_CHECK_memory);
    switch (decode(&c, w, lane, id, source)) {
    case WRONG: return WG_BULK_REFUSED | WG_BULK_SILENT;
    case NO_COPY: return 0;
    default: break;
    }
    uint64_t refused = memory ? judge(&c) : 0;
    if (refused) return refused;
    if (is_odd(&c)) return 0;
    if (is_on(w, WG_CHECK_init)) copy_shadows(&c);
    if (cta_of(w)->race) begin(&c);
    return 0;
}

uint64_t wg_check_service_bulk(struct wg_warp *w, uint32_t lane, uint32_t id, const uint64_t *sources) {
    struct wg_worker *worker = cta_of(w)->unit->worker;
    worker->in_service = true;
    uint64_t refused = check_bulk(w, lane, id, sources);
    worker->in_service = false;
    wg_strict_leave(worker);
    return refused;
}

/* Row r is asked about as lane r's. */
static bool judge_tile(const struct wg_warp *w, uint32_t id, const struct wg_check_tile *t) {
    struct asked q = {.w = w, .id = id, .align = BULK_ALIGN};
    bool good = true;
    for (uint32_t r = 0; r < t->rows && good; r++) good = may(&q, t->at + r * t->pitch, t->bytes);
    return good;
}

static void tell_tile(struct wg_warp *w, uint32_t lanes, uint32_t id, const struct wg_check_tile *t) {
    uint64_t address[WG_LANES] = {0};
    struct wg_check_ask ask = {.address = address, .id = id};
    uint32_t rows = t->rows < WG_LANES ? (1u << t->rows) - 1 : UINT32_MAX;
    for (uint32_t b = 0; b < t->bytes; b += BULK_ALIGN) {
        for (uint32_t r = 0; r < WG_LANES; r++) address[r] = t->at + r * t->pitch + b;
        wg_check_race_access(w, lanes & rows, &ask);
    }
}

bool wg_check_service_tile(struct wg_warp *w, uint32_t lanes, uint32_t id, const struct wg_check_tile *t) {
    struct wg_worker *worker = cta_of(w)->unit->worker;
    uint32_t part = grid_of(w)->check->sites[id].parts;
    worker->in_service = true;
    bool good = !is_on(w, WG_CHECK_memory) || judge_tile(w, part, t);
    if (good && cta_of(w)->race) tell_tile(w, lanes, part, t);
    worker->in_service = false;
    wg_strict_leave(worker);
    return good;
}

static ranges runs_of(const struct wg_warp *w, const uint64_t *granules) {
    ranges r = {0};
    uint64_t base = shared_base(w) + w->block->shared_offset;
    for (uint32_t g = 0; g < WG_GRANULES; g++) {
        if (!granules[g / 64]) g |= 63;
        if (!(granules[g / 64] >> g % 64 & 1)) continue;
        uint64_t at = base + (uint64_t)g * WG_GRANULE;
        if (r.n && r.v[r.n - 1].end == at)
            r.v[r.n - 1].end += WG_GRANULE;
        else
            *WG_PUSH(&r) = (struct wg_check_range){at, at + WG_GRANULE};
    }
    return r;
}

void wg_check_service_operands(struct wg_warp *w, uint32_t lanes, uint32_t id, const uint64_t *granules) {
    struct wg_worker *worker = cta_of(w)->unit->worker;
    struct asked q = {.w = w, .lane = (uint32_t)__builtin_ctz(lanes), .align = BULK_ALIGN};
    bool good = true;
    worker->in_service = true;
    q.id = grid_of(w)->check->sites[id].parts;
    ranges r = runs_of(w, granules);
    for (uint32_t i = 0; i < r.n && good && is_on(w, WG_CHECK_memory); i++)
        good = may(&q, r.v[i].base, r.v[i].end - r.v[i].base);
    struct wg_async_part p = {.id = q.id,
                              .access = WG_RACE_LOAD,
                              .until = WG_ASYNC_PRODUCTS,
                              .shared = true,
                              .ranges = r.v,
                              .n = r.n};
    if (good && cta_of(w)->race) wg_check_async_issue(w, WG_LANES, &p, 1);
    free(r.v);
    worker->in_service = false;
    wg_strict_leave(worker);
}
