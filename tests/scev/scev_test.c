/* What registers are while a kernel is compiled (scev/scev.h), and how they grow. */
#include "scev/scev.h"
#include "base/strbuf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Parameters: p at 0, n at 8, w at 12. */
struct kernel {
    struct wg_ir_module *m;
    struct wg_cfg cfg;
    struct wg_scev *scev;
    uint32_t block[8], index[8], nstores; /* where memory is written */
};

static void read_kernel(struct kernel *k, enum wg_scev_trust trust, const char *body) {
    static const uint32_t ntid[3] = {32, 8, 1};
    struct wg_strbuf text = {0};
    struct wg_diag d = {0};
    *k = (struct kernel){0};
    wg_strbuf_printf(&text,
                     ".version 8.0\n.target sm_90\n.address_size 64\n"
                     ".visible .entry k(.param .u64 p, .param .u32 n, .param .u32 w)\n{\n"
                     "  .reg .b64 %%rd<40>;\n  .reg .b32 %%r<60>;\n  .reg .pred %%p<20>;\n"
                     "  ld.param.u64 %%rd1, [p];\n  ld.param.s32 %%r1, [n];\n  ld.param.s32 %%r2, [w];\n"
                     "  mov.u32 %%r3, %%tid.x;\n  mov.u32 %%r4, %%ctaid.x;\n  mov.u32 %%r5, %%ntid.x;\n"
                     "  mov.u32 %%r6, %%tid.y;\n  mov.u32 %%r7, %%ctaid.y;\n  mov.u32 %%r8, %%nctaid.x;\n"
                     "%s\n  ret;\n}\n",
                     body);
    k->m = wg_ir_from_ptx("k.ptx", text.s, text.n, &d);
    if (!k->m) fail_msg("%s", d.text.s);
    wg_strbuf_free(&text);
    const struct wg_ir_func *f = &k->m->funcs[0];
    k->cfg.func = f;
    wg_cfg_dominators(&k->cfg);
    wg_cfg_liveness(&k->cfg);
    k->scev = wg_scev_new(&k->cfg.arena, k->m, &k->cfg, ntid, trust);
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++)
            if (f->blocks[b].instrs[i].op == WG_OP_ST && k->nstores < 8) {
                k->block[k->nstores] = b;
                k->index[k->nstores++] = i;
            }
}

static void forget(struct kernel *k) {
    wg_arena_free(&k->cfg.arena);
    wg_ir_free(k->m);
}

static struct wg_sum address(const struct kernel *k, uint32_t store) {
    assert_true(store < k->nstores);
    return wg_scev_address(k->scev, k->block[store], k->index[store]);
}

static void assert_form(const struct kernel *k, const struct wg_sum *f, const char *expected) {
    struct wg_strbuf b = {0};
    wg_scev_print(k->scev, f, &b);
    assert_string_equal(b.s, expected);
    wg_strbuf_free(&b);
}

static void assert_address(enum wg_scev_trust trust, const char *body, const char *expected) {
    struct kernel k;
    read_kernel(&k, trust, body);
    struct wg_sum f = address(&k, 0);
    assert_form(&k, &f, expected);
    forget(&k);
}

static void assert_step(const char *body, const struct wg_scev_move *move, const char *expected) {
    struct kernel k;
    struct wg_sum step;
    read_kernel(&k, WG_SCEV_UNWRAPPED, body);
    struct wg_sum f = address(&k, 0);
    if (!wg_scev_step(k.scev, &f, move, &step)) step.known = false;
    assert_form(&k, &step, expected);
    forget(&k);
}

/* A sum that may leave its 32 bits is widened as nothing more than a number of its own. */
static void widened(void **state) {
    static const char body[] = "mad.lo.s32 %r10, %r7, %r1, %r3;\n mul.wide.s32 %rd2, %r10, 4;\n"
                               "add.s64 %rd3, %rd1, %rd2;\n st.global.u32 [%rd3+8], %r1;";
    assert_address(WG_SCEV_UNWRAPPED, body, "8 + 4 tid.x + param(0) + 4 ctaid.y*param(8)");
    assert_address(WG_SCEV_LOW, body, "8 + 4 tid.x + param(0) + 4 ctaid.y*param(8)");
    assert_address(WG_SCEV_EXACT, body, "8 + param(0) + 4 any(10)");
    assert_address(WG_SCEV_EXACT,
                   "mul.wide.s32 %rd2, %r3, 4;\n add.s64 %rd3, %rd1, %rd2;\n st.global.u32 [%rd3], %r1;",
                   "0 + 4 tid.x + param(0)");
}

/* What is as large is exact, whatever wraps round on the way. */
static void modulo(void **state) {
    assert_address(WG_SCEV_EXACT,
                   "shl.b32 %r10, %r3, 31;\n shl.b32 %r11, %r10, 1;\n add.s32 %r12, %r11, %r3;\n"
                   "mul.wide.u32 %rd2, %r12, 4;\n add.s64 %rd3, %rd1, %rd2;\n st.global.u32 [%rd3], %r1;",
                   "0 + 4 tid.x + param(0)");
    assert_address(WG_SCEV_EXACT,
                   "sub.s32 %r10, %r3, 1;\n cvt.u64.u32 %rd2, %r10;\n st.global.u32 [%rd2], %r1;",
                   "0 + reg(10)");
}

static uint32_t five_of_tid(const void *user, const struct wg_form_var *v) {
    return v->kind == WG_VAR_TID_X ? 5 : 0;
}

static void assert_low(const char *body, uint32_t bits, uint64_t value) {
    struct kernel k;
    uint64_t low = 0;
    read_kernel(&k, WG_SCEV_LOW, body);
    struct wg_sum f = address(&k, 0);
    assert_int_equal(wg_scev_low(k.scev, &f, five_of_tid, NULL, &low), bits);
    assert_int_equal(low & ((UINT64_C(1) << bits) - 1), value);
    forget(&k);
}

/* Low bits go through what may wrap round, but not down from high ones. */
static void low(void **state) {
    assert_low("sub.s32 %r10, %r3, 1;\n mul.wide.u32 %rd2, %r10, 4;\n st.global.u32 [%rd2], %r1;", 7, 124);
    assert_low("mad.lo.s32 %r10, %r3, %r1, 3;\n mul.wide.s32 %rd2, %r10, 8;\n st.global.u32 [%rd2], %r1;", 8,
               24);
    assert_low("sub.s32 %r10, %r3, 1;\n cvt.u64.u32 %rd2, %r10;\n shr.u64 %rd3, %rd2, 8;\n"
               "shl.b64 %rd4, %rd3, 3;\n st.global.u32 [%rd4], %r1;",
               3, 0);
}

static void steps(void **state) {
    static const char rows[] = "mad.lo.s32 %r10, %r7, %r1, %r3;\n mul.wide.s32 %rd2, %r10, 4;\n"
                               "add.s64 %rd3, %rd1, %rd2;\n st.global.u32 [%rd3+8], %r1;";
    assert_step(rows, &(struct wg_scev_move){.by[WG_VAR_CTAID_Y] = 2}, "0 + 8 param(8)");
    assert_step(rows, &(struct wg_scev_move){.by[WG_VAR_TID_X] = 32}, "128");
    assert_step(rows, &(struct wg_scev_move){.unknown = 1 << WG_VAR_TID_X}, "anywhere");
    assert_step(rows, &(struct wg_scev_move){.unknown = 1 << WG_VAR_TID_Z}, "0");
    assert_step("mul.lo.s32 %r10, %r7, %r6;\n mul.wide.s32 %rd2, %r10, 4;\n st.global.u32 [%rd2], %r1;",
                &(struct wg_scev_move){.by = {[WG_VAR_TID_Y] = 1, [WG_VAR_CTAID_Y] = 3}},
                "12 + 12 tid.y + 4 ctaid.y");
}

static bool none_stays(const void *user, uint32_t reg) { return false; }

/* A loop over what the grid leaves, whose step is a product. */
static void turns(void **state) {
    static const char loop[] = "mad.lo.s32 %r10, %r4, %r5, %r3;\n mul.lo.s32 %r11, %r5, %r8;\n"
                               "again:\n mul.wide.s32 %rd2, %r10, 4;\n add.s64 %rd3, %rd1, %rd2;\n"
                               "st.global.u32 [%rd3], %r1;\n add.s32 %r10, %r10, %r11;\n"
                               "setp.lt.s32 %p1, %r10, %r1;\n @%p1 bra again;";
    assert_address(WG_SCEV_UNWRAPPED, loop, "0 + 4 tid.x + 128 ctaid.x + param(0) + 128 nctaid(0)*count(9)");
    assert_step(loop, &(struct wg_scev_move){.by[WG_VAR_CTAID_X] = 1}, "128");
    assert_step(loop, &(struct wg_scev_move){.to_next = true, .loop = 1}, "0 + 128 nctaid(0)");
    /* Read where not every iteration comes by; a register that goes on from wherever it was. */
    assert_step("mov.u32 %r10, %r3;\nagain:\n setp.lt.s32 %p2, %r10, %r2;\n @%p2 bra over;\n"
                "mul.wide.s32 %rd2, %r10, 4;\n st.global.u32 [%rd2], %r1;\nover:\n add.s32 %r10, %r10, 8;\n"
                "setp.lt.s32 %p1, %r10, %r1;\n @%p1 bra again;",
                &(struct wg_scev_move){.to_next = true, .loop = 1}, "32");
    assert_step("mov.u32 %r10, %r3;\n setp.lt.s32 %p2, %r10, %r2;\n @%p2 mov.u32 %r10, 7;\nagain:\n"
                "mul.wide.s32 %rd2, %r10, 4;\n st.global.u32 [%rd2], %r1;\n add.s32 %r10, %r10, 8;\n"
                "setp.lt.s32 %p1, %r10, %r1;\n @%p1 bra again;",
                &(struct wg_scev_move){.to_next = true, .loop = 1}, "32");
    static const char loaded[] = "mov.u32 %r10, %r3;\n"
                                 "again:\n mul.wide.s32 %rd2, %r10, 4;\n add.s64 %rd3, %rd1, %rd2;\n"
                                 "st.global.u32 [%rd3], %r1;\n ld.global.u32 %r10, [%rd3+64];\n"
                                 "setp.lt.s32 %p1, %r10, %r1;\n @%p1 bra again;";
    assert_step(loaded, &(struct wg_scev_move){.stays = none_stays}, "anywhere");
}

/* A register that is read where several of its definitions may have been last is not one value, if it must be exact. */
static void several(void **state) {
    static const char body[] = "setp.lt.s32 %p1, %r3, 5;\n mov.u32 %r10, %r1;\n @%p1 bra on;\n"
                               "mul.lo.s32 %r10, %r2, %r2;\non:\n st.shared.u32 [%r10], %r1;\n"
                               "ld.global.u32 %r10, [%rd1];\n st.shared.u32 [%r10], %r1;";
    for (int exact = 0; exact < 2; exact++) {
        struct kernel k;
        read_kernel(&k, exact ? WG_SCEV_EXACT : WG_SCEV_UNWRAPPED, body);
        struct wg_sum a = address(&k, 0), b = address(&k, 1), d = wg_scev_sum(&b, &a, -1);
        assert_int_equal(wg_scev_is_constant(&d), !exact);
        forget(&k);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(widened), cmocka_unit_test(modulo), cmocka_unit_test(steps),
        cmocka_unit_test(low),     cmocka_unit_test(turns),  cmocka_unit_test(several),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
