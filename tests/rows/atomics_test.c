/* Every atomic operation, type and space, value by value: reference against generated code, and both against
 * what the operation says in C. Each thread has a cell of its own; scenes in atomic_scenes.c share cells. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include "ref/number.h"
#include "tests/rows/harness.h"
#include "tests/rows/values.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { GLOBAL, SHARED, GENERIC_GLOBAL, GENERIC_SHARED, SPACES, THREADS = 128 };

static const struct op {
    const char *name, *types;
} ops[] = {{"and", "b32 b64"},
           {"or", "b32 b64"},
           {"xor", "b32 b64"},
           {"exch", "b32 b64"},
           {"cas", "b16 b32 b64"},
           {"inc", "u32"},
           {"dec", "u32"},
           {"min", "u32 s32 u64 s64"},
           {"max", "u32 s32 u64 s64"},
           {"add", "u32 s32 u64 f32 f64"},
           {"add.noftz", "f16 f16x2 bf16 bf16x2"}};

struct form {
    const char *op;
    enum wg_type type;
    uint8_t space;
    bool red;
};

static uint32_t class_of(enum wg_type t) {
    switch (t) {
    case WG_T_F16: return V_F16;
    case WG_T_BF16: return V_BF16;
    case WG_T_F16X2: return V_F16X2;
    case WG_T_BF16X2: return V_BF16X2;
    case WG_T_F32: return V_F32;
    case WG_T_F64: return V_F64;
    default: return wg_type_bits(t) == 16 ? V_I16 : wg_type_bits(t) == 32 ? V_I32 : V_I64;
    }
}

/* ---- what the operation says ---- */

static uint64_t add_floats(enum wg_type t, uint64_t a, uint64_t b, bool flush) {
    if (t == WG_T_F16X2 || t == WG_T_BF16X2) {
        enum wg_type half = t == WG_T_F16X2 ? WG_T_F16 : WG_T_BF16;
        return add_floats(half, a & 0xffff, b & 0xffff, false) | add_floats(half, a >> 16, b >> 16, false)
                                                                     << 16;
    }
    const struct ref_format *f = ref_format_of(t);
    if (flush) a = ref_flush(f, a), b = ref_flush(f, b);
    if (t == WG_T_F64) return ref_f64_bits(ref_as_f64(a) + ref_as_f64(b));
    /* f16 and bf16 sums need more than f64 only where one operand is too small to matter but for rounding:
     * long double's 64 bits are enough for f16, and bf16 differs by at most its sticky bit. */
    long double sum = (long double)ref_to_double(f, a) + ref_to_double(f, b);
    double d = (double)sum;
    if ((long double)d != sum && isfinite(d)) { /* round to odd by hand */
        uint64_t u = ref_f64_bits(d);
        if (!(u & 1)) d = ref_as_f64(((long double)d < sum) == (d > 0) ? u + 1 : u - 1);
    }
    uint64_t r = ref_from_double(f, d, WG_M_rn);
    return flush ? ref_flush(f, r) : r;
}

static uint64_t meaning(const struct form *x, uint64_t old, uint64_t b, uint64_t c) {
    uint32_t bits = wg_type_bits(x->type);
    int64_t so = (int64_t)(old << (64 - bits)) >> (64 - bits),
            sb = (int64_t)(b << (64 - bits)) >> (64 - bits);
    bool is_signed = wg_type_kind(x->type) == WG_K_S, below = is_signed ? sb < so : b < old;
    if (!strcmp(x->op, "and")) return old & b;
    if (!strcmp(x->op, "or")) return old | b;
    if (!strcmp(x->op, "xor")) return old ^ b;
    if (!strcmp(x->op, "exch")) return b;
    if (!strcmp(x->op, "cas")) return old == b ? c : old;
    if (!strcmp(x->op, "inc")) return old >= b ? 0 : old + 1;
    if (!strcmp(x->op, "dec")) return old == 0 || old > b ? b : old - 1;
    if (!strcmp(x->op, "min")) return below ? b : old;
    if (!strcmp(x->op, "max")) return below ? old : b;
    if (wg_type_kind(x->type) != WG_K_F)
        return bits == 64 ? old + b : (old + b) & ((UINT64_C(1) << bits) - 1);
    bool global = x->space == GLOBAL || x->space == GENERIC_GLOBAL;
    return add_floats(x->type, old, b, x->type == WG_T_F32 && global);
}

static bool same_value(enum wg_type t, uint64_t a, uint64_t b) {
    const struct ref_format *f = ref_format_of(t);
    if (a == b || !f) return a == b;
    if (t == WG_T_F16X2 || t == WG_T_BF16X2) {
        enum wg_type half = t == WG_T_F16X2 ? WG_T_F16 : WG_T_BF16;
        return same_value(half, a & 0xffff, b & 0xffff) && same_value(half, a >> 16, b >> 16);
    }
    return ref_is_nan(f, a) && ref_is_nan(f, b);
}

/* ---- its kernel: out[x] the old value, out[VALUES + x] the new one ---- */

static void kernel_text(const struct form *x, struct wg_strbuf *o) {
    uint32_t bits = wg_type_bits(x->type), cls = class_of(x->type);
    const char *t = wg_type_name(x->type);
    bool shared = x->space == SHARED || x->space == GENERIC_SHARED, cas = !strcmp(x->op, "cas");
    static const char *const spaces[] = {".global", ".shared", "", ""}, *const scopes[] = {".relaxed.gpu", "",
                                                                                           ".acq_rel.cta",
                                                                                           ""};
    wg_strbuf_printf(
        o,
        ".version 8.6\n.target sm_90\n.address_size 64\n.shared .align 8 .b8 cells[%u];\n"
        ".visible .entry atomics(.param .u64 p_in, .param .u64 p_out) {\n"
        "  .reg .b64 %%in, %%out, %%at, %%cell;\n  .reg .b32 %%x, %%t, %%b, %%n, %%s;\n"
        "  .reg .b%u %%old, %%a, %%v, %%c;\n"
        "  mov.u32 %%t, %%tid.x;\n  mov.u32 %%b, %%ctaid.x;\n  mov.u32 %%n, %%ntid.x;\n"
        "  mad.lo.u32 %%x, %%b, %%n, %%t;\n  ld.param.u64 %%in, [p_in];\n  ld.param.u64 %%out, [p_out];\n"
        "  mul.wide.u32 %%at, %%x, 8;\n  add.s64 %%in, %%in, %%at;\n  add.s64 %%out, %%out, %%at;\n",
        8 * THREADS, bits);
    const char *regs[] = {"%a", "%v", "%c"};
    for (uint32_t k = 0; k < 3; k++)
        wg_strbuf_printf(o, "  ld.global.b%u %s, [%%in+%zu];\n", bits, regs[k], 8 * values_index(cls, k, 0));
    if (cas) /* every other thread's comparison holds */
        wg_strbuf_printf(
            o, "  { .reg .pred %%p; and.b32 %%s, %%x, 1; setp.eq.u32 %%p, %%s, 0; @%%p mov.b%u %%v, %%a; }\n",
            bits);
    if (shared)
        wg_strbuf_printf(
            o,
            "  mul.wide.u32 %%at, %%t, 8;\n  mov.u64 %%cell, cells;\n  add.s64 %%cell, %%cell, %%at;\n"
            "  st.shared.b%u [%%cell], %%a;\n%s",
            bits, x->space == GENERIC_SHARED ? "  cvta.shared.u64 %cell, %cell;\n" : "");
    else
        wg_strbuf_printf(o, "  add.s64 %%cell, %%out, %u;\n  st.global.b%u [%%cell], %%a;\n", 8 * VALUES,
                         bits);
    if (x->red)
        wg_strbuf_printf(o, "  red%s%s.%s.%s [%%cell], %%v;\n  mov.b%u %%old, %%a;\n", scopes[x->space],
                         spaces[x->space], x->op, t, bits);
    else
        wg_strbuf_printf(o, "  atom%s%s.%s.%s %%old, [%%cell], %%v%s;\n", scopes[x->space], spaces[x->space],
                         x->op, t, cas ? ", %c" : "");
    wg_strbuf_printf(o, "  st.global.b%u [%%out], %%old;\n", bits);
    if (shared)
        wg_strbuf_printf(o, "  ld%s.b%u %%a, [%%cell];\n  st.global.b%u [%%out+%u], %%a;\n", spaces[x->space],
                         bits, bits, 8 * VALUES);
    wg_strbuf_puts(o, "  ret;\n}\n");
}

static bool holds(const struct form *x, const uint64_t *image) {
    struct harness_kernel k;
    struct wg_strbuf ptx = {0};
    char name[64];
    static const char *const where[] = {"global", "shared", "generic, global", "generic, shared"};
    snprintf(name, sizeof name, "%s.%s.%s (%s)", x->red ? "red" : "atom", x->op, wg_type_name(x->type),
             where[x->space]);
    kernel_text(x, &ptx);
    bool ok = harness_open(&k, name, ptx.s, "atomics");
    if (!ok) printf("%s\n", k.diag.text.s);
    for (int b = 0; ok && b < HARNESS_BACKENDS; b++) {
        if (!harness_has(b)) continue;
        uint64_t *out = harness_alloc(2 * VALUES * 8 + 64);
        struct {
            const uint64_t *in;
            uint64_t *out;
        } params = {image, out};
        struct harness_launch l = {.kernel = &k,
                                   .backend = b,
                                   .grid = {VALUES / THREADS, 1, 1},
                                   .block = {THREADS, 1, 1},
                                   .params = &params,
                                   .param_bytes = sizeof params};
        struct harness_result r;
        ok = harness_run(&l, &r);
        if (!ok) printf("%s\n", r.message);
        for (uint32_t n = 0; ok && n < VALUES; n++) {
            uint32_t cls = class_of(x->type);
            uint64_t old = image[values_index(cls, 0, n)], v = image[values_index(cls, 1, n)],
                     c = image[values_index(cls, 2, n)];
            if (!strcmp(x->op, "cas") && n % 2 == 0) v = old;
            uint64_t want = meaning(x, old, v, c);
            ok = out[n] == old && same_value(x->type, out[VALUES + n], want);
            if (!ok)
                printf(
                    "%s, %s: old 0x%llx, operand 0x%llx, 0x%llx: gave back 0x%llx, left 0x%llx, not 0x%llx\n",
                    name, harness_name(b), (unsigned long long)old, (unsigned long long)v,
                    (unsigned long long)c, (unsigned long long)out[n], (unsigned long long)out[VALUES + n],
                    (unsigned long long)want);
        }
        wg_strbuf_free(&r.printed);
        harness_free(out);
    }
    harness_close(&k);
    wg_strbuf_free(&ptx);
    return ok;
}

static void test_all(void **state) {
    uint64_t *image = harness_alloc((size_t)V_CLASSES * CASE_SOURCES * VALUES * 8);
    uint32_t wrong = 0, forms = 0;
    values_fill(image);
    for (size_t o = 0; o < sizeof ops / sizeof *ops; o++)
        for (const char *t = ops[o].types; *t;) {
            size_t n = strcspn(t, " ");
            for (uint8_t space = 0; space < SPACES; space++)
                for (int red = 0; red < 2; red++) {
                    struct form x = {ops[o].name, wg_type_find(t, (uint32_t)n), space, red};
                    if (red && (!strcmp(x.op, "exch") || !strcmp(x.op, "cas"))) continue;
                    wrong += !holds(&x, image);
                    forms++;
                }
            t += n + (t[n] == ' ');
        }
    harness_free(image);
    assert_true(forms > 100);
    assert_int_equal(wrong, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
