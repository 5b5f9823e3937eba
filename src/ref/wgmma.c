/* Warpgroup matrix multiply (wgmma.mma_async): the sixteen rows of one warp, element by element, when each of
 * the four warps executes it. The layout of matrices in shared memory, by their descriptors, is the PTX ISA's
 * canonical layouts: cores of eight rows of 16 bytes, or of 32, 64 or 128 bytes that are swizzled. Sums are
 * as those of mma: see matrix.c. */
#include "analysis/copies.h"
#include "ref/access.h"
#include "ref/number.h"

#include <math.h>
#include <string.h>

struct matrix {
    uint64_t begin, leading, stride, row; /* bytes; row: of a core */
    bool transposed, bad;
};

static struct matrix described(uint64_t d, bool transposed) {
    uint32_t swizzle = (uint32_t)(d >> 62);
    return (struct matrix){.begin = ref_low(d, 14) * 16,
                           .leading = ref_low(d >> 16, 14) * 16,
                           .stride = ref_low(d >> 32, 14) * 16,
                           .row = swizzle ? 256u >> swizzle : 16,
                           .transposed = transposed,
                           .bad = ref_low(d >> 49, 3) != 0};
}

/* `inner` counts along contiguous bytes, `outer` along the rows. */
static uint64_t offset_in(const struct matrix *m, uint32_t index, uint32_t k, uint32_t bytes) {
    uint64_t inner = (uint64_t)(m->transposed ? index : k) * bytes, outer = m->transposed ? k : index;
    uint64_t core = inner / m->row, next_inner, next_outer;
    if (m->row == 16) { /* not swizzled */
        next_inner = m->transposed ? m->stride : m->leading;
        next_outer = m->transposed ? m->leading : m->stride;
    } else {
        next_inner = m->leading;
        next_outer = m->stride;
        if (!m->transposed) core = 0, next_inner = 0;
    }
    uint64_t at = m->begin + (m->row == 16 || m->transposed ? inner % m->row : inner) + outer % 8 * m->row +
                  core * next_inner + outer / 8 * next_outer;
    for (uint64_t bit = 16; bit < m->row; bit *= 2)
        if (at & bit * 8) at ^= bit;
    return ref_low(at, 18);
}

/* Elements that were read: each is wanted for a whole row or column of products. */
struct kept {
    uint32_t value[256][32], known[256]; /* a bit for each k */
};

struct work {
    struct ref_warp *w;
    const struct ref_ins *i;
    uint32_t lanes, first, na, bytes;
    struct matrix a, b;
    bool negative_a, negative_b, adds;
    struct kept *kept_a, *kept_b;
};

static uint64_t shared_element(const struct work *x, const struct matrix *m, uint32_t index, uint32_t k) {
    struct ref_lane *l = &x->w->lane[x->first];
    const struct wg_block *b = x->w->wg->block;
    uint64_t v = 0, at = (uint64_t)(uintptr_t)b->cluster_shared + b->shared_offset +
                         offset_in(m, index, k, x->bytes);
    if (wg_ref_reaches(l, x->i, at, WG_S_SHARED, x->bytes, WG_ACCESS_LOAD)) wg_ref_peek(l, at, &v, x->bytes);
    return v;
}

static uint64_t kept_element(const struct work *x, const struct matrix *m, struct kept *kept, uint32_t index,
                             uint32_t k) {
    if (!(kept->known[index] >> k & 1)) {
        kept->value[index][k] = (uint32_t)shared_element(x, m, index, k);
        kept->known[index] |= UINT32_C(1) << k;
    }
    return kept->value[index][k];
}

static uint64_t element_a(const struct work *x, uint32_t row, uint32_t k) {
    if (x->na == 1) return kept_element(x, &x->a, x->kept_a, x->w->wg->id % 4 * 16 + row, k);
    uint32_t e = 4 / x->bytes, lane = row % 8 * 4 + k / e % 4, reg = row / 8 + k / (4 * e) * 2;
    if (!(x->lanes >> lane & 1)) return 0;
    return ref_low(ref_bits(&x->w->lane[lane], x->i, reg, 32) >> k % e * x->bytes * 8, x->bytes * 8);
}

static double value(uint8_t type, uint64_t bits, bool negative) {
    double v = type == WG_T_TF32 ? (double)ref_as_f32(bits & ~UINT64_C(0x1fff))
                                 : ref_to_double(ref_format_of(type), bits);
    return negative ? -v : v;
}

static uint64_t element_d(const struct work *x, uint32_t row, uint32_t col, uint64_t before) {
    const struct ref_ins *i = x->i;
    uint8_t ta = i->type2, tb = i->ir->type3;
    uint32_t depth = 32 / x->bytes;
    bool integer = i->type == WG_T_S32;
    int64_t count = x->adds && integer ? ref_signed(before, 32) : 0;
    double sum = x->adds && !integer ? value(i->type, before, false) : 0;
    for (uint32_t k = 0; k < depth && !x->w->faulted; k++) {
        uint64_t a = element_a(x, row, k), b = kept_element(x, &x->b, x->kept_b, col, k);
        if (integer)
            count += (ref_is_signed(ta) ? ref_signed(a, 8) : (int64_t)a) *
                     (ref_is_signed(tb) ? ref_signed(b, 8) : (int64_t)b);
        else
            sum = fma(value(ta, a, x->negative_a), value(tb, b, x->negative_b), sum);
    }
    if (!integer) return isnan(sum) ? i->format->nan : ref_from_double(i->format, sum, WG_M_rn);
    if (ref_has(i, WG_MC_SAT)) count = count > INT32_MAX ? INT32_MAX : count < INT32_MIN ? INT32_MIN : count;
    return (uint32_t)count;
}

/* The immediates after the predicate: signs of a and b, then which are transposed (a only in shared memory).
 */
static struct work begin(struct ref_warp *w, const struct ref_ins *i, uint32_t lanes) {
    struct work x = {.w = w, .i = i, .lanes = lanes, .first = (uint32_t)__builtin_ctz(lanes), .na = 1};
    struct ref_lane *l = &w->lane[x.first];
    if (i->src[1].kind == REF_REG && i->src[1].bits == 32) x.na = 4;
    uint32_t at = x.na + 2, n = i->nsrc - i->ndst - 1u - at;
    x.bytes = wg_type_bits(i->type2) / 8;
    x.negative_a = n > 0 && (int32_t)i->src[at].imm == -1;
    x.negative_b = n > 1 && (int32_t)i->src[at + 1].imm == -1;
    bool transposed_a = x.na == 1 && n > 2 && i->src[at + 2].imm == 1;
    bool transposed_b = n > 2 && i->src[at + n - 1].imm == 1 && (x.na == 4 || n > 3);
    if (x.na == 1) x.a = described(ref_bits(l, i, 0, 64), transposed_a);
    x.b = described(ref_bits(l, i, x.na, 64), transposed_b);
    x.adds = ref_pred(l, i, x.na + 1);
    return x;
}

static void see(const struct work *x, const struct matrix *m, uint32_t index, uint64_t *granules) {
    for (uint32_t k = 0; k < 32 / x->bytes; k++) {
        uint64_t at = offset_in(m, index, k, x->bytes) / WG_GRANULE;
        granules[at / 64] |= UINT64_C(1) << at % 64;
    }
}

/* Tells the machine, in code with checks, which parts of shared memory the warp reads. */
static void tell(const struct work *x) {
    uint64_t granules[WG_GRANULES / 64] = {0};
    struct wg_warp *w = x->w->wg;
    if (!w->windows) return;
    for (uint32_t r = 0; r < 16 && x->na == 1; r++) see(x, &x->a, w->id % 4 * 16 + r, granules);
    for (uint32_t c = 0; c < x->i->ir->columns; c++) see(x, &x->b, c, granules);
    w->block->services->check_operands(w, x->lanes, x->i->ir->id, granules);
}

static void wgmma(struct ref_warp *w, const struct ref_ins *i, uint32_t lanes) {
    struct work x = begin(w, i, lanes);
    struct kept a, b;
    uint64_t now[128][WG_LANES];
    uint32_t per = i->type == WG_T_F16 ? 2 : 1, width = 32 / per, d_at = i->nsrc - i->ndst - 1u;
    if (x.a.bad || x.b.bad) {
        wg_ref_fault(&w->lane[x.first], i, WG_FAULT_COPY, 0, 0);
        return;
    }
    tell(&x);
    memset(a.known, 0, sizeof a.known);
    memset(b.known, 0, sizeof b.known);
    x.kept_a = &a;
    x.kept_b = &b;
    REF_FOR_LANES(l, lanes)
    for (uint32_t r = 0; r < i->ndst; r++) {
        uint64_t before = ref_bits(&w->lane[l], i, d_at + r, 32);
        now[r][l] = 0;
        for (uint32_t p = 0; p < per; p++) {
            uint32_t n = r * per + p, row = l / 4 + n / 2 % 2 * 8, col = n / 4 * 8 + l % 4 * 2 + n % 2;
            now[r][l] |= element_d(&x, row, col, ref_low(before >> p * width, width)) << p * width;
        }
    }
    if (w->faulted) return;
    if (w->wg->tally)
        wg_count_operands(w->wg, i->ir->id,
                          ((x.na == 1 ? 64 : 0) + i->ir->columns) * (32 / x.bytes) * x.bytes);
    REF_FOR_LANES(l, lanes)
    for (uint32_t r = 0; r < i->ndst; r++) ref_set_bits(&w->lane[l], i, r, now[r][l], 32);
}

REF_LANE_ROW(nothing) {}

const struct ref_row wg_ref_wgmma_rows[WG_OP_COUNT] = {
    [WG_OP_WGMMA] = {.group = wgmma},
    [WG_OP_WGMMA_FENCE] = {.lane = nothing},
    [WG_OP_WGMMA_COMMIT] = {.lane = nothing},
};
