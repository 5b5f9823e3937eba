/* The approximate functions against libm: within the errors that warp/approx.h promises, which lie inside the
 * PTX ISA's; and their special values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include "ref/number.h"
#include "tests/rows/harness.h"
#include "tests/rows/values.h"
#include <math.h>
#include <stdio.h>

enum { N = 32768 };

static double reciprocal_root(double x) { return 1 / sqrt(x); }
static double reciprocal(double x) { return 1 / x; }

static const struct function {
    const char *name;
    double (*of)(double);
    double relative, absolute; /* either will do */
    double low, high; /* of arguments with these bounds; others must only be what they are in libm's class */
} functions[] = {
    {"ex2.approx.f32", exp2, 0x1p-23, 0, -126, 128},
    {"ex2.approx.ftz.f32", exp2, 0x1p-23, 0, -125, 128},
    {"lg2.approx.f32", log2, 0x1p-23, 0, 0x1p-126, HUGE_VAL},
    {"sin.approx.f32", sin, 0, 0x1p-24, -314, 314},
    {"cos.approx.f32", cos, 0, 0x1p-24, -314, 314},
    {"tanh.approx.f32", tanh, 0x1p-23, 0x1p-149, -HUGE_VAL, HUGE_VAL},
    {"rsqrt.approx.f32", reciprocal_root, 0x1p-23, 0, 0x1p-149, HUGE_VAL},
    {"rcp.approx.f32", reciprocal, 0x1p-24, 0x1p-149, -HUGE_VAL, HUGE_VAL},
    {"sqrt.approx.f32", sqrt, 0x1p-24, 0x1p-149, 0, HUGE_VAL},
};

static void run(const char *name, enum harness_backend b, const float *in, float *out) {
    struct wg_strbuf ptx = {0};
    struct harness_kernel k;
    struct harness_result r;
    struct {
        const float *in;
        float *out;
    } params = {in, out};
    wg_strbuf_printf(
        &ptx,
        ".version 8.6\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 a, .param .u64 b) {\n"
        "  .reg .b64 %%a, %%b, %%at;\n  .reg .b32 %%t, %%c;\n  .reg .f32 %%x;\n  ld.param.u64 %%a, [a];\n"
        "  ld.param.u64 %%b, [b];\n  mov.u32 %%t, %%tid.x;\n  mov.u32 %%c, %%ctaid.x;\n"
        "  mad.lo.u32 %%t, %%c, 256, %%t;\n  mul.wide.u32 %%at, %%t, 4;\n  add.s64 %%a, %%a, %%at;\n"
        "  add.s64 %%b, %%b, %%at;\n  ld.global.f32 %%x, [%%a];\n  %s %%x, %%x;\n  st.global.f32 [%%b], "
        "%%x;\n  ret;\n}\n",
        name);
    assert_true(harness_open(&k, name, ptx.s, "k"));
    struct harness_launch l = {.kernel = &k,
                               .backend = b,
                               .grid = {N / 256, 1, 1},
                               .block = {256, 1, 1},
                               .params = &params,
                               .param_bytes = sizeof params};
    if (!harness_run(&l, &r)) fail_msg("%s", r.message);
    harness_close(&k);
    wg_strbuf_free(&ptx);
}

static bool close_enough(const struct function *f, float x, float got) {
    double want = f->of(x);
    if (isnan(want)) return isnan(got);
    if (isinf(want) || fabs(want) > 0x1.fffffep127) return isinf(got) && (got > 0) == (want > 0);
    if (want == 0 && x == 0) return got == 0 && !signbit(got) == !signbit(want);
    if (x < f->low || x > f->high) return !isnan(got);
    return fabs(got - want) <= fabs(want) * f->relative || fabs(got - want) <= f->absolute;
}

static void within_bounds(void **state) {
    float *in = harness_alloc(N * 4), *out[2] = {harness_alloc(N * 4), harness_alloc(N * 4)};
    uint64_t random = 77, *image = harness_alloc((size_t)V_CLASSES * CASE_SOURCES * VALUES * 8);
    values_fill(image);
    for (uint32_t n = 0; n < N; n++) {
        uint64_t bits = n < VALUES ? image[values_index(V_F32, 0, n)] : values_random(&random) >> 32;
        in[n] = ref_as_f32(bits);
        if (n >= VALUES && n % 2) in[n] = (float)((double)(int32_t)bits * 0x1p-31 * (n % 4 == 1 ? 300 : 4));
        if (n >= VALUES && n % 16 == 8) in[n] = 1 + (float)((int32_t)bits * 0x1p-41);
    }
    for (size_t f = 0; f < sizeof functions / sizeof *functions; f++) {
        for (int b = 0; b < HARNESS_BACKENDS; b++)
            if (harness_has(b)) run(functions[f].name, b, in, out[b]);
        for (uint32_t n = 0; n < N; n++) {
            if (!close_enough(&functions[f], in[n], out[HARNESS_REF][n]))
                fail_msg("%s(%a) is %a, not %a", functions[f].name, in[n], out[HARNESS_REF][n],
                         functions[f].of(in[n]));
            bool same =
                ref_f32_bits(out[0][n]) == ref_f32_bits(out[1][n]) || (isnan(out[0][n]) && isnan(out[1][n]));
            if (harness_has(HARNESS_JIT) && !same)
                fail_msg("%s(%a): reference %a, generated code %a", functions[f].name, in[n], out[0][n],
                         out[1][n]);
        }
    }
    harness_free(in);
    harness_free(image);
    for (int b = 0; b < 2; b++) harness_free(out[b]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(within_bounds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
