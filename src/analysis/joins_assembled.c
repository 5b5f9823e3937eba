/* What the machine code says of loads and stores, in the place of what the rules of joins.c expect: which are there, and
 * how wide they are. */
#include "analysis/address.h"
#include "analysis/joins.h"
#include "analysis/sass_accesses.h"

#include <stdlib.h>
#include <string.h>

/* A load or store, and what its line has. */
struct item {
    const struct wg_ir_instr *in;
    struct wg_join *j;
    struct wg_sass_access made;
    struct wg_address at;
    uint32_t block;
    uint8_t own; /* bytes of a lane, as the PTX has it */
    bool alone;  /* on its line */
    bool absent; /* the machine has none */
};

struct correction {
    const struct wg_ir_module *m;
    const struct wg_ir_func *f;
    const uint64_t *wanted;
    const struct wg_sass_accesses *made;
    struct wg_cfg cfg; /* definitions, dominators */
    WG_VEC(struct item) items;
};

/* ---- What there is ---- */

static bool has_line(const struct wg_sass_accesses *made, uint32_t line) {
    return line < made->nlines && made->any[line];
}

/* Whether the function is among what was assembled. */
static bool is_assembled(const struct wg_ir_func *f, const struct wg_sass_accesses *made) {
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++)
            if (has_line(made, f->blocks[b].instrs[i].ptx_line)) return true;
    return false;
}

static void add_item(struct correction *x, const struct wg_joins *out, const struct wg_ir_instr *in,
                     uint32_t block) {
    const struct wg_sass_access *made = in->op == WG_OP_ST ? x->made->stores : x->made->loads;
    struct item t = {.in = in, .block = block, .alone = true};
    if ((in->op != WG_OP_LD && in->op != WG_OP_ST) || in->space == WG_S_PARAM || in->space == WG_S_CONST ||
        !in->id || in->id - out->first >= out->n)
        return;
    if (in->ptx_line < x->made->nlines) t.made = made[in->ptx_line];
    t.j = &out->of[in->id - out->first];
    t.own = (uint8_t)(wg_type_bits(in->type) / 8 * in->nvec);
    t.absent = t.made.n == 0;
    t.at = wg_address_of(x->m, &x->cfg, &in->src[0], in->offset, false);
    for (uint32_t i = 0; i < x->items.n; i++) {
        struct item *o = &x->items.v[i];
        if (o->in->ptx_line == in->ptx_line && o->in->op == in->op) o->alone = t.alone = false;
    }
    *WG_PUSH(&x->items) = t;
}

/* ---- Corrections ---- */

static uint8_t first_wanted(const struct correction *x, const struct wg_ir_instr *in) {
    for (uint32_t i = 0; i < in->nvec && i < in->ndst; i++)
        if (in->dst[i].kind == WG_O_REG && wg_bits_has(x->wanted, in->dst[i].index))
            return (uint8_t)(i * wg_type_bits(in->type) / 8);
    return 0;
}

/* Whether a lane comes to both: one dominates the other. */
static bool on_one_way(const struct correction *x, const struct item *t, const struct item *o) {
    return wg_dominates(&x->cfg, o->block, t->block) || wg_dominates(&x->cfg, t->block, o->block);
}

/* How many accesses that are not there fit between `from` and the end of what `t` is. */
static uint32_t members(const struct correction *x, const struct item *t, int64_t from) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < x->items.n; i++) {
        const struct item *o = &x->items.v[i];
        n += o->absent && o->alone && o->in->op == t->in->op && o->in->space == t->in->space &&
             o->at.root == t->at.root && o->at.offset >= from &&
             o->at.offset + o->own <= from + t->made.bytes[0] && on_one_way(x, t, o);
    }
    return n;
}

/* An access that is wider than the PTX's: it begins where most of what is missing is in it, at a multiple of its width
 * rather than elsewhere. Where nothing is missing, turns of a loop share it, and the rules stay. */
static bool widen(const struct correction *x, const struct item *t) {
    int64_t width = t->made.bytes[0], down = t->at.offset % width,
            best = t->at.offset - (down < 0 ? down + width : down);
    uint32_t most = members(x, t, best), missing = 0;
    for (uint32_t i = 0; i < x->items.n; i++) {
        const struct item *o = &x->items.v[i];
        if (!o->absent || o->in->op != t->in->op || o->in->space != t->in->space) continue;
        missing += o->block == t->block;
        int64_t from = o->at.offset;
        if (o->at.root != t->at.root || from > t->at.offset || from + width < t->at.offset + t->own) continue;
        uint32_t n = members(x, t, from);
        if (n > most) most = n, best = from;
    }
    uint32_t own = members(x, t, t->at.offset);
    if (own > most) most = own, best = t->at.offset;
    if (!most && !missing) return false;
    *t->j = (struct wg_join){
        .bytes = t->made.bytes[0], .joined = (uint8_t)(1 + most), .shift = (int8_t)(best - t->at.offset)};
    return true;
}

/* The access that is not there by its own line and fits these bytes at this distance from `t`. */
static struct item *stray(const struct correction *x, const struct item *t, int64_t from, uint8_t bytes) {
    for (uint32_t i = 0; i < x->items.n; i++) {
        struct item *o = &x->items.v[i];
        if (o->absent && o->alone && o->in->op == t->in->op && o->in->space == t->in->space &&
            o->at.root == t->at.root && o->at.offset >= t->at.offset + from &&
            o->at.offset < t->at.offset + from + bytes)
            return o;
    }
    return NULL;
}

/* Of several accesses on a line, which are neighbours' that ptxas has given this line: they are told so. `t` itself is
 * the one that leaves the fewest without an owner. */
static void find_strays(const struct correction *x, struct item *t) {
    struct wg_sass_access all = t->made;
    uint32_t self = 0, most = 0;
    for (uint32_t k = 0; k < all.n; k++) {
        uint32_t found = 0;
        for (uint32_t i = 0; i < all.n; i++)
            found += i != k && stray(x, t, all.shift[i] - all.shift[k], all.bytes[i]);
        if (found > most) most = found, self = k;
    }
    t->made = (struct wg_sass_access){.n = 1, .bytes = {all.bytes[self]}};
    for (uint32_t i = 0; i < all.n; i++) {
        int64_t shift = all.shift[i] - all.shift[self];
        struct item *o = i == self ? NULL : stray(x, t, shift, all.bytes[i]);
        if (o) {
            o->made = (struct wg_sass_access){.n = 1, .bytes = {all.bytes[i]}};
            o->absent = false;
        } else if (i != self) {
            t->made.bytes[t->made.n] = all.bytes[i];
            t->made.shift[t->made.n++] = (int8_t)shift;
        }
    }
}

/* Of a vector of which not all is read; else what is left are copies. */
static bool is_split(const struct item *t) {
    const struct wg_sass_access *made = &t->made;
    int32_t last = made->shift[1] > 0 ? made->shift[1] + made->bytes[1] : made->bytes[0] - made->shift[1];
    return made->n == 2 && made->bytes[0] + made->bytes[1] <= t->own && last <= t->own;
}

/* Whether the same is loaded on another way through the function, and ptxas has made one load of both: each then counts where
 * the PTX has it. */
static bool has_twin(const struct correction *x, const struct item *t) {
    for (uint32_t i = 0; i < x->items.n; i++) {
        const struct item *o = &x->items.v[i];
        if (!o->absent && o->in->op == t->in->op && o->in->space == t->in->space && o->own == t->own &&
            o->at.root == t->at.root && o->at.offset == t->at.offset && !on_one_way(x, t, o))
            return true;
    }
    return false;
}

/* Whether a wider access of its block, corrected already, accesses what `t` does: ptxas joins them also in the line of the
 * last. */
static bool is_in_another(const struct correction *x, const struct item *t) {
    for (uint32_t i = 0; i < x->items.n; i++) {
        const struct item *o = &x->items.v[i];
        int64_t from = o->at.offset + o->j->shift;
        if (!o->absent && o->block == t->block && o->in->op == t->in->op && o->in->space == t->in->space &&
            o->at.root == t->at.root && o->j->joined > 1 && t->at.offset >= from &&
            t->at.offset + t->own <= from + o->j->bytes)
            return true;
    }
    return false;
}

static void correct(const struct correction *x, const struct item *t) {
    struct wg_join *j = t->j;
    const struct wg_sass_access *made = &t->made;
    bool there = !j->into && !j->dropped, split = is_split(t), differ = made->differ;
    uint8_t bytes = made->bytes[0], also = split ? made->bytes[1] : 0;
    if (!t->alone) return;
    if (t->absent) {
        if (!has_twin(x, t) || is_in_another(x, t)) j->dropped = !j->into;
        return;
    }
    for (uint32_t i = 1; i < made->n && !split; i++) differ |= made->bytes[i] != bytes;
    if (there && (differ || (j->bytes == bytes && j->also_bytes == also))) return;
    if (!differ && bytes > t->own && widen(x, t)) return;
    *j = (struct wg_join){.bytes = t->own, .joined = 1};
    if (differ || bytes >= t->own) return;
    j->bytes = bytes;
    j->also_bytes = also;
    if (bytes + also < t->own) j->shift = (int8_t)first_wanted(x, t->in);
    if (split) j->also_shift = (int8_t)(j->shift + made->shift[1]);
}

bool wg_joins_assembled(const struct wg_ir_module *m, const struct wg_ir_func *f, const uint64_t *wanted,
                        const struct wg_sass_accesses *made, const struct wg_joins *joins) {
    struct correction x = {.m = m, .f = f, .wanted = wanted, .made = made, .cfg = {.func = f}};
    if (!is_assembled(f, made)) return false;
    wg_cfg_definitions(&x.cfg);
    wg_cfg_dominators(&x.cfg);
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) add_item(&x, joins, &f->blocks[b].instrs[i], b);
    for (uint32_t i = 0; i < x.items.n; i++)
        if (x.items.v[i].made.n > 1 && x.items.v[i].alone) find_strays(&x, &x.items.v[i]);
    for (int absent = 0; absent < 2; absent++)
        for (uint32_t i = 0; i < x.items.n; i++)
            if (x.items.v[i].absent == absent) correct(&x, &x.items.v[i]);
    free(x.items.v);
    wg_arena_free(&x.cfg.arena);
    return true;
}
