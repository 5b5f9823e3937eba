/* See joins.h. */
#include "analysis/joins.h"
#include "analysis/address.h"
#include "analysis/extended.h"
#include "analysis/redundant.h"
#include "analysis/states.h"
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 16, WORD = 4, MOST_ZEROS = 32, SHARED_ALIGN = 4, LOCAL_ALIGN = 3 }; /* log2 */

struct joiner {
    const struct wg_ir_module *m;
    const struct wg_ir_func *f;
    const uint64_t *wanted;
    struct wg_joins *out;
    uint8_t *zeros;    /* [register] the value is a multiple of 2^zeros */
    struct wg_cfg cfg; /* definitions */
    uint32_t *version; /* [register] writes so far in the current block */
    wg_bits redundant; /* loads, by id - first */
    struct wg_extended extended;
    uint32_t block; /* at hand */
    WG_VEC(struct aligned) aligned;
};

/* What an access of so many bytes says of its root: ptxas takes the program's word for it, in that block and in those that
 * it dominates. */
struct aligned {
    uint32_t root, version, block;
    uint8_t zeros;
};

/* An access that may be joined. Accesses with equal keys are at constant distances. */
struct access {
    const struct wg_ir_instr *in;
    uint32_t root, version, guard, guard_version; /* root: register, or nregs + symbol */
    int64_t offset;
    uint32_t bytes;
    bool store, taken;
};
struct window {
    WG_VEC(struct access) v;
};

/* ---- alignment ---- */

static uint8_t least(uint8_t a, uint8_t b) { return a < b ? a : b; }

static uint8_t zeros_of_number(uint64_t x) {
    return x ? least((uint8_t)__builtin_ctzll(x), MOST_ZEROS) : MOST_ZEROS;
}

/* What ptxas takes for certain of a variable's address: not how one in global memory is declared. */
static uint8_t zeros_of_symbol(const struct wg_ir_sym *s) {
    if (s->kind == WG_SYM_GLOBAL) return 0;
    uint8_t declared = zeros_of_number(s->align ? s->align : 1);
    if (s->kind == WG_SYM_SHARED) return zeros_of_number(s->offset);
    if (s->kind == WG_SYM_LOCAL && declared < LOCAL_ALIGN) return LOCAL_ALIGN;
    return s->kind == WG_SYM_DYNSHARED && declared < SHARED_ALIGN ? SHARED_ALIGN : declared;
}

static uint8_t zeros_of(const struct joiner *x, const struct wg_ir_opd *o) {
    if (o->kind == WG_O_REG) return x->zeros[o->index];
    if (o->kind == WG_O_IMM) return zeros_of_number(o->imm);
    if (o->kind == WG_O_SYM) {
        const struct wg_ir_sym *s = &x->m->syms[o->index];
        if (s->kind == WG_SYM_SHARED) return zeros_of_number(s->offset + o->imm);
        return least(zeros_of_symbol(s), zeros_of_number(o->imm));
    }
    return 0;
}

static uint8_t zeros_of_result(const struct joiner *x, const struct wg_ir_instr *in) {
    uint8_t a = in->nsrc > 0 ? zeros_of(x, &in->src[0]) : 0, b = in->nsrc > 1 ? zeros_of(x, &in->src[1]) : 0;
    if (in->mod[WG_MC_SAT] != WG_M_none) return 0; /* a limit's bits are ones */
    switch (in->op) {
    case WG_OP_MOV:
    case WG_OP_CVTA:
    case WG_OP_CVTA_TO: return a;
    case WG_OP_CVT: {
        bool whole = wg_type_kind(in->type) != WG_K_F && wg_type_kind(in->type2) != WG_K_F;
        return whole ? a : 0;
    }
    case WG_OP_ADD_I:
    case WG_OP_SUB_I: return least(a, b);
    case WG_OP_MUL_I:
    case WG_OP_MAD_I: {
        if (in->mod[WG_MC_MULW] == WG_M_hi) return 0;
        uint8_t product = least((uint8_t)(a + b), MOST_ZEROS);
        return in->op == WG_OP_MAD_I ? least(product, zeros_of(x, &in->src[2])) : product;
    }
    case WG_OP_SHL: return in->src[1].kind == WG_O_IMM ? least((uint8_t)(a + in->src[1].imm), MOST_ZEROS) : a;
    case WG_OP_AND: return a > b ? a : b;
    case WG_OP_OR:
    case WG_OP_XOR: return least(a, b);
    case WG_OP_SELP: return least(a, b);
    default: return 0;
    }
}

/* Optimistic data flow: starts from all bits zero, and lowers to what every definition allows. */
static void find_zeros(struct joiner *x) {
    const struct wg_ir_func *f = x->f;
    memset(x->zeros, MOST_ZEROS, f->nregs);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = 0; b < f->nblocks; b++)
            for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
                const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
                for (uint32_t d = 0; d < in->ndst; d++) {
                    if (in->dst[d].kind != WG_O_REG) continue;
                    uint8_t *z = &x->zeros[in->dst[d].index], now = d ? 0 : zeros_of_result(x, in);
                    if (now < *z) *z = now, changed = true;
                }
                for (uint32_t d = 0; in->op == WG_OP_CALL && d < in->call->nrets; d++) {
                    const struct wg_ir_opd *o = &in->call->rets[d].value;
                    if (o->kind == WG_O_REG && x->zeros[o->index]) x->zeros[o->index] = 0, changed = true;
                }
            }
    }
}

/* ---- accesses ---- */

static void normalise(const struct joiner *x, const struct wg_ir_opd *o, int64_t offset, struct access *a) {
    struct wg_address at = wg_address_of(x->m, &x->cfg, o, offset, false);
    a->root = at.root;
    a->offset = at.offset;
    if (at.root < x->f->nregs) a->version = x->version[at.root];
}

/* Registers that several instructions write are known to be aligned in their block alone, until they are written. */
static bool holds_at(const struct joiner *x, const struct aligned *k, const struct access *a) {
    if (k->root != a->root) return false;
    if (k->root < x->f->nregs && !x->cfg.def[k->root])
        return k->block == x->block && k->version == a->version;
    return wg_dominates(&x->cfg, k->block, x->block);
}

static uint8_t root_zeros(const struct joiner *x, const struct access *a) {
    uint32_t root = a->root, symbol = root - x->f->nregs;
    uint8_t most = root < x->f->nregs      ? x->zeros[root]
                   : symbol == x->m->nsyms ? MOST_ZEROS
                                           : zeros_of_symbol(&x->m->syms[symbol]);
    for (uint32_t i = 0; i < x->aligned.n; i++)
        if (x->aligned.v[i].zeros > most && holds_at(x, &x->aligned.v[i], a)) most = x->aligned.v[i].zeros;
    return most;
}

/* Of vectors of bytes and 16 bits, what they fill: words. */
static uint32_t element_bits(const struct wg_ir_instr *in) {
    uint32_t bits = wg_type_bits(in->type), all = bits * in->nvec;
    return bits < 32 && all >= 32 ? 32 : bits;
}

static bool is_plain(const struct wg_ir_instr *in) {
    bool space = in->space == WG_S_SHARED || in->space == WG_S_GLOBAL || in->space == WG_S_LOCAL;
    return (in->op == WG_OP_LD || in->op == WG_OP_ST) && space && wg_ir_is_weak(in) &&
           in->src[0].kind != WG_O_IMM && element_bits(in) >= 16;
}

/* An access at `offset` of so many bytes, aligned for sure? */
static bool is_aligned(const struct joiner *x, const struct access *a, int64_t offset, uint32_t bytes) {
    return offset % bytes == 0 && 1u << least(root_zeros(x, a), 16) >= bytes;
}

/* Elements of one size, and both of read-only memory or neither. */
static bool same_kind(const struct wg_ir_instr *a, const struct wg_ir_instr *b) {
    return element_bits(a) == element_bits(b) && a->mod[WG_MC_CACHE] == b->mod[WG_MC_CACHE] &&
           a->mod[WG_MC_CACHE2] == b->mod[WG_MC_CACHE2];
}

static bool same_key(const struct access *a, const struct access *b) {
    return same_kind(a->in, b->in) && a->root == b->root && a->version == b->version &&
           a->guard == b->guard && a->guard_version == b->guard_version && a->store == b->store &&
           a->in->space == b->in->space;
}

static struct wg_join *join_of(struct joiner *x, const struct access *a) {
    return &x->out->of[a->in->id - x->out->first];
}

/* Merges the window's accesses in [offset, offset + bytes), if there are several. What a vector in global memory has
 * already is loaded again. */
static void make_one(struct joiner *x, struct window *w, const struct access *key, int64_t offset,
                     uint32_t bytes) {
    struct access *leader = NULL;
    for (uint32_t i = 0; key->in->space == WG_S_GLOBAL && i < w->v.n; i++) {
        const struct access *a = &w->v.v[i];
        if (!a->taken && same_key(a, key) && a->offset == offset && a->bytes >= bytes) return;
    }
    for (uint32_t i = 0; i < w->v.n; i++) {
        struct access *a = &w->v.v[i];
        if (a->taken || a->bytes > bytes || !same_key(a, key)) continue;
        if (a->offset < offset || a->offset >= offset + bytes) continue;
        a->taken = true;
        if (!leader) {
            leader = a;
            struct wg_join *j = join_of(x, a);
            j->bytes = (uint8_t)bytes;
            j->shift = (int8_t)(j->shift + offset - a->offset);
        } else {
            join_of(x, a)->into = leader->in->id;
            join_of(x, leader)->joined++;
        }
    }
}

/* Which units of `unit` bytes of the aligned chunk are asked for, a bit each, by accesses of that size to `most` bytes. */
static uint32_t units_asked(const struct window *w, const struct access *key, int64_t chunk, uint32_t unit,
                            uint32_t most) {
    uint32_t asked = 0;
    for (uint32_t i = 0; i < w->v.n; i++) {
        const struct access *a = &w->v.v[i];
        if (a->taken || !same_key(a, key) || a->offset < chunk || a->offset >= chunk + CHUNK) continue;
        if (a->bytes < unit || a->bytes > most) continue;
        for (uint32_t k = 0; k < a->bytes / unit; k++)
            asked |= 1u << ((uint64_t)(a->offset - chunk) / unit + k);
    }
    return asked;
}

/* One aligned 16 bytes: whole, else its halves, else pairs of 16 bits. */
static void join_chunk(struct joiner *x, struct window *w, const struct access *key, int64_t chunk) {
    uint32_t words = units_asked(w, key, chunk, WORD, CHUNK), wide = is_aligned(x, key, chunk, CHUNK);
    bool most = !key->store && __builtin_popcount(words) == 3;
    if (wide && (words == 15 || most)) {
        make_one(x, w, key, chunk, CHUNK);
        return;
    }
    words = units_asked(w, key, chunk, WORD, 8);
    for (int64_t half = 0; half < 2; half++) {
        int64_t at = chunk + half * 8;
        if (!is_aligned(x, key, at, 8)) continue;
        uint32_t halves = units_asked(w, key, chunk, 2, 8) >> half * 4 & 15;
        if ((words >> half * 2 & 3) == 3 || halves == 15) make_one(x, w, key, at, 8);
    }
    for (int64_t pair = 0; pair < 4; pair++) {
        int64_t at = chunk + pair * 4;
        uint32_t halves = units_asked(w, key, chunk, 2, WORD) >> pair * 2 & 3;
        if (halves == 3 && is_aligned(x, key, at, 4)) make_one(x, w, key, at, 4);
    }
}

static int64_t chunk_of(int64_t offset) {
    int64_t r = offset % CHUNK;
    return offset - (r < 0 ? r + CHUNK : r);
}

static void close_window(struct joiner *x, struct window *w) {
    for (uint32_t i = 0; i < w->v.n; i++) {
        struct access key = w->v.v[i];
        if (!key.taken) join_chunk(x, w, &key, chunk_of(key.offset));
        w->v.v[i].taken = true;
    }
    w->v.n = 0;
}

/* ---- what comes between ---- */

enum { SHARED_LOADS, SHARED_STORES, GLOBAL_LOADS, GLOBAL_STORES, LOCAL_LOADS, LOCAL_STORES, WINDOWS };

static void close_all(struct joiner *x, struct window w[WINDOWS]) {
    for (int i = 0; i < WINDOWS; i++) close_window(x, &w[i]);
}

/* ---- vectors ---- */

static uint32_t wanted_elements(const struct joiner *x, const struct wg_ir_instr *in) {
    uint32_t elements = 0;
    for (uint32_t i = 0; i < in->nvec && i < in->ndst; i++)
        if (in->dst[i].kind == WG_O_REG && wg_bits_has(x->wanted, in->dst[i].index)) elements |= 1u << i;
    return elements;
}

/* The load of an aligned vector by its live elements: whole, half, one, or two that are apart. */
static void narrow_load(const struct joiner *x, const struct wg_ir_instr *in, struct wg_join *j) {
    uint32_t elements = wanted_elements(x, in), each = wg_type_bits(in->type) / 8, n = in->nvec;
    uint32_t low = elements ? (uint32_t)__builtin_ctz(elements) : 0,
             high = 31 - (uint32_t)__builtin_clz(elements | 1);
    j->dropped = elements == 0;
    if (n == 1 || each < 2 || n > 4 || n * each > CHUNK || elements == (1u << n) - 1) return;
    if (low == high || (high == low + 1 && low % 2 == 0)) {
        j->bytes = (uint8_t)(each * (high - low + 1));
        j->shift = (int8_t)(low * each);
    } else if (each == WORD && __builtin_popcount(elements) == 2) {
        j->bytes = j->also_bytes = (uint8_t)each;
        j->shift = (int8_t)(low * each);
        j->also_shift = (int8_t)(high * each);
    }
}

static void take_access(struct joiner *x, struct window w[WINDOWS], const struct wg_ir_instr *in) {
    bool store = in->op == WG_OP_ST;
    uint32_t loads = in->space == WG_S_SHARED   ? SHARED_LOADS
                     : in->space == WG_S_GLOBAL ? GLOBAL_LOADS
                                                : LOCAL_LOADS;
    uint32_t own = loads + store, other = own ^ 1;
    struct wg_join *j = &x->out->of[in->id - x->out->first];
    if (!store) narrow_load(x, in, j);
    struct access a = {.in = in,
                       .store = store,
                       .guard = in->guard,
                       .guard_version = in->guard == WG_NO_REG ? 0 : x->version[in->guard],
                       .bytes = j->bytes};
    if (j->dropped) return;
    close_window(x, &w[other]);
    if (j->also_bytes || wg_load_extends(&x->extended, x->f, in)) return;
    normalise(x, &in->src[0], in->offset + j->shift, &a);
    *WG_PUSH(&w[own].v) = a;
}

static bool is_redundant(const struct joiner *x, const struct wg_ir_instr *in) {
    uint32_t at = in->id - x->out->first;
    return x->redundant && at < x->out->n && wg_bits_has(x->redundant, at);
}

/* Of registers, and of variables in global memory: of others the address is known. */
static bool is_unknown(const struct joiner *x, uint32_t root) {
    uint32_t symbol = root - x->f->nregs;
    return root < x->f->nregs || (symbol < x->m->nsyms && x->m->syms[symbol].kind == WG_SYM_GLOBAL);
}

static void note_alignment(struct joiner *x, const struct wg_ir_instr *in) {
    struct access a = {.in = in};
    uint32_t bytes = wg_type_bits(in->type) / 8 * in->nvec;
    bool access = in->op == WG_OP_LD || in->op == WG_OP_ST;
    if (!access || in->guard != WG_NO_REG || in->space == WG_S_PARAM || bytes > CHUNK) return;
    normalise(x, &in->src[0], in->offset, &a);
    uint8_t zeros = zeros_of_number(bytes);
    if (!is_unknown(x, a.root) || a.offset % bytes != 0 || zeros <= root_zeros(x, &a)) return;
    *WG_PUSH(&x->aligned) = (struct aligned){a.root, a.version, x->block, zeros};
}

static void count_writes(struct joiner *x, const struct wg_ir_instr *in) {
    for (uint32_t d = 0; d < in->ndst; d++)
        if (in->dst[d].kind == WG_O_REG) x->version[in->dst[d].index]++;
}

/* What the accesses of all blocks say; versions are the same when the blocks are walked again. */
static void find_aligned(struct joiner *x) {
    const struct wg_ir_func *f = x->f;
    for (x->block = 0; x->block < f->nblocks; x->block++)
        for (uint32_t i = 0; i < f->blocks[x->block].ninstrs; i++) {
            note_alignment(x, &f->blocks[x->block].instrs[i]);
            count_writes(x, &f->blocks[x->block].instrs[i]);
        }
    memset(x->version, 0, f->nregs * sizeof *x->version);
}

static void join_block(struct joiner *x, const struct wg_ir_block *b, struct window w[WINDOWS]) {
    for (uint32_t i = 0; i < b->ninstrs; i++) {
        const struct wg_ir_instr *in = &b->instrs[i];
        bool access = (in->op == WG_OP_LD || in->op == WG_OP_ST) && in->id;
        if (access && in->id - x->out->first < x->out->n) {
            struct wg_join *j = &x->out->of[in->id - x->out->first];
            *j = (struct wg_join){.bytes = (uint8_t)(wg_type_bits(in->type) / 8 * in->nvec), .joined = 1};
        }
        if (access && is_redundant(x, in))
            x->out->of[in->id - x->out->first].dropped = true;
        else if (access && is_plain(in))
            take_access(x, w, in);
        else if (wg_is_wall(x->m, in) ||
                 (access && in->space != WG_S_PARAM && in->space != WG_S_CONST && in->space != WG_S_LOCAL))
            close_all(x, w);
        count_writes(x, in);
    }
    close_all(x, w);
}

/* ---- across blocks ---- */

/* A load that remains, as wide as it has become. */
struct item {
    struct wg_join *j;
    const struct wg_ir_instr *in;
    struct wg_address at;
    uint32_t block, number; /* of the instruction in it */
    uint32_t order;         /* of the block among those that dominate others */
    uint32_t memory_state, root_state;
};

struct across {
    struct joiner *x;
    struct wg_arena arena;
    enum wg_space space; /* at hand */
    uint32_t reg;        /* at hand */
    WG_VEC(struct item) items;
};

static bool changes_space(const void *across, const struct wg_ir_instr *in) {
    const struct across *y = across;
    return wg_changes_memory(y->x->m, in, y->space);
}

static bool changes_reg(const void *across, const struct wg_ir_instr *in) {
    return wg_writes(in, ((const struct across *)across)->reg);
}

static bool is_item(const struct across *y, const struct wg_ir_instr *in) {
    const struct joiner *x = y->x;
    if (in->op != WG_OP_LD || in->space != y->space || !is_plain(in) || element_bits(in) < 8 * WORD ||
        in->guard != WG_NO_REG || !in->id || in->id - x->out->first >= x->out->n)
        return false;
    const struct wg_join *j = &x->out->of[in->id - x->out->first];
    return !j->into && !j->dropped && !j->also_bytes && j->bytes >= WORD;
}

static void add_items(struct across *y) {
    const struct wg_ir_func *f = y->x->f;
    const uint32_t *memory = wg_states(&y->arena, f, changes_space, y);
    for (uint32_t b = 0; b < f->nblocks; b++) {
        uint32_t state = memory[b];
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
            if (changes_space(y, in)) state = wg_state_after(in);
            if (!is_item(y, in)) continue;
            struct wg_join *j = &y->x->out->of[in->id - y->x->out->first];
            *WG_PUSH(&y->items) = (struct item){
                .j = j,
                .in = in,
                .at = wg_address_of(y->x->m, &y->x->cfg, &in->src[0], in->offset + j->shift, false),
                .block = b,
                .number = i,
                .order = y->x->cfg.dom_number[b],
                .memory_state = state};
        }
    }
}

/* Registers that several instructions write have states, too. */
static void find_root_states(struct across *y) {
    const struct wg_ir_func *f = y->x->f;
    uint32_t **states = WG_NEW_N(&y->arena, uint32_t *, f->nregs + 1);
    for (uint32_t k = 0; k < y->items.n; k++) {
        struct item *t = &y->items.v[k];
        y->reg = t->at.root;
        if (y->reg >= f->nregs || y->x->cfg.def[y->reg]) continue;
        if (!states[y->reg]) states[y->reg] = wg_states(&y->arena, f, changes_reg, y);
        const struct wg_ir_instr *reader = t->at.reader ? t->at.reader : t->in;
        uint32_t block = t->at.reader ? y->x->cfg.def_block[reader->dst[0].index] : t->block;
        t->root_state = states[y->reg][block];
        for (const struct wg_ir_instr *in = f->blocks[block].instrs; in < reader; in++)
            if (changes_reg(y, in)) t->root_state = wg_state_after(in);
    }
}

static int by_dominance(const void *a, const void *b) {
    const struct item *x = a, *y = b;
    if (x->order != y->order) return x->order < y->order ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

/* Whether `t`, which comes first, may be as wide as to be `o`, too: `bytes` from `from` on. */
static bool may_be_one(const struct across *y, const struct item *t, const struct item *o, int64_t from,
                       uint32_t bytes) {
    return !o->j->into && same_kind(t->in, o->in) && o->j->bytes < bytes && t->at.root == o->at.root &&
           t->root_state == o->root_state && t->memory_state == o->memory_state && o->at.offset >= from &&
           o->at.offset < from + bytes && wg_dominates(&y->x->cfg, t->block, o->block);
}

/* Joins the first item and those that it dominates to an aligned access of so many bytes, if they fill it. */
static bool join_below(struct across *y, uint32_t first, uint32_t bytes) {
    struct item *t = &y->items.v[first];
    struct access key = {.root = t->at.root, .version = UINT32_MAX};
    uint32_t words = 0, all = (1u << bytes / WORD) - 1;
    int64_t chunk = chunk_of(t->at.offset), from = chunk + (t->at.offset - chunk) / bytes * bytes;
    y->x->block = t->block;
    if (t->j->into || t->j->bytes >= bytes || !is_aligned(y->x, &key, from, bytes)) return false;
    for (uint32_t i = first; i < y->items.n; i++) {
        const struct item *o = &y->items.v[i];
        if (may_be_one(y, t, o, from, bytes))
            words |= ((1u << o->j->bytes / WORD) - 1) << (o->at.offset - from) / WORD;
    }
    if ((words & all) != all && (bytes < CHUNK || __builtin_popcount(words) != 3)) return false;
    for (uint32_t i = first + 1; i < y->items.n; i++) {
        const struct item *o = &y->items.v[i];
        if (!may_be_one(y, t, o, from, bytes)) continue;
        o->j->into = t->in->id;
        t->j->joined += o->j->joined;
    }
    t->j->shift = (int8_t)(t->j->shift + from - t->at.offset);
    t->j->bytes = (uint8_t)bytes;
    t->at.offset = from;
    return true;
}

static void join_across(struct joiner *x, enum wg_space space) {
    enum { MOST = 4096 };
    struct across y = {.x = x, .space = space};
    add_items(&y);
    if (y.items.n > 1 && y.items.n <= MOST) {
        find_root_states(&y);
        qsort(y.items.v, y.items.n, sizeof *y.items.v, by_dominance);
        for (uint32_t i = 0; i < y.items.n; i++)
            if (!join_below(&y, i, CHUNK)) join_below(&y, i, CHUNK / 2);
    }
    free(y.items.v);
    wg_arena_free(&y.arena);
}

struct wg_joins wg_joins_find(struct wg_arena *a, const struct wg_ir_module *m, const struct wg_ir_func *f,
                              const uint64_t *wanted) {
    struct wg_joins out = {.first = UINT32_MAX};
    uint32_t last = 0;
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
            uint32_t id = f->blocks[b].instrs[i].id;
            if (id < out.first) out.first = id;
            if (id > last) last = id;
        }
    if (out.first > last) out.first = last;
    out.n = last - out.first + 1;
    out.of = WG_NEW_N(a, struct wg_join, out.n);
    struct joiner x = {.m = m,
                       .f = f,
                       .wanted = wanted,
                       .out = &out,
                       .zeros = wg_xcalloc(f->nregs + 1, 1),
                       .cfg = {.func = f},
                       .version = wg_xcalloc(f->nregs + 1, sizeof *x.version)};
    struct window w[WINDOWS] = {0};
    wg_cfg_definitions(&x.cfg);
    find_zeros(&x);
    x.redundant = wg_redundant_loads(a, m, f, wanted, out.first, out.n);
    x.extended = wg_extended_find(a, f);
    wg_cfg_dominators(&x.cfg);
    find_aligned(&x);
    for (x.block = 0; x.block < f->nblocks; x.block++) join_block(&x, &f->blocks[x.block], w);
    join_across(&x, WG_S_SHARED);
    join_across(&x, WG_S_LOCAL);
    for (int i = 0; i < WINDOWS; i++) free(w[i].v.v);
    free(x.zeros);
    free(x.aligned.v);
    wg_arena_free(&x.cfg.arena);
    free(x.version);
    return out;
}
