/* A piece of each lane's row in one access, and a transposition in registers: see columns.h.
 *
 *     out[y * n + x] = in[x * n + y];     16 warps, y = 0 .. 15: of row x the words y ... y + 15
 *
 * Warps one after the other would gather from 32 lines each, the same ones each time, and where rows are a
 * power of two apart these lie in one set of the cache and are gone before the next warp comes.
 */
#include "jit/columns.h"
#include "jit/network.h"

enum { WORD = 4, HALF = WG_LANES / 2 };

static LLVMValueRef row_of(struct wg_emit *e, const struct wg_value *a, uint32_t lane) {
    LLVMValueRef at = a->base;
    if (a->k && a->k[lane]) at = LLVMBuildAdd(e->L.b, at, wg_i64(e, (uint64_t)a->k[lane]), "");
    if (a->r && a->r[lane]) {
        LLVMValueRef far = LLVMBuildMul(e->L.b, a->scale, wg_i64(e, (uint64_t)a->r[lane]), "");
        at = LLVMBuildAdd(e->L.b, at, far, "");
    }
    return LLVMBuildIntToPtr(e->L.b, at, e->ptr, "");
}

/* Elements first ... first + n - 1 of a and what follows it. */
static LLVMValueRef take(struct wg_emit *e, LLVMValueRef a, LLVMValueRef b, uint32_t first, uint32_t n) {
    LLVMValueRef c[WG_LANES];
    for (uint32_t i = 0; i < n; i++) c[i] = wg_i32(e, first + i);
    return LLVMBuildShuffleVector(e->L.b, a, b ? b : LLVMGetPoison(LLVMTypeOf(a)), LLVMConstVector(c, n), "");
}

/* Pieces of n words, behind each other in a vector of 16. */
static LLVMValueRef joined(struct wg_emit *e, LLVMValueRef *piece, uint32_t n) {
    for (; n < HALF; n *= 2)
        for (uint32_t i = 0; i < HALF / n / 2; i++)
            piece[i] = take(e, piece[2 * i], piece[2 * i + 1], 0, 2 * n);
    return piece[0];
}

void wg_columns_load(struct wg_emit *e, const struct wg_value *first, uint32_t n, LLVMValueRef *x) {
    struct wg_network net = {.lanes = HALF, .stride = n, .wanted = (1u << n) - 1};
    LLVMTypeRef t = LLVMVectorType(e->i32, n);
    LLVMValueRef row[WG_NETWORK_UNITS], field[2][WG_NETWORK_UNITS];
    for (uint32_t half = 0; half < 2; half++) {
        for (uint32_t i = 0; i < n; i++) {
            LLVMValueRef piece[HALF];
            for (uint32_t l = 0; l < HALF / n; l++) {
                uint32_t lane = half * HALF + i * (HALF / n) + l;
                piece[l] = LLVMBuildLoad2(e->L.b, t, row_of(e, first, lane), "");
                LLVMSetAlignment(piece[l], WORD);
            }
            row[i] = joined(e, piece, n);
        }
        wg_network_to_fields(e, &net, row, field[half]);
    }
    for (uint32_t k = 0; k < n; k++) x[k] = take(e, field[0][k], field[1][k], 0, WG_LANES);
}

void wg_columns_store(struct wg_emit *e, const struct wg_value *first, uint32_t n, const LLVMValueRef *x) {
    struct wg_network net = {.lanes = HALF, .stride = n, .wanted = (1u << n) - 1};
    LLVMValueRef row[WG_NETWORK_UNITS], field[WG_NETWORK_UNITS];
    for (uint32_t half = 0; half < 2; half++) {
        for (uint32_t k = 0; k < n; k++) field[k] = take(e, x[k], NULL, half * HALF, HALF);
        wg_network_to_rows(e, &net, field, row);
        for (uint32_t i = 0; i < HALF; i++) {
            LLVMValueRef from = row[i / (HALF / n)], piece = from;
            if (n < HALF) piece = take(e, from, NULL, i % (HALF / n) * n, n);
            LLVMSetAlignment(LLVMBuildStore(e->L.b, piece, row_of(e, first, half * HALF + i)), WORD);
        }
    }
}
