/* The run-time part of the check of initialisation: what the machine knows of values that were never written
 * (check/instrument/shadow.h).
 *
 *     a load gives something undefined            noted, by lane: which instruction, which address
 *     a shuffle from a lane that is not there     the same, with the lane in place of an address
 *     such a value decides something              a finding: here; and where the value comes from: of the
 *                                                 lane's last notes the one that the value was made from
 *     it is copied to the host                    a finding
 *
 * Atomics on memory that was never written are reported. That memory counts as written only when the launch
 * has ended, so that what is found does not depend on which of the threads was first.
 */
#include "cfg/cfg.h"
#include "base/lanes.h"
#include "machine/watch/check.h"
#include "machine/memory/origin.h"
#include "machine/work.h"
#include "machine/worker.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NOTES = 8, STORED = 16 /* beside enum wg_check_decides: what a store writes */ };

struct note {
    uint64_t address; /* of a shuffle: the lane that the value is from */
    uint32_t id;      /* of the load or shuffle; 0: none */
};
struct wg_check_notes { /* of a warp: the latest of each lane */
    struct note at[WG_LANES][NOTES];
    uint32_t n[WG_LANES]; /* ever made */
    struct {
        uint32_t id, number;
        uint64_t base, size;
    } last; /* origin that was numbered, of global memory; id 0: none */
};

static const struct wg_cta *cta_of(const struct wg_warp *w) { return w->machine; }
static struct wg_grid *grid_of(const struct wg_warp *w) { return cta_of(w)->unit->grid; }

void wg_check_init_unit_begin(struct wg_unit *u) {
    const struct wg_memory *m = &u->grid->dev->memory;
    if (!m->shadow) return;
    for (uint32_t k = 0; k < u->shape.nctas; k++) {
        struct wg_cta *c = &u->ctas[k];
        uint64_t window = (uint64_t)c->block.cluster_shared + c->block.shared_offset;
        uint64_t local = (uint64_t)c->nwarps * WG_LANES * u->shape.local_stride;
        wg_shadow_undefine(m, window, u->shape.window_bytes);
        c->shared_known = 0;
        c->block.shared_defined = u->shape.window_bytes == 0;
        if (u->grid->func->module->reserves_shared)
            wg_shadow_define(m, (uint64_t)c->block.cluster_shared + c->block.reserved_at, WG_RESERVED_BYTES);
        if (local) wg_shadow_undefine(m, (uint64_t)c->warps[0].local, local);
        for (uint32_t i = 0; i < c->nwarps; i++)
            if (c->warps[i].notes) {
                memset(c->warps[i].notes->n, 0, sizeof c->warps[i].notes->n);
                c->warps[i].notes->last.id = 0;
            }
    }
}

/* ---- what is defined as a whole ---- */

void wg_check_init_shared(struct wg_cta *c) {
    enum { STEP = 64 };
    static const uint8_t ones[STEP] = {[0 ... STEP - 1] = UINT8_MAX};
    const struct wg_unit *u = c->unit;
    uint32_t n = u->shape.window_bytes, at = c->shared_known;
    const uint8_t *s =
        c->block.shared_defined
            ? NULL
            : wg_shadow_at(&u->grid->dev->memory, (uint64_t)c->block.cluster_shared + c->block.shared_offset);
    if (!s) return;
    while (at < n && memcmp(s + at, ones, n - at < STEP ? n - at : STEP) == 0)
        at += n - at < STEP ? n - at : STEP;
    c->shared_known = at;
    c->block.shared_defined = at == n;
}

void wg_check_init_shared_unknown(struct wg_unit *u) {
    for (uint32_t k = 0; k < u->shape.nctas; k++)
        u->ctas[k].shared_known = u->ctas[k].block.shared_defined = 0;
}

/* Memory of blocks and of the kernels' heap becomes undefined again and again. */
uint64_t wg_check_init_window(const struct wg_grid *g, uint32_t id, const struct wg_check_window *w) {
    const struct wg_ir_instr *in = g->check->sites[id].instr;
    struct wg_memory *m = &g->dev->memory;
    struct wg_span span;
    uint64_t bytes = w->starts - 1 + wg_type_bits(in->type) / 8 * in->nvec;
    if (!m->shadow || !wg_memory_find(m, w->lo, &span) || span.kind == WG_MEM_SCRATCH ||
        span.kind == WG_MEM_HEAP)
        return 0;
    return wg_shadow_whole(m, w->lo, bytes);
}

/* ---- notes ---- */

/* Memory that an atomic has reported, until the launch ends. */
static void remember(struct wg_grid *g, uint64_t address, uint32_t bytes) {
    pthread_mutex_lock(&g->lock);
    struct wg_check_told *t = WG_PUSH(&g->check->told);
    t->address = address;
    t->bytes = bytes;
    pthread_mutex_unlock(&g->lock);
}

/* ---- where a value comes from ---- */

struct slice {
    const struct wg_ir_func *f;
    wg_bits regs;        /* that the value was made from */
    wg_bits loads;       /* instruction ids: of shuffles, too */
    bool grew, shuffles; /* shuffles: lanes have it of others */
    bool calls;          /* it came from another function, or through one */
    bool loaded;         /* something of it is from memory or other lanes */
};

static void add_reg(void *user, uint32_t r) {
    struct slice *s = user;
    s->grew |= !wg_bits_has(s->regs, r);
    wg_bits_add(s->regs, r);
}

static bool writes_one_of(const struct slice *s, const struct wg_ir_instr *in) {
    for (uint32_t k = 0; k < in->ndst; k++)
        if (in->dst[k].kind == WG_O_REG && wg_bits_has(s->regs, in->dst[k].index)) return true;
    for (uint32_t k = 0; in->op == WG_OP_CALL && k < in->call->nrets; k++)
        if (in->call->rets[k].value.kind == WG_O_REG && wg_bits_has(s->regs, in->call->rets[k].value.index))
            return true;
    return false;
}

/* What the instruction with this number asked about. */
static void add_asked(struct slice *s, const struct wg_ir_instr *in, uint32_t decides) {
    uint32_t flags = wg_op_flags(in->op);
    if (flags & WG_F_MEM && decides == WG_DECIDES_BRANCH) {
        if (in->guard != WG_NO_REG) add_reg(s, in->guard);
    } else if (decides == STORED) {
        for (uint32_t i = 1; i < in->nsrc; i++)
            if (in->src[i].kind == WG_O_REG) add_reg(s, in->src[i].index);
    } else if (flags & WG_F_MEM && decides == WG_DECIDES_ADDRESS) {
        if (in->src[0].kind == WG_O_REG) add_reg(s, in->src[0].index);
    } else {
        wg_each_use(in, add_reg, s);
    }
}

static void find_asked(struct slice *s, uint32_t id, uint32_t decides) {
    for (uint32_t b = 0; b < s->f->nblocks; b++) {
        const struct wg_ir_block *blk = &s->f->blocks[b];
        if (blk->id == id && blk->cond != WG_NO_REG) add_reg(s, blk->cond);
        for (uint32_t i = 0; i < blk->ninstrs; i++)
            if (blk->instrs[i].id == id) {
                add_asked(s, &blk->instrs[i], decides);
                if (decides != STORED && wg_op_flags(blk->instrs[i].op) & WG_F_MEM) wg_bits_add(s->loads, id);
            }
    }
}

/* Lanes hold each other's elements. */
static bool is_of_matrix(enum wg_op op) {
    return op == WG_OP_MMA || op == WG_OP_WMMA || op == WG_OP_WMMA_F16 || op == WG_OP_MOVMATRIX;
}

static bool is_always_defined(const struct wg_ir_func *f, const struct wg_ir_instr *in) {
    return in->op == WG_OP_LD && (in->space == WG_S_CONST || (in->space == WG_S_PARAM && f->entry));
}

/* Loads that the value may have come from: back over all definitions, wherever they stand. */
static void slice_back(struct slice *s) {
    for (s->grew = true; s->grew;) {
        s->grew = false;
        for (uint32_t b = 0; b < s->f->nblocks; b++)
            for (uint32_t i = 0; i < s->f->blocks[b].ninstrs; i++) {
                const struct wg_ir_instr *in = &s->f->blocks[b].instrs[i];
                if (!writes_one_of(s, in) || is_always_defined(s->f, in)) continue;
                s->loaded |= (wg_op_flags(in->op) & (WG_F_MEM | WG_F_MATRIX)) || in->op == WG_OP_SHFL;
                s->shuffles |= in->op == WG_OP_SHFL || is_of_matrix((enum wg_op)in->op);
                s->calls |= in->op == WG_OP_CALL || (in->op == WG_OP_LD && in->space == WG_S_PARAM);
                bool loads = wg_op_flags(in->op) & (WG_F_MEM | WG_F_MATRIX);
                if (loads || in->op == WG_OP_SHFL) wg_bits_add(s->loads, in->id);
                if (!loads) wg_each_use(in, add_reg, s);
            }
    }
}

/* The lane's latest note of one of these loads; where the value came through a call, its latest of any. */
static const struct note *choose(const struct wg_check_notes *notes, uint32_t lane, const struct slice *s) {
    uint32_t n = notes ? notes->n[lane] : 0, kept = n < NOTES ? n : NOTES;
    for (uint32_t i = 1; i <= kept; i++) {
        const struct note *at = &notes->at[lane][(n - i) % NOTES];
        if (s->calls || wg_bits_has(s->loads, at->id)) return at;
    }
    return NULL;
}

static struct slice slice_of(struct wg_arena *a, const struct wg_grid *g, uint32_t id, uint32_t decides) {
    const struct wg_ir_module *m = g->func->module->ir;
    struct slice s = {.f = &m->funcs[g->check->sites[id].func]};
    s.regs = wg_bits_new(a, s.f->nregs);
    s.loads = wg_bits_new(a, m->nids);
    find_asked(&s, id, decides);
    slice_back(&s);
    return s;
}

static struct note origin(const struct wg_warp *w, uint32_t lane, const struct slice *s) {
    const struct note *at = choose(w->notes, lane, s);
    for (uint32_t l = 0; l < WG_LANES && !at && s->shuffles; l++) at = choose(w->notes, l, s);
    return at ? *at : (struct note){0};
}

static uint32_t bytes_of(const struct wg_grid *g, uint32_t id) {
    const struct wg_ir_instr *in = g->check->sites[id].instr;
    return wg_type_bits(in->type) / 8 * in->nvec;
}

static void describe(const struct wg_warp *w, uint32_t lane, const struct note *n,
                     struct wg_finding_memory *out) {
    const struct wg_check_site *site = &grid_of(w)->check->sites[n->id];
    struct wg_check_access_at at = {w, site, lane, bytes_of(grid_of(w), n->id), -1, n->address, 0};
    wg_check_describe(&at, out);
}

/* ---- what is written of it ---- */

/* What a store's value may come from, found once. */
struct wg_check_stored {
    struct wg_check_stored *next;
    uint32_t id;
    struct wg_arena arena;
    struct slice slice;
};

static const struct slice *stored_slice(struct wg_grid *g, uint32_t id) {
    pthread_mutex_lock(&g->lock);
    struct wg_check_stored *s = g->check->stored;
    while (s && s->id != id) s = s->next;
    if (!s) {
        s = wg_xcalloc(1, sizeof *s);
        s->id = id;
        s->slice = slice_of(&s->arena, g, id, STORED);
        s->next = g->check->stored;
        g->check->stored = s;
    }
    pthread_mutex_unlock(&g->lock);
    return &s->slice;
}

void wg_check_init_end(struct wg_grid *g) {
    struct wg_check_launch *c = g->check;
    for (uint32_t i = 0; i < c->told.n; i++)
        wg_shadow_define(&g->dev->memory, c->told.v[i].address, c->told.v[i].bytes);
    free(c->told.v);
    wg_check_init_left_end(g);
    while (c->stored) {
        struct wg_check_stored *s = c->stored;
        c->stored = s->next;
        wg_arena_free(&s->arena);
        free(s);
    }
}

/* The first byte of a load that is undefined. */
static uint64_t first_undefined(const struct wg_memory *m, uint64_t at, uint32_t bytes) {
    const uint8_t *s = wg_shadow_at(m, at);
    uint32_t i = 0;
    while (s && i < bytes && s[i] == UINT8_MAX) i++;
    return i < bytes ? at + i : at;
}

static uint32_t number_of(const struct wg_warp *w, uint32_t lane, const struct note *from, uint64_t *source) {
    const struct wg_grid *g = grid_of(w);
    struct wg_arena a = {0};
    struct wg_origin x = {0};
    struct note at = {first_undefined(&g->dev->memory, from->address, bytes_of(g, from->id)), from->id};
    *source = at.address;
    if (w->notes->last.id == at.id && at.address - w->notes->last.base < w->notes->last.size)
        return w->notes->last.number;
    describe(w, lane, &at, &x.memory);
    *source = x.memory.address;
    x.read_at = wg_check_place_named(&a, g->func, from->id);
    uint32_t n = x.memory.has_allocation
                     ? wg_origin_number(g->dev->origins, g->func->module->ir->text_hash[0], from->id, &x)
                     : 0;
    if (x.memory.has_allocation && !strcmp(x.memory.space, "global")) {
        w->notes->last.id = at.id;
        w->notes->last.number = n;
        w->notes->last.base = x.memory.base;
        w->notes->last.size = x.memory.size;
    }
    wg_arena_free(&a);
    return n;
}

static bool is_shuffle(const struct wg_grid *g, uint32_t id) {
    return id && g->check->sites[id].instr->op == WG_OP_SHFL;
}

/* Of a value that instruction `id` writes, and that is from no memory: a shuffle gave it of a lane that is not there, or
 * nothing set it. It is put into words once. */
static uint32_t number_of_nothing(const struct wg_warp *w, uint32_t id, const struct note *from) {
    const struct wg_grid *g = grid_of(w);
    uint64_t module = g->func->module->ir->text_hash[0];
    uint32_t lane = (uint32_t)from->address, at = from->id ? from->id : id;
    struct wg_origin x = {.memory.base = from->id ? wg_check_lane_key(w, lane) : 0};
    uint32_t number = wg_origin_known(g->dev->origins, module, at, x.memory.base);
    if (number) return number;
    struct wg_arena a = {0};
    x.says = from->id ? wg_check_lane_source(&a, w, lane, at)
                      : wg_check_written_undefined(&a, g->func, at, &g->check->sites[at]);
    number = wg_origin_number(g->dev->origins, module, at, &x);
    wg_arena_free(&a);
    return number;
}

/* A lane writes something undefined: where that is from is kept beside it. */
static void keep_origin(const struct wg_warp *w, uint32_t lane, uint32_t id, const struct note *from,
                        bool never_set, uint64_t address, uint32_t bytes) {
    struct wg_grid *g = grid_of(w);
    struct wg_memory *m = &g->dev->memory;
    uint32_t number = 0;
    uint64_t source = 0;
    if (!from->id || is_shuffle(g, from->id))
        number = number_of_nothing(w, id, from);
    else if (!wg_origin_entry(m, from->address, bytes_of(g, from->id), &number, &source))
        number = number_of(w, lane, from, &source);
    wg_origin_set(m, address, bytes, number, source);
}

/* Lanes write what a shuffle gave them of nowhere to memory that the host reads as it is: nobody copies it. */
static void tell_hosts(const struct wg_warp *w, uint32_t lanes, uint32_t id,
                       const struct note from[WG_LANES]) {
    struct wg_arena a = {0};
    uint32_t lane = (uint32_t)__builtin_ctz(lanes);
    struct wg_finding f = {.kind = WG_F_uninitialised_use,
                           .other = wg_check_place(&a, grid_of(w)->func, from[lane].id),
                           .other_site = from[lane].id,
                           .has_other = true,
                           .detail = wg_check_lane_absent(&a, w, (uint32_t)from[lane].address)};
    wg_check_found(w, lanes, id, &f);
    wg_arena_free(&a);
}

/* --strict-init: that the lanes read what nobody wrote. What a kernel wrote there is another matter. */
static void tell_read(const struct wg_warp *w, uint32_t lanes, uint32_t id, const uint64_t *address) {
    const struct wg_grid *g = grid_of(w);
    struct wg_finding f = {.kind = WG_F_uninitialised_read};
    uint32_t number, unwritten = 0;
    uint64_t source;
    WG_EACH_LANE(l, lanes) {
        bool written = wg_origin_entry(&g->dev->memory, address[l], bytes_of(g, id), &number, &source);
        unwritten |= (uint32_t)!written << l;
    }
    if (!unwritten) return;
    uint32_t lane = (uint32_t)__builtin_ctz(unwritten);
    struct note at = {first_undefined(&g->dev->memory, address[lane], bytes_of(g, id)), id};
    describe(w, lane, &at, &f.memory);
    wg_check_found(w, unwritten, id, &f);
}

void wg_check_service_undefined(struct wg_warp *w, uint32_t lanes, uint32_t id, uint32_t access,
                                const uint64_t *address) {
    struct wg_grid *g = grid_of(w);
    const struct wg_ir_instr *in = g->check->sites[id].instr;
    uint32_t bytes = wg_type_bits(in->type) / 8 * in->nvec, hosts = 0;
    bool told = access == WG_CHECK_ATOMIC && in->mod[WG_MC_AOP] != WG_M_exch;
    const struct slice *value = access == WG_CHECK_STORE ? stored_slice(g, id) : NULL;
    struct note from[WG_LANES];
    if (!w->notes) w->notes = wg_xcalloc(1, sizeof *w->notes);
    if (value) wg_check_init_shared_unknown(cta_of(w)->unit);
    WG_EACH_LANE(l, lanes) {
        if (value) from[l] = origin(w, l, value);
        if (value && is_shuffle(g, from[l].id) && wg_memory_is_hosts(&g->dev->memory, address[l])) {
            hosts |= 1u << l;
            wg_shadow_undefined(&g->dev->memory, address[l], bytes); /* its line is not whole any more */
            wg_shadow_define(&g->dev->memory, address[l], bytes);    /* reported once */
            continue;
        }
        if (value) keep_origin(w, l, id, &from[l], !value->loaded && !value->calls, address[l], bytes);
        w->notes->at[l][w->notes->n[l]++ % NOTES] = (struct note){address[l], id};
        if (told) remember(g, address[l], wg_type_bits(in->type) / 8);
        if (value) wg_shadow_undefined(&g->dev->memory, address[l], bytes);
        if (value && wg_memory_is_hosts(&g->dev->memory, address[l]))
            wg_check_init_left(g, address[l], bytes);
    }
    if (hosts) tell_hosts(w, hosts, id, from);
    if (access == WG_CHECK_LOAD && g->dev->options.strict_init) tell_read(w, lanes, id, address);
}

/* ---- copies by hardware of its own ---- */

/* Where a word that is undefined comes from. */
static void copy_origin(struct wg_warp *w, uint32_t id, uint64_t to, uint64_t from, uint64_t bytes) {
    struct wg_memory *m = &grid_of(w)->dev->memory;
    struct note at = {from, id};
    uint32_t number = 0;
    uint64_t source = 0;
    if (!w->notes) w->notes = wg_xcalloc(1, sizeof *w->notes);
    if (!wg_origin_entry(m, from, bytes, &number, &source)) number = number_of(w, 0, &at, &source);
    wg_origin_set(m, to, bytes, number, source);
}

void wg_check_init_copy(struct wg_warp *w, uint32_t id, uint64_t to, uint64_t from, uint64_t bytes,
                        bool combines) {
    enum { WORD = 4 };
    struct wg_memory *m = &grid_of(w)->dev->memory;
    uint8_t *there = wg_shadow_at(m, to), *here = wg_shadow_at(m, from);
    bool all = true;
    for (uint64_t i = 0; here && i < bytes && all; i++) all = here[i] == UINT8_MAX;
    if (!there || (all && combines)) return;
    if (all) {
        wg_shadow_define(m, to, bytes);
        return;
    }
    wg_shadow_undefined(m, to, bytes);
    wg_check_init_shared_unknown(cta_of(w)->unit);
    for (uint64_t i = 0, n; i < bytes; i += n) {
        n = bytes - i < WORD ? bytes - i : WORD;
        bool whole = true;
        for (uint64_t k = i; k < i + n; k++) whole &= here[k] == UINT8_MAX;
        if (!whole) copy_origin(w, id, to + i, from + i, n);
        if (!whole || !combines) memcpy(there + i, here + i, n);
    }
    wg_shadow_undefined(m, to, bytes);
}

/* ---- findings ---- */

/* Nothing undefined that the lane has loaded may be it. */
static bool is_from_no_memory(const struct wg_warp *w, uint32_t lane, const struct slice *s) {
    return (!s->loaded && !s->calls) || (!s->shuffles && (!w->notes || !w->notes->n[lane]));
}

void wg_check_service_defined(struct wg_warp *w, uint32_t lanes, uint32_t id, uint32_t decides) {
    static const uint8_t kinds[] = {[WG_DECIDES_BRANCH] = WG_F_uninitialised_branch,
                                    [WG_DECIDES_ADDRESS] = WG_F_uninitialised_address,
                                    [WG_DECIDES_USE] = WG_F_uninitialised_use};
    struct wg_worker *worker = cta_of(w)->unit->worker;
    uint32_t lane = (uint32_t)__builtin_ctz(lanes);
    struct wg_finding f = {.kind = (enum wg_finding_kind)kinds[decides]};
    struct wg_arena a = {0};
    worker->in_service = true;
    struct wg_origin first;
    struct slice slice = slice_of(&a, grid_of(w), id, decides);
    struct note from = origin(w, lane, &slice);
    if (from.id) {
        if (grid_of(w)->check->sites[from.id].instr->op == WG_OP_SHFL) {
            f.detail = wg_check_lane_absent(&a, w, (uint32_t)from.address);
        } else if (wg_origin_find(&grid_of(w)->dev->memory, grid_of(w)->dev->origins, from.address,
                                  bytes_of(grid_of(w), from.id), &first)) {
            if (!first.says) f.memory = first.memory;
            f.detail = first.says
                           ? first.says
                           : wg_arena_printf(
                                 &a, "the value was read there at %s, and came here through other memory",
                                 first.read_at);
        } else {
            describe(w, lane, &from, &f.memory);
        }
        if (from.id != id) {
            f.other = wg_check_place(&a, grid_of(w)->func, from.id);
            f.other_site = from.id;
            f.has_other = true;
        }
    } else if (is_from_no_memory(w, lane, &slice)) {
        f.detail = "the value is that of a variable that was never set";
    }
    wg_check_found(w, lanes, id, &f);
    wg_arena_free(&a);
    worker->in_service = false;
}
