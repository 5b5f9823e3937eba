/* Interleaved accesses whose structures are far apart: one scalar access per lane, four lanes to a vector.
 * See structures.c.
 *
 *     [p + l*n + 0], [.. + 4], [.. + 8], [.. + 12]     32 loads of 16 bytes; then the network
 *     [p + l*n]                                        32 loads of a word, put into vectors
 *
 * Fast where all lanes are active; else gathers and scatters. A lone word is also loaded like this, which
 * takes half the time of a gather, but not stored.
 */
#include "jit/access/access.h"
#include "jit/lower/lower_rows.h"
#include "jit/access/structures.h"

/* ---- addresses ---- */

struct steps { /* the multiples of the run-time scale computed so far */
    int64_t r[WG_LANES];
    LLVMValueRef x[WG_LANES];
    uint32_t n;
};

static LLVMValueRef scaled(struct wg_emit *e, const struct wg_value *a, struct steps *s, int64_t r) {
    for (uint32_t i = 0; i < s->n; i++)
        if (s->r[i] == r) return s->x[i];
    s->r[s->n] = r;
    return s->x[s->n++] = LLVMBuildMul(e->L.b, a->scale, wg_i64(e, (uint64_t)r), "");
}

/* For lanes a run-time stride apart: each address is one addition from another. */
static void affine_places(struct wg_emit *e, const struct wg_structure *s, const struct wg_value *a,
                          int64_t at, LLVMValueRef place[WG_LANES]) {
    enum { TOGETHER = 4 };
    LLVMValueRef row[WG_LANES];
    struct steps steps = {.n = 0};
    for (uint32_t l = 0; l < WG_LANES; l++) {
        uint32_t from = l < TOGETHER ? 0 : l - TOGETHER;
        int64_t r = a->r ? a->r[l] - a->r[from] : 0, k = (a->k ? a->k[l] : 0) + s->low - at;
        row[l] = l ? row[from] : a->base;
        if (r) row[l] = LLVMBuildAdd(e->L.b, row[l], scaled(e, a, &steps, r), "");
        place[l] = k ? LLVMBuildAdd(e->L.b, row[l], wg_i64(e, (uint64_t)k), "") : row[l];
        place[l] = LLVMBuildIntToPtr(e->L.b, place[l], e->ptr, "");
    }
}

/* For lanes anywhere: 32-bit indices are moved from vector to scalar registers in pairs. */
static void varying_places(struct wg_emit *e, const struct wg_structure *s, const struct wg_value *a,
                           int64_t at, LLVMValueRef place[WG_LANES]) {
    LLVMBuilderRef b = e->L.b;
    LLVMValueRef far = wg_i64(e, (uint64_t)(s->low - at)), from = a->vec, x = NULL;
    if (a->near) {
        far = LLVMBuildAdd(b, a->far, far, "");
        from = LLVMBuildBitCast(b, a->near, LLVMVectorType(e->i64, WG_LANES / 2), "");
    }
    for (uint32_t l = 0; l < WG_LANES; l++) {
        LLVMValueRef index;
        if (!a->near) {
            index = LLVMBuildExtractElement(b, from, wg_i32(e, l), "");
        } else {
            if (l % 2 == 0) x = LLVMBuildExtractElement(b, from, wg_i32(e, l / 2), "");
            index = l % 2 ? LLVMBuildAShr(b, x, wg_i64(e, 32), "")
                          : LLVMBuildSExt(b, LLVMBuildTrunc(b, x, e->i32, ""), e->i64, "");
            index = LLVMBuildMul(b, index, wg_i64(e, (uint64_t)a->step), "");
        }
        place[l] = LLVMBuildIntToPtr(b, LLVMBuildAdd(b, index, far, ""), e->ptr, "");
    }
}

/* Computes the address of each lane's structure. */
static void find_places(struct wg_emit *e, const struct wg_structure *s, const struct wg_value *a, int64_t at,
                        LLVMValueRef place[WG_LANES]) {
    (a->kind == WG_AFFINE ? affine_places : varying_places)(e, s, a, at, place);
}

/* ---- pieces ---- */

/* The type of a lane's access: one integer of up to 64 bits, or a vector of units. */
static LLVMTypeRef piece_type(struct wg_emit *e, const struct wg_structure *s) {
    if (s->size <= 8) return LLVMIntTypeInContext(e->L.ctx, s->size * 8);
    return LLVMVectorType(LLVMIntTypeInContext(e->L.ctx, s->unit * 8), s->size / s->unit);
}

static bool all_wanted(const struct wg_structure *s) { return s->net.wanted + 1 == 1u << s->net.stride; }

static LLVMValueRef wanted_units(struct wg_emit *e, const struct wg_structure *s) {
    LLVMValueRef c[WG_NETWORK_UNITS];
    for (uint32_t u = 0; u < s->net.stride; u++) c[u] = LLVMConstInt(e->i1, s->net.wanted >> u & 1, 0);
    return LLVMConstVector(c, s->net.stride);
}

static LLVMValueRef load_piece(struct wg_emit *e, const struct wg_structure *s, LLVMValueRef place) {
    LLVMTypeRef t = piece_type(e, s), types[2] = {t, e->ptr};
    if (!all_wanted(s)) {
        LLVMValueRef args[4] = {place, wg_i32(e, s->unit), wanted_units(e, s), LLVMConstNull(t)};
        return wg_lower_intrinsic(&e->L, "llvm.masked.load", types, 2, args, 4);
    }
    LLVMValueRef x = LLVMBuildLoad2(e->L.b, t, place, "");
    LLVMSetAlignment(x, s->unit);
    return x;
}

static void store_piece(struct wg_emit *e, const struct wg_structure *s, LLVMValueRef place, LLVMValueRef x) {
    if (!all_wanted(s)) {
        LLVMTypeRef types[2] = {LLVMTypeOf(x), e->ptr};
        LLVMValueRef args[4] = {x, place, wg_i32(e, s->unit), wanted_units(e, s)};
        wg_lower_intrinsic(&e->L, "llvm.masked.store", types, 2, args, 4);
        return;
    }
    LLVMSetAlignment(LLVMBuildStore(e->L.b, x, place), s->unit);
}

/* Number of pieces in a vector of the network. */
static uint32_t pieces(const struct wg_structure *s) { return s->net.lanes / s->net.stride; }

static LLVMValueRef load_row(struct wg_emit *e, const struct wg_structure *s, const LLVMValueRef *place) {
    LLVMTypeRef t = piece_type(e, s);
    LLVMValueRef part[WG_LANES], row = LLVMGetPoison(LLVMVectorType(t, pieces(s)));
    for (uint32_t i = 0; i < pieces(s); i++) part[i] = load_piece(e, s, place[i]);
    if (s->size > 8) return wg_lanes_join(&e->L, part, pieces(s), s->net.lanes);
    for (uint32_t i = 0; i < pieces(s); i++)
        row = LLVMBuildInsertElement(e->L.b, row, part[i], wg_i32(e, i), "");
    return LLVMBuildBitCast(e->L.b, row, wg_structure_row(e, s), "");
}

static void store_row(struct wg_emit *e, const struct wg_structure *s, const LLVMValueRef *place,
                      LLVMValueRef row) {
    if (s->size <= 8) row = LLVMBuildBitCast(e->L.b, row, LLVMVectorType(piece_type(e, s), pieces(s)), "");
    for (uint32_t i = 0; i < pieces(s); i++) {
        LLVMValueRef x = s->size > 8 ? wg_lanes_of(&e->L, row, i * s->net.stride, s->net.stride)
                                     : LLVMBuildExtractElement(e->L.b, row, wg_i32(e, i), "");
        store_piece(e, s, place[i], x);
    }
}

/* ---- versions for all lanes and for some ---- */

struct ways {
    LLVMBasicBlockRef all, some, join;
};

/* Branches on a full mask. The builder then is where all lanes are active. */
static struct ways part(struct wg_emit *e, LLVMValueRef mask) {
    struct ways w = {0};
    if (wg_is_full(mask)) return w;
    w = (struct ways){wg_new_bb(e, "all"), wg_new_bb(e, "some"), wg_new_bb(e, "apart")};
    LLVMBuildCondBr(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntEQ, mask, wg_i32(e, UINT32_MAX), ""), w.all, w.some);
    LLVMPositionBuilderAtEnd(e->L.b, w.all);
    return w;
}

/* Ends one version and starts the next. */
static void go_on(struct wg_emit *e, LLVMBasicBlockRef *from, LLVMBasicBlockRef join,
                  LLVMBasicBlockRef next) {
    *from = LLVMGetInsertBlock(e->L.b);
    LLVMBuildBr(e->L.b, join);
    LLVMPositionBuilderAtEnd(e->L.b, next);
}

/* The address of an element of a member. */
static struct wg_value element_address(struct wg_emit *e, const struct wg_value *a, int64_t off) {
    struct wg_value x = {.kind = a->kind, .k = a->k, .r = a->r, .scale = a->scale, .step = a->step};
    LLVMValueRef by = wg_i64(e, (uint64_t)off);
    if (a->base) x.base = LLVMBuildAdd(e->L.b, a->base, by, "");
    if (a->near) x.far = LLVMBuildAdd(e->L.b, a->far, by, "");
    x.near = a->near;
    if (a->kind == WG_VARYING && a->vec)
        x.vec = LLVMBuildAdd(e->L.b, a->vec, wg_emit_splat(e, e->L.b, by), "");
    return x;
}

static LLVMValueRef joined(struct wg_emit *e, const struct ways *w, LLVMValueRef all, LLVMValueRef some) {
    LLVMValueRef x = LLVMBuildPhi(e->L.b, LLVMTypeOf(all), "");
    LLVMAddIncoming(x, &all, (LLVMBasicBlockRef *)&w->all, 1);
    LLVMAddIncoming(x, &some, (LLVMBasicBlockRef *)&w->some, 1);
    return x;
}

void wg_structure_load_lanes(struct wg_emit *e, struct wg_structure *s, const struct wg_value *a, int64_t at,
                             LLVMValueRef mask) {
    LLVMValueRef place[WG_LANES], field[WG_STRUCTURE_CHUNKS][WG_NETWORK_UNITS];
    LLVMValueRef some[WG_STRUCTURE_MEMBERS][4];
    struct ways w = part(e, mask);
    find_places(e, s, a, at, place);
    for (uint32_t c = 0; c < wg_structure_chunks(s); c++) {
        LLVMValueRef row[WG_NETWORK_UNITS];
        for (uint32_t r = 0; r < s->net.stride; r++)
            row[r] = load_row(e, s, &place[c * s->net.lanes + r * pieces(s)]);
        wg_network_to_fields(e, &s->net, row, field[c]);
    }
    wg_structure_take(e, s, field);
    if (!w.join) return;
    go_on(e, &w.all, w.join, w.some);
    for (uint32_t k = 0; k < s->n; k++)
        for (uint32_t i = 0; i < s->member[k].nvec; i++) {
            uint32_t bytes = s->member[k].bytes / s->member[k].nvec;
            struct wg_value x = element_address(e, a, s->member[k].at - at + i * bytes);
            some[k][i] = wg_gather(e, &x, bytes * 8, bytes, mask);
        }
    go_on(e, &w.some, w.join, w.join);
    for (uint32_t k = 0; k < s->n; k++)
        for (uint32_t i = 0; i < s->member[k].nvec; i++)
            s->member[k].x[i] = joined(e, &w, s->member[k].x[i], some[k][i]);
}

void wg_structure_store_lanes(struct wg_emit *e, const struct wg_structure *s, const struct wg_value *a,
                              int64_t at, LLVMValueRef mask) {
    LLVMValueRef place[WG_LANES];
    struct ways w = part(e, mask);
    find_places(e, s, a, at, place);
    for (uint32_t c = 0; c < wg_structure_chunks(s); c++) {
        LLVMValueRef field[WG_NETWORK_UNITS], row[WG_NETWORK_UNITS];
        wg_structure_put(e, s, c, field);
        wg_network_to_rows(e, &s->net, field, row);
        for (uint32_t r = 0; r < s->net.stride; r++)
            store_row(e, s, &place[c * s->net.lanes + r * pieces(s)], row[r]);
    }
    if (!w.join) return;
    go_on(e, &w.all, w.join, w.some);
    for (uint32_t k = 0; k < s->n; k++)
        for (uint32_t i = 0; i < s->member[k].nvec; i++) {
            uint32_t bytes = s->member[k].bytes / s->member[k].nvec;
            struct wg_value x = element_address(e, a, s->member[k].at - at + i * bytes);
            wg_scatter(e, &x, s->member[k].x[i], bytes * 8, mask);
        }
    go_on(e, &w.some, w.join, w.join);
}
