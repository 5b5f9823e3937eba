/* Interleaved accesses whose structures are contiguous: whole vectors, masked. See structures.c.
 *
 * Loads read each lane's bytes that the program reads and, where all lanes are active, the gaps between them:
 * every page between the first and the last byte is one that some lane reads. Stores write only what the
 * program writes, for another thread may own the bytes in the gaps.
 */
#include "jit/access/access.h"
#include "jit/lower/lower_rows.h"
#include "jit/access/structures.h"

#include <string.h>

enum { LINE = 64, MOST_ROWS = WG_STRUCTURE_CHUNKS * WG_NETWORK_UNITS };

/* The address of the structure of a chunk's first lane; `a` is the address of an access at offset `at`. */
static LLVMValueRef chunk_address(struct wg_emit *e, const struct wg_structure *s, const struct wg_value *a,
                                  int64_t at, uint32_t chunk) {
    uint32_t lane = chunk * s->net.lanes;
    LLVMValueRef x = a->base;
    if (a->r && a->r[lane])
        x = LLVMBuildAdd(e->L.b, x, LLVMBuildMul(e->L.b, a->scale, wg_i64(e, (uint64_t)a->r[lane]), ""), "");
    return LLVMBuildAdd(e->L.b, x, wg_i64(e, (uint64_t)(a->k[lane] + s->low - at)), "");
}

static LLVMValueRef row_pointer(struct wg_emit *e, const struct wg_structure *s, LLVMValueRef chunk,
                                uint32_t row) {
    uint64_t bytes = (uint64_t)row * s->net.lanes * s->unit;
    LLVMValueRef at = bytes ? LLVMBuildAdd(e->L.b, chunk, wg_i64(e, bytes), "") : chunk;
    return LLVMBuildIntToPtr(e->L.b, at, e->ptr, "");
}

static bool is_wanted(const struct wg_structure *s, uint32_t unit) {
    return s->net.wanted >> unit % s->net.stride & 1;
}

/* For each unit of all rows, if it is wanted, the bit of its lane: in memory, and opaque to LLVM, which
 * takes long on vector constants. */
static LLVMValueRef lane_bits(struct wg_emit *e, const struct wg_structure *s) {
    LLVMValueRef bit[WG_LANES * WG_NETWORK_UNITS];
    uint32_t n = WG_LANES * s->net.stride;
    for (uint32_t i = 0; i < n; i++) bit[i] = wg_i32(e, is_wanted(s, i) ? 1u << i / s->net.stride : 0);
    LLVMValueRef data = LLVMConstArray2(e->i32, bit, n);
    LLVMValueRef global = LLVMAddGlobal(e->L.module, LLVMTypeOf(data), "lanes");
    LLVMSetInitializer(global, data);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    LLVMSetAlignment(global, LINE);
    return global;
}

static LLVMValueRef splat(struct wg_emit *e, LLVMValueRef x, uint32_t n) {
    LLVMTypeRef t = LLVMVectorType(LLVMTypeOf(x), n);
    LLVMValueRef one = LLVMBuildInsertElement(e->L.b, LLVMGetPoison(t), x, wg_i32(e, 0), "");
    return LLVMBuildShuffleVector(e->L.b, one, LLVMGetPoison(t), LLVMConstNull(LLVMVectorType(e->i32, n)),
                                  "");
}

/* The lanes' mask, and the bits to test it against; NULL for a full mask. */
struct held {
    LLVMValueRef bits, mask;
};

static struct held hold(struct wg_emit *e, const struct wg_structure *s, LLVMValueRef mask) {
    if (wg_is_full(mask)) return (struct held){0};
    return (struct held){lane_bits(e, s), splat(e, mask, s->net.lanes)};
}

/* Mask of the units of a row that active lanes access. */
static LLVMValueRef row_mask(struct wg_emit *e, const struct wg_structure *s, const struct held *h,
                             uint32_t chunk, uint32_t row) {
    LLVMValueRef c[16];
    uint32_t lanes = s->net.lanes, first = (chunk * s->net.stride + row) * lanes;
    for (uint32_t i = 0; i < lanes; i++) c[i] = LLVMConstInt(e->i1, is_wanted(s, first + i), 0);
    if (!h->mask) return LLVMConstVector(c, lanes);
    LLVMValueRef bits = LLVMBuildLoad2(e->L.b, LLVMTypeOf(h->mask),
                                       wg_field(e, e->L.b, h->bits, first * sizeof(uint32_t)), "");
    LLVMSetAlignment(bits, lanes * (uint32_t)sizeof(uint32_t));
    bits = LLVMBuildAnd(e->L.b, h->mask, bits, "");
    return LLVMBuildICmp(e->L.b, LLVMIntNE, bits, LLVMConstNull(LLVMTypeOf(bits)), "");
}

static bool is_dense(const struct wg_structure *s) { return s->net.wanted + 1 == 1u << s->net.stride; }

/* ---- loads ---- */

/* Whether all of the row is between the first and the last byte that lanes access. */
static bool is_inside(const struct wg_structure *s, uint32_t chunk, uint32_t row) {
    uint32_t lowest = (uint32_t)__builtin_ctz(s->net.wanted),
             highest = 31 - (uint32_t)__builtin_clz(s->net.wanted);
    bool first = s->run < WG_LANES || chunk == 0,
         last = s->run < WG_LANES || chunk + 1 == wg_structure_chunks(s);
    return (!first || row * s->net.lanes >= lowest) &&
           (!last || (row + 1) * s->net.lanes <= (s->net.lanes - 1) * s->net.stride + highest + 1);
}

static LLVMValueRef load_row(struct wg_emit *e, const struct wg_structure *s, LLVMValueRef at,
                             const struct held *h, uint32_t chunk, uint32_t row) {
    if (!wg_network_touches(&s->net, row)) return NULL;
    LLVMTypeRef t = wg_structure_row(e, s), types[2] = {t, e->ptr};
    LLVMValueRef p = row_pointer(e, s, at, row);
    if (!h->mask && is_inside(s, chunk, row)) {
        LLVMValueRef x = LLVMBuildLoad2(e->L.b, t, p, "");
        LLVMSetAlignment(x, s->unit);
        return x;
    }
    LLVMValueRef args[4] = {p, wg_i32(e, s->unit), row_mask(e, s, h, chunk, row), LLVMConstNull(t)};
    return wg_lower_intrinsic(&e->L, "llvm.masked.load", types, 2, args, 4);
}

void wg_structure_load_rows(struct wg_emit *e, struct wg_structure *s, const struct wg_value *a, int64_t at,
                            LLVMValueRef mask) {
    LLVMValueRef field[WG_STRUCTURE_CHUNKS][WG_NETWORK_UNITS];
    struct held h = hold(e, s, mask);
    for (uint32_t c = 0; c < wg_structure_chunks(s); c++) {
        LLVMValueRef row[WG_NETWORK_UNITS], from = chunk_address(e, s, a, at, c);
        for (uint32_t r = 0; r < s->net.stride; r++) row[r] = load_row(e, s, from, &h, c, r);
        wg_network_to_fields(e, &s->net, row, field[c]);
    }
    wg_structure_take(e, s, field);
}

/* ---- stores ---- */

static bool may_stream(struct wg_emit *e, const struct wg_structure *s) {
    if (!is_dense(s) || s->run < WG_LANES) return false;
    for (uint32_t i = 0; i < s->n; i++)
        if (!wg_may_stream(e, &e->func->blocks[e->block].instrs[s->member[i].instr], e->block)) return false;
    return true;
}

static LLVMBasicBlockRef stream_rows(struct wg_emit *e, const struct wg_structure *s, LLVMValueRef at,
                                     const LLVMValueRef *row, LLVMValueRef mask) {
    uint32_t n = wg_structure_chunks(s) * s->net.stride, bytes = s->net.lanes * s->unit,
             together = LINE / bytes;
    LLVMValueRef line[MOST_ROWS];
    for (uint32_t i = 0; i < n; i += together) {
        LLVMValueRef part[2] = {row[i], row[i + together - 1]};
        line[i / together] = wg_lanes_join(&e->L, part, together, together * s->net.lanes);
    }
    return wg_emit_stream(e, &at, 1, line, n / together, LINE, mask);
}

static void store_row(struct wg_emit *e, const struct wg_structure *s, LLVMValueRef at, LLVMValueRef x,
                      const struct held *h, uint32_t chunk, uint32_t row) {
    LLVMTypeRef types[2] = {LLVMTypeOf(x), e->ptr};
    LLVMValueRef p = row_pointer(e, s, at, row);
    if (!h->mask && is_dense(s)) {
        LLVMSetAlignment(LLVMBuildStore(e->L.b, x, p), s->unit);
        return;
    }
    LLVMValueRef args[4] = {x, p, wg_i32(e, s->unit), row_mask(e, s, h, chunk, row)};
    wg_lower_intrinsic(&e->L, "llvm.masked.store", types, 2, args, 4);
}

void wg_structure_store_rows(struct wg_emit *e, const struct wg_structure *s, const struct wg_value *a,
                             int64_t at, LLVMValueRef mask) {
    LLVMValueRef row[WG_STRUCTURE_CHUNKS][WG_NETWORK_UNITS], all[MOST_ROWS];
    for (uint32_t c = 0; c < wg_structure_chunks(s); c++) {
        LLVMValueRef field[WG_NETWORK_UNITS];
        wg_structure_put(e, s, c, field);
        wg_network_to_rows(e, &s->net, field, row[c]);
        memcpy(&all[c * s->net.stride], row[c], s->net.stride * sizeof *all);
    }
    struct held h = hold(e, s, mask);
    LLVMBasicBlockRef join = NULL;
    if (may_stream(e, s)) join = stream_rows(e, s, chunk_address(e, s, a, at, 0), all, mask);
    for (uint32_t c = 0; c < wg_structure_chunks(s); c++) {
        LLVMValueRef to = chunk_address(e, s, a, at, c);
        for (uint32_t r = 0; r < s->net.stride; r++)
            if (row[c][r]) store_row(e, s, to, row[c][r], &h, c, r);
    }
    if (join) {
        LLVMBuildBr(e->L.b, join);
        LLVMPositionBuilderAtEnd(e->L.b, join);
    }
}
