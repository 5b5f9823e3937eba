/* What instructions do that others could notice, one case for each kind; and that no row of the table of
 * instructions which touches memory, waits or has effects is left out. */
#include "analysis/effects.h"
#include "ptx/op.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char before[] = ".version 8.0\n.target sm_90\n.address_size 64\n"
                             ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n"
                             ".func other() { membar.gl; ret; }\n"
                             ".shared .align 16 .b8 s[4096];\n"
                             ".visible .entry k(.param .u64 p) {\n"
                             ".reg .pred %p<4>;\n.reg .b32 %r<9>;\n.reg .f32 %f<9>;\n.reg .b64 %rd<9>;\n";

static const struct wg_ir_instr *instr_of(const struct wg_ir_module *m, uint32_t line) {
    for (uint32_t i = 0; i < m->nfuncs; i++)
        for (uint32_t b = 0; b < m->funcs[i].nblocks; b++)
            for (uint32_t k = 0; k < m->funcs[i].blocks[b].ninstrs; k++)
                if (m->funcs[i].blocks[b].instrs[k].ptx_line == line) return &m->funcs[i].blocks[b].instrs[k];
    fail_msg("there is no instruction of line %u", (unsigned)line);
    return NULL;
}

static void name_memories(char *to, uint8_t set) {
    static const char letter[] = "gsl";
    for (int i = 0; letter[i]; i++)
        if (set & 1 << i) *to++ = letter[i];
    *to = 0;
}

/* "reads|writes|once ordered meets" */
static void is(const char *text, const char *expected) {
    struct wg_strbuf all = {0};
    struct wg_diag d = {0};
    char reads[4], writes[4], said[80];
    wg_strbuf_printf(&all, "%s%s\nret;\n}\n", before, text);
    struct wg_ir_module *m = wg_ir_from_ptx("test", all.s, all.n, &d);
    if (!m) print_error("%s", d.text.s);
    assert_non_null(m);
    uint32_t line = 1;
    for (const char *c = before; *c; c++) line += *c == '\n';
    struct wg_effects x = wg_effects_of(instr_of(m, line));
    name_memories(reads, x.reads);
    name_memories(writes, x.writes);
    snprintf(said, sizeof said, "%s|%s|%s%s%s", reads, writes, x.once ? "once " : "",
             x.ordered ? "ordered " : "", x.meets ? "meets " : "");
    if (strcmp(said, expected) != 0) fail_msg("%s: %s, expected %s", text, said, expected);
    wg_ir_free(m);
    wg_diag_free(&d);
    wg_strbuf_free(&all);
}

static void accesses(void **state) {
    is("ld.global.f32 %f1, [%rd1];", "g||");
    is("ld.global.nc.f32 %f1, [%rd1];", "g||");
    is("ld.f32 %f1, [%rd1];", "gsl||");
    is("ld.shared.f32 %f1, [%r1];", "s||");
    is("ld.shared::cluster.f32 %f1, [%r1];", "s||");
    is("ld.local.f32 %f1, [%rd1];", "l||");
    is("ld.param.u64 %rd1, [p];", "||");
    is("ld.const.f32 %f1, [%rd1];", "||");
    is("ldu.global.f32 %f1, [%rd1];", "g||");
    is("ld.volatile.global.f32 %f1, [%rd1];", "g||ordered meets ");
    is("ld.relaxed.gpu.global.f32 %f1, [%rd1];", "g||ordered meets ");
    is("ld.global.cv.f32 %f1, [%rd1];", "g||ordered meets ");
    is("st.global.f32 [%rd1], %f1;", "|g|");
    is("st.f32 [%rd1], %f1;", "|gsl|");
    is("st.shared.f32 [%r1], %f1;", "|s|");
    is("st.release.gpu.global.f32 [%rd1], %f1;", "|g|once ordered meets ");
}

static void atomics(void **state) {
    is("red.global.add.u32 [%rd1], 1;", "g|g|once ordered meets ");
    is("atom.add.u32 %r2, [%rd1], 1;", "gsl|gsl|once ordered meets ");
    is("atom.shared.add.u32 %r2, [%r1], 1;", "s|s|once meets ");
}

static void others(void **state) {
    is("membar.gl;", "||ordered meets ");
    is("fence.acq_rel.cta;", "||ordered meets ");
    is("fence.proxy.async;", "||meets ");
    is("fence.mbarrier_init.release.cluster;", "||meets ");
    is("fence.proxy.tensormap::generic.release.gpu;", "||ordered meets ");
    is("bar.sync 0;", "||meets ");
    is("bar.warp.sync -1;", "||meets ");
    is("shfl.sync.idx.b32 %r1, %r2, 0, 31, -1;", "||meets ");
    is("bar.arrive 1, 64;", "gsl|gsl|once meets ");
    is("cp.async.ca.shared.global [%r1], [%rd1], 4;", "g|s|once meets ");
    is("cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r1], 16;", "gsl|gsl|once meets ");
    is("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r2];", "s||meets ");
    is("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r2], {%r1};", "|s|meets ");
    is("mbarrier.init.shared.b64 [%r1], 1;", "gsl|gsl|once meets ");
    is("call other, ();", "gsl|gsl|once ordered meets ");
    is("call (%r1), vprintf, (%rd1, %rd2);", "gsl|gsl|once meets ");
    is("add.s32 %r1, %r2, 1;", "||");
    is("mov.u32 %r1, %tid.x;", "||");
    is("prefetch.global.L2 [%rd1];", "||");
}

static void no_row_is_left_out(void **state) {
    for (uint16_t op = WG_OP_NONE + 1; op < WG_OP_COUNT; op++) {
        struct wg_ir_call call = {0};
        struct wg_ir_instr in = {.op = op, .space = WG_S_GLOBAL};
        if (op == WG_OP_CALL) in.call = &call;
        struct wg_effects x = wg_effects_of(&in);
        bool any = x.reads || x.writes || x.once || x.ordered || x.meets;
        bool flagged = wg_op_flags(op) & ~(uint32_t)(WG_F_FLOW | WG_F_CC);
        if (any != (flagged || wg_is_fence(&in))) fail_msg("%s", wg_op_id(op));
    }
}

static void may_begin_again(void **state) {
    struct wg_ir_instr ld = {.op = WG_OP_LD, .space = WG_S_GLOBAL},
                       st = {.op = WG_OP_ST, .space = WG_S_GLOBAL},
                       shared = {.op = WG_OP_ST, .space = WG_S_SHARED},
                       red = {.op = WG_OP_RED, .space = WG_S_GLOBAL};
    struct wg_replay r = {0}, join = {0};
    wg_replay_past(&r, &st);
    wg_replay_past(&r, &ld); /* it reads what will be stored again */
    wg_replay_past(&r, &shared);
    assert_false(r.spoilt);
    assert_true(wg_replay_join(&join, &r));
    assert_false(wg_replay_join(&join, &r));
    wg_replay_past(&r, &st);
    assert_true(r.spoilt);
    assert_true(wg_replay_join(&join, &r));
    assert_true(join.spoilt);
    join = (struct wg_replay){0};
    wg_replay_past(&join, &red);
    assert_true(join.spoilt);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accesses),           cmocka_unit_test(atomics),         cmocka_unit_test(others),
        cmocka_unit_test(no_row_is_left_out), cmocka_unit_test(may_begin_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
