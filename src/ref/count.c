/* See count.h. */
#include "ref/count.h"
#include "analysis/copies.h"
#include "analysis/fragments.h"
#include "analysis/places.h"
#include "analysis/slow_paths.h"
#include "base/arena.h"
#include "ref/access.h"
#include "ref/number.h"

#include <float.h>
#include <math.h>

enum { EXECUTED, LANES, PARTED, SLOW, SLOW_LANES = SLOW + WG_SLOW_PATHS, UNITS = SLOW_LANES + WG_SLOW_PATHS };

uint32_t wg_ref_count_units(const struct wg_sites *s) { return s->module->nids * UNITS; }

static void count_id(struct ref_warp *w, uint32_t id, uint32_t lanes) {
    uint64_t *u = w->wg->tally->units + (size_t)id * UNITS;
    u[EXECUTED]++;
    u[LANES] += (uint32_t)__builtin_popcount(lanes);
}

/* Where the lane's access by source k lies: the address as the machine has it, before any check. */
static uint64_t address_of(const struct ref_lane *l, const struct ref_ins *i, uint32_t k) {
    const struct ref_opd *base = &i->src[k];
    uint64_t a = k ? ref_further_raw(l, i, k) : ref_opd_raw(l, base) + (uint64_t)i->offset;
    return base->kind == REF_REG && base->bits == 32 ? (uint32_t)a : a;
}

/* The lanes whose addresses so many 8x8 matrices use. */
static uint32_t row_lanes(uint32_t matrices) { return matrices >= 4 ? UINT32_MAX : (1u << 8 * matrices) - 1; }

/* A copy reads and writes: two sites. Its place in shared memory is 32 bits from the cluster's on. */
static void count_copy(struct ref_warp *w, const struct ref_ins *i, uint32_t on) {
    uint64_t from[WG_LANES], to[WG_LANES];
    uint32_t reads = 0;
    REF_FOR_LANES(k, on) {
        from[k] = address_of(&w->lane[k], i, 1);
        to[k] = address_of(&w->lane[k], i, 0);
        reads |= (uint32_t)(wg_ref_copied_bytes(&w->lane[k], i) != 0) << k;
    }
    wg_count_async(w->wg, i->ir->id, from, to, on, reads, i->mod[WG_MC_CACHE] == WG_M_cg);
}

/* All lanes name one tile: the first one's words count. */
static void count_fragment(struct ref_warp *w, const struct ref_ins *i, uint32_t on) {
    struct wg_fragment f = wg_fragment_of(i->ir);
    struct wg_ir_parts p;
    wg_ir_matrix_parts(i->ir, &p);
    const struct ref_lane *first = &w->lane[__builtin_ctz(on)];
    uint32_t stride_at = i->op == WG_OP_WMMA_LOAD ? 1 : 1u + p.a;
    uint32_t stride = i->nsrc > stride_at + 1 ? (uint32_t)ref_bits(first, i, stride_at, 32) : 0;
    wg_count_fragment(w->wg, i->ir->id, (enum wg_space)i->space, &f, address_of(first, i, 0), stride,
                      wg_tally_access);
}

/* ---- slow paths ---- */

static bool slow_f32(const struct ref_ins *i, uint32_t a, uint32_t b) {
    uint32_t of_a = a >> WG_SLOW_EXPONENT_AT & UINT8_MAX, of_b = b >> WG_SLOW_EXPONENT_AT & UINT8_MAX;
    int less = (int)of_a - (int)of_b;
    if (i->op == WG_OP_SQRT) return a < WG_SLOW_SQRT_F32_LEAST || a >= WG_SLOW_INFINITY_F32;
    if (i->op == WG_OP_RCP) return of_a == 0 || of_a >= 253;
    return of_a < WG_SLOW_FCHK_A_LEAST || of_a > WG_SLOW_FCHK_A_MOST || of_b < WG_SLOW_FCHK_B_LEAST ||
           of_b > WG_SLOW_FCHK_B_MOST || less < WG_SLOW_FCHK_LEAST || less > WG_SLOW_FCHK_MOST;
}

static bool slow_f64(const struct ref_ins *i, double a, double b) {
    union {
        double d;
        uint64_t bits;
    } x = {a}, y = {b}, q = {a / b};
    const uint64_t no_sign = UINT64_MAX >> 1;
    uint32_t high = (uint32_t)(x.bits >> 32);
    if (i->op == WG_OP_SQRT)
        return high < WG_SLOW_SQRT_F64_LEAST ||
               high > WG_SLOW_SQRT_F64_LEAST + (uint32_t)WG_SLOW_SQRT_F64_SPAN;
    if (i->op == WG_OP_RCP) return (high + WG_SLOW_RCP_F64_ADDED) << 1 >> 1 < WG_SLOW_RCP_F64_LEAST;
    uint32_t quotient = (uint32_t)((q.bits & no_sign) >> 32), by = (uint32_t)((y.bits & no_sign) >> 32);
    return (high & INT32_MAX) < WG_SLOW_DIV_F64_NUMERATOR || by < WG_SLOW_DIV_F64_QUOTIENT ||
           by >= WG_SLOW_INFINITY_F32 || quotient <= WG_SLOW_DIV_F64_QUOTIENT ||
           quotient > WG_SLOW_INFINITY_F32;
}

static bool is_zero(const struct ref_ins *i, double a, double b, bool f64) {
    bool none =
        a == 0 || (!f64 && fabs(a) < FLT_MIN && (i->op == WG_OP_RCP || i->mod[WG_MC_FTZ] == WG_M_ftz));
    return none && (i->op != WG_OP_DIV_F || (b != 0 && !isnan(b)));
}

static bool is_small(const struct ref_ins *i, double a, double b, bool f64) {
    double least = f64 ? DBL_MIN : (double)FLT_MIN;
    double by = i->op == WG_OP_DIV_F ? b : a, of = i->op == WG_OP_DIV_F ? a : 1;
    double q = f64 ? of / by : (double)((float)of / (float)by);
    return i->op != WG_OP_SQRT && isfinite(by) && fabs(a) >= least && fabs(q) < least &&
           (q != 0 || i->mod[WG_MC_FTZ] == WG_M_ftz);
}

/* Of f32 without .ftz: a subnormal number is divided, or divides. */
static bool is_scaled(const struct ref_ins *i, double a, double b, bool f64) {
    bool numbers = a != 0 && b != 0 && isfinite(a) && isfinite(b);
    return i->op == WG_OP_DIV_F && !f64 && i->mod[WG_MC_FTZ] != WG_M_ftz && numbers &&
           (fabs(a) < FLT_MIN || fabs(b) < FLT_MIN);
}

static void count_slow(struct ref_warp *w, const struct ref_ins *i, uint32_t on) {
    uint64_t *u = w->wg->tally->units + (size_t)i->ir->id * UNITS;
    bool f64 = i->ir->type == WG_T_F64;
    uint32_t lanes[WG_SLOW_PATHS] = {0};
    REF_FOR_LANES(k, on) {
        const struct ref_lane *l = &w->lane[k];
        double a, b = 1;
        bool slow;
        if (f64) {
            a = ref_as_f64(ref_bits(l, i, 0, 64));
            if (i->op == WG_OP_DIV_F) b = ref_as_f64(ref_bits(l, i, 1, 64));
            slow = slow_f64(i, a, b);
        } else {
            uint32_t x = (uint32_t)ref_bits(l, i, 0, 32),
                     y = i->op == WG_OP_DIV_F ? (uint32_t)ref_bits(l, i, 1, 32) : 0;
            slow = slow_f32(i, x, y);
            a = (double)ref_as_f32(x), b = (double)ref_as_f32(y);
        }
        lanes[WG_SLOW_ANY] |= (uint32_t)slow << k;
        lanes[WG_SLOW_ZERO] |= (uint32_t)(slow && is_zero(i, a, b, f64)) << k;
        lanes[WG_SLOW_SMALL] |= (uint32_t)(slow && is_small(i, a, b, f64)) << k;
        if (!slow || !is_scaled(i, a, b, f64)) continue;
        float q = fabsf((float)a / (float)b);
        lanes[WG_SLOW_SCALED] |= (uint32_t)(q >= FLT_MIN) << k;
        lanes[WG_SLOW_TINY] |= (uint32_t)(q != 0 && q < FLT_MIN) << k;
    }
    if (lanes[WG_SLOW_ANY] == on) lanes[WG_SLOW_ALL] = on;
    for (int p = 0; p < WG_SLOW_PATHS; p++) {
        u[SLOW + p] += lanes[p] != 0;
        u[SLOW_LANES + p] += (uint32_t)__builtin_popcount(lanes[p]);
    }
}

/* ---- */

void wg_ref_count(struct ref_warp *w, const struct ref_ins *i, uint32_t lanes, uint32_t on) {
    const struct wg_tally *t = w->wg->tally;
    uint64_t address[WG_LANES];
    count_id(w, i->ir->id, lanes);
    if (on && t->of->slow[i->ir->id] != WG_NO_SITE) count_slow(w, i, on);
    if (!on || t->of->memory[i->ir->id] == WG_NO_SITE) return;
    if (i->op == WG_OP_CALL) return; /* a system call: its service counts it */
    if (i->op == WG_OP_CP_ASYNC) {
        count_copy(w, i, on);
        return;
    }
    if (i->op == WG_OP_WMMA_LOAD || i->op == WG_OP_WMMA_STORE) {
        count_fragment(w, i, on);
        return;
    }
    uint8_t class = t->of->v[t->of->memory[i->ir->id]].class;
    if (class == WG_CLASS_matrix_operand || wg_class_infos[class].memory == WG_MEMORY_BULK)
        return; /* counted as they are done: copies.h */
    if (i->op == WG_OP_LDMATRIX) on &= row_lanes(i->ndst);
    if (i->op == WG_OP_STMATRIX) on &= row_lanes(i->nsrc - 2u);
    if (!on) return;
    REF_FOR_LANES(k, on) address[k] = address_of(&w->lane[k], i, 0);
    wg_count_places(w->wg, i->ir->id, (enum wg_space)i->space, address, on, wg_tally_access);
}

void wg_ref_count_end(struct ref_warp *w, const struct ref_block *b, uint32_t lanes, bool parted) {
    count_id(w, b->ir->id, lanes);
    w->wg->tally->units[(size_t)b->ir->id * UNITS + PARTED] += parted;
}

void wg_ref_collect(const struct wg_code *c, struct wg_tally *t, struct wg_counts *rows) {
    const struct wg_sites *s = t->of;
    for (uint32_t id = 0; id < s->module->nids; id++) {
        const uint64_t *u = t->units + (size_t)id * UNITS;
        uint32_t line = s->line[id], branch = s->branch[id], barrier = s->barrier[id];
        uint32_t block = s->block[id];
        if (!u[EXECUTED]) continue;
        for (uint32_t p = 0; p < WG_SLOW_PATHS && s->slow[id] != WG_NO_SITE; p++) {
            rows[s->slow[id] + p].v[WG_C_instructions] += u[SLOW + p];
            rows[s->slow[id] + p].v[WG_C_threads] += u[SLOW_LANES + p];
        }
        if (line != WG_NO_SITE) {
            rows[line].v[WG_C_instructions] += u[EXECUTED];
            rows[line].v[WG_C_machine_instructions] += u[EXECUTED] * s->machine[id];
            rows[line].v[WG_C_threads] += u[LANES];
            wg_operation_add(s->operation[id], u[LANES], &rows[line]);
        }
        if (block != WG_NO_SITE) {
            rows[block].v[WG_C_instructions] += u[EXECUTED];
            rows[block].v[WG_C_threads] += u[LANES];
        }
        if (branch != WG_NO_SITE) {
            rows[branch].v[WG_C_branches] += u[EXECUTED];
            rows[branch].v[WG_C_threads] += u[LANES];
            rows[branch].v[WG_C_divergent_branches] += u[PARTED];
        }
        if (barrier != WG_NO_SITE) {
            rows[barrier].v[WG_C_barriers] += u[EXECUTED];
            rows[barrier].v[WG_C_threads] += u[LANES];
        }
    }
}
