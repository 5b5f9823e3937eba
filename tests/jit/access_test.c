/* Which form the plan of an access takes, by what its lanes' addresses are. */
#include "analysis/plan.h"
#include "jit/access/access_plan.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { SSE = 128, AVX2 = 256, AVX512 = 512 };

struct rig {
    struct wg_ir_opd at;
    struct wg_ir_instr in;
    struct wg_ir_block block;
    struct wg_ir_func func;
    struct wg_code_opts opts;
    struct wg_analysis an;
    struct wg_emit e;
    int64_t k[WG_LANES], r[WG_LANES];
    struct wg_value a;
    struct wg_access plan;
};

/* Lane l at base + l / in_row * row + l % in_row * step: `row` known while compiling, or (scaled) not. */
static struct rig *rig_of(uint32_t width, uint32_t in_row, int64_t step, int64_t row, bool scaled) {
    struct rig *r = calloc(1, sizeof *r);
    r->in = (struct wg_ir_instr){
        .op = WG_OP_LD, .space = WG_S_GLOBAL, .type = WG_T_F32, .nvec = 1, .guard = WG_NO_REG};
    r->block = (struct wg_ir_block){.instrs = &r->in, .ninstrs = 1};
    r->func = (struct wg_ir_func){.blocks = &r->block, .nblocks = 1};
    r->opts = (struct wg_code_opts){.opt_level = 2, .width = width};
    r->e = (struct wg_emit){.func = &r->func, .opts = &r->opts, .an = &r->an};
    r->e.L.avx2 = width >= AVX2;
    r->e.L.avx512 = width >= AVX512;
    for (uint32_t l = 0; l < WG_LANES; l++) {
        r->k[l] = step * (l % in_row) + (scaled ? 0 : row * (l / in_row));
        r->r[l] = scaled ? l / in_row : 0;
    }
    r->a = (struct wg_value){.kind = WG_AFFINE, .k = r->k, .r = scaled ? r->r : NULL};
    return r;
}

static LLVMValueRef lanes(uint32_t mask) { return LLVMConstInt(LLVMInt32Type(), mask, 0); }

static enum wg_access_form load(struct rig *r, uint32_t bits, uint32_t mask) {
    wg_plan_load(&r->e, &r->in, &r->a, bits, lanes(mask), &r->plan);
    return r->plan.form;
}

static enum wg_access_form store(struct rig *r, uint32_t bits, uint32_t mask) {
    wg_plan_store(&r->e, &r->in, &r->a, bits, lanes(mask), &r->plan);
    return r->plan.form;
}

static const uint32_t all = UINT32_MAX, widths[] = {SSE, AVX2, AVX512};

static void rows_are_runs(void **state) {
    for (uint32_t w = 0; w < 3; w++) {
        struct rig *r = rig_of(widths[w], 32, 4, 0, false);
        assert_int_equal(load(r, 32, all), WG_ACCESS_RUNS);
        assert_int_equal(store(r, 32, all), WG_ACCESS_RUNS);
        assert_int_equal(r->plan.nruns, 1);
        assert_int_equal(r->plan.run[0].n, 32);
        assert_true(r->plan.run[0].injective && wg_run_is_dense(&r->plan.run[0]));
        free(r);
        r = rig_of(widths[w], 32, -4, 0, false);
        assert_int_equal(load(r, 32, all), WG_ACCESS_RUNS);
        assert_int_equal(r->plan.run[0].first, -124);
        assert_int_equal(r->plan.run[0].element[0], 31);
        free(r);
        r = rig_of(widths[w], 8, 4, 1, true);
        assert_int_equal(store(r, 32, all), WG_ACCESS_RUNS);
        assert_int_equal(r->plan.nruns, 4);
        assert_int_equal(r->plan.run[3].r, 3);
        assert_int_equal(r->plan.run[3].element[23], -1);
        assert_int_equal(r->plan.run[3].element[25], 1);
        free(r);
    }
}

static void far_lanes_go_one_by_one(void **state) {
    for (uint32_t w = 0; w < 3; w++) {
        struct rig *r = rig_of(widths[w], 32, 4096, 0, false);
        assert_int_equal(load(r, 32, all), WG_ACCESS_LANES);
        assert_int_equal(store(r, 32, all), WG_ACCESS_LANES);
        free(r);
        r = rig_of(widths[w], 4, 4, 1, true); /* eight rows */
        assert_int_equal(load(r, 32, all), WG_ACCESS_LANES);
        free(r);
        r = rig_of(widths[w], 32, 6, 0, false); /* words that are no elements of one run */
        assert_int_equal(load(r, 32, all), WG_ACCESS_LANES);
        r->a.kind = WG_VARYING;
        assert_int_equal(load(r, 32, all), WG_ACCESS_LANES);
        free(r);
    }
}

/* One lane's value stays, and which one matters. */
static void shared_elements_are_not_stored_by_runs(void **state) {
    struct rig *r = rig_of(AVX2, 16, 4, 0, false); /* lanes 16 to 31 where 0 to 15 are */
    assert_int_equal(load(r, 32, all), WG_ACCESS_RUNS);
    assert_false(r->plan.run[0].injective);
    assert_int_equal(store(r, 32, all), WG_ACCESS_LANES);
    free(r);
    r = rig_of(AVX2, 16, 1, 0, false); /* bytes of which some are on */
    assert_int_equal(load(r, 8, all), WG_ACCESS_RUNS);
    assert_int_equal(load(r, 8, 0xff), WG_ACCESS_LANES);
    free(r);
}

static void known_lanes_are_pieces(void **state) {
    for (uint32_t w = 0; w < 3; w++) {
        struct rig *r = rig_of(widths[w], 32, 4, 0, false);
        assert_int_equal(load(r, 32, 0xff), WG_ACCESS_PIECES);
        assert_int_equal(store(r, 32, 0xff), WG_ACCESS_PIECES);
        assert_int_equal(r->plan.npieces * r->plan.piece[0].n, widths[w] == SSE ? 8 : r->plan.npieces * 8);
        free(r);
    }
    /* Every second lane: a vector with what was there, where no other block sees it. */
    for (uint32_t w = 1; w < 3; w++) {
        struct rig *r = rig_of(widths[w], 32, 4, 0, false);
        assert_int_equal(store(r, 32, 0x55555555), WG_ACCESS_RUNS);
        r->in.space = WG_S_SHARED;
        assert_int_equal(store(r, 32, 0x55555555), WG_ACCESS_PIECES);
        r->opts.check = true;
        assert_int_equal(store(r, 32, 0x55555555), WG_ACCESS_RUNS);
        free(r);
    }
}

static void strided_bytes(void **state) {
    struct rig *r = rig_of(AVX512, 32, 3, 0, false);
    assert_int_equal(load(r, 8, all), WG_ACCESS_STRIDED);
    assert_int_equal(r->plan.stride, 3);
    assert_int_equal(store(r, 8, 0xff), WG_ACCESS_STRIDED);
    r->opts.forms_off = UINT64_C(1) << WG_FORM_strided;
    assert_int_equal(load(r, 8, all), WG_ACCESS_LANES);
    free(r);
    /* Without masks for bytes: loads of all lanes. */
    r = rig_of(AVX2, 32, 3, 0, false);
    assert_int_equal(load(r, 8, all), WG_ACCESS_STRIDED);
    assert_int_equal(load(r, 8, 0xff), WG_ACCESS_LANES);
    assert_int_equal(store(r, 8, all), WG_ACCESS_LANES);
    free(r);
    r = rig_of(SSE, 32, 3, 0, false);
    assert_int_equal(load(r, 8, all), WG_ACCESS_LANES);
    free(r);
}

/* What is compared with a row is one row of threads: 32 lanes, or of blocks of 8 or 16 columns as many. */
static void rows_of_threads_are_compared(void **state) {
    static const uint32_t shape[][4] = {{16, 16, 1, 16}, {8, 8, 1, 8},   {8, 1, 8, 8}, {32, 8, 1, 32},
                                        {16, 1, 1, 32},  {24, 8, 1, 32}, {4, 8, 1, 32}};
    for (uint32_t i = 0; i < sizeof shape / sizeof *shape; i++) {
        struct rig *r = rig_of(AVX2, 32, 4, 0, false);
        r->a = (struct wg_value){.kind = WG_VARYING, .step = 4};
        r->at.kind = WG_O_IMM;
        r->in.src = &r->at;
        for (int k = 0; k < 3; k++) r->opts.ntid[k] = shape[i][k];
        assert_int_equal(store(r, 32, all), WG_ACCESS_SPECULATED);
        assert_int_equal(r->plan.columns, shape[i][3]);
        r->opts.forms_off = UINT64_C(1) << WG_FORM_clamped;
        assert_int_equal(store(r, 32, all), WG_ACCESS_LANES);
        free(r);
    }
}

static void strong_accesses_go_one_by_one(void **state) {
    struct rig *r = rig_of(AVX512, 32, 4, 0, false);
    r->in.mod[WG_MC_SEM] = WG_M_volatile;
    assert_int_equal(load(r, 32, all), WG_ACCESS_LANES);
    free(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_runs),
        cmocka_unit_test(far_lanes_go_one_by_one),
        cmocka_unit_test(shared_elements_are_not_stored_by_runs),
        cmocka_unit_test(known_lanes_are_pieces),
        cmocka_unit_test(strided_bytes),
        cmocka_unit_test(rows_of_threads_are_compared),
        cmocka_unit_test(strong_accesses_go_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
