/* Edge values by class: see values.h. */
#include "tests/rows/values.h"
#include <stddef.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* Integers: at most 32 chief edges first. */
static const uint64_t i16[] = {0,      1,      2,      3,      7,      8,      15,     16,
                               31,     32,     100,    0x7f,   0x80,   0x81,   0xff,   0x100,
                               0x101,  0x3fff, 0x4000, 0x5555, 0x7ffe, 0x7fff, 0x8000, 0x8001,
                               0xaaaa, 0xbfff, 0xff7f, 0xff80, 0xff81, 0xfffd, 0xfffe, 0xffff};
static const uint64_t i32[] = {0,          1,          2,          3,          7,          16,
                               31,         32,         0xff,       0x80,       0x7fff,     0x8000,
                               0xffff,     0x10000,    0x10001,    0x7fffff,   0x800000,   0xffffff,
                               0x1000000,  0x55555555, 0x3fffffff, 0x40000000, 0x7ffffffe, 0x7fffffff,
                               0x80000000, 0x80000001, 0xaaaaaaaa, 0xc0000000, 0xffff8000, 0xffffff80,
                               0xfffffffe, 0xffffffff, 0x4b,       0x12345678, 0x80808080, 0x7f7f7f7f,
                               0xff00ff00, 0xffff0000, 0x00fe0002, 0xfffffffd, 0x01020304};
static const uint64_t i64[] = {0,
                               1,
                               2,
                               3,
                               10,
                               63,
                               64,
                               0xff,
                               0x7fff,
                               0x8000,
                               0xffff,
                               0x7fffffff,
                               0x80000000,
                               0xffffffff,
                               0x100000000,
                               0x100000001,
                               0x1fffffffffffff,
                               0x20000000000000,
                               0x20000000000001,
                               0x5555555555555555,
                               0x3fffffffffffffff,
                               0x4000000000000000,
                               0x7ffffffffffffffe,
                               0x7fffffffffffffff,
                               0x8000000000000000,
                               0x8000000000000001,
                               0xaaaaaaaaaaaaaaaa,
                               0xffffffff00000000,
                               0xffffffff80000000,
                               0xffffffffffff8000,
                               0xfffffffffffffffe,
                               0xffffffffffffffff,
                               0x7fffff4000000000,
                               0x7fffffbfffffffff,
                               0x7fffffc000000000,
                               0xfffffbffffffffff,
                               0x8000008000000000,
                               0x0123456789abcdef,
                               0xffffffffffffff80};
/* Zeros, the smallest and largest of each kind, halves, integers at the rims of integer types, NaNs. */
static const uint64_t f16[] = {0x0000, 0x8000, 0x3c00, 0xbc00, 0x3800, 0xb800, 0x3e00, 0x4100,
                               0x0001, 0x8001, 0x03ff, 0x83ff, 0x0400, 0x8400, 0x0401, 0x7bff,
                               0xfbff, 0x7c00, 0xfc00, 0x7e00, 0xfe01, 0x7c01, 0xffff, 0x3bff,
                               0x3c01, 0x57f8, 0x5808, 0xd804, 0x5bfc, 0x3555, 0x6400, 0x0200,
                               0x77ff, 0x7800, 0xf800, 0xf801, 0x1400, 0x13ff, 0x4248, 0xc500};
static const uint64_t bf16[] = {0x0000, 0x8000, 0x3f80, 0xbf80, 0x3f00, 0xbf00, 0x3fc0, 0x4020,
                                0x0001, 0x8001, 0x007f, 0x807f, 0x0080, 0x8080, 0x0081, 0x7f7f,
                                0xff7f, 0x7f80, 0xff80, 0x7fc0, 0xffc1, 0x7f81, 0xffff, 0x3f7f,
                                0x3f81, 0x42ff, 0x4300, 0xc301, 0x437f, 0x3eab, 0x4f00, 0x2000,
                                0x4eff, 0x4f80, 0xcf00, 0x5f00, 0x5f80, 0x1f80, 0x4049, 0xc0a0};
static const uint64_t f32[] = {
    0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x3f000000, 0xbf000000, 0x3fc00000, 0x40200000,
    0x00000001, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000, 0x80800000, 0x00800001, 0x7f7fffff,
    0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001, 0x7f800001, 0xffffffff, 0x3f7fffff,
    0x3f800001, 0x42ff0000, 0x43008000, 0x4f000000, 0xcf000000, 0x4effffff, 0x4f800000, 0x3eaaaaab,
    0x437f8000, 0xc3008000, 0x46fffe00, 0x47000080, 0x477fff80, 0x4f7fffff, 0xcf000001, 0x5f000000,
    0x5effffff, 0xdf000000, 0x5f800000, 0x5f7fffff, 0x4b000000, 0x4b000001, 0x4afffffe, 0x4b7fffff,
    0x00400000, 0x00000400, 0x477fe000, 0x477ff000, 0x47800000, 0x38800000, 0x387fc000, 0x33000000,
    0x33000001, 0x33800000, 0x7effffff, 0x7f000000, 0x20000000, 0x1fffffff, 0x60000000, 0x3f808000,
    0x3f818000, 0x3f801000, 0x3f803000, 0x40490fdb, 0xc2c80000, 0x41200000, 0x3effffff, 0x3f7f7fff,
    0x7f7f8000, 0x7f7f7fff};
static const uint64_t f64[] = {
    0x0000000000000000, 0x8000000000000000, 0x3ff0000000000000, 0xbff0000000000000, 0x3fe0000000000000,
    0xbfe0000000000000, 0x3ff8000000000000, 0x4004000000000000, 0x0000000000000001, 0x8000000000000001,
    0x000fffffffffffff, 0x0010000000000000, 0x8010000000000000, 0x7fefffffffffffff, 0xffefffffffffffff,
    0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000, 0xfff8000000000001, 0x7ff0000000000001,
    0x3fefffffffffffff, 0x3ff0000000000001, 0x41dfffffffc00000, 0x41e0000000000000, 0xc1e0000000000000,
    0x41efffffffe00000, 0x43e0000000000000, 0xc3e0000000000000, 0x43dfffffffffffff, 0x43f0000000000000,
    0x4330000000000001, 0x3fd5555555555555, 0x41efffffffefffff, 0xc1e0000000100000, 0xc1e0000000200000,
    0x405fc00000000000, 0x4060100000000000, 0xc060100000000000, 0x40dfffc000000000, 0x40effff000000000,
    0x36a0000000000000, 0x36a0000000000001, 0x3690000000000000, 0x380fffffe0000000, 0x380fffffffffffff,
    0x3810000000000000, 0x47efffffe0000000, 0x47efffffefffffff, 0x47effffff0000000, 0x47f0000000000000,
    0x3ff0000010000000, 0x3ff0000010000001, 0x3ff0000030000000, 0x40effc0000000000, 0x40effe0000000000,
    0x40efffffffffffff, 0x3f10000000000000, 0x3e60000000000000, 0x3e60000000000001, 0x3ff0010000000000,
    0x3ff0020000000000, 0x3ff0060000000000, 0x400921fb54442d18, 0x1ff0000000000000, 0x5ff0000000000000,
    0xc059000000000000, 0x3fdfffffffffffff};
static const uint64_t counts[] = {
    0,   1,   2,   3,     4,          5,          7,          8,          9,      15,     16,    17,  23,
    24,  30,  31,  32,    33,         40,         47,         48,         63,     64,     65,    127, 128,
    255, 256, 257, 0x120, 0x80000000, 0xffffffff, 0xfffffffe, 0x7fffffff, 0x2004, 0x1f00, 0xffe0};
static const uint64_t preds[] = {0, 1};

static const struct edges {
    const uint64_t *v;
    uint32_t n, bits;
    bool pair;
} edges[V_CLASSES] = {
    [V_I16] = {i16, COUNT(i16), 16, false},         [V_I32] = {i32, COUNT(i32), 32, false},
    [V_I64] = {i64, COUNT(i64), 64, false},         [V_F16] = {f16, COUNT(f16), 16, false},
    [V_BF16] = {bf16, COUNT(bf16), 16, false},      [V_F16X2] = {f16, COUNT(f16), 16, true},
    [V_BF16X2] = {bf16, COUNT(bf16), 16, true},     [V_F32] = {f32, COUNT(f32), 32, false},
    [V_F64] = {f64, COUNT(f64), 64, false},         [V_PRED] = {preds, COUNT(preds), 1, false},
    [V_COUNT] = {counts, COUNT(counts), 32, false},
};

uint64_t values_random(uint64_t *s) { /* xorshift64* */
    *s ^= *s >> 12;
    *s ^= *s << 25;
    *s ^= *s >> 27;
    return *s * UINT64_C(2685821657736338717);
}

static uint64_t cut(uint64_t v, uint32_t bits) { return bits >= 64 ? v : v & ((UINT64_C(1) << bits) - 1); }

/* Random bits; floats get an exponent near 1 half of the time so that sums and products are not all trivial.
 */
static uint64_t random_of(uint32_t cls, uint64_t *s) {
    uint64_t r = values_random(s) >> 11 ^ values_random(s) << 40, k = values_random(s) >> 40;
    uint32_t bits = edges[cls].bits;
    if (cls == V_F32 && k & 1) r = (r & 0x807fffff) | (uint64_t)(120 + (k >> 1) % 16) << 23;
    if (cls == V_F64 && k & 1) r = (r & 0x800fffffffffffff) | (uint64_t)(1016 + (k >> 1) % 16) << 52;
    if (cls == V_BF16 && k & 1) r = (r & 0x807f) | (120 + (k >> 1) % 16) << 7;
    if (cls == V_COUNT && k & 1) r &= 63;
    return cut(r, bits);
}

static uint64_t related(uint64_t first, uint32_t bits, uint64_t how) {
    switch (how % 4) {
    case 0: return first;
    case 1: return first ^ UINT64_C(1) << (bits - 1);
    case 2: return cut(first + 1, bits);
    default: return cut(0 - first, bits);
    }
}

static uint64_t single(const struct edges *e, uint32_t cls, uint32_t source, uint32_t n, uint64_t first,
                       uint64_t *s) {
    uint32_t chief = e->n < CHIEF ? e->n : CHIEF;
    uint64_t r = values_random(s) >> 20;
    if (n < CHIEF * CHIEF && source < 2) return e->v[(source ? n / CHIEF : n % CHIEF) % chief];
    switch (r % 8) {
    case 0: return source ? related(first, e->bits, r >> 8) : e->v[(r >> 8) % e->n];
    case 1:
    case 2:
    case 3: return random_of(cls, s);
    default: return e->v[(r >> 8) % e->n];
    }
}

void values_fill(uint64_t *image) {
    uint64_t s = 0x9e3779b97f4a7c15;
    for (uint32_t cls = 0; cls < V_CLASSES; cls++)
        for (uint32_t k = 0; k < CASE_SOURCES; k++)
            for (uint32_t n = 0; n < VALUES; n++) {
                const struct edges *e = &edges[cls];
                uint64_t first = image[values_index(cls, 0, n)];
                uint64_t v = single(e, cls, k, n, first & cut(UINT64_MAX, e->bits), &s);
                if (e->pair) v |= single(e, cls, k, n * 7 % VALUES, first >> 16, &s) << 16;
                image[values_index(cls, k, n)] = v;
            }
}
