/* Store-to-load forwarding of a trace: the words of memory that it knows, its loads and stores. See trace.h.
 *
 *     st.shared [part + 4 t], %r5      the lane that holds word t is now known
 *     ld.shared [part + 4 t + 512]     and is the register's value in thread t, whose word is t + 128
 *
 * Between two barriers no word is stored by one warp and accessed by another: then the order of the warps
 * does not matter, and a kernel where it does matter runs phase by phase.
 */
#include "jit/access/access.h"
#include "jit/trace/trace.h"

#include <stdlib.h>

int wg_trace_by_number(const void *x, const void *y) {
    int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;
    return (a > b) - (a < b);
}

enum { FIRST_ROOM = 512, PSEUDO_VECTORS = 1 << 27 };

/* ---- objects ---- */

static uint32_t slot_of(const struct wg_trace_object *o, int64_t key) {
    uint32_t i = (uint32_t)((uint64_t)key * 0x9e3779b97f4a7c15u >> 32) & (o->room - 1);
    while (o->word[i].used && o->word[i].key != key) i = (i + 1) & (o->room - 1);
    return i;
}

static struct wg_trace_word *word_of(struct wg_trace *t, struct wg_trace_object *o, int64_t key) {
    if (2 * (o->n + 1) > o->room) {
        struct wg_trace_word *old = o->word;
        uint32_t room = o->room;
        o->room = room ? 2 * room : FIRST_ROOM;
        o->word = WG_NEW_N(t->a, struct wg_trace_word, o->room);
        for (uint32_t i = 0; i < room; i++)
            if (old[i].used) o->word[slot_of(o, old[i].key)] = old[i];
    }
    struct wg_trace_word *w = &o->word[slot_of(o, key)];
    if (!w->used) {
        *w = (struct wg_trace_word){.key = key, .used = true};
        o->n++;
    }
    return w;
}

/* Objects with words of another size in the same memory do not overlap. */
static bool lies_apart(const struct wg_trace *t, const struct wg_trace_object *o) {
    for (uint32_t i = 0; i < t->objects.n; i++) {
        const struct wg_trace_object *x = &t->objects.v[i];
        if (x != o && x->shared && o->shared && x->begin < o->end && o->begin < x->end) return false;
    }
    return true;
}

/* NULL: it cannot be followed. */
static struct wg_trace_object *object_at(struct wg_trace *t, bool shared, const struct wg_trace_sum *base,
                                         uint32_t bytes) {
    for (uint32_t i = 0; i < t->objects.n; i++) {
        struct wg_trace_object *o = &t->objects.v[i];
        if (o->shared != shared || o->closed) continue;
        bool same = wg_trace_same(&o->base, base);
        if (same && o->bytes == bytes) return o;
        if (same != shared) return NULL; /* of other words; perhaps the same memory by another name */
    }
    struct wg_trace_object *o = WG_PUSH(&t->objects);
    o->shared = shared;
    o->base = *base;
    o->bytes = bytes;
    o->bits = 8 * bytes;
    return o;
}

/* Before an access through `o` (NULL: through none of them): flushes the other objects in global memory; a store closes
 * them. */
static void give_way(struct wg_trace *t, struct wg_trace_object *o, bool store) {
    for (uint32_t i = 0; i < t->objects.n && !(o && o->shared); i++) {
        struct wg_trace_object *x = &t->objects.v[i];
        if (x == o || x->shared || x->closed) continue;
        if (x->ndirty) wg_trace_flush(t, x);
        x->closed |= store;
    }
}

static bool is_plain(const struct wg_ir_instr *in, bool shared) {
    uint8_t sem = in->mod[WG_MC_SEM];
    bool weak = sem == WG_M_none || sem == WG_M_weak || (shared && sem == WG_M_volatile);
    return weak && in->mod[WG_MC_CACHE] != WG_M_cv && in->nvec == 1;
}

/* Bytes [begin, end) from a base on are the block's own: of variables, or of what the launch gave it. */
static bool lies_inside(struct wg_trace *t, const struct wg_trace_sum *base, int64_t begin, int64_t end) {
    const struct wg_trace_atom *x =
        base->n == 1 && base->term[0].by == 1 ? &t->atoms.v[base->term[0].atom] : NULL;
    if (!x || begin < 0) return false;
    if (x->kind == WG_ATOM_SHARED) return end <= t->e->func->shared_bytes;
    const struct wg_ir_sym *s = x->kind == WG_ATOM_SYMBOL ? &t->e->module->syms[x->index] : NULL;
    if (!s || s->kind != WG_SYM_DYNSHARED) return false;
    struct wg_trace_test fits = {.kind = WG_TEST_BELOW, .or_equal = true, .bits = 32, .hi = end};
    fits.b = wg_trace_one(wg_trace_block_field(t, WG_SR_dynamic_smem_size, 32));
    wg_trace_expect(t, &fits);
    return true;
}

/* The addresses of an access: its object, and the key of each thread's word. */
static struct wg_trace_object *resolve(struct wg_trace *t, const struct wg_ir_instr *in, const uint32_t *mask,
                                       int64_t **keys) {
    bool shared = in->space == WG_S_SHARED;
    if (!shared && t->atomics) return NULL;
    const struct wg_ir_opd *o = &in->src[0];
    uint32_t bits = o->kind == WG_O_REG ? wg_reg_bits(t->e, o->index) : 64,
             bytes = wg_type_bits(in->type) / 8;
    struct wg_trace_value v = wg_trace_operand(t, o, bits);
    if ((!shared && in->space != WG_S_GLOBAL) || !is_plain(in, shared)) return NULL;
    if (bytes > 8 || !v.sum.n) return NULL;
    struct wg_trace_object *object = object_at(t, shared, &v.sum, bytes);
    if (!object) return NULL;
    struct wg_trace_test fits = {.kind = WG_TEST_ALIGNED, .a = v.sum, .bits = bits};
    int64_t least = 0, most = 0;
    bool first = true;
    *keys = WG_NEW_N(t->a, int64_t, t->nthreads);
    for (uint32_t i = 0; i < t->nthreads; i++) {
        if (!wg_trace_on(mask, i)) continue;
        int64_t at = wg_trace_c(&v, i) + in->offset;
        if (at % bytes) return NULL;
        if (first || at < least) least = at;
        if (first || at > most) most = at;
        first = false;
        (*keys)[i] = at / bytes;
    }
    fits.lo = bytes;
    if (!shared && bytes > 1) wg_trace_expect(t, &fits);
    if (first || !shared) return object;
    if (object->begin == object->end) object->begin = least, object->end = least;
    if (least < object->begin) object->begin = least;
    if (most + bytes > object->end) object->end = most + bytes;
    return lies_apart(t, object) && lies_inside(t, &v.sum, least, most + bytes) ? object : NULL;
}

/* ---- races between warps ---- */

static bool note_read(struct wg_trace *t, struct wg_trace_word *w, uint32_t warp) {
    uint32_t now = t->phase + 1;
    if (w->write_phase == now && w->write_warp != warp) return false;
    w->read_warp = w->read_phase == now && w->read_warp != warp ? WG_TRACE_WARPS : (uint16_t)warp;
    w->read_phase = now;
    return true;
}

static bool note_write(struct wg_trace *t, struct wg_trace_word *w, uint32_t warp) {
    uint32_t now = t->phase + 1;
    if (w->write_phase == now && w->write_warp != warp) return false;
    if (w->read_phase == now && w->read_warp != warp) return false;
    w->write_phase = now;
    w->write_warp = (uint16_t)warp;
    return true;
}

/* ---- loads from memory ---- */

static bool is_read(const struct wg_trace_object *plan, int64_t key) {
    return bsearch(&key, plan->reads.v, plan->reads.n, sizeof key, wg_trace_by_number) != NULL;
}

static LLVMValueRef place_of(struct wg_trace *t, const struct wg_trace_object *o, int64_t key) {
    struct wg_emit *e = t->e;
    LLVMValueRef base = wg_trace_scalar(t, &o->base, 0, 64), at = wg_i64(e, (uint64_t)(key * o->bytes));
    base = LLVMBuildIntToPtr(t->early, base, e->ptr, "");
    return LLVMBuildGEP2(e->L.b, e->i8, base, &at, 1, "");
}

static LLVMValueRef load_vector(struct wg_trace *t, const struct wg_trace_object *o, int64_t key,
                                uint32_t n) {
    struct wg_emit *e = t->e;
    LLVMTypeRef element = LLVMIntTypeInContext(e->L.ctx, o->bits);
    LLVMValueRef x = LLVMBuildLoad2(e->L.b, LLVMVectorType(element, n), place_of(t, o, key), ""),
                 c[WG_TRACE_CHUNK];
    LLVMSetAlignment(x, o->bytes);
    if (n == t->chunk) return x;
    for (uint32_t l = 0; l < t->chunk; l++) c[l] = l < n ? wg_i32(e, l) : LLVMGetPoison(e->i32);
    return LLVMBuildShuffleVector(e->L.b, x, LLVMGetPoison(LLVMTypeOf(x)), LLVMConstVector(c, t->chunk), "");
}

/* Prefetch for data that bypasses the caches when it is stored: a line of the next block but one, if blocks
 * are consecutive. */
static void ask_ahead(struct wg_trace *t, const struct wg_trace_object *o, int64_t key) {
    struct wg_emit *e = t->e;
    LLVMValueRef far = wg_i64(e, (uint64_t)t->plan->objects.v[o - t->objects.v].reads.n * o->bytes * 2);
    LLVMValueRef args[4] = {LLVMBuildGEP2(e->L.b, e->i8, place_of(t, o, key), &far, 1, ""), wg_i32(e, 0),
                            wg_i32(e, 2), wg_i32(e, 1)};
    wg_lower_intrinsic(&e->L, "llvm.prefetch", &e->ptr, 1, args, 4);
}

/* Loads a vector of the words around this one that the block reads. */
static void fetch(struct wg_trace *t, struct wg_trace_object *o, int64_t key) {
    const struct wg_trace_object *plan = &t->plan->objects.v[o - t->objects.v];
    int64_t first = key;
    uint32_t n = 0;
    while (is_read(plan, first - 1)) first--;
    first = key - (key - first) % t->chunk;
    while (n < t->chunk && is_read(plan, first + n)) n++;
    while (n & (n - 1)) n &= n - 1; /* a power of two */
    if (first + n <= key) first = key, n = 1;
    uint32_t vector = wg_trace_vector(t, load_vector(t, o, first, n), o->bits);
    if (t->plan->past) ask_ahead(t, o, first);
    for (uint32_t l = 0; l < n; l++) {
        struct wg_trace_word *w = word_of(t, o, first + l);
        if (w->at == WG_TRACE_NOWHERE) w->at = vector * WG_TRACE_CHUNK + l;
    }
}

/* Dry run, to find the cost: as if words were in vectors by their number. */
static uint32_t pretended(const struct wg_trace *t, const struct wg_trace_object *o, int64_t key) {
    uint32_t row = (uint32_t)((uint64_t)(key + (1 << 20)) / t->chunk) % (1 << 20);
    uint32_t vector = PSEUDO_VECTORS + ((uint32_t)(o - t->objects.v) % 64 << 20) + row;
    return vector * WG_TRACE_CHUNK + (uint32_t)((uint64_t)(key + (1 << 20)) % t->chunk);
}

static bool gathers(struct wg_trace *t, const struct wg_ir_instr *in, const uint32_t *mask) {
    struct wg_trace_value at = wg_trace_operand(t, &in->src[0], 64);
    if (!is_plain(in, false) || !wg_trace_is_gathered(t, in, &at)) return false;
    give_way(t, NULL, false);
    wg_trace_compute(t, in, &at, mask);
    return true;
}

void wg_trace_load(struct wg_trace *t, const struct wg_ir_instr *in, const uint32_t *mask) {
    int64_t *keys;
    if (in->space == WG_S_GLOBAL && gathers(t, in, mask)) return;
    struct wg_trace_object *o = resolve(t, in, mask, &keys);
    uint32_t *at = WG_NEW_N(t->a, uint32_t, t->nthreads);
    if (!o) {
        t->failed = true;
        return;
    }
    uint32_t bits = wg_reg_bits(t->e, in->dst[0].index);
    give_way(t, o, false);
    for (uint32_t i = 0; i < t->nthreads; i++) {
        if (!wg_trace_on(mask, i)) continue;
        struct wg_trace_word *w = word_of(t, o, keys[i]);
        bool known = w->at != WG_TRACE_NOWHERE;
        if (!note_read(t, w, i / WG_LANES) || (!known && o->shared)) {
            t->failed = true;
            return;
        }
        if (!known && t->dry) {
            w->at = pretended(t, o, keys[i]);
            *WG_PUSH(&o->reads) = keys[i];
        } else if (!known) {
            fetch(t, o, keys[i]);
            w = word_of(t, o, keys[i]); /* they may have moved */
        }
        t->forwarded += w->write_phase != 0;
        at[i] = w->at;
    }
    struct wg_trace_value v = {.kind = WG_TRACE_LANES, .at = at, .narrow = bits > o->bits ? o->bits : 0};
    wg_trace_set(t, in->dst[0].index, v, mask);
}

void wg_trace_store(struct wg_trace *t, const struct wg_ir_instr *in, const uint32_t *mask) {
    int64_t *keys;
    struct wg_trace_object *o = resolve(t, in, mask, &keys);
    const struct wg_ir_opd *from = &in->src[1];
    if (!o) {
        t->failed = true;
        return;
    }
    give_way(t, o, true);
    o->streams = (o->streams || !o->is_stored) && !o->shared && wg_may_stream(t->e, in, t->e->block);
    o->is_stored = true;
    struct wg_trace_value x = wg_trace_operand(t, from, o->bits);
    t->failed |= from->kind == WG_O_REG && wg_reg_bits(t->e, from->index) != o->bits && x.narrow != o->bits;
    x = wg_trace_to_lanes(t, &x, o->bits, mask);
    for (uint32_t i = 0; i < t->nthreads; i++) {
        if (!wg_trace_on(mask, i)) continue;
        struct wg_trace_word *w = word_of(t, o, keys[i]);
        if (!note_write(t, w, i / WG_LANES)) {
            t->failed = true;
            return;
        }
        if (wg_trace_is_lane(w->at) && w->at != x.at[i]) {
            struct wg_trace_home *home = WG_NEW(t->a, struct wg_trace_home);
            *home = (struct wg_trace_home){.at = w->at, .before = w->home};
            w->home = home;
        }
        w->at = x.at[i];
        o->ndirty += !w->dirty;
        w->dirty = true;
    }
}
