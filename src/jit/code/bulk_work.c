/* Bulk and tensor copies, called by generated code. Rows of a box are copied as a whole where they are not
 * swizzled, and in pieces of 16 bytes where they are; elements outside the tensor are zero. */
#include "analysis/copies.h"
#include "jit/code/helpers.h"
#include "warp/tensor_map.h"
#include "warp/touch.h"

#include <string.h>

enum { SLOT = 256, PIECE = 16 };

struct copy {
    struct wg_warp *w;
    const uint8_t *area;
    uint32_t lane, op, rank, id;
    enum wg_mod operation;
    enum wg_type type;
    bool multicast, to_global;
    bool flushes; /* additions of f32 flush subnormals */
    struct refused *refused;
};
struct refused { /* an address that the kernel may not access */
    bool any;
    uint64_t address;
};

static uint64_t source(const struct copy *x, uint32_t k) {
    uint64_t v;
    memcpy(&v, x->area + k * SLOT + x->lane * 8, 8);
    return v;
}
static uint64_t shared_base(const struct copy *x) { return (uint64_t)(uintptr_t)x->w->block->cluster_shared; }
static void *at(uint64_t address) { return (void *)(uintptr_t)address; }

static bool refuse(const struct copy *x, uint64_t address) {
    *x->refused = (struct refused){true, address};
    return false;
}
static bool may_touch(const struct copy *x, uint64_t address, uint64_t bytes) {
    return wg_may_touch(x->w, address, bytes) || refuse(x, address);
}
static bool in_window(const struct copy *x, uint64_t address, uint64_t bytes) {
    return wg_in_window(x->w->block, address, bytes) || refuse(x, address);
}

/* to op= from, element by element: 32 of them at a time, as lanes of an atomic. */
static void combine(const struct copy *x, uint64_t to, const uint8_t *from, uint32_t bytes, enum wg_type type,
                    bool own) {
    uint32_t size = wg_type_bits(type) / 8, code = type | (uint32_t)x->operation << 8;
    if (own) code |= WG_ATOMIC_SHARED;
    if (!x->flushes) code |= WG_ATOMIC_KEEPS;
    for (uint32_t k = 0; k < bytes;) {
        uint64_t where[WG_LANES], b[WG_LANES] = {0}, none[WG_LANES] = {0}, old[WG_LANES];
        uint32_t n = 0;
        for (; n < WG_LANES && k < bytes; n++, k += size) {
            where[n] = to + k;
            memcpy(&b[n], from + k, size);
        }
        wg_jit_atomic(x->w, where, b, none, old, n == WG_LANES ? UINT32_MAX : (1u << n) - 1, code);
    }
}

/* The target blocks of a copy to `to`, as bits; 0: one of them does not exist. */
static uint32_t targets(const struct copy *x, uint64_t to, uint32_t mask_at) {
    uint32_t n = x->w->block->cluster_nctarank;
    uint64_t block = (to - shared_base(x)) / WG_SHARED_STRIDE;
    if (!x->multicast) return block < n ? 1u << block : 0;
    uint32_t mask = (uint32_t)source(x, mask_at) & 0xffff;
    return mask >> n ? 0 : mask;
}
static uint64_t moved(const struct copy *x, uint64_t to, uint32_t block) {
    uint64_t base = shared_base(x);
    return base + (to - base) % WG_SHARED_STRIDE + (uint64_t)block * WG_SHARED_STRIDE;
}
static bool done(const struct copy *x, uint64_t bar, uint32_t block, uint32_t bytes) {
    if (x->multicast) bar = moved(x, bar, block);
    return wg_in_window(x->w->block, bar, 8) && wg_jit_mbarrier_done(bar, bytes);
}

static bool bulk(const struct copy *x) {
    uint64_t to = source(x, 0), from = source(x, 1);
    uint32_t size = (uint32_t)source(x, 2);
    bool reduces = x->op == WG_OP_BULK_RED || x->op == WG_OP_BULK_RED_SHARED;
    if ((to | from | size) % PIECE) return false;
    if (!(x->op == WG_OP_BULK_LOAD ? may_touch(x, from, size) : in_window(x, from, size))) return false;
    if (x->to_global) {
        if (!may_touch(x, to, size)) return false;
        if (reduces)
            combine(x, to, at(from), size, x->type, false);
        else
            memmove(at(to), at(from), size);
        return true;
    }
    uint32_t blocks = targets(x, to, 4);
    if (!blocks) return false;
    for (; blocks; blocks &= blocks - 1) {
        uint32_t block = (uint32_t)__builtin_ctz(blocks);
        uint64_t there = moved(x, to, block);
        if (!in_window(x, there, size)) return false;
        if (reduces)
            combine(x, there, at(from), size, x->type, true);
        else
            memmove(at(there), at(from), size);
        if (!done(x, source(x, 3), block, size)) return false;
    }
    return true;
}

/* ---- tensors ---- */

struct walk {
    const struct copy *x;
    struct wg_tensor_map map;       /* a copy: the kernel may write to the original meanwhile */
    uint32_t size;                  /* bytes of an element */
    int32_t first[WG_TENSOR_DIMS];  /* coordinates of the box */
    uint32_t count[WG_TENSOR_DIMS]; /* elements of the box that are copied */
    uint32_t row;                   /* bytes of a row in shared memory */
};

static bool begin(struct walk *k, const struct copy *x, uint32_t map_at) {
    *k = (struct walk){.x = x};
    if (!may_touch(x, source(x, map_at), sizeof k->map)) return false;
    memcpy(&k->map, at(source(x, map_at)), sizeof k->map);
    if (!wg_tensor_map_is_sound(&k->map, x->rank)) return false;
    k->size = wg_tensor_element_bytes((enum wg_type)k->map.type);
    for (uint32_t d = 0; d < WG_TENSOR_DIMS; d++) {
        bool there = d < x->rank;
        k->first[d] = there ? (int32_t)source(x, map_at + 1 + d) : 0;
        k->count[d] = there ? (k->map.box[d] + k->map.step[d] - 1u) / k->map.step[d] : 1;
    }
    k->row = k->count[0] * k->size;
    return (int64_t)k->first[0] * k->size % PIECE == 0;
}

static uint64_t swizzled(const struct walk *k, uint64_t place) {
    return shared_base(k->x) + wg_tensor_swizzled(&k->map, place - shared_base(k->x));
}

static void copy_rounded(uint8_t *to, const uint8_t *from, uint32_t bytes) {
    for (uint32_t b = 0; b < bytes; b += 4) {
        uint32_t word;
        memcpy(&word, from + b, 4);
        word = wg_tensor_tf32(word);
        memcpy(to + b, &word, 4);
    }
}

/* [from, from + bytes) of a row of the box at `shared`: one stretch in global memory. */
static bool copy_stretch(const struct walk *k, uint64_t shared, uint64_t global, uint32_t from,
                         uint32_t bytes) {
    struct copy of_map = *k->x;
    if (bytes && !may_touch(k->x, global + from, bytes)) return false;
    of_map.flushes = k->map.floats & WG_TENSOR_FTZ;
    for (uint32_t b = from; b < from + bytes;) {
        uint32_t n = PIECE - b % PIECE;
        if (!k->map.swizzle) n = from + bytes - b;
        if (n > from + bytes - b) n = from + bytes - b;
        uint8_t *here = at(swizzled(k, shared + b)), *there = at(global + b);
        if (k->x->op == WG_OP_TENSOR_LOAD && k->map.floats & WG_TENSOR_TF32)
            copy_rounded(here, there, n);
        else if (k->x->op == WG_OP_TENSOR_LOAD)
            memcpy(here, there, n);
        else if (k->x->op == WG_OP_TENSOR_RED)
            combine(&of_map, global + b, here, n, (enum wg_type)k->map.type, false);
        else
            memcpy(there, here, n);
        b += n;
    }
    return true;
}

static void clear(const struct walk *k, uint64_t shared, uint32_t from, uint32_t to) {
    if (k->x->op != WG_OP_TENSOR_LOAD) return;
    for (uint32_t b = from; b < to; b++)
        *(uint8_t *)at(swizzled(k, shared + b)) = wg_tensor_outside(&k->map, b);
}

/* Row `index` of the box, counted over dimensions 1 and up. */
static bool copy_row(const struct walk *k, uint64_t box, uint32_t index) {
    uint64_t shared = box + (uint64_t)index * k->row, global = k->map.base;
    for (uint32_t d = 1; d < k->x->rank; d++) {
        int64_t c = (int64_t)k->first[d] + (int64_t)(index % k->count[d]) * k->map.step[d];
        index /= k->count[d];
        if (c < 0 || c > k->map.last[d]) {
            clear(k, shared, 0, k->row);
            return true;
        }
        global += (uint64_t)c * k->map.stride[d - 1];
    }
    int64_t low = k->first[0] < 0 ? -(int64_t)k->first[0] : 0,
            high = (int64_t)k->map.last[0] + 1 - k->first[0];
    if (low > k->count[0]) low = k->count[0];
    if (high > k->count[0]) high = k->count[0];
    if (high < low) high = low;
    uint32_t from = (uint32_t)low * k->size, to = (uint32_t)high * k->size;
    clear(k, shared, 0, from);
    clear(k, shared, to, k->row);
    return copy_stretch(k, shared, global + (uint64_t)((int64_t)k->first[0] * k->size), from, to - from);
}

/* The whole box, which is in shared memory from `box` on. */
static bool copy_rows(const struct walk *k, uint64_t box) {
    uint64_t n = (uint64_t)k->count[1] * k->count[2] * k->count[3] * k->count[4];
    if (!in_window(k->x, box, n * k->row)) return false;
    for (uint32_t r = 0; r < n; r++)
        if (!copy_row(k, box, r)) return false;
    return true;
}

static bool tensor_load(const struct copy *x) {
    struct walk k;
    uint64_t to = source(x, 0);
    if (!begin(&k, x, 1) || to % 128) return false;
    uint32_t blocks = targets(x, to, 3 + x->rank),
             bytes = k.row * k.count[1] * k.count[2] * k.count[3] * k.count[4];
    if (!blocks) return false;
    for (; blocks; blocks &= blocks - 1) {
        uint32_t block = (uint32_t)__builtin_ctz(blocks);
        if (!copy_rows(&k, moved(x, to, block)) || !done(x, source(x, 2 + x->rank), block, bytes))
            return false;
    }
    return true;
}

static bool tensor_store(const struct copy *x) {
    struct walk k;
    uint64_t from = source(x, 1 + x->rank);
    if (!begin(&k, x, 0) || from % 128) return false;
    if (x->op == WG_OP_TENSOR_RED && wg_type_kind((enum wg_type)k.map.type) == WG_K_F &&
        x->operation != WG_M_add)
        return false;
    return copy_rows(&k, from);
}

/* Source k where the map of a tensor copy is. */
static uint32_t map_of(const struct copy *x) { return x->op == WG_OP_TENSOR_LOAD ? 1 : 0; }

static void count(const struct copy *x) {
    uint64_t to = source(x, 0);
    if (!x->rank) {
        bool between = x->op == WG_OP_BULK_SHARED || x->op == WG_OP_BULK_RED_SHARED;
        uint64_t far = x->to_global ? to : between ? 0 : source(x, 1);
        wg_count_bulk(x->w, x->id, x->lane, far, (uint32_t)source(x, 2),
                      x->to_global ? 1 : targets(x, to, 4));
        return;
    }
    struct walk k;
    if (!begin(&k, x, map_of(x))) return;
    bool loads = x->op == WG_OP_TENSOR_LOAD;
    wg_count_box(x->w, x->id, x->lane, &k.map, k.first, loads, loads ? targets(x, to, 3 + x->rank) : 1,
                 x->multicast);
}

/* ---- checked ---- */

/* Queries the machine about the copy: 0, or wg_services.check_bulk's result. */
static uint64_t ask(const struct copy *x) {
    uint64_t sources[4 + WG_TENSOR_DIMS];
    uint32_t loads = x->op == WG_OP_TENSOR_LOAD, n = x->rank        ? x->rank + (loads ? 3 : 2)
                                                     : x->to_global ? 3
                                                                    : 4;
    if (!x->w->windows) return 0;
    for (uint32_t k = 0; k < n + x->multicast; k++) sources[k] = source(x, k);
    return x->w->block->services->check_bulk(x->w, x->lane, x->id, sources);
}

/* Nothing is copied, but the mbarrier is signalled so that its waiters do not hang. */
static bool only_signal(const struct copy *x, uint64_t refused) {
    uint32_t at = x->rank ? 2 + x->rank : 3, bytes = (uint32_t)(refused >> WG_BULK_BYTES);
    if (refused & WG_BULK_SILENT || x->to_global || (x->rank && x->op != WG_OP_TENSOR_LOAD)) return true;
    if (!x->multicast) return done(x, source(x, at), 0, bytes);
    for (uint32_t blocks = targets(x, source(x, 0), at + 1); blocks; blocks &= blocks - 1)
        if (!done(x, source(x, at), (uint32_t)__builtin_ctz(blocks), bytes)) return false;
    return true;
}

static bool copy(const struct copy *x) {
    uint64_t refused = ask(x);
    if (refused) return only_signal(x, refused);
    return x->op == WG_OP_TENSOR_LOAD ? tensor_load(x) : x->rank ? tensor_store(x) : bulk(x);
}

uint32_t wg_jit_bulk(struct wg_warp *w, uint8_t *area, uint32_t mask, uint64_t code, uint32_t id) {
    struct refused refused = {0};
    struct copy x = {.w = w,
                     .area = area,
                     .refused = &refused,
                     .id = id,
                     .op = code & 0xffff,
                     .operation = (enum wg_mod)(code >> 16 & 0xff),
                     .type = (enum wg_type)(code >> 24 & 0xff),
                     .rank = code >> 32 & 0xff,
                     .multicast = code >> 40 & 1,
                     .to_global = code >> 41 & 1};
    for (; mask; mask &= mask - 1) {
        x.lane = (uint32_t)__builtin_ctz(mask);
        if (!copy(&x)) {
            if (!refused.any) return x.lane + 1;
            memcpy(area, &refused.address, sizeof refused.address);
            return WG_LANES + x.lane + 1;
        }
        if (w->tally) count(&x);
    }
    return 0;
}
