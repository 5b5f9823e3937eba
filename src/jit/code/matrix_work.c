/* Matrix instructions, called by generated code: a warp's fragments are gathered into matrices, multiplied
 * and scattered again.
 *
 * Operands and results are in an area, a slot of 256 bytes for each register of the warp: 32 words, of 4
 * bytes or (f64) 8, one a lane. Lanes that are off count as zeros.
 */
#include "jit/code/helpers.h"
#include "warp/touch.h"

#include <math.h>
#include <string.h>

enum { SLOT = 256, MOST = 32 * 16 };

/* The instruction, unpacked from generated code's two words. */
struct work {
    uint32_t op, shape, count, layout, matrix;
    uint8_t type, a, b, c;
    bool saturates, transposes, strided;
    struct wg_matrix_shape s;
};

static struct work unpack(uint64_t code) {
    struct work x = {.op = code & 0xffff,
                     .shape = code >> 16 & 0xff,
                     .type = code >> 24 & 0xff,
                     .a = code >> 32 & 0xff,
                     .b = code >> 40 & 0xff,
                     .c = code >> 48 & 0xff,
                     .saturates = code >> 56 & 1,
                     .transposes = code >> 57 & 1,
                     .layout = code >> 58 & 1,
                     .strided = code >> 59 & 1,
                     .matrix = code >> 60 & 3};
    x.s = wg_mod_shape((enum wg_mod)x.shape);
    return x;
}

/* ---- elements in lanes ---- */

static uint32_t load(const uint8_t *area, uint32_t reg, uint32_t lane) {
    uint32_t v;
    memcpy(&v, area + reg * SLOT + lane * 4, 4);
    return v;
}
static void store(uint8_t *area, uint32_t reg, uint32_t lane, uint32_t v) {
    memcpy(area + reg * SLOT + lane * 4, &v, 4);
}

/* Row and column of part `part` (of `e`) of register `reg` of a lane, in mma's matrices. */
static uint32_t mma_index(const struct work *x, uint32_t matrix, uint32_t e, uint32_t lane, uint32_t reg,
                          uint32_t part) {
    uint32_t group = lane >> 2, member = lane & 3;
    if (matrix == 0) {
        uint32_t upper = x->s.m == 16 ? reg & 1 : 0, block = x->s.m == 16 ? reg >> 1 : reg;
        return (group + 8 * upper) * x->s.k + member * e + part + 4 * e * block;
    }
    if (matrix == 1) return (member * e + part + 4 * e * reg) * x->s.n + group;
    uint32_t i = reg * e + part;
    return (group + 8 * (i >> 1)) * x->s.n + member * 2 + (i & 1);
}

/* The same of wmma, whose places are ours: see ref/matrix.c. Further copies come to the same element. */
static uint32_t wmma_index(const struct work *x, uint32_t matrix, uint32_t e, uint32_t lane, uint32_t reg,
                           uint32_t part) {
    uint32_t rows = matrix == 1 ? x->s.k : x->s.m, cols = matrix == 0 ? x->s.k : x->s.n;
    uint32_t slot = reg * e + part;
    if (rows != 16 || cols != 16) return (slot * 32 + lane) % (rows * cols);
    uint32_t i = slot & 7, near = (lane >> 2), pair = (lane & 3) * 2 + (i & 1);
    if (matrix == 1) return (pair + 8 * (i >> 1 & 1)) * 16 + near + 8 * (i >> 2);
    return (near + 8 * (i >> 1 & 1)) * 16 + pair + 8 * (i >> 2);
}

static uint32_t index_of(const struct work *x, uint32_t matrix, uint32_t e, uint32_t lane, uint32_t reg,
                         uint32_t part) {
    return x->op == WG_OP_MMA ? mma_index(x, matrix, e, lane, reg, part)
                              : wmma_index(x, matrix, e, lane, reg, part);
}

static uint32_t registers(const struct work *x, uint32_t matrix, uint8_t type) {
    uint32_t elements = matrix == 0 ? x->s.m * x->s.k : matrix == 1 ? x->s.k * x->s.n : x->s.m * x->s.n;
    if (x->op != WG_OP_MMA && matrix < 2 && type == WG_T_F16) return 8;
    uint32_t bits = wg_type_bits(type);
    return bits == 64 ? elements / 32 : elements * bits / 1024;
}

/* ---- numbers ---- */

static double word_to_double(uint32_t bits) {
    float f;
    memcpy(&f, &bits, 4);
    return (double)f;
}
/* The bits in a float's place are 2^112 too small, subnormals too. */
static double half_to_double(uint32_t bits) {
    double v = word_to_double((bits & 0x7fff) << 13) * 0x1p112;
    if ((bits & 0x7c00) == 0x7c00) v = bits & 0x3ff ? (double)__builtin_nanf("") : (double)__builtin_inff();
    return bits & 0x8000 ? -v : v;
}
static double to_double(uint8_t type, uint32_t bits) {
    switch (type) {
    case WG_T_F16: return half_to_double(bits);
    case WG_T_BF16: return word_to_double(bits << 16);
    case WG_T_TF32: return word_to_double(bits & 0xffffe000);
    default: return word_to_double(bits);
    }
}
static uint32_t from_double(uint8_t type, double v) {
    uint32_t bits;
    if (type == WG_T_F16) {
        _Float16 h = (_Float16)v;
        uint16_t b;
        memcpy(&b, &h, 2);
        return v != v ? 0x7fff : b;
    }
    float f = (float)v;
    memcpy(&bits, &f, 4);
    return v != v ? 0x7fffffff : bits;
}

/* ---- products ---- */

static void gather_doubles(const struct work *x, uint32_t matrix, uint8_t type, const uint8_t *area,
                           uint32_t first, uint32_t mask, double *to) {
    uint32_t bits = wg_type_bits(type), e = bits >= 32 ? 1 : 32 / bits, n = registers(x, matrix, type);
    for (uint32_t r = 0; r < n; r++)
        for (uint32_t l = 0; l < WG_LANES; l++) {
            bool on = mask >> l & 1;
            if (bits == 64) {
                double v = 0;
                if (on) memcpy(&v, area + (first + r) * SLOT + l * 8, 8);
                to[index_of(x, matrix, 1, l, r, 0)] = v;
                continue;
            }
            uint32_t word = on ? load(area, first + r, l) : 0;
            for (uint32_t p = 0; p < e; p++)
                to[index_of(x, matrix, e, l, r, p)] =
                    to_double(type, bits == 32 ? word : word >> (p * bits) & 0xffff);
        }
}

/* Of several NaNs b's is given, then c's, then a's, made quiet. */
static double fused_f64(double a, double b, double c) {
    double r = fma(a, b, c), nan = b != b ? b : c != c ? c : a;
    const uint64_t none = 0xfff8ull << 48, quiet = 1ull << 51;
    uint64_t bits;
    if (r == r) return r;
    memcpy(&bits, &nan, 8);
    bits = nan != nan ? bits | quiet : none;
    memcpy(&r, &bits, 8);
    return r;
}

static void multiply_doubles(const struct work *x, uint8_t *area, uint32_t mask) {
    double a[MOST], b[MOST], d[MOST];
    uint32_t na = registers(x, 0, x->a), nb = registers(x, 1, x->b), nc = registers(x, 2, x->c);
    gather_doubles(x, 0, x->a, area, 0, mask, a);
    gather_doubles(x, 1, x->b, area, na, mask, b);
    gather_doubles(x, 2, x->c, area, na + nb, mask, d);
    uint32_t m = x->s.m, n = x->s.n, depth = x->s.k;
    bool fused = x->type == WG_T_F64; /* products of the narrower types are exact */
    for (uint32_t row = 0; row < m; row++)
        for (uint32_t k = 0; k < depth; k++) {
            double left = a[row * depth + k];
            const double *right = b + k * n;
            double *to = d + row * n;
            if (fused)
                for (uint32_t col = 0; col < n; col++) to[col] = fused_f64(left, right[col], to[col]);
            else
                for (uint32_t col = 0; col < n; col++) to[col] += left * right[col];
        }
    uint32_t bits = wg_type_bits(x->type), e = bits >= 32 ? 1 : 2, nd = registers(x, 2, x->type);
    uint8_t *out = area + (na + nb + nc) * SLOT;
    for (uint32_t r = 0; r < nd; r++)
        for (uint32_t l = 0; l < WG_LANES; l++) {
            if (bits == 64) {
                double v = d[index_of(x, 2, 1, l, r, 0)];
                memcpy(out + r * SLOT + l * 8, &v, 8);
                continue;
            }
            uint32_t word = 0;
            for (uint32_t p = 0; p < e; p++)
                word |= from_double(x->type, d[index_of(x, 2, e, l, r, p)]) << (p * 16);
            store(out, r, l, word);
        }
}

static void gather_bytes(const struct work *x, uint32_t matrix, uint8_t type, const uint8_t *area,
                         uint32_t first, uint32_t mask, int16_t *to) {
    uint32_t n = registers(x, matrix, type);
    /* mma: a register's bytes lie next to each other along k */
    uint32_t step = x->op != WG_OP_MMA ? 0 : matrix == 0 ? 1 : x->s.n;
    for (uint32_t r = 0; r < n; r++)
        for (uint32_t l = 0; l < WG_LANES; l++) {
            uint32_t word = mask >> l & 1 ? load(area, first + r, l) : 0,
                     at = index_of(x, matrix, 4, l, r, 0);
            for (uint32_t p = 0; p < 4; p++) {
                uint8_t byte = (uint8_t)(word >> 8 * p);
                uint32_t place = step ? at + p * step : index_of(x, matrix, 4, l, r, p);
                to[place] = type == WG_T_S8 ? (int8_t)byte : byte;
            }
        }
}

/* d += a b; n is a constant where it is called, so that a row of d stays in registers. */
static inline void add_product(uint32_t m, uint32_t n, uint32_t depth, const int16_t *a, const int16_t *b,
                               int32_t *d) {
    for (uint32_t row = 0; row < m; row++)
        for (uint32_t k = 0; k < depth; k++)
            for (uint32_t col = 0; col < n; col++)
                d[row * n + col] += (int32_t)a[row * depth + k] * b[k * n + col];
}

static void multiply_bytes(const struct work *x, uint8_t *area, uint32_t mask) {
    int16_t a[MOST], b[MOST];
    int32_t d[MOST] = {0};
    uint32_t na = registers(x, 0, x->a), nb = registers(x, 1, x->b), nc = registers(x, 2, x->c);
    gather_bytes(x, 0, x->a, area, 0, mask, a);
    gather_bytes(x, 1, x->b, area, na, mask, b);
    if (x->s.n == 8)
        add_product(x->s.m, 8, x->s.k, a, b, d);
    else
        add_product(x->s.m, x->s.n, x->s.k, a, b, d);
    const uint8_t *c = area + (na + nb) * SLOT;
    uint8_t *out = area + (na + nb + nc) * SLOT;
    for (uint32_t r = 0; r < nc; r++)
        for (uint32_t l = 0; l < WG_LANES; l++) {
            int64_t before = mask >> l & 1 ? (int32_t)load(c, r, l) : 0,
                    sum = before + d[index_of(x, 2, 1, l, r, 0)];
            if (x->saturates) sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
            store(out, r, l, (uint32_t)sum);
        }
}

void wg_jit_multiply(uint8_t *area, uint32_t mask, uint64_t code) {
    struct work x = unpack(code);
    if (x.type == WG_T_S32)
        multiply_bytes(&x, area, mask);
    else
        multiply_doubles(&x, area, mask);
}

/* ---- loads, stores, transposition of 8x8 halves ---- */

/* Half `col` of row `row` is in lane row * 4 + col / 2. */
static uint16_t half_at(const uint8_t *slot, uint32_t mask, uint32_t row, uint32_t col) {
    uint32_t lane = row * 4 + col / 2;
    uint16_t v = 0;
    if (mask >> lane & 1) memcpy(&v, slot + lane * 4 + col % 2 * 2, 2);
    return v;
}
static void set_half(uint8_t *slot, uint32_t row, uint32_t col, uint16_t v) {
    memcpy(slot + (row * 4 + col / 2) * 4 + col % 2 * 2, &v, 2);
}

void wg_jit_ldmatrix(const uint64_t *at, uint8_t *area, uint32_t mask, uint32_t matrices,
                     uint32_t transposes) {
    memset(area, 0, (size_t)matrices * SLOT);
    for (uint32_t lane = 0; lane < matrices * 8; lane++) {
        uint8_t *slot = area + lane / 8 * SLOT;
        uint16_t row[8];
        if (!(mask >> lane & 1)) continue;
        memcpy(row, (const void *)(uintptr_t)at[lane], 16);
        if (!transposes)
            memcpy(slot + lane % 8 * 16, row, 16);
        else
            for (uint32_t c = 0; c < 8; c++) set_half(slot, c, lane % 8, row[c]);
    }
}

void wg_jit_stmatrix(const uint64_t *at, const uint8_t *area, uint32_t mask, uint32_t matrices,
                     uint32_t transposes) {
    for (uint32_t lane = 0; lane < matrices * 8; lane++) {
        const uint8_t *slot = area + lane / 8 * SLOT;
        uint16_t row[8];
        if (!(mask >> lane & 1)) continue;
        for (uint32_t c = 0; c < 8; c++)
            row[c] = transposes ? half_at(slot, mask, c, lane % 8) : half_at(slot, mask, lane % 8, c);
        memcpy((void *)(uintptr_t)at[lane], row, 16);
    }
}

void wg_jit_movmatrix(uint8_t *area, uint32_t mask) {
    for (uint32_t r = 0; r < 8; r++)
        for (uint32_t c = 0; c < 8; c++) set_half(area + SLOT, c, r, half_at(area, mask, r, c));
}

/* ---- wmma's loads and stores ---- */

/* Bytes from the tile's begin to element `index` of the matrix. */
static uint64_t tile_offset(const struct work *x, uint32_t index, uint32_t stride, uint32_t bytes) {
    uint32_t cols = x->matrix == 0 ? x->s.k : x->s.n, row = index / cols, col = index % cols;
    return ((uint64_t)(x->layout ? col : row) * stride + (x->layout ? row : col)) * bytes;
}

static struct wg_check_tile tile_at(const struct work *x, uint64_t at, uint32_t stride) {
    uint32_t rows = x->matrix == 1 ? x->s.k : x->s.m, cols = x->matrix == 0 ? x->s.k : x->s.n;
    uint32_t bytes = wg_type_bits(x->type) / 8;
    return (struct wg_check_tile){.at = at,
                                  .pitch = (uint64_t)stride * bytes,
                                  .rows = x->layout ? cols : rows,
                                  .bytes = (x->layout ? rows : cols) * bytes};
}

static bool may_touch(struct wg_warp *w, const struct wg_check_tile *t) {
    for (uint32_t r = 0; r < t->rows; r++)
        if (!wg_may_touch(w, t->at + r * t->pitch, t->bytes)) return false;
    return true;
}

uint32_t wg_jit_wmma_memory(struct wg_warp *w, uint64_t at, uint8_t *area, uint32_t mask, uint32_t stride,
                            uint64_t code, uint32_t id) {
    struct work x = unpack(code);
    uint32_t bits = wg_type_bits(x.type), bytes = bits / 8, e = bits >= 32 ? 1 : 32 / bits;
    uint32_t n = registers(&x, x.matrix, x.type), rows = x.matrix == 1 ? x.s.k : x.s.m,
             cols = x.matrix == 0 ? x.s.k : x.s.n;
    if (!x.strided) stride = x.layout ? rows : cols;
    struct wg_check_tile t = tile_at(&x, at, stride);
    if (w->windows && !w->block->services->check_tile(w, mask, id, &t)) {
        if (x.op == WG_OP_WMMA_LOAD) memset(area, 0, (size_t)n * SLOT);
        return 0;
    }
    if (!may_touch(w, &t)) return 1;
    for (uint32_t r = 0; r < n; r++)
        for (uint32_t l = 0; l < WG_LANES; l++)
            for (uint32_t p = 0; p < e; p++) {
                uint8_t *place = area + r * SLOT + l * (bits == 64 ? 8 : 4) + p * bytes;
                void *element = (void *)(uintptr_t)(at + tile_offset(&x, wmma_index(&x, x.matrix, e, l, r, p),
                                                                     stride, bytes));
                if (x.op == WG_OP_WMMA_LOAD)
                    memcpy(place, element, bytes);
                else
                    memcpy(element, mask >> l & 1 ? (const void *)place : (const void *)&(uint64_t){0},
                           bytes);
            }
    return 0;
}
