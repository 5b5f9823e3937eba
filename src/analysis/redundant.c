/* See redundant.h. */
#include "analysis/redundant.h"
#include "analysis/address.h"

#include <stdlib.h>
#include <string.h>

/* Memories that have a state of their own. */
enum memory { GLOBAL, SHARED, LOCAL, CONSTANT, MEMORIES };

/* A value in memory, which a register may hold. */
struct place {
    int64_t offset; /* from the register or symbol: address.h */
    uint32_t root;
    uint8_t memory, bytes, elements; /* bytes of an element */
    bool sign;                       /* of less than 32 bits */
};

struct finder {
    struct wg_arena *arena;
    const struct wg_ir_module *m;
    const struct wg_ir_func *f;
    const uint64_t *wanted;
    struct wg_cfg cfg; /* definitions */
    WG_VEC(struct place) places;
    uint32_t *slot, mask; /* hash table of places, number + 1 */
    wg_bits in[MEMORIES]; /* places of each memory */
    wg_bits *rooted;      /* [register] places at it; NULL: none */
    wg_bits *out;         /* [block] held at its end */
    uint32_t first;
};

bool wg_is_wall(const struct wg_ir_module *m, const struct wg_ir_instr *in) {
    if (wg_ir_has_slow_path(in)) return true;
    switch (in->op) {
    case WG_OP_CALL: return in->call->func == WG_NO_REG || !m->funcs[in->call->func].within; /* a texture's */
    case WG_OP_BAR_WARP:
    case WG_OP_MEMBAR:
    case WG_OP_FENCE:
    case WG_OP_ATOM:
    case WG_OP_RED: return true;
    default: return wg_op_flags(in->op) & (WG_F_WAIT | WG_F_EFFECT);
    }
}

bool wg_changes_memory(const struct wg_ir_module *m, const struct wg_ir_instr *in, enum wg_space space) {
    if (in->op == WG_OP_LD) return false;
    if (in->op == WG_OP_ST || wg_op_is(in->op, WG_IS_ATOMIC))
        return in->space == space || in->space == WG_S_GENERIC || in->space == WG_S_CLUSTER;
    return wg_is_wall(m, in) || wg_op_flags(in->op) & (WG_F_MEM | WG_F_BULK);
}

/* ---- Places ---- */

static bool is_read_only(const struct wg_ir_instr *in) {
    return in->mod[WG_MC_CACHE] == WG_M_nc || in->mod[WG_MC_CACHE2] == WG_M_nc;
}

/* MEMORIES: the instruction's memory is not known, or has no place. */
static enum memory memory_of(const struct wg_ir_instr *in) {
    switch (in->space) {
    case WG_S_GLOBAL: return is_read_only(in) ? CONSTANT : GLOBAL;
    case WG_S_SHARED: return SHARED;
    case WG_S_LOCAL: return LOCAL;
    default: return MEMORIES;
    }
}

static bool has_place(const struct wg_ir_instr *in) {
    return (in->op == WG_OP_LD || in->op == WG_OP_ST) && memory_of(in) != MEMORIES && wg_ir_is_weak(in) &&
           in->src[0].kind != WG_O_IMM;
}

static struct place place_of(const struct finder *x, const struct wg_ir_instr *in, uint32_t element,
                             uint32_t elements) {
    uint32_t bits = wg_type_bits(in->type);
    struct wg_address at = wg_address_of(x->m, &x->cfg, &in->src[0], in->offset + element * bits / 8, true);
    return (struct place){.offset = at.offset,
                          .root = at.root,
                          .memory = (uint8_t)memory_of(in),
                          .bytes = (uint8_t)(bits / 8),
                          .elements = (uint8_t)elements,
                          .sign = bits < 32 && wg_type_kind(in->type) == WG_K_S};
}

static bool same_place(const struct place *a, const struct place *b) {
    return a->root == b->root && a->offset == b->offset && a->memory == b->memory && a->bytes == b->bytes &&
           a->elements == b->elements && a->sign == b->sign;
}

static uint32_t slot_of(const struct finder *x, const struct place *p) {
    uint64_t h = (p->root * UINT64_C(0x9e3779b97f4a7c15)) ^ ((uint64_t)p->offset << 8);
    h = (h ^ p->memory ^ (uint64_t)p->bytes << 3 ^ (uint64_t)p->elements << 8) * UINT64_C(0xff51afd7ed558ccd);
    uint32_t at = (uint32_t)(h >> 32) & x->mask;
    while (x->slot[at] && !same_place(&x->places.v[x->slot[at] - 1], p)) at = (at + 1) & x->mask;
    return at;
}

static void add_place(struct finder *x, const struct wg_ir_instr *in, uint32_t element, uint32_t elements) {
    struct place p = place_of(x, in, element, elements);
    uint32_t at = slot_of(x, &p);
    if (x->slot[at]) return;
    *WG_PUSH(&x->places) = p;
    x->slot[at] = x->places.n;
}

/* The number of a place that add_place has seen. */
static uint32_t number_of(const struct finder *x, const struct wg_ir_instr *in, uint32_t element,
                          uint32_t elements) {
    struct place p = place_of(x, in, element, elements);
    return x->slot[slot_of(x, &p)] - 1;
}

static void add_places(struct finder *x, const struct wg_ir_instr *in) {
    if (!has_place(in)) return;
    add_place(x, in, 0, in->nvec);
    for (uint32_t i = 0; in->op == WG_OP_ST && in->nvec > 1 && i < in->nvec; i++) add_place(x, in, i, 1);
}

static void sort_places(struct finder *x) {
    uint32_t n = x->places.n;
    for (int i = 0; i < MEMORIES; i++) x->in[i] = wg_bits_new(x->arena, n);
    x->rooted = WG_NEW_N(x->arena, wg_bits, x->f->nregs + 1);
    for (uint32_t i = 0; i < n; i++) {
        const struct place *p = &x->places.v[i];
        wg_bits_add(x->in[p->memory], i);
        if (p->root >= x->f->nregs) continue;
        if (!x->rooted[p->root]) x->rooted[p->root] = wg_bits_new(x->arena, n);
        wg_bits_add(x->rooted[p->root], i);
    }
}

/* ---- What is held ---- */

static void forget(const struct finder *x, wg_bits held, const uint64_t *which) {
    for (uint32_t i = 0; i < (x->places.n + 63) / 64; i++) held[i] &= ~which[i];
}

static void forget_changed(const struct finder *x, wg_bits held, const struct wg_ir_instr *in) {
    static const enum wg_space spaces[CONSTANT] = {WG_S_GLOBAL, WG_S_SHARED, WG_S_LOCAL};
    for (enum memory i = 0; i < CONSTANT; i++)
        if (wg_changes_memory(x->m, in, spaces[i])) forget(x, held, x->in[i]);
}

static bool all_wanted(const struct finder *x, const struct wg_ir_instr *in) {
    for (uint32_t i = 0; i < in->ndst; i++)
        if (in->dst[i].kind != WG_O_REG || !wg_bits_has(x->wanted, in->dst[i].index)) return false;
    return true;
}

struct walk {
    struct finder *x;
    wg_bits held;
};

static void forget_rooted(void *walk, uint32_t reg) {
    struct walk *w = walk;
    if (reg < w->x->f->nregs && w->x->rooted[reg]) forget(w->x, w->held, w->x->rooted[reg]);
}

static void pass_store(struct walk *w, const struct wg_ir_instr *in) {
    if (!has_place(in) || in->guard != WG_NO_REG) return;
    wg_bits_add(w->held, number_of(w->x, in, 0, in->nvec));
    for (uint32_t i = 0; in->nvec > 1 && i < in->nvec; i++) wg_bits_add(w->held, number_of(w->x, in, i, 1));
}

/* A load into the register that its own address is made of leaves nothing. */
static void pass(struct walk *w, const struct wg_ir_instr *in, wg_bits found) {
    struct finder *x = w->x;
    bool load = in->op == WG_OP_LD && has_place(in);
    forget_changed(x, w->held, in);
    if (in->op == WG_OP_ST) pass_store(w, in);
    uint32_t place = load ? number_of(x, in, 0, in->nvec) : 0;
    if (load && found && wg_bits_has(w->held, place)) wg_bits_add(found, in->id - x->first);
    if (load && in->guard == WG_NO_REG && all_wanted(x, in)) wg_bits_add(w->held, place);
    wg_each_def(in, forget_rooted, w);
}

static void pass_block(struct walk *w, uint32_t block, wg_bits found) {
    const struct wg_ir_block *b = &w->x->f->blocks[block];
    uint32_t words = (w->x->places.n + 63) / 64;
    memset(w->held, block && b->npred ? 0xff : 0, words * sizeof *w->held);
    for (uint32_t i = 0; block && i < b->npred; i++)
        for (uint32_t k = 0; k < words; k++) w->held[k] &= w->x->out[b->pred[i]][k];
    for (uint32_t i = 0; i < b->ninstrs; i++) pass(w, &b->instrs[i], found);
}

/* Optimistic data flow: from everything held to what every path leaves. */
static void find_held(struct walk *w) {
    struct finder *x = w->x;
    uint32_t words = (x->places.n + 63) / 64;
    x->out = WG_NEW_N(x->arena, wg_bits, x->f->nblocks);
    for (uint32_t b = 0; b < x->f->nblocks; b++) {
        x->out[b] = wg_bits_new(x->arena, x->places.n);
        memset(x->out[b], 0xff, words * sizeof *x->out[b]);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = 0; b < x->f->nblocks; b++) {
            pass_block(w, b, NULL);
            if (!memcmp(w->held, x->out[b], words * sizeof *w->held)) continue;
            memcpy(x->out[b], w->held, words * sizeof *w->held);
            changed = true;
        }
    }
}

wg_bits wg_redundant_loads(struct wg_arena *a, const struct wg_ir_module *m, const struct wg_ir_func *f,
                           const uint64_t *wanted, uint32_t first, uint32_t n) {
    enum { MOST = 1 << 26 }; /* bits: 8 MB */
    uint32_t accesses = 0;
    struct wg_arena scratch = {0};
    struct finder x = {
        .arena = &scratch, .m = m, .f = f, .wanted = wanted, .cfg = {.func = f}, .first = first};
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++)
            if (has_place(&f->blocks[b].instrs[i])) accesses += 1u + f->blocks[b].instrs[i].nvec;
    if ((uint64_t)accesses * f->nblocks > MOST) return NULL;
    for (x.mask = 15; x.mask < 2 * accesses;) x.mask = 2 * x.mask + 1;
    x.slot = WG_NEW_N(&scratch, uint32_t, x.mask + 1);
    wg_cfg_definitions(&x.cfg);
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) add_places(&x, &f->blocks[b].instrs[i]);
    sort_places(&x);
    struct walk w = {&x, wg_bits_new(&scratch, x.places.n)};
    find_held(&w);
    wg_bits found = wg_bits_new(a, n);
    for (uint32_t b = 0; b < f->nblocks; b++) pass_block(&w, b, found);
    free(x.places.v);
    wg_arena_free(&x.cfg.arena);
    wg_arena_free(&scratch);
    return found;
}
