/* Accesses whose lanes are known while compiling, lanes next to each other: see emit.h.
 *
 *     @(threadIdx.x < 8) part[threadIdx.x] += part[threadIdx.x + 8]:     two loads and a store of 32 bytes
 *
 * What a masked store leaves in the store buffer the next load of it cannot have from there: it waits until
 * it is in the cache. So lanes in a row are stored as a short vector without a mask. Other lanes of shared
 * memory, which no other worker touches, are stored as a whole vector, with what was there in the lanes that
 * are off; their loads read the vector that such a store has written where they can, and not one that lies
 * across two.
 */
#include "jit/emit/emit.h"
#include "jit/lower/lower_rows.h"

enum { FEW = 2 };

/* The lanes of one vector register. */
struct piece {
    uint32_t lane, n; /* of the run: the first and how many */
    bool in_a_row;    /* all of them are on, and a vector has so many */
    uint32_t on;      /* from the first one */
};

struct plan {
    struct piece piece[WG_LANES];
    uint32_t n, chunk; /* lanes that a register holds */
};

static bool is_row(const struct wg_value *a, uint32_t bytes) {
    if (a->kind != WG_AFFINE || a->r || !a->k) return false;
    for (int l = 0; l < WG_LANES; l++)
        if (a->k[l] != (int64_t)bytes * l) return false;
    return true;
}

static bool is_own_memory(const struct wg_emit *e, const struct wg_ir_instr *in) {
    return in->space == WG_S_SHARED && !e->opts->check && !e->opts->bounds;
}

/* False: the lanes are not known, or all. */
static bool make_plan(struct wg_emit *e, const struct wg_value *a, uint32_t bits, LLVMValueRef mask,
                      struct plan *p) {
    uint32_t vector = e->L.avx512 ? 64 : e->L.avx2 ? 32 : 16, bytes = bits / 8;
    if (!LLVMIsAConstantInt(mask) || wg_is_full(mask) || !is_row(a, bytes)) return false;
    uint32_t lanes = (uint32_t)LLVMConstIntGetZExtValue(mask);
    p->chunk = vector / bytes < WG_LANES ? vector / bytes : WG_LANES;
    p->n = 0;
    for (uint32_t l = 0; l < WG_LANES; l += p->chunk) {
        uint32_t on = lanes >> l & (p->chunk == WG_LANES ? UINT32_MAX : (1u << p->chunk) - 1);
        if (!on) continue;
        uint32_t first = (uint32_t)__builtin_ctz(on), n = 32 - (uint32_t)__builtin_clz(on) - first;
        on >>= first;
        bool row = (on & (on + 1)) == 0 && (n & (n - 1)) == 0;
        p->piece[p->n++] = (struct piece){.lane = l + first, .n = n, .in_a_row = row, .on = on};
    }
    return true;
}

static LLVMValueRef place(struct wg_emit *e, const struct wg_value *a, int64_t offset) {
    LLVMValueRef at = a->base;
    if (offset) at = LLVMBuildAdd(e->L.b, at, wg_i64(e, (uint64_t)offset), "");
    return LLVMBuildIntToPtr(e->L.b, at, e->ptr, "");
}

static LLVMValueRef load(struct wg_emit *e, const struct wg_value *a, uint32_t bits, int64_t offset,
                         uint32_t n) {
    LLVMTypeRef t = LLVMVectorType(LLVMIntTypeInContext(e->L.ctx, bits), n);
    LLVMValueRef x = LLVMBuildLoad2(e->L.b, t, place(e, a, offset), "");
    LLVMSetAlignment(x, bits / 8);
    return x;
}

static LLVMValueRef shuffle(struct wg_emit *e, LLVMValueRef x, LLVMValueRef y, const uint32_t *index,
                            uint32_t n) {
    LLVMValueRef c[WG_LANES];
    for (uint32_t i = 0; i < n; i++) c[i] = wg_i32(e, index[i]);
    return LLVMBuildShuffleVector(e->L.b, x, y, LLVMConstVector(c, n), "");
}

/* Where stores of the same vector begin, if this one's offset is what it is away from them. */
static int64_t from_vector(const struct plan *p, const struct piece *q, const struct wg_ir_instr *in,
                           uint32_t bytes) {
    int64_t vector = (int64_t)p->chunk * bytes, d = (in->offset % vector + vector) % vector;
    int64_t first = q->lane % p->chunk, last = first + q->n - 1;
    return d % bytes == 0 && last + d / bytes < p->chunk ? first * bytes + d : first * bytes;
}

LLVMValueRef wg_known_load(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *a,
                           uint32_t bits, LLVMValueRef mask) {
    struct plan p;
    uint32_t bytes = bits / 8;
    if (!make_plan(e, a, bits, mask, &p)) return NULL;
    for (uint32_t i = 0; i < p.n; i++)
        if (!p.piece[i].in_a_row && !is_own_memory(e, in)) return NULL;
    LLVMTypeRef t = LLVMVectorType(LLVMIntTypeInContext(e->L.ctx, bits), p.chunk);
    LLVMValueRef part[WG_LANES];
    for (uint32_t i = 0; i < WG_LANES / p.chunk; i++) part[i] = LLVMConstNull(t);
    for (uint32_t i = 0; i < p.n; i++) {
        const struct piece *q = &p.piece[i];
        int64_t before = q->in_a_row ? 0 : from_vector(&p, q, in, bytes);
        uint32_t n = q->in_a_row ? q->n : p.chunk, index[WG_LANES];
        LLVMValueRef x = load(e, a, bits, (int64_t)q->lane * bytes - before, n);
        /* To its lanes; the others have it over again, which takes no zeros and often no instruction. */
        uint32_t first = q->lane % p.chunk - (uint32_t)(before / bytes);
        for (uint32_t l = 0; l < p.chunk; l++) index[l] = (l - first) % n;
        bool stays = n == p.chunk && first % n == 0;
        part[q->lane / p.chunk] = stays ? x : shuffle(e, x, LLVMGetPoison(LLVMTypeOf(x)), index, p.chunk);
    }
    return wg_lanes_join(&e->L, part, WG_LANES / p.chunk, WG_LANES);
}

static void store_piece(struct wg_emit *e, const struct wg_value *a, LLVMValueRef x, uint32_t bits,
                        const struct plan *p, const struct piece *q) {
    uint32_t bytes = bits / 8, n = q->in_a_row ? q->n : p->chunk, index[WG_LANES];
    int64_t at = (int64_t)q->lane * bytes;
    for (uint32_t i = 0; i < n; i++) index[i] = q->lane + i < WG_LANES ? q->lane + i : WG_LANES - 1;
    LLVMValueRef y = shuffle(e, x, LLVMGetPoison(LLVMTypeOf(x)), index, n);
    if (!q->in_a_row) {
        for (uint32_t i = 0; i < n; i++) index[i] = i < q->n && q->on >> i & 1 ? n + i : i;
        y = shuffle(e, load(e, a, bits, at, n), y, index, n);
    }
    LLVMSetAlignment(LLVMBuildStore(e->L.b, y, place(e, a, at)), bytes);
}

static void store_lane(struct wg_emit *e, const struct wg_value *a, LLVMValueRef x, uint32_t bits,
                       uint32_t lane) {
    LLVMValueRef y = LLVMBuildExtractElement(e->L.b, x, wg_i32(e, lane), "");
    LLVMSetAlignment(LLVMBuildStore(e->L.b, y, place(e, a, (int64_t)lane * bits / 8)), bits / 8);
}

bool wg_known_store(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *a, LLVMValueRef x,
                    uint32_t bits, LLVMValueRef mask) {
    struct plan p;
    bool own = is_own_memory(e, in);
    if (!make_plan(e, a, bits, mask, &p)) return false;
    for (uint32_t i = 0; i < p.n; i++)
        if (!p.piece[i].in_a_row && !own && __builtin_popcount(p.piece[i].on) > FEW) return false;
    for (uint32_t i = 0; i < p.n; i++) {
        const struct piece *q = &p.piece[i];
        if (q->in_a_row || own) {
            store_piece(e, a, x, bits, &p, q);
            continue;
        }
        for (uint32_t l = 0; l < q->n; l++)
            if (q->on >> l & 1) store_lane(e, a, x, bits, q->lane + l);
    }
    return true;
}
