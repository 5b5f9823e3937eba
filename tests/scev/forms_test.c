/* Forms of addresses (scev/forms.h): what they are, what branches and loops say, and when two accesses
 * cannot meet. */
#include "base/strbuf.h"
#include "check/prove/apart.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Parameters: p at 0, q at 8, n at 16, w at 20. */
static const uint64_t OUT = 0x10000000, IN = 0x20000000;

struct kernel {
    struct wg_ir_module *m;
    struct wg_form_facts *facts;
    struct wg_forms *forms;
};

static struct kernel read_kernel(const char *body, const uint32_t ntid[3], const uint32_t nctaid[3],
                                 uint32_t n, uint32_t w) {
    struct wg_strbuf text = {0};
    struct wg_diag d = {0};
    uint8_t params[24];
    wg_strbuf_printf(&text,
                     ".version 8.0\n.target sm_90\n.address_size 64\n"
                     ".visible .entry k(.param .u64 p, .param .u64 q, .param .u32 n, .param .u32 w)\n{\n"
                     "  .reg .b64 %%rd<40>;\n  .reg .b32 %%r<60>;\n  .reg .pred %%p<20>;\n"
                     "  .shared .align 4 .b8 tile[4096];\n"
                     "  ld.param.u64 %%rd1, [p];\n  ld.param.u64 %%rd2, [q];\n"
                     "  ld.param.u32 %%r1, [n];\n  ld.param.u32 %%r2, [w];\n"
                     "  mov.u32 %%r3, %%tid.x;\n  mov.u32 %%r4, %%ctaid.x;\n  mov.u32 %%r5, %%ntid.x;\n"
                     "  mov.u32 %%r6, %%tid.y;\n  mov.u32 %%r7, %%ctaid.y;\n  mov.u32 %%r8, %%nctaid.x;\n"
                     "%s\ndone:\n  ret;\n}\n",
                     body);
    struct kernel k = {.m = wg_ir_from_ptx("k.ptx", text.s, text.n, &d)};
    if (!k.m) fail_msg("%s", d.text.s);
    memcpy(params, &OUT, 8);
    memcpy(params + 8, &IN, 8);
    memcpy(params + 16, &n, 4);
    memcpy(params + 20, &w, 4);
    struct wg_form_launch l = {.params = params};
    memcpy(l.ntid, ntid, sizeof l.ntid);
    memcpy(l.nctaid, nctaid, sizeof l.nctaid);
    k.facts = wg_form_facts_new(k.m, &k.m->funcs[0]);
    k.forms = wg_forms_new(k.facts, &l);
    wg_strbuf_free(&text);
    return k;
}

static void forget(struct kernel *k) {
    wg_forms_free(k->forms);
    wg_form_facts_free(k->facts);
    wg_ir_free(k->m);
}

static bool apart(const struct kernel *k, uint32_t a, uint32_t b, enum wg_form_who who) {
    struct wg_form_question q = {.who = who};
    return wg_forms_apart(k->forms, &k->forms->accesses[a], &k->forms->accesses[b], &q);
}

static void assert_form(const struct kernel *k, uint32_t access, const char *expected) {
    struct wg_strbuf b = {0};
    assert_true(access < k->forms->naccesses);
    wg_form_print(k->forms, &k->forms->accesses[access].at, &b);
    assert_string_equal(b.s, expected);
    wg_strbuf_free(&b);
}

static const uint32_t one_dim[3] = {256, 1, 1}, many[3] = {100, 1, 1};

static void of_a_vector(void **state) {
    struct kernel k =
        read_kernel("mad.lo.s32 %r10, %r4, %r5, %r3;\n setp.ge.s32 %p1, %r10, %r1;\n @%p1 bra done;\n"
                    "mul.wide.s32 %rd10, %r10, 4;\n add.s64 %rd11, %rd1, %rd10;\n"
                    "ld.global.u32 %r11, [%rd11+8];\n st.global.u32 [%rd11], %r11;\n",
                    one_dim, many, 25000, 0);
    int64_t lo, hi;
    assert_int_equal(k.forms->naccesses, 2);
    assert_form(&k, 0, "268435464 + 4 tid.x + 1024 ctaid.x");
    const struct wg_form_access *store = &k.forms->accesses[1];
    assert_true(wg_form_range(k.forms, &store->at, store->guards, &lo, &hi));
    assert_int_equal(lo, OUT);
    assert_int_equal(hi, OUT + 4 * 24999);
    assert_true(apart(&k, 1, 1, WG_FORMS_OF_GRID));
    assert_false(apart(&k, 0, 1, WG_FORMS_OF_GRID)); /* the neighbour but one reads it */
    forget(&k);
    (void)state;
}

/* Of two numbers that the launch gives, whatever their bits and whichever is the mask. */
static void bits_of_constants(void **state) {
    static const struct {
        const char *op;
        uint32_t n, w, result;
    } cases[] = {{"and", 64, 7, 0},
                 {"and", 7, 64, 0},
                 {"and", 63, 7, 7},
                 {"and", 64, 0x7ffffffc, 64},
                 {"and", 0xfffffff6, 13, 4},
                 {"and", 12, 10, 8},
                 {"or", 5, 3, 7},
                 {"or", 64, 7, 71},
                 {"xor", 5, 3, 6},
                 {"xor", 0xffffffff, 0xfffffffe, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char body[300], expected[60];
        snprintf(
            body, sizeof body,
            "%s.b32 %%r10, %%r1, %%r2;\n mul.wide.s32 %%rd10, %%r10, 4;\n add.s64 %%rd11, %%rd1, %%rd10;\n"
            "st.global.u32 [%%rd11], %%r10;\n",
            cases[i].op);
        struct kernel k = read_kernel(body, one_dim, many, cases[i].n, cases[i].w);
        snprintf(expected, sizeof expected, "%u", (uint32_t)OUT + 4 * cases[i].result);
        assert_form(&k, 0, expected);
        forget(&k);
    }
    (void)state;
}

/* Rows of a matrix whose blocks overhang its width: only the guard keeps them apart. */
static void of_a_matrix(void **state) {
    const uint32_t tile[3] = {32, 8, 1}, grid[3] = {4, 10, 1};
    static const char *const text = "mad.lo.s32 %%r10, %%r4, %%r5, %%r3;\n mad.lo.s32 %%r11, %%r7, 8, %%r6;\n"
                                    "setp.lt.s32 %%p1, %%r10, %%r2;\n setp.lt.s32 %%p2, %%r11, %%r1;\n"
                                    "and.pred %%p3, %%p1, %%p2;\n %s\n"
                                    "mad.lo.s32 %%r12, %%r11, %%r2, %%r10;\n cvt.s64.s32 %%rd10, %%r12;\n"
                                    "add.s64 %%rd11, %%rd1, %%rd10;\n st.global.u8 [%%rd11], %%r12;\n";
    for (int guarded = 0; guarded < 2; guarded++) {
        char body[1000];
        snprintf(body, sizeof body, text, guarded ? "@!%p3 bra done;" : "");
        struct kernel k = read_kernel(body, tile, grid, 77, 100);
        assert_form(&k, 0, "268435456 + tid.x + 100 tid.y + 32 ctaid.x + 800 ctaid.y");
        assert_int_equal(apart(&k, 0, 0, WG_FORMS_OF_GRID), guarded);
        forget(&k);
    }
    (void)state;
}

static void of_a_grid_stride_loop(void **state) {
    struct kernel k =
        read_kernel("mad.lo.s32 %r10, %r4, %r5, %r3;\n setp.ge.s32 %p1, %r10, %r1;\n @%p1 bra done;\n"
                    "mul.lo.s32 %r12, %r5, %r8;\n mov.u32 %r20, %r10;\n"
                    "again:\n mul.wide.s32 %rd10, %r20, 4;\n add.s64 %rd11, %rd1, %rd10;\n"
                    "st.global.u32 [%rd11], %r20;\n add.s32 %r21, %r20, %r12;\n mov.u32 %r20, %r21;\n"
                    "setp.lt.s32 %p2, %r21, %r1;\n @%p2 bra again;\n",
                    one_dim, many, 1000000, 0);
    assert_form(&k, 0, "268435456 + 4 tid.x + 1024 ctaid.x + 102400 count(13)");
    assert_true(apart(&k, 0, 0, WG_FORMS_OF_GRID));
    forget(&k);
    (void)state;
}

/* An int to which a size_t is added is kept in 64 bits, and extended in each iteration: the sum is exact unless it may
 * leave 32 bits. */
static void of_an_int_in_64_bits(void **state) {
    static const struct {
        const char *step, *expected;
    } cases[] = {{"25600", "268435456 + 4 tid.x + 1024 ctaid.x + 102400 count(12)"},
                 {"4294992896", NULL},
                 {"2147483000", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char body[1000];
        snprintf(body, sizeof body,
                 "mad.lo.s32 %%r10, %%r4, %%r5, %%r3;\n setp.ge.s32 %%p1, %%r10, %%r1;\n @%%p1 bra done;\n"
                 "cvt.u64.u32 %%rd20, %%r10;\n"
                 "again:\n cvt.s64.s32 %%rd21, %%rd20;\n shl.b64 %%rd10, %%rd21, 2;\n"
                 "add.s64 %%rd11, %%rd1, %%rd10;\n st.global.u32 [%%rd11], %%r10;\n"
                 "add.s64 %%rd20, %%rd21, %s;\n cvt.u32.u64 %%r20, %%rd20;\n"
                 "setp.lt.s32 %%p2, %%r20, %%r1;\n @%%p2 bra again;\n",
                 cases[i].step);
        struct kernel k = read_kernel(body, one_dim, many, 1000000, 0);
        if (cases[i].expected) assert_form(&k, 0, cases[i].expected);
        assert_int_equal(apart(&k, 0, 0, WG_FORMS_OF_GRID), cases[i].expected != NULL);
        forget(&k);
    }
    (void)state;
}

/* What a loop shifts, in place or by way of another register: halved, doubled below a bound, and doubled with
 * none. */
static void of_shifts(void **state) {
    static const struct {
        const char *loop, *form;
        int64_t lo, hi; /* of what is behind p; less than lo: not known */
    } cases[] = {
        {"mov.u32 %r10, %r5;\nL:\n mov.u32 %r11, %r10;\n shr.u32 %r10, %r11, 1;\n"
         "mul.wide.u32 %rd5, %r10, 4;\n add.s64 %rd6, %rd1, %rd5;\n st.global.u32 [%rd6], 0;\n"
         "setp.gt.u32 %p1, %r11, 3;\n @%p1 bra L;\n",
         "268435456 + 4 any(10)", 0, 512},
        {"mov.b32 %r10, 1;\nL:\n mul.wide.s32 %rd5, %r10, 4;\n add.s64 %rd6, %rd1, %rd5;\n"
         "st.global.u32 [%rd6], 0;\n shl.b32 %r10, %r10, 1;\n setp.lt.s32 %p1, %r10, %r5;\n @%p1 bra L;\n",
         "268435456 + 4 any(10)", 4, 1020},
        {"mov.b32 %r10, 1;\nL:\n shl.b32 %r11, %r10, 1;\n setp.ge.s32 %p2, %r11, 9;\n @%p2 bra M;\n"
         "mul.wide.s32 %rd5, %r11, 4;\n add.s64 %rd6, %rd1, %rd5;\n st.global.u32 [%rd6], 0;\n"
         "M:\n setp.le.s32 %p1, %r11, 64;\n mov.u32 %r10, %r11;\n @%p1 bra L;\n",
         "268435456 + 8 any(10)", 8, 32},
        {"mov.b32 %r10, 1;\nL:\n mul.wide.s32 %rd5, %r10, 4;\n add.s64 %rd6, %rd1, %rd5;\n"
         "st.global.u32 [%rd6], 0;\n shl.b32 %r10, %r10, 1;\n setp.lt.s32 %p1, %r3, %r5;\n @%p1 bra L;\n",
         "268435456 + 4 any(10)", -(INT64_C(4) << 31), (INT64_C(4) << 31) - 4},
    };
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct kernel k = read_kernel(cases[i].loop, one_dim, many, 0, 0);
        int64_t lo, hi;
        assert_form(&k, 0, cases[i].form);
        const struct wg_form_access *a = &k.forms->accesses[0];
        assert_true(wg_form_range(k.forms, &a->at, a->guards, &lo, &hi));
        assert_int_equal(lo - (int64_t)OUT, cases[i].lo);
        assert_int_equal(hi - (int64_t)OUT, cases[i].hi);
        forget(&k);
    }
    (void)state;
}

/* A sum in place, as `if (t + stride < min(blockDim.x, n)) mine[t] += mine[t + stride]`: blocks stay in their
 * parts. */
static void of_a_reduction(void **state) {
    struct kernel k =
        read_kernel("mul.lo.s32 %r9, %r4, %r5;\n mul.wide.u32 %rd3, %r9, 4;\n add.s64 %rd4, %rd1, %rd3;\n"
                    "sub.s32 %r10, %r1, %r9;\n min.s32 %r11, %r5, %r10;\n mul.wide.u32 %rd5, %r3, 4;\n"
                    "add.s64 %rd6, %rd4, %rd5;\n mov.b32 %r12, 1;\nL:\n add.s32 %r13, %r3, %r12;\n"
                    "setp.ge.s32 %p1, %r13, %r11;\n @%p1 bra M;\n mul.wide.s32 %rd7, %r12, 4;\n"
                    "add.s64 %rd8, %rd6, %rd7;\n ld.global.u32 %r14, [%rd8];\n st.global.u32 [%rd6], %r14;\n"
                    "M:\n shl.b32 %r12, %r12, 1;\n setp.lt.s32 %p2, %r12, %r5;\n @%p2 bra L;\n",
                    one_dim, many, 25000, 0);
    for (uint32_t a = 0; a < 2; a++)
        for (uint32_t b = 0; b < 2; b++) {
            assert_true(apart(&k, a, b, WG_FORMS_OF_BLOCKS));
            assert_int_equal(apart(&k, a, b, WG_FORMS_OF_BLOCK), a && b); /* a thread writes its own */
        }
    forget(&k);
    (void)state;
}

/* Bounds of the outer loop's body are asked for while they are being made, by way of what the inner loop
 * tests: who asks then does not have all of them. */
static void of_bounds_in_the_making(void **state) {
    const uint32_t ntid[3] = {16, 4, 1}, nctaid[3] = {3, 2, 1};
    struct kernel k = read_kernel(
        "mad.lo.s32 %r10, %r7, 12, %r1;\n mov.u32 %r13, %r10;\nL:\n setp.ge.s32 %p1, %r13, %r1;\n"
        "@%p1 bra done;\n cvt.s64.s32 %rd12, %r10;\n add.s64 %rd13, %rd1, %rd12;\n"
        "st.global.u32 [%rd13], 0;\n max.u32 %r14, %r3, 1;\nM:\n mov.u32 %r15, %r14;\n and.b32 %r16, %r10, "
        "-2;\n"
        "mul.wide.s32 %rd14, %r16, 2;\n add.s64 %rd15, %rd1, %rd14;\n st.global.u32 [%rd15+4], 0;\n"
        "shl.b32 %r14, %r14, 3;\n setp.le.u32 %p2, %r14, 4096;\n @%p2 bra M;\n mad.lo.s32 %r18, %r4, %r5, "
        "%r3;\n add.s32 %r13, %r13, 3;\n"
        "bra L;\n",
        ntid, nctaid, 58, 0);
    for (uint32_t i = 0; i < 2; i++)
        assert_true(k.forms->accesses[i].guards->never || !k.forms->accesses[i].guards->exact);
    forget(&k);
    (void)state;
}

static void of_digits(void **state) {
    struct kernel k = read_kernel("shr.u32 %r10, %r3, 4;\n and.b32 %r11, %r3, 15;\n mov.u64 %rd5, tile;\n"
                                  "mad.lo.s32 %r12, %r11, 17, %r10;\n mul.wide.u32 %rd6, %r12, 4;\n"
                                  "add.s64 %rd7, %rd5, %rd6;\n st.shared.u32 [%rd7], %r3;\n"
                                  "cvta.shared.u64 %rd8, %rd7;\n ld.u32 %r13, [%rd8+4];\n",
                                  one_dim, many, 0, 0);
    assert_form(&k, 0, "0 + 68 tid.x + 4 tid.x/16");
    assert_form(&k, 1, "4 + 68 tid.x + 4 tid.x/16");
    assert_int_equal(k.forms->accesses[1].space, WG_S_SHARED);
    assert_true(apart(&k, 0, 0, WG_FORMS_OF_BLOCK));
    assert_false(apart(&k, 0, 1, WG_FORMS_OF_BLOCK));
    assert_false(apart(&k, 0, 0, WG_FORMS_OF_GRID)); /* each block has its own, which the form does not say */
    forget(&k);
    (void)state;
}

/* One thread of each block writes; the block's number is what an element is told apart by. */
static void of_one_thread(void **state) {
    struct kernel k =
        read_kernel("setp.ne.s32 %p1, %r3, 0;\n mul.wide.u32 %rd5, %r4, 4;\n add.s64 %rd6, %rd1, %rd5;\n"
                    "@!%p1 st.global.u32 [%rd6], %r3;\n st.global.u32 [%rd6+4096], %r3;\n",
                    one_dim, many, 0, 0);
    assert_true(apart(&k, 0, 0, WG_FORMS_OF_GRID));
    assert_false(apart(&k, 1, 1, WG_FORMS_OF_GRID));
    assert_true(apart(&k, 1, 1, WG_FORMS_OF_BLOCKS));
    assert_true(apart(&k, 0, 1, WG_FORMS_OF_GRID));
    forget(&k);
    (void)state;
}

/* What branches write: one of two numbers; what a thread's own branch wrote; what loops for equality count. */
static void of_definitions(void **state) {
    struct kernel k = read_kernel(
        "mov.u64 %rd5, 0;\n setp.lt.u32 %p1, %r3, 16;\n @%p1 bra A;\n mov.u64 %rd5, 64;\n"
        "add.s64 %rd6, %rd1, %rd5;\n st.global.u32 [%rd6], 0;\nA:\n"
        "mad.wide.u32 %rd7, %r3, 128, %rd1;\n add.s64 %rd7, %rd7, %rd5;\n st.global.u32 [%rd7], 0;\n",
        one_dim, many, 0, 0);
    assert_form(&k, 0, "268435520");
    assert_form(&k, 1, "268435456 + 128 tid.x + 64 any(10)");
    forget(&k);
    k = read_kernel(
        "mov.u32 %r10, %r1;\n setp.lt.u32 %p1, %r3, 16;\n @%p1 bra A;\n add.u32 %r10, %r3, 5;\nA:\n"
        "mul.wide.u32 %rd5, %r10, 4;\n add.s64 %rd6, %rd1, %rd5;\n st.global.u32 [%rd6], 0;\n",
        one_dim, many, 100, 0);
    int64_t lo, hi;
    assert_true(wg_form_range(k.forms, &k.forms->accesses[0].at, NULL, &lo, &hi));
    assert_true(lo <= (int64_t)OUT + 4 * 21 && lo > (int64_t)OUT && hi >= (int64_t)OUT + 4 * 100 &&
                hi < (int64_t)OUT + 4096);
    forget(&k);
    (void)state;
}

/* The greatest of two indices is below a bound, as compilers test a stencil's edge: so is each. */
static void of_extremes(void **state) {
    static const uint32_t tile[3] = {32, 8, 1}, grid[3] = {4, 16, 1};
    struct kernel k =
        read_kernel("mad.lo.s32 %r10, %r4, 32, %r3;\n mad.lo.s32 %r11, %r7, 8, %r6;\n"
                    "min.s32 %r14, %r10, %r11;\n setp.lt.s32 %p2, %r14, 1;\n @%p2 bra done;\n"
                    "add.s32 %r12, %r1, -1;\n max.s32 %r13, %r10, %r11;\n"
                    "setp.ge.s32 %p1, %r13, %r12;\n @%p1 bra done;\n mad.lo.s32 %r15, %r11, %r1, %r10;\n"
                    "mul.wide.s32 %rd5, %r15, 4;\n add.s64 %rd6, %rd1, %rd5;\n st.global.u32 [%rd6], 0;\n",
                    tile, grid, 100, 0);
    assert_true(apart(&k, 0, 0, WG_FORMS_OF_GRID));
    forget(&k);
    (void)state;
}

/* A loop that ends when its counter is equal to a bound: it is if its steps cannot miss it. */
static void of_equality(void **state) {
    static const struct {
        const char *loop;
        int64_t lo, hi; /* of what is behind p */
    } cases[] = {
        {"and.b32 %r10, %r3, 7;\n setp.eq.u32 %p1, %r10, 0;\n @%p1 bra done;\n mov.u32 %r20, 0;\nL:\n "
         "mul.wide.s32 %rd5, %r10, 4;\n add.s64 %rd6, %rd1, %rd5;\n st.global.u32 [%rd6], 0;\n add.s32 %r10, "
         "%r10, -1;\n"
         "setp.ne.s32 %p2, %r10, 0;\n @%p2 bra L;\n",
         -20, 28},
        {"ld.global.u8 %r11, [%rd2];\n setp.lt.u32 %p3, %r11, 8;\n @%p3 bra done;\n and.b32 %r13, %r11, -8;\n"
         "mov.u32 %r10, 0;\nL:\n mul.wide.u32 %rd5, %r10, 4;\n add.s64 %rd6, %rd1, %rd5;\n"
         "st.global.u32 [%rd6], 0;\n add.s32 %r10, %r10, 8;\n setp.ne.s32 %p2, %r10, %r13;\n @%p2 bra L;\n",
         0, 960},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct kernel k = read_kernel(cases[i].loop, one_dim, many, 0, 0);
        const struct wg_form_access *a = &k.forms->accesses[k.forms->naccesses - 1];
        int64_t lo, hi;
        assert_true(wg_form_range(k.forms, &a->at, a->guards, &lo, &hi));
        assert_int_equal(lo, (int64_t)OUT + cases[i].lo);
        assert_int_equal(hi, (int64_t)OUT + cases[i].hi);
        forget(&k);
    }
    (void)state;
}

/* A row for each block: the index is compared before the loop, where its trip count is not known yet, and shares its
 * count with the pointer. */
static void of_rows(void **state) {
    struct kernel k = read_kernel(
        "mov.u32 %r20, %r3;\n mad.lo.s32 %r10, %r4, %r1, %r3;\n mul.wide.s32 %rd10, %r10, 4;\n"
        "setp.ge.s32 %p1, %r20, %r1;\n @%p1 bra done;\n"
        "add.s64 %rd11, %rd1, %rd10;\n add.s64 %rd12, %rd2, %rd10;\n"
        "L:\n ld.global.u32 %r11, [%rd12];\n st.global.u32 [%rd11], %r11;\n add.s32 %r20, %r20, 256;\n"
        "add.s64 %rd11, %rd11, 1024;\n add.s64 %rd12, %rd12, 1024;\n"
        "setp.lt.s32 %p2, %r20, %r1;\n @%p2 bra L;\n",
        one_dim, many, 2048, 0);
    for (uint32_t i = 0; i < 2; i++) {
        const struct wg_form_access *a = &k.forms->accesses[i];
        int64_t lo, hi, begin = (int64_t)(i ? OUT : IN);
        assert_true(wg_form_range(k.forms, &a->at, a->guards, &lo, &hi));
        assert_int_equal(lo, begin);
        assert_int_equal(hi, begin + 4 * (100 * 2048 - 1));
        assert_true(apart(&k, i, i, WG_FORMS_OF_BLOCKS) && apart(&k, i, i, WG_FORMS_OF_GRID));
    }
    forget(&k);
    (void)state;
}

/* What wraps around has no form. */
static void of_what_wraps(void **state) {
    struct kernel k = read_kernel("mul.lo.s32 %r10, %r3, 16777216;\n mul.wide.s32 %rd5, %r10, 4;\n"
                                  "add.s64 %rd6, %rd1, %rd5;\n st.global.u32 [%rd6], %r3;\n"
                                  "mul.wide.u32 %rd7, %r10, 4;\n add.s64 %rd8, %rd1, %rd7;\n"
                                  "st.global.u32 [%rd8], %r3;\n",
                                  one_dim, many, 0, 0);
    assert_form(&k, 0, "268435456 + 4 any(11)");
    assert_form(&k, 1, "268435456 + 67108864 tid.x");
    forget(&k);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_of_constants),

        cmocka_unit_test(of_a_vector),
        cmocka_unit_test(of_a_matrix),
        cmocka_unit_test(of_a_grid_stride_loop),
        cmocka_unit_test(of_an_int_in_64_bits),
        cmocka_unit_test(of_shifts),
        cmocka_unit_test(of_a_reduction),
        cmocka_unit_test(of_bounds_in_the_making),
        cmocka_unit_test(of_digits),
        cmocka_unit_test(of_one_thread),
        cmocka_unit_test(of_definitions),
        cmocka_unit_test(of_extremes),
        cmocka_unit_test(of_equality),
        cmocka_unit_test(of_rows),
        cmocka_unit_test(of_what_wraps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
