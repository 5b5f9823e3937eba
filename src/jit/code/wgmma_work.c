/* wgmma.mma_async, called by generated code: a warp's sixteen rows of the product of 64 rows.
 *
 * A descriptor locates a matrix in the block's shared memory, in units of 16 bytes: bits 0..13 are the start,
 * 16..29 and 32..45 two distances ("leading" and "stride"), 62..63 the swizzling mode. With rows of W
 * bytes (W is 128, 64 or 32 for swizzling 1, 2, 3) and element (i, byte of k):
 *
 *     along k      W rows:  i / 8 * stride + i % 8 * W + byte
 *                  none:    i / 8 * stride + i % 8 * 16 + byte / 16 * leading + byte % 16
 *     along i      W rows:  i's bytes % W + k % 8 * W + i's bytes / W * leading + k / 8 * stride
 *                  none:    i's bytes % 16 + k % 8 * 16 + i / 8 * stride + k / 8 * leading
 *
 * Where it swizzles, address bits 4.. are exclusive ors with bits 7.. .
 */
#include "analysis/copies.h"
#include "jit/code/helpers.h"

#include <string.h>

enum { SLOT = 256, ROWS = 16, DEPTH = 32, COLUMNS = 256 };

struct tile {
    const uint8_t *shared; /* of the block */
    uint32_t begin, leading, stride, width, mask;
    bool along_i; /* transposed */
};

static bool describe(const struct wg_warp *w, uint64_t d, bool transposed, struct tile *t) {
    static const uint32_t widths[] = {16, 128, 64, 32};
    uint32_t swizzle = (uint32_t)(d >> 62);
    *t = (struct tile){.shared = w->block->cluster_shared + w->block->shared_offset,
                       .begin = (uint32_t)(d & 0x3fff) << 4,
                       .leading = (uint32_t)(d >> 16 & 0x3fff) << 4,
                       .stride = (uint32_t)(d >> 32 & 0x3fff) << 4,
                       .width = widths[swizzle],
                       .along_i = transposed};
    t->mask = t->width / 16 * 16 - 16;
    return (d >> 49 & 7) == 0;
}

static uint32_t place(const struct tile *t, uint32_t i, uint32_t k, uint32_t size) {
    uint32_t at;
    if (!t->along_i) {
        uint32_t byte = k * size;
        at = i / 8 * t->stride + i % 8 * t->width;
        at += t->width == 16 ? byte / 16 * t->leading + byte % 16 : byte;
    } else {
        uint32_t byte = i * size;
        at = byte % t->width + k % 8 * t->width;
        at += t->width == 16 ? byte / 16 * t->stride + k / 8 * t->leading
                             : byte / t->width * t->leading + k / 8 * t->stride;
    }
    at += t->begin;
    return (at ^ (at >> 3 & t->mask)) & 0x3ffff;
}

struct product {
    uint32_t columns, depth, size;
    enum wg_type type, a, b;
    bool a_negative, b_negative, a_transposed, b_transposed, a_in_registers, saturates;
};

static struct product unpack(uint64_t code) {
    struct product p = {.columns = code & 0xffff,
                        .type = (enum wg_type)(code >> 16 & 0xff),
                        .a = (enum wg_type)(code >> 24 & 0xff),
                        .b = (enum wg_type)(code >> 32 & 0xff),
                        .a_negative = code >> 40 & 1,
                        .b_negative = code >> 41 & 1,
                        .a_transposed = code >> 42 & 1,
                        .b_transposed = code >> 43 & 1,
                        .a_in_registers = code >> 44 & 1,
                        .saturates = code >> 45 & 1};
    p.size = wg_type_bits(p.a) / 8;
    p.depth = 32 / p.size;
    return p;
}

/* Bits of a's element: row of the warp's sixteen, column k. */
static uint32_t bits_of_a(const struct product *p, const struct tile *t, const uint8_t *area,
                          uint32_t first_row, uint32_t mask, uint32_t row, uint32_t k) {
    uint32_t v = 0;
    if (!p->a_in_registers) {
        memcpy(&v, t->shared + place(t, first_row + row, k, p->size), p->size);
        return v;
    }
    uint32_t per = 4 / p->size, lane = row % 8 * 4 + k / per % 4, reg = row / 8 + 2 * (k / (4 * per));
    if (mask >> lane & 1) memcpy(&v, area + reg * SLOT + lane * 4 + k % per * p->size, p->size);
    return v;
}

static double number(enum wg_type t, uint32_t bits) {
    float f;
    if (t == WG_T_F16) {
        _Float16 h;
        uint16_t b = (uint16_t)bits;
        memcpy(&h, &b, 2);
        return (double)h;
    }
    bits = t == WG_T_BF16 ? bits << 16 : t == WG_T_TF32 ? bits & 0xffffe000 : bits;
    memcpy(&f, &bits, 4);
    return (double)f;
}
static uint32_t rounded(enum wg_type t, double v) {
    uint32_t bits;
    if (t == WG_T_F16) {
        _Float16 h = (_Float16)v;
        uint16_t b;
        memcpy(&b, &h, 2);
        return v != v ? 0x7fff : b;
    }
    float f = (float)v;
    memcpy(&bits, &f, 4);
    return v != v ? 0x7fffffff : bits;
}
static int32_t integer(enum wg_type t, uint32_t bits) { return t == WG_T_S8 ? (int8_t)bits : (uint8_t)bits; }

/* The place of column c of row r of d: register (of 32 bits), lane, upper half. */
static uint8_t *place_of_d(const struct product *p, uint8_t *area, uint32_t r, uint32_t c) {
    uint32_t lane = r % 8 * 4 + c % 8 / 2, index = c / 8 * 4 + r / 8 * 2 + c % 2;
    if (p->type == WG_T_F16) return area + (6 + index / 2) * SLOT + lane * 4 + index % 2 * 2;
    return area + (6 + index) * SLOT + lane * 4;
}

static void multiply_bytes(const struct product *p, const uint32_t *a, const uint32_t *b, uint8_t *area,
                           bool adds) {
    int32_t x[ROWS * DEPTH], y[DEPTH * COLUMNS];
    for (uint32_t i = 0; i < ROWS * DEPTH; i++) x[i] = integer(p->a, a[i]);
    for (uint32_t i = 0; i < DEPTH * p->columns; i++) y[i] = integer(p->b, b[i]);
    for (uint32_t r = 0; r < ROWS; r++) {
        int32_t sum[COLUMNS] = {0};
        for (uint32_t k = 0; k < DEPTH; k++)
            for (uint32_t c = 0; c < p->columns; c++) sum[c] += x[r * DEPTH + k] * y[k * p->columns + c];
        for (uint32_t c = 0; c < p->columns; c++) {
            uint8_t *at = place_of_d(p, area, r, c);
            int32_t d = 0;
            if (adds) memcpy(&d, at, 4);
            int64_t v = (int64_t)d + sum[c];
            if (p->saturates) v = v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : v;
            uint32_t bits = (uint32_t)v;
            memcpy(at, &bits, 4);
        }
    }
}

static void multiply_numbers(const struct product *p, const uint32_t *a, const uint32_t *b, uint8_t *area,
                             bool adds) {
    double y[DEPTH * COLUMNS];
    uint32_t bytes = p->type == WG_T_F16 ? 2 : 4;
    for (uint32_t i = 0; i < p->depth * p->columns; i++) y[i] = number(p->b, b[i]) * (p->b_negative ? -1 : 1);
    for (uint32_t r = 0; r < ROWS; r++) {
        double sum[COLUMNS];
        for (uint32_t c = 0; c < p->columns; c++) {
            uint32_t d = 0;
            if (adds) memcpy(&d, place_of_d(p, area, r, c), bytes);
            sum[c] = number(p->type, d);
        }
        for (uint32_t k = 0; k < p->depth; k++) {
            double x = number(p->a, a[r * p->depth + k]) * (p->a_negative ? -1 : 1);
            for (uint32_t c = 0; c < p->columns; c++) sum[c] += x * y[k * p->columns + c];
        }
        for (uint32_t c = 0; c < p->columns; c++) {
            uint32_t bits = rounded(p->type, sum[c]);
            memcpy(place_of_d(p, area, r, c), &bits, bytes);
        }
    }
}

/* Tells the machine which parts of shared memory the warp reads. */
static void tell(struct wg_warp *w, const struct product *p, const struct tile *ta, const struct tile *tb,
                 uint32_t mask, uint32_t id) {
    uint64_t granules[WG_GRANULES / 64] = {0};
    for (uint32_t k = 0; k < p->depth; k++) {
        for (uint32_t r = 0; r < ROWS && !p->a_in_registers; r++) {
            uint32_t at = place(ta, w->id % 4 * ROWS + r, k, p->size) / WG_GRANULE;
            granules[at / 64] |= UINT64_C(1) << at % 64;
        }
        for (uint32_t c = 0; c < p->columns; c++) {
            uint32_t at = place(tb, c, k, p->size) / WG_GRANULE;
            granules[at / 64] |= UINT64_C(1) << at % 64;
        }
    }
    w->block->services->check_operands(w, mask, id, granules);
}

uint32_t wg_jit_wgmma(struct wg_warp *w, uint8_t *area, uint32_t mask, uint64_t code, uint32_t id) {
    struct product p = unpack(code);
    uint32_t lane = mask ? (uint32_t)__builtin_ctz(mask) : 0, adds, a[ROWS * DEPTH], b[DEPTH * COLUMNS];
    uint64_t da = 0, db;
    struct tile ta = {0}, tb;
    if (!p.a_in_registers) memcpy(&da, area + lane * 8, 8);
    memcpy(&db, area + 4 * SLOT + lane * 8, 8);
    memcpy(&adds, area + 5 * SLOT + lane * 4, 4);
    if (!p.a_in_registers && !describe(w, da, p.a_transposed, &ta)) return 0;
    if (!describe(w, db, p.b_transposed, &tb)) return 0;
    if (w->windows) tell(w, &p, &ta, &tb, mask, id);
    for (uint32_t r = 0; r < ROWS; r++)
        for (uint32_t k = 0; k < p.depth; k++)
            a[r * p.depth + k] = bits_of_a(&p, &ta, area, w->id % 4 * ROWS, mask, r, k);
    for (uint32_t k = 0; k < p.depth; k++)
        for (uint32_t c = 0; c < p.columns; c++) {
            uint32_t *to = &b[k * p.columns + c];
            *to = 0;
            memcpy(to, tb.shared + place(&tb, c, k, p.size), p.size);
        }
    if (w->tally)
        wg_count_operands(w, id, ((p.a_in_registers ? 0 : 4 * ROWS) + p.columns) * p.depth * p.size);
    if (p.type == WG_T_S32)
        multiply_bytes(&p, a, b, area, adds);
    else
        multiply_numbers(&p, a, b, area, adds);
    return 1;
}
