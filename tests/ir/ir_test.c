/* What a printed function does not show: module data, layouts, properties of functions. */
#include "ir/ir.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define HEAD ".version 8.3\n.target sm_90a\n.address_size 64\n"

static struct wg_ir_module *read_ptx(const char *text) {
    struct wg_diag d = {0};
    struct wg_ir_module *m = wg_ir_from_ptx("t.ptx", text, strlen(text), &d);
    if (!m) fail_msg("%s", d.text.s);
    const char *wrong = wg_ir_verify(m);
    if (wrong) fail_msg("%s", wrong);
    wg_diag_free(&d);
    return m;
}

static const struct wg_ir_func *func(const struct wg_ir_module *m, const char *name) {
    uint32_t i = wg_ir_find_func(m, name);
    assert_int_not_equal(i, WG_NO_REG);
    return &m->funcs[i];
}
static const struct wg_ir_sym *sym(const struct wg_ir_module *m, const char *name) {
    for (uint32_t i = 0; i < m->nsyms; i++)
        if (strcmp(m->syms[i].name, name) == 0) return &m->syms[i];
    fail_msg("no symbol %s", name);
    return NULL;
}

static void test_module(void **state) {
    struct wg_ir_module *m = read_ptx(HEAD ".entry k() { ret; }"), *n = read_ptx(HEAD ".entry k() { exit; }");
    assert_int_equal(m->ptx_version, 83);
    assert_int_equal(m->sm, 90);
    assert_true(m->sm_specific);
    assert_true(m->text_hash[0] != n->text_hash[0] && m->text_hash[1] != n->text_hash[1]);
    assert_int_equal(wg_ir_find_func(m, "nothing"), WG_NO_REG);
    wg_ir_free(m);
    wg_ir_free(n);
    wg_ir_free(NULL);
}

static void test_limits(void **state) {
    struct wg_ir_module *m =
        read_ptx(HEAD ".visible .entry k() .maxntid 16, 8 .reqntid 4 .minnctapersm 3 .maxnreg 40\n"
                      ".reqnctapercluster 2, 1 .maxclusterrank 8 { ret; }\n");
    const struct wg_ir_func *k = func(m, "k");
    assert_true(k->entry && k->visible && k->explicit_cluster);
    assert_int_equal(k->maxntid[0] * 10000 + k->maxntid[1] * 100 + k->maxntid[2], 160801);
    assert_int_equal(k->reqntid[0] * 100 + k->reqntid[1] * 10 + k->reqntid[2], 411);
    assert_int_equal(k->minnctapersm, 3);
    assert_int_equal(k->maxnreg, 40);
    assert_int_equal(k->reqnctapercluster[0], 2);
    assert_int_equal(k->maxclusterrank, 8);
    wg_ir_free(m);
}

static void test_params(void **state) {
    struct wg_ir_module *m = read_ptx(
        HEAD ".entry k(.param .u8 a, .param .u64 .ptr b, .param .align 16 .b8 c[3], .param .v2 .f32 d,\n"
             ".param .u16 e[3]) { ret; }");
    const struct wg_ir_func *k = func(m, "k");
    static const uint32_t offsets[] = {0, 8, 16, 24, 32}, sizes[] = {1, 8, 3, 8, 6};
    assert_int_equal(k->nparams, 5);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(k->params[i].offset, offsets[i]);
        assert_int_equal(k->params[i].size, sizes[i]);
    }
    assert_true(k->params[1].pointer);
    assert_int_equal(k->param_bytes, 38);
    wg_ir_free(m);
}

static void test_local(void **state) {
    struct wg_ir_module *m =
        read_ptx(HEAD ".entry k() { .local .b8 a[3]; .local .align 16 .b32 b; .local .b16 c; ret; }");
    const struct wg_ir_func *k = func(m, "k");
    assert_int_equal(sym(m, "a")->offset, 0);
    assert_int_equal(sym(m, "b")->offset, 16);
    assert_int_equal(sym(m, "c")->offset, 20);
    assert_int_equal(k->local_bytes, 22);
    assert_int_equal(k->local_align, 16);
    wg_ir_free(m);
}

/* A device function's variable has one offset in all kernels; a kernel's own stand behind what it reaches. */
static void test_shared(void **state) {
    struct wg_ir_module *m = read_ptx(
        HEAD
        ".shared .b8 common[100];\n.extern .shared .align 16 .b8 dyn[];\n"
        ".func f() { .shared .align 8 .b8 own[40]; .reg .b64 %r; mov.u64 %r, own; mov.u64 %r, dyn; ret; }\n"
        ".entry a() { .shared .b32 x; .reg .b64 %r; mov.u64 %r, x; call f; ret; }\n"
        ".entry b() { .reg .b64 %r; mov.u64 %r, common; call f; ret; }\n"
        ".entry c() { .shared .b32 y; .reg .b64 %r; ld.shared.u32 %r, [y]; ret; }\n");
    assert_int_equal(sym(m, "common")->offset, 0);
    assert_int_equal(sym(m, "own")->offset, 104);
    assert_int_equal(sym(m, "x")->offset, 144);
    assert_int_equal(sym(m, "y")->offset, 0);
    assert_int_equal(func(m, "a")->shared_bytes, 148);
    assert_int_equal(func(m, "b")->shared_bytes, 144);
    assert_int_equal(func(m, "c")->shared_bytes, 4);
    assert_true(func(m, "a")->uses_dynamic_shared);
    assert_false(func(m, "c")->uses_dynamic_shared);
    assert_int_equal(sym(m, "dyn")->kind, WG_SYM_DYNSHARED);
    wg_ir_free(m);
}

static void test_call_graph(void **state) {
    struct wg_ir_module *m = read_ptx(
        HEAD
        ".func one() { .shared .b32 s; .reg .b64 %r; mov.u64 %r, s; ret; }\n.func two();\n"
        ".func two() { call two; ret; }\n.func three() { call one; ret; }\n.func also();\n.alias also, one;\n"
        ".entry k() { .reg .b64 %r; mov.u64 %r, three; call %r, p; p: .callprototype _; ret; }\n"
        ".entry j() { call two; call also; ret; }\n.entry i() { ret; }\n");
    assert_true(func(m, "two")->recursive);
    assert_false(func(m, "three")->recursive || func(m, "one")->recursive || func(m, "k")->recursive);
    assert_true(func(m, "three")->address_taken && !func(m, "one")->address_taken);
    assert_true(func(m, "k")->has_calls && func(m, "k")->has_indirect_calls);
    assert_true(func(m, "j")->has_calls && !func(m, "j")->has_indirect_calls);
    assert_false(func(m, "i")->has_calls);
    assert_int_equal(func(m, "k")->shared_bytes, 4);
    assert_int_equal(func(m, "j")->shared_bytes, 4);
    assert_int_equal(func(m, "i")->shared_bytes, 0);
    wg_ir_free(m);
}

/* An instruction that is not there yet spoils the kernels that reach it, with its place, and no other. */
static void test_unsupported(void **state) {
    struct wg_ir_module *m =
        read_ptx(HEAD ".file 1 \"a.cu\"\n.func f() {\n.loc 1 7 3\ntcgen05.fence::before_thread_sync; ret; }\n"
                      ".entry bad() { call f; ret; }\n.entry good() { ret; }\n");
    struct wg_diag d = {0};
    assert_true(wg_ir_check_supported(m, wg_ir_find_func(m, "good"), &d));
    assert_int_equal(d.errors, 0);
    assert_false(wg_ir_check_supported(m, wg_ir_find_func(m, "bad"), &d));
    assert_string_equal(
        d.text.s, "t.ptx:7: error: unsupported instruction 'tcgen05.fence::before_thread_sync' (function f, "
                  "called by kernel bad, a.cu:7)\n");
    wg_diag_free(&d);
    wg_ir_free(m);
}

/* Every pair of nested loops with exits from the inner one, in all orders of their blocks: loops stay
 * together. */
static void test_loop_order(void **state) {
    static const char *const parts[] = {
        "A: @%p1 bra D;\n bra B;\n", "B: @%p2 bra C;\n @%p3 bra X;\n bra B;\n", "C: @%p1 bra A;\n bra X;\n",
        "D: @%p2 bra B;\n bra C;\n", "X: ret;\n"};
    uint32_t order[5] = {0, 1, 2, 3, 4};
    for (int round = 0; round < 120; round++) {
        struct wg_strbuf s = {0};
        wg_strbuf_puts(&s, HEAD ".entry k() { .reg .pred %p<5>; bra A;\n");
        uint32_t left[5] = {0, 1, 2, 3, 4}, code = (uint32_t)round;
        for (uint32_t i = 0; i < 5; i++) { /* the round's permutation */
            uint32_t k = code % (5 - i);
            code /= 5 - i;
            order[i] = left[k];
            memmove(&left[k], &left[k + 1], (4 - k) * sizeof *left);
            wg_strbuf_puts(&s, parts[order[i]]);
        }
        wg_strbuf_puts(&s, "}");
        struct wg_ir_module *m = read_ptx(s.s); /* wg_ir_verify checks the order */
        uint32_t headers = 0;
        for (uint32_t b = 0; b < m->funcs[0].nblocks; b++) headers += m->funcs[0].blocks[b].loop == b;
        assert_int_equal(headers, 2);
        wg_ir_free(m);
        wg_strbuf_free(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_module),      cmocka_unit_test(test_limits),
        cmocka_unit_test(test_params),      cmocka_unit_test(test_local),
        cmocka_unit_test(test_shared),      cmocka_unit_test(test_call_graph),
        cmocka_unit_test(test_unsupported), cmocka_unit_test(test_loop_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
