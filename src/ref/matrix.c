/* Matrix multiply-accumulate: element by element, each looked up in the lane and the register that hold it.
 *
 * Fragment layout, by the PTX ISA (e elements in a register, a lane's number is 4 * group + member):
 *     a(row, col)   group row % 8, member col / e % 4; registers: + 1 for rows from 8 on, + 1 (of 16 rows: +
 *                   2) for each 4 e columns
 *     b(row, col)   group col, member row / e % 4; + 1 for each 4 e rows
 *     c(row, col)   group row % 8, member col / 2, two columns in a lane; rows from 8 on come after these
 *
 * The layout of wmma's fragments is implementation-defined: 16x16 parts like two of mma's side by side, the
 * others row by row over the lanes.
 *
 * Products of floating-point numbers are exact, c and they are added in the order of k in double precision,
 * and the sum is rounded once; f64 is fused multiply-add by fused multiply-add. Integers are exact.
 */
#include "ref/access.h"
#include "ref/number.h"

#include <math.h>
#include <string.h>

/* ---- places ---- */

struct place {
    uint32_t lane, reg, part; /* part: of the register, from its low bits */
};

static uint32_t per_register(uint8_t type) {
    uint32_t bits = wg_type_bits(type);
    return bits >= 32 ? 1 : 32 / bits;
}

static struct place in_a(const struct wg_ir_parts *p, uint32_t e, uint32_t row, uint32_t col) {
    uint32_t step = p->shape.m == 16 ? 2 : 1;
    return (struct place){row % 8 * 4 + col / e % 4, row / 8 + step * (col / (4 * e)), col % e};
}
static struct place in_b(uint32_t e, uint32_t row, uint32_t col) {
    return (struct place){col % 8 * 4 + row / e % 4, row / (4 * e), row % e};
}
static struct place in_c(uint32_t e, uint32_t row, uint32_t col) {
    uint32_t index = row / 8 * 2 + col % 2;
    return (struct place){row % 8 * 4 + col / 2, index / e, index % e};
}

/* wmma: the first place of an element. */
static struct place in_wmma(const struct wg_ir_parts *p, uint8_t matrix, uint8_t type, uint32_t row,
                            uint32_t col) {
    uint32_t e = per_register(type), rows = matrix == WG_M_mat_b ? p->shape.k : p->shape.m,
             cols = matrix == WG_M_mat_a ? p->shape.k : p->shape.n, slot, lane;
    if (rows == 16 && cols == 16) {
        uint32_t r = matrix == WG_M_mat_b ? col : row, c = matrix == WG_M_mat_b ? row : col;
        lane = r % 8 * 4 + c % 8 / 2;
        slot = matrix == WG_M_mat_b ? r / 8 * 4 + c / 8 * 2 + c % 2 : c / 8 * 4 + r / 8 * 2 + c % 2;
    } else {
        lane = (row * cols + col) % 32;
        slot = (row * cols + col) / 32;
    }
    return (struct place){lane, slot / e, slot % e};
}

static uint64_t get(const struct ref_warp *w, const struct ref_ins *i, uint32_t first, uint8_t type,
                    struct place at) {
    uint32_t bits = wg_type_bits(type);
    if (!(w->group >> at.lane & 1)) return 0;
    uint64_t v = ref_bits(&w->lane[at.lane], i, first + at.reg, bits == 64 ? 64 : 32);
    return bits >= 32 ? v : ref_low(v >> (at.part * bits), bits);
}

/* Results of the lanes: [register][lane], written when everything is read. */
struct given {
    uint64_t v[16][WG_LANES];
};
static void put(struct given *g, uint8_t type, struct place at, uint64_t v) {
    uint32_t bits = wg_type_bits(type);
    g->v[at.reg][at.lane] |= bits >= 32 ? v : ref_low(v, bits) << (at.part * bits);
}
static void give(struct ref_warp *w, const struct ref_ins *i, uint32_t lanes, const struct given *g) {
    REF_FOR_LANES(k, lanes)
    for (uint32_t r = 0; r < i->ndst; r++) ref_set_bits(&w->lane[k], i, r, g->v[r][k], 64);
}

/* ---- products ---- */

static double as_double(uint8_t type, uint64_t bits) {
    if (type == WG_T_TF32) return (double)ref_as_f32(bits & ~UINT64_C(0x1fff));
    return ref_to_double(ref_format_of(type), bits);
}

/* Of f64 a NaN is the one that fma.f64 gives; any NaN will do for types that have but one. */
static double fused(uint8_t type, double a, double b, double c) {
    double r = fma(a, b, c);
    if (type != WG_T_F64 || !isnan(r)) return r;
    uint64_t operands[] = {ref_f64_bits(b), ref_f64_bits(c), ref_f64_bits(a)};
    return ref_as_f64(ref_first_nan(&ref_f64, operands, 3));
}

static uint64_t rounded(uint8_t type, double v) {
    const struct ref_format *f = ref_format_of(type);
    if (type == WG_T_F64) return ref_f64_bits(v);
    return isnan(v) ? f->nan : ref_from_double(f, v, WG_M_rn);
}

static int64_t as_integer(uint8_t type, uint64_t bits) {
    return ref_is_signed(type) ? ref_signed(bits, wg_type_bits(type)) : (int64_t)bits;
}

struct product {
    const struct ref_ins *i;
    struct wg_ir_parts p;
    uint8_t ta, tb; /* types of a and b */
    bool wmma;
};

static struct place place_of(const struct product *x, uint8_t matrix, uint8_t type, uint32_t row,
                             uint32_t col) {
    if (x->wmma) return in_wmma(&x->p, matrix, type, row, col);
    uint32_t e = per_register(type);
    return matrix == WG_M_mat_a   ? in_a(&x->p, e, row, col)
           : matrix == WG_M_mat_b ? in_b(e, row, col)
                                  : in_c(e, row, col);
}

static uint64_t element(const struct ref_warp *w, const struct product *x, uint32_t row, uint32_t col) {
    const struct ref_ins *i = x->i;
    uint8_t tc = i->ir->type4;
    uint32_t behind_a = x->p.a, behind_b = behind_a + x->p.b;
    uint64_t c = get(w, i, behind_b, tc, place_of(x, WG_M_mat_c, tc, row, col));
    bool integer = tc == WG_T_S32;
    double sum = integer ? 0 : as_double(tc, c);
    int64_t count = integer ? ref_signed(c, 32) : 0;
    for (uint32_t k = 0; k < x->p.shape.k; k++) {
        uint64_t a = get(w, i, 0, x->ta, place_of(x, WG_M_mat_a, x->ta, row, k));
        uint64_t b = get(w, i, behind_a, x->tb, place_of(x, WG_M_mat_b, x->tb, k, col));
        if (integer)
            count += as_integer(x->ta, a) * as_integer(x->tb, b);
        else
            sum = fused(tc, as_double(x->ta, a), as_double(x->tb, b), sum);
    }
    if (!integer) return rounded(i->type, sum);
    if (ref_has(i, WG_MC_SAT)) count = count > INT32_MAX ? INT32_MAX : count < INT32_MIN ? INT32_MIN : count;
    return (uint32_t)count;
}

static void multiply(struct ref_warp *w, const struct ref_ins *i, uint32_t lanes) {
    struct product x = {.i = i, .ta = i->type2, .tb = i->ir->type3, .wmma = i->op != WG_OP_MMA};
    struct given g = {{{0}}};
    if (i->op == WG_OP_WMMA_F16) x.ta = x.tb = WG_T_F16;
    wg_ir_matrix_parts(i->ir, &x.p);
    w->group = lanes;
    for (uint32_t row = 0; row < x.p.shape.m; row++)
        for (uint32_t col = 0; col < x.p.shape.n; col++)
            put(&g, i->type, place_of(&x, WG_M_mat_d, i->type, row, col), element(w, &x, row, col));
    give(w, i, lanes, &g);
}

/* ---- loads and stores of 8x8 halves ---- */

/* Lane 8 m + r has the address of row r of matrix m; 0 after a fault. */
static uint64_t row_address(struct ref_warp *w, const struct ref_ins *i, uint32_t m, uint32_t r,
                            enum wg_access_kind kind) {
    uint32_t lane = m * 8 + r;
    return w->group >> lane & 1 ? wg_ref_address(&w->lane[lane], i, 16, kind) : 0;
}

static struct place in_8x8(bool transposed, uint32_t row, uint32_t col) {
    if (transposed) return in_8x8(false, col, row);
    return (struct place){row * 4 + col / 2, 0, col % 2};
}

static void ldmatrix(struct ref_warp *w, const struct ref_ins *i, uint32_t lanes) {
    struct given g = {{{0}}};
    for (uint32_t m = 0; m < i->ndst; m++)
        for (uint32_t r = 0; r < 8; r++) {
            uint16_t row[8] = {0};
            uint64_t at = row_address(w, i, m, r, WG_ACCESS_LOAD);
            if (w->faulted) return;
            if (at) wg_ref_peek(&w->lane[m * 8 + r], at, row, 16);
            for (uint32_t c = 0; c < 8; c++) {
                struct place p = in_8x8(ref_has(i, WG_MC_TRANS), r, c);
                p.reg = m;
                put(&g, WG_T_B16, p, row[c]);
            }
        }
    give(w, i, lanes, &g);
}

static void stmatrix(struct ref_warp *w, const struct ref_ins *i, uint32_t lanes) {
    for (uint32_t m = 0; m + 2u < i->nsrc; m++)
        for (uint32_t r = 0; r < 8; r++) {
            uint16_t row[8];
            uint64_t at = row_address(w, i, m, r, WG_ACCESS_STORE);
            if (w->faulted) return;
            for (uint32_t c = 0; c < 8; c++)
                row[c] = (uint16_t)get(w, i, 1 + m, WG_T_B16, in_8x8(ref_has(i, WG_MC_TRANS), r, c));
            if (at) wg_ref_poke(&w->lane[m * 8 + r], at, row, 16);
        }
}

static void movmatrix(struct ref_warp *w, const struct ref_ins *i, uint32_t lanes) {
    struct given g = {{{0}}};
    for (uint32_t r = 0; r < 8; r++)
        for (uint32_t c = 0; c < 8; c++)
            put(&g, WG_T_B16, in_8x8(false, c, r), get(w, i, 0, WG_T_B16, in_8x8(false, r, c)));
    give(w, i, lanes, &g);
}

/* ---- wmma's own loads and stores ---- */

struct tile {
    uint32_t rows, cols, stride, lane;
    bool by_columns;
};

static struct tile tile_of(const struct ref_warp *w, const struct ref_ins *i, uint32_t lanes,
                           uint32_t stride_at, const struct wg_ir_parts *p) {
    uint8_t matrix = i->mod[WG_MC_MATRIX];
    struct tile t = {.rows = matrix == WG_M_mat_b ? p->shape.k : p->shape.m,
                     .cols = matrix == WG_M_mat_a ? p->shape.k : p->shape.n,
                     .lane = (uint32_t)__builtin_ctz(lanes),
                     .by_columns = i->mod[WG_MC_LAYOUT] == WG_M_col};
    t.stride = t.by_columns ? t.rows : t.cols;
    if (i->nsrc > stride_at + 1) t.stride = (uint32_t)ref_bits(&w->lane[t.lane], i, stride_at, 32);
    return t;
}

static uint64_t offset_of(const struct tile *t, uint32_t row, uint32_t col) {
    return t->by_columns ? (uint64_t)col * t->stride + row : (uint64_t)row * t->stride + col;
}

/* Of element (0, 0); 0 after a fault. */
static uint64_t tile_address(struct ref_warp *w, const struct ref_ins *i, const struct tile *t,
                             enum wg_access_kind kind) {
    return wg_ref_address(&w->lane[t->lane], i, wg_type_bits(i->type) / 8, kind);
}

/* Asks the machine, in code with checks: false: the tile is not touched. */
static bool allowed(struct ref_warp *w, const struct ref_ins *i, const struct tile *t, uint32_t lanes) {
    uint32_t bytes = wg_type_bits(i->type) / 8;
    if (!w->wg->windows) return true;
    struct wg_check_tile asked = {.at = wg_ref_raw_address(&w->lane[t->lane], i),
                                  .pitch = (uint64_t)t->stride * bytes,
                                  .rows = t->by_columns ? t->cols : t->rows,
                                  .bytes = (t->by_columns ? t->rows : t->cols) * bytes};
    return w->wg->block->services->check_tile(w->wg, lanes, i->ir->id, &asked);
}

/* The tile's begin is looked at already. */
static bool reaches(struct ref_warp *w, const struct ref_ins *i, const struct tile *t, uint64_t at,
                    enum wg_access_kind kind) {
    struct ref_lane *l = &w->lane[t->lane];
    uint32_t bytes = wg_type_bits(i->type) / 8, rows = t->by_columns ? t->cols : t->rows,
             row = (t->by_columns ? t->rows : t->cols) * bytes;
    for (uint32_t r = 0; r < rows; r++)
        if (!wg_ref_reaches(l, i, at + (uint64_t)r * t->stride * bytes, (enum wg_space)i->space, row, kind))
            return false;
    return true;
}

static void wmma_load(struct ref_warp *w, const struct ref_ins *i, uint32_t lanes) {
    struct wg_ir_parts p;
    struct given g = {{{0}}};
    wg_ir_matrix_parts(i->ir, &p);
    struct tile t = tile_of(w, i, lanes, 1, &p);
    uint32_t bytes = wg_type_bits(i->type) / 8, e = per_register(i->type), slots = p.d * e;
    uint32_t copies = slots * 32 / (t.rows * t.cols);
    if (!allowed(w, i, &t, lanes)) {
        give(w, i, lanes, &g);
        return;
    }
    uint64_t at = tile_address(w, i, &t, WG_ACCESS_LOAD);
    if (at && !reaches(w, i, &t, at, WG_ACCESS_LOAD)) return;
    for (uint32_t row = 0; at && row < t.rows; row++)
        for (uint32_t col = 0; col < t.cols; col++) {
            uint64_t v = 0;
            struct place x = in_wmma(&p, i->mod[WG_MC_MATRIX], i->type, row, col);
            wg_ref_peek(&w->lane[t.lane], at + offset_of(&t, row, col) * bytes, &v, bytes);
            for (uint32_t k = 0; k < copies; k++, x.reg += p.d / copies) put(&g, i->type, x, v);
        }
    if (at) give(w, i, lanes, &g);
}

static void wmma_store(struct ref_warp *w, const struct ref_ins *i, uint32_t lanes) {
    struct wg_ir_parts p;
    wg_ir_matrix_parts(i->ir, &p);
    w->group = lanes;
    struct tile t = tile_of(w, i, lanes, 1u + p.a, &p);
    uint32_t bytes = wg_type_bits(i->type) / 8;
    if (!allowed(w, i, &t, lanes)) return;
    uint64_t at = tile_address(w, i, &t, WG_ACCESS_STORE);
    if (at && !reaches(w, i, &t, at, WG_ACCESS_STORE)) return;
    for (uint32_t row = 0; at && row < t.rows; row++)
        for (uint32_t col = 0; col < t.cols; col++) {
            uint64_t v = get(w, i, 1, i->type, in_wmma(&p, WG_M_mat_d, i->type, row, col));
            wg_ref_poke(&w->lane[t.lane], at + offset_of(&t, row, col) * bytes, &v, bytes);
        }
}

const struct ref_row wg_ref_matrix_rows[WG_OP_COUNT] = {
    [WG_OP_MMA] = {.group = multiply},        [WG_OP_WMMA_F16] = {.group = multiply},
    [WG_OP_WMMA] = {.group = multiply},       [WG_OP_LDMATRIX] = {.group = ldmatrix},
    [WG_OP_STMATRIX] = {.group = stmatrix},   [WG_OP_MOVMATRIX] = {.group = movmatrix},
    [WG_OP_WMMA_LOAD] = {.group = wmma_load}, [WG_OP_WMMA_STORE] = {.group = wmma_store},
};
