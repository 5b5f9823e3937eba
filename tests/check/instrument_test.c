/* Instructions of our own in a kernel's IR: where they stand, that blocks stay what ir.h says, and that no
 * text can name them. */
#include "base/diag.h"
#include "base/strbuf.h"
#include "check/finding.h"
#include "check/instrument/instrument.h"
#include "check/prove/roots.h"
#include "ptx/row.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { MEMORY = 1u << WG_CHECK_memory };

static const char text[] = ".version 8.0\n.target sm_90\n.address_size 64\n"
                           ".visible .entry k(.param .u64 p)\n{\n"
                           "  .reg .b64 %rd<4>;\n  .reg .b32 %r<4>;\n  .reg .pred %p<2>;\n"
                           "  .shared .align 4 .b8 tile[64];\n"
                           "  ld.param.u64 %rd1, [p];\n"
                           "  mov.u32 %r1, %tid.x;\n"
                           "  ld.shared.u32 %r2, [tile+60];\n" /* certain */
                           "  ld.shared.u32 %r3, [tile+64];\n" /* certainly wrong */
                           "  setp.eq.u32 %p1, %r1, 0;\n"
                           "  @%p1 st.global.v2.u32 [%rd1+8], {%r2, %r3};\n"
                           "  bar.warp.sync -1;\n"
                           "  ret;\n}\n";

static const char pointers[] = ".version 8.0\n.target sm_90\n.address_size 64\n"
                               ".visible .entry k(.param .u64 p, .param .u64 n)\n{\n"
                               "  .reg .b64 %rd<9>;\n  .reg .b32 %r<4>;\n  .reg .pred %p<2>;\n"
                               "  .shared .align 4 .b8 tile[64];\n"
                               "  ld.param.u64 %rd1, [p];\n"
                               "  ld.param.u64 %rd7, [n];\n"
                               "  mov.u64 %rd2, tile;\n"
                               "  cvta.shared.u64 %rd3, %rd2;\n"
                               "  mov.u32 %r1, %tid.x;\n"
                               "  mapa.u64 %rd4, %rd3, %r1;\n"
                               "  add.s64 %rd5, %rd4, 8;\n"
                               "  setp.eq.u32 %p1, %r1, 0;\n"
                               "  selp.b64 %rd6, %rd5, %rd1, %p1;\n"
                               "  ld.u64 %rd8, [%rd1];\n"
                               "  st.u32 [%rd1], %r1;\n"
                               "  st.u32 [%rd3], %r1;\n"
                               "  st.u32 [%rd5], %r1;\n"
                               "  st.u32 [%rd6], %r1;\n"
                               "  st.u32 [%rd7], %r1;\n"
                               "  st.u32 [%rd8], %r1;\n"
                               "  ret;\n}\n";

static const char votes[] = ".version 8.0\n.target sm_90\n.address_size 64\n"
                            ".visible .entry k(.param .u64 p)\n{\n"
                            "  .reg .b64 %rd<2>;\n  .reg .b32 %r<9>;\n  .reg .pred %p<2>;\n"
                            "  ld.param.u64 %rd1, [p];\n"
                            "  mov.u32 %r1, %tid.x;\n"
                            "  setp.gt.u32 %p1, %r1, 7;\n"
                            "  vote.sync.ballot.b32 %r2, %p1, -1;\n"
                            "  setp.gt.u32 %p1, %r1, 9;\n"
                            "  vote.sync.ballot.b32 %r3, %p1, -1;\n"
                            "  shfl.sync.bfly.b32 %r4, %r3, 1, 31, -1;\n"
                            "  vote.sync.ballot.b32 %r5, %p1, 255;\n"
                            "  vote.sync.ballot.b32 %r6, %p1, -1;\n"
                            "  st.global.u32 [%rd1], %r6;\n"
                            "  vote.sync.ballot.b32 %r7, %p1, -1;\n"
                            "  bar.warp.sync -1;\n"
                            "  @%p1 bra $L;\n"
                            "  st.global.u32 [%rd1+4], %r7;\n"
                            "$L:\n"
                            "  bar.warp.sync -1;\n"
                            "  ret;\n}\n";

static struct wg_ir_module *read_text(const char *ptx, size_t size) {
    struct wg_diag d = {0};
    struct wg_ir_module *m = wg_ir_from_ptx("k.ptx", ptx, size, &d);
    if (!m) fail_msg("%s", d.text.s);
    return m;
}

static struct wg_ir_module *read_module(void) { return read_text(text, sizeof text - 1); }

/* The check that stands before the first access of the operation, or NULL. */
static const struct wg_ir_instr *check_before(const struct wg_ir_func *f, enum wg_op op, uint32_t skip) {
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
            if (in->op != op || (op == WG_OP_LD && in->space == WG_S_PARAM) || skip-- > 0) continue;
            bool asked = i && in[-1].op == WG_OP_CHECK_ACCESS;
            assert_int_equal(in->checked, asked);
            return asked ? &in[-1] : NULL;
        }
    fail_msg("no such instruction");
    return NULL;
}

static void asks_before_what_is_not_certain(void **state) {
    struct wg_ir_module *m = read_module();
    struct wg_instrumented *x = wg_instrument(m, MEMORY, false);
    const struct wg_ir_func *f = &x->module->funcs[0];
    assert_null(wg_ir_verify((struct wg_ir_module *)x->module));
    assert_null(check_before(f, WG_OP_LD, 0));
    const struct wg_ir_instr *wrong = check_before(f, WG_OP_LD, 1), *store = check_before(f, WG_OP_ST, 0);
    assert_non_null(wrong);
    assert_string_equal(m->syms[x->sites[wrong->id].variable].name, "tile");
    assert_int_equal(wrong->check, WG_CHECK_LOAD);
    assert_non_null(store);
    assert_int_equal(store->check, WG_CHECK_STORE);
    assert_int_equal(store->nvec, 2);
    assert_int_equal(store->offset, 8);
    assert_int_equal(store->guard, store[1].guard);
    assert_int_equal(store->id, store[1].id);
    assert_int_equal(x->sites[store->id].variable, WG_NO_REG);
    assert_memory_not_equal(x->module->text_hash, m->text_hash, sizeof m->text_hash);
    wg_instrumented_free(x);
    wg_ir_free(m);
}

static void leaves_the_module_alone(void **state) {
    struct wg_ir_module *m = read_module();
    struct wg_strbuf before = {0}, after = {0};
    wg_ir_print(m, &m->funcs[0], &before);
    wg_instrumented_free(wg_instrument(m, UINT32_MAX, false));
    wg_ir_print(m, &m->funcs[0], &after);
    assert_string_equal(before.s, after.s);
    wg_strbuf_free(&before);
    wg_strbuf_free(&after);
    wg_ir_free(m);
}

/* A pass that puts something before and behind every instruction splits blocks as it must. */
static void splits_blocks(void **state) {
    struct wg_ir_module *m = read_module();
    struct wg_instrumented *x = wg_instrument(m, UINT32_MAX, false);
    const struct wg_ir_func *f = &x->module->funcs[0];
    assert_null(wg_ir_verify((struct wg_ir_module *)x->module));
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 1; i < f->blocks[b].ninstrs; i++)
            assert_int_not_equal(f->blocks[b].instrs[i].op, WG_OP_BAR_WARP);
    wg_instrumented_free(x);
    wg_ir_free(m);
}

/* Of meetings with nothing done since the one before, all named in both, only those of parts of a warp are told. */
static void meetings_are_told_once(void **state) {
    static const bool again[] = {false, true, true, false, false, false, true, false};
    struct wg_ir_module *m = read_text(votes, sizeof votes - 1);
    struct wg_instrumented *x = wg_instrument(m, UINT32_MAX, false);
    const struct wg_ir_func *f = &x->module->funcs[0];
    size_t n = 0;
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
            if (in->op != WG_OP_CHECK_EVENT || (in->check & ~WG_EVENT_IF_APART) != WG_EVENT_WARP_SYNC)
                continue;
            assert_true(n < sizeof again);
            assert_int_equal((in->check & WG_EVENT_IF_APART) != 0, again[n++]);
        }
    assert_int_equal(n, sizeof again);
    wg_instrumented_free(x);
    wg_ir_free(m);
}

static void pointers_have_roots(void **state) {
    static const uint64_t expected[] = {1, WG_ROOT_OWN, WG_ROOT_OWN, WG_ROOT_OWN | 1, 2, WG_ROOT_UNKNOWN};
    struct wg_ir_module *m = read_text(pointers, sizeof pointers - 1);
    struct wg_arena a = {0};
    const struct wg_ir_func *f = &m->funcs[0];
    uint64_t *roots = wg_roots_find(&a, m, f);
    size_t n = 0;
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++)
            if (f->blocks[b].instrs[i].op == WG_OP_ST)
                assert_int_equal(wg_roots_of(m, roots, &f->blocks[b].instrs[i].src[0]), expected[n++]);
    assert_int_equal(n, sizeof expected / sizeof *expected);
    wg_arena_free(&a);
    wg_ir_free(m);
}

static void no_text_names_them(void **state) {
    const struct wg_spelling *s = wg_spelling("check", 5);
    assert_true(!s || !s->row);
    s = wg_spelling("check.access", 12);
    assert_true(!s || !s->row);
    assert_string_equal(wg_op_name(WG_OP_CHECK_ACCESS), "check.access");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(asks_before_what_is_not_certain),
        cmocka_unit_test(leaves_the_module_alone),
        cmocka_unit_test(splits_blocks),
        cmocka_unit_test(meetings_are_told_once),
        cmocka_unit_test(pointers_have_roots),
        cmocka_unit_test(no_text_names_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
